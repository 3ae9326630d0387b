# Checks that the kernels of each operator in the shared library take at most 10^6 bytes of
# object code for each target. The first operator and what all of them share lie in the
# namespace qconform::simd, each other operator in a namespace of its own in it. Run by CTest:
#   cmake -DNM=program -DLIBRARY=file -P object_code_test.cmake
#   cmake -DPLANT=file -P object_code_test.cmake   (proves that it can fail)

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/look_at.cmake)

# Prints the bytes of each namespace's functions for each target, and which are too many.
set(program [=[
$3 ~ /^[tTwW]$/ && match($0, /[a-z_]+::N_[A-Z0-9_]+::/) {
  bytes[substr($0, RSTART, RLENGTH - 2)] += $2
}
END {
  for (target in bytes) print target ": " bytes[target] (bytes[target] > 1000000 ? " too many" : "")
}
]=])

if(DEFINED PLANT)
  set(half "0000000000000000 0000000000500000 t qconform::simd")
  file(WRITE ${PLANT} "${half}::N_A::F()\n${half}::N_A::G()\n${half}::N_A2::F()\n"
    "${half}::other::N_A::F<qconform::simd::N_A::H>()\n"
    "0000000000000000 0000000000000001 d qconform::simd::N_A::kTable\n")
  look_at(words COMMAND sort ${PLANT})
  file(APPEND ${PLANT} "0000000000000000 0000000000000001 W qconform::simd::N_A::H()\n")
  look_at(more COMMAND sort ${PLANT})
  if(words MATCHES "too many" OR NOT words MATCHES "simd::N_A: 1000000" OR
      NOT more MATCHES "simd::N_A: 1000001 too many")
    message(FATAL_ERROR "expected 10^6 bytes to pass and one byte more to fail, got:\n${words}\n${more}")
  endif()
  return()
endif()

look_at(words COMMAND ${NM} --demangle --defined-only --print-size --radix=d ${LIBRARY})
message(STATUS "${words}")
if(words MATCHES "too many" OR words STREQUAL "")
  message(FATAL_ERROR "${LIBRARY}: expected at most 1000000 bytes of each operator's kernels for each target, got more or no kernels")
endif()
