# Checks that the kernels of the shared library take at most 10^6 bytes of object code for each
# target. Run by CTest:
#   cmake -DNM=program -DLIBRARY=file -P object_code_test.cmake
#   cmake -DPLANT=file -P object_code_test.cmake   (proves that it can fail)

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/look_at.cmake)

# Prints the bytes of each target's functions, and the targets that have too many.
set(program [=[
$3 ~ /^[tTwW]$/ && match($0, /N_[A-Z0-9_]+::/) { bytes[substr($0, RSTART + 2, RLENGTH - 4)] += $2 }
END {
  for (target in bytes) print target ": " bytes[target] (bytes[target] > 1000000 ? " too many" : "")
}
]=])

if(DEFINED PLANT)
  set(half "0000000000000000 0000000000500000 t qconform::simd")
  file(WRITE ${PLANT} "${half}::N_A::F()\n${half}::N_A::G()\n${half}::N_A2::F()\n"
    "0000000000000000 0000000000000001 d qconform::simd::N_A::kTable\n")
  look_at(words COMMAND sort ${PLANT})
  file(APPEND ${PLANT} "0000000000000000 0000000000000001 W qconform::simd::N_A::H()\n")
  look_at(more COMMAND sort ${PLANT})
  if(words MATCHES "too many" OR NOT words MATCHES "A: 1000000" OR
      NOT more MATCHES "A: 1000001 too many")
    message(FATAL_ERROR "expected 10^6 bytes to pass and one byte more to fail, got:\n${words}\n${more}")
  endif()
  return()
endif()

look_at(words COMMAND ${NM} --demangle --defined-only --print-size --radix=d ${LIBRARY})
message(STATUS "${words}")
if(words MATCHES "too many" OR words STREQUAL "")
  message(FATAL_ERROR "${LIBRARY}: expected at most 1000000 bytes of kernels for each target, got more or no kernels")
endif()
