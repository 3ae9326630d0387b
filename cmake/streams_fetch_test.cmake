# Checks that each kernel which streams y, and the measured limit, prefetches x. If a compiler
# dropped the prefetches, no bit would change, but the kernels would take twice the time. Run by
# CTest:
#   cmake -DOBJDUMP=program -DLIBRARY=file -P streams_fetch_test.cmake
#   cmake -DPLANT=file -P streams_fetch_test.cmake   (proves that it can fail)

cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/look_at.cmake)

# Prints the functions that break the rule, and the number of functions that were checked.
set(program [=[
function finish() {
  if (!streams) return
  count++
  if (!fetches) print "no prefetchnta in " name
}
/^[0-9a-f]+ <.*>:$/ { finish(); name = $2; streams = fetches = 0 }
name ~ /13QuantizeRunByI|14QuantizePackedI|7CopyAnyI/ && /movnt/ { streams = 1 }
/prefetchnta/ { fetches = 1 }
END { finish(); print count + 0 " kernels stream" }
]=])

if(DEFINED PLANT)
  file(WRITE ${PLANT}
    "0000 <_ZN13QuantizeRunByILa>:\n 1: prefetchnta (%rax)\n 2: vmovntdq %zmm0,(%rdx)\n"
    "0010 <_ZN13QuantizeRunByILb>:\n 1: vmovntdq %zmm0,(%rdx)\n 2: ret\n"
    "0020 <Other>:\n 1: prefetchnta (%rax)\n 2: vmovntdq %zmm0,(%rdx)\n")
  look_at(words COMMAND cat ${PLANT})
  if(NOT words STREQUAL "no prefetchnta in <_ZN13QuantizeRunByILb>:\n2 kernels stream")
    message(FATAL_ERROR "expected one of the two planted kernels to fail, got:\n${words}")
  endif()
  return()
endif()

look_at(words COMMAND ${OBJDUMP} --disassemble --no-show-raw-insn ${LIBRARY})
message(STATUS "${words}")
if(words MATCHES "no prefetchnta|^0 kernels")
  message(FATAL_ERROR "${LIBRARY}: expected prefetches in all kernels that stream, got kernels without, or no kernels")
endif()
