# For checks of what was built. look_at(OUT COMMAND command...) sets OUT to what the awk
# program ${program} says of what the command prints.
include_guard(GLOBAL)

function(look_at out)
  execute_process(${ARGN} COMMAND awk "${program}"
    OUTPUT_VARIABLE words RESULTS_VARIABLE codes OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(codes MATCHES "[^0;]")
    message(FATAL_ERROR "${ARGN}: ${codes}")
  endif()
  set(${out} "${words}" PARENT_SCOPE)
endfunction()
