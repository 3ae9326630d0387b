# Tests of the whole tree, which belong to no single folder.

include_guard(GLOBAL)

if(NOT QCONFORM_BUILD_TESTS)
  return()
endif()

# harness/backends/simd checks its libraries by the same script.
set(_check ${CMAKE_CURRENT_LIST_DIR}/streams_fetch_test.cmake)
if(CMAKE_OBJDUMP AND UNIX AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_test(NAME streams_fetch_planted_test
           COMMAND ${CMAKE_COMMAND} -DPLANT=${PROJECT_BINARY_DIR}/streams_fetch.txt -P ${_check})
  set_tests_properties(streams_fetch_planted_test PROPERTIES LABELS unit TIMEOUT 60)
endif()

# The shared library of kernels, as it is delivered.
set(_check ${CMAKE_CURRENT_LIST_DIR}/object_code_test.cmake)
if(CMAKE_NM AND UNIX AND NOT APPLE)
  if(NOT QCONFORM_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
    add_test(NAME object_code_test
             COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM}
                     -DLIBRARY=$<TARGET_FILE:qconform_kernels> -P ${_check})
    set_tests_properties(object_code_test PROPERTIES LABELS unit TIMEOUT 60)
  endif()
  add_test(NAME object_code_planted_test
           COMMAND ${CMAKE_COMMAND} -DPLANT=${PROJECT_BINARY_DIR}/object_code.txt -P ${_check})
  set_tests_properties(object_code_planted_test PROPERTIES LABELS unit TIMEOUT 60)
endif()

# The links between pages, and the script that runs the commands of README and docs.
find_package(Python3 3.9 COMPONENTS Interpreter QUIET)
if(Python3_Interpreter_FOUND)
  foreach(_check links self-test)
    add_test(NAME docs_${_check}_test
      COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/script/test-docs --${_check})
    set_tests_properties(docs_${_check}_test PROPERTIES LABELS unit TIMEOUT 120)
  endforeach()
endif()
