# qconform_add_conformance_tests(NAME name BACKEND spec
#   [BACKEND_OPTIONS KEY=VALUE...] [LEVEL smoke|standard] [OPERATORS op...]
#   [PROFILE name|file] [CELLS glob...]
#   [KNOWN_DIFFERENCES file] [ALLOW_UNSUPPORTED] [TIMEOUT seconds] [LABELS label...])
#
# Certifies a backend under CTest. One test runs every case and writes
# <build>/<name>.conformance.json. Then one test per operator, since_version and
# output type (<name>.QuantizeLinear.21.INT4) reports the cells of that group. A group
# whose cells are all unsupported is shown as skipped. A group with some unsupported cells
# fails, unless ALLOW_UNSUPPORTED is given: then the other cells decide. With
# KNOWN_DIFFERENCES the test <name>.known_differences fails if entries of the file expired,
# match no cell, or contradict the verdict of a cell.
#
# PROFILE, a built-in profile or a JSON file of one's own, selects the cells; OPERATORS and
# CELLS narrow them further.
#
# The author of a plugin names it plugin:$<TARGET_FILE:target>, and compiles it
# with qconform::backend_header.
#
# When CTest starts, it asks qconform for the groups, so that the list fits the ONNX
# release that qconform was built with.
include_guard(GLOBAL)

function(qconform_add_conformance_tests)
  cmake_parse_arguments(arg "ALLOW_UNSUPPORTED" "NAME;BACKEND;LEVEL;PROFILE;KNOWN_DIFFERENCES;TIMEOUT"
    "BACKEND_OPTIONS;OPERATORS;CELLS;LABELS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "qconform_add_conformance_tests: unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(needed NAME BACKEND)
    if(NOT arg_${needed})
      message(FATAL_ERROR "qconform_add_conformance_tests: ${needed} is missing")
    endif()
  endforeach()
  if(NOT arg_LEVEL)
    set(arg_LEVEL standard)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 1800)
  endif()
  set(cells)
  if(arg_PROFILE)
    set(profile ${arg_PROFILE})
    # A file, unless it is the name of a built-in profile.
    if(profile MATCHES "[./]")
      get_filename_component(profile "${profile}" ABSOLUTE)
    endif()
    list(APPEND cells --profile "${profile}")
  endif()
  foreach(operator IN LISTS arg_OPERATORS)
    list(APPEND cells --operator "${operator}")
  endforeach()
  foreach(pattern IN LISTS arg_CELLS)
    list(APPEND cells --cells "${pattern}")
  endforeach()
  set(options)
  foreach(option IN LISTS arg_BACKEND_OPTIONS)
    list(APPEND options --backend-option "${option}")
  endforeach()
  set(known)
  if(arg_KNOWN_DIFFERENCES)
    get_filename_component(known_file ${arg_KNOWN_DIFFERENCES} ABSOLUTE)
    set(known --known "${known_file}")
  endif()
  set(allow)
  if(arg_ALLOW_UNSUPPORTED)
    set(allow --allow-unsupported)
  endif()
  set(report ${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.conformance.json)

  # --exit-zero: the tests of the groups report deviations; this test fails only if nothing could
  # be run at all. --known: a file that cannot be read is reported before the run.
  add_test(NAME ${arg_NAME}.run COMMAND qconform::qconform run --backend ${arg_BACKEND}
    ${options} --level ${arg_LEVEL} ${cells} ${known} --report ${report} --exit-zero --no-progress)
  set_tests_properties(${arg_NAME}.run PROPERTIES
    FIXTURES_SETUP ${arg_NAME} TIMEOUT ${arg_TIMEOUT} LABELS "conformance;${arg_LABELS}")

  if(known)
    add_test(NAME ${arg_NAME}.known_differences COMMAND qconform::qconform report ${report}
      ${known} --known-problems)
    set_tests_properties(${arg_NAME}.known_differences PROPERTIES
      FIXTURES_REQUIRED ${arg_NAME} TIMEOUT 60 LABELS "conformance;${arg_LABELS}")
  endif()

  set(name ${arg_NAME})
  set(labels ${arg_LABELS})
  # Quoted for the file that CTest reads: a path may have spaces and parentheses.
  set(cell_arguments)
  foreach(word IN LISTS cells)
    string(APPEND cell_arguments " [==[${word}]==]")
  endforeach()
  set(known_arguments)
  if(known)
    set(known_arguments "--known [==[${known_file}]==]")
  endif()
  set(tests ${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.conformance_tests.cmake)
  # The generator expression knows where the program lies only when generating.
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/conformance_groups.cmake.in ${tests}.in @ONLY)
  file(GENERATE OUTPUT ${tests} INPUT ${tests}.in)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${tests})
endfunction()
