# For checks of built files. look_at(OUT COMMAND command...) pipes the output of the command into
# the awk program ${program}, and sets OUT to the output of that.
include_guard(GLOBAL)

function(look_at out)
  execute_process(${ARGN} COMMAND awk "${program}"
    OUTPUT_VARIABLE words RESULTS_VARIABLE codes OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(codes MATCHES "[^0;]")
    message(FATAL_ERROR "${ARGN}: ${codes}")
  endif()
  set(${out} "${words}" PARENT_SCOPE)
endfunction()
