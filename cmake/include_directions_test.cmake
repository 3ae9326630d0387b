# Checks that every #include of oracle, cases, reports and harness goes in a
# direction that docs/architecture.md allows. Run by CTest:
#   cmake -DROOT=tree -P include_directions_test.cmake
#   cmake -DPLANT=dir -P include_directions_test.cmake   (proves that it can fail)

cmake_minimum_required(VERSION 3.25)

# FOLDER: the folders of ours that it may include, itself left out. The longest
# folder that a file lies in counts; a file without one is a violation.
set(folders
  oracle/base oracle/tensor oracle/formats oracle/core oracle/operators oracle/exact
  cases reports harness harness/backends/simd)
set(oracle/base_may)
set(oracle/tensor_may oracle/base)
set(oracle/formats_may oracle/tensor oracle/base)
set(oracle/core_may oracle/formats oracle/tensor oracle/base)
set(oracle/operators_may oracle/core oracle/formats oracle/tensor oracle/base)
set(oracle/exact_may)  # the judge shares nothing, or one bug passes twice
set(cases_may oracle/formats oracle/tensor oracle/base)
set(reports_may oracle/tensor oracle/base)
set(harness_may cases reports oracle/core oracle/operators oracle/formats oracle/tensor oracle/base
  harness/backends/simd)
set(harness/backends/simd_may oracle/tensor oracle/base)

# PREFIX of a third party's headers: the folders that may include them.
set(parties hwy/ onnx/ google/protobuf/ nlohmann/ openssl/ gmp CLI/ onnxruntime)
set(hwy/_in harness/backends/simd)
set(onnx/_in cases/model cases/lattice)
set(google/protobuf/_in cases/model cases/lattice harness/backends/process)
set(nlohmann/_in oracle/base)
set(openssl/_in harness/certificate)
set(gmp_in oracle/exact)
set(CLI/_in harness/cli)
set(onnxruntime_in harness/backends/onnxruntime)
set(test_parties gtest/ gmock/ rapidcheck benchmark/ valijson/)

# Tests, fuzzers and their helpers (testing/x.h)
# may include anything of ours, and any third party.
set(test_file "(_test\\.cc|_benchmark\\.cc|_fuzz\\.cc|/testing/.*)$")
set(generated_headers qconform_version_made.h worker.pb.h)

# Sets `out` to whether `path` lies in `folder`.
function(lies_in path folder out)
  string(FIND "${path}" "${folder}/" at)
  if(at EQUAL 0)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Sets `out` to the longest of the folders that `path` lies in, or to "".
function(folder_of path out)
  set(longest "")
  foreach(folder IN LISTS folders)
    lies_in("${path}" "${folder}" inside)
    string(LENGTH "${folder}" length)
    string(LENGTH "${longest}" longest_length)
    if(inside AND length GREATER longest_length)
      set(longest "${folder}")
    endif()
  endforeach()
  set(${out} "${longest}" PARENT_SCOPE)
endfunction()

# Sets `out` to why `file` may not include `header`, or to "".
function(why_not file header out)
  set(${out} "" PARENT_SCOPE)
  if(header MATCHES "${test_file}")
    set(${out} "only tests include test helpers" PARENT_SCOPE)
    return()
  endif()
  foreach(party IN LISTS test_parties)
    string(FIND "${header}" "${party}" at)
    lies_in("${file}" harness/gtest for_tests)  # a library for the tests of others
    if(at EQUAL 0 AND NOT for_tests)
      set(${out} "only tests and benchmarks include ${party}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  foreach(party IN LISTS parties)
    string(FIND "${header}" "${party}" at)
    if(at EQUAL 0)
      foreach(folder IN LISTS ${party}_in)
        lies_in("${file}" "${folder}" inside)
        if(inside)
          return()
        endif()
      endforeach()
      string(JOIN ", " allowed ${${party}_in})
      set(${out} "${party} is private to ${allowed}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  if(NOT header MATCHES "^(oracle|cases|reports|harness)/")
    return()  # the standard library and the system
  endif()
  folder_of("${file}" from)
  folder_of("${header}" to)
  if(from STREQUAL to)
    lies_in("${header}" harness/cli of_cli)
    lies_in("${file}" harness/cli in_cli)
    if(of_cli AND NOT in_cli)
      set(${out} "nothing includes the program" PARENT_SCOPE)
    endif()
  elseif(NOT to IN_LIST ${from}_may)
    string(JOIN ", " allowed ${from} ${${from}_may})
    set(${out} "${from} may include ${allowed} of ours" PARENT_SCOPE)
  endif()
endfunction()

# Sets `out` to the violations in the tree `root`, one text each.
function(find_violations root out)
  set(patterns)
  foreach(top oracle cases reports harness)
    foreach(suffix h cc c hpp cpp)
      list(APPEND patterns ${root}/${top}/*.${suffix})
    endforeach()
  endforeach()
  file(GLOB_RECURSE files RELATIVE ${root} ${patterns})
  set(violations)
  set(count 0)
  foreach(file IN LISTS files)
    folder_of("${file}" folder)
    if(folder STREQUAL "")
      list(APPEND violations "${file}: no rule says what this folder may include")
      continue()
    endif()
    if(file MATCHES "${test_file}")
      continue()
    endif()
    file(STRINGS ${root}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(line IN LISTS lines)
      math(EXPR count "${count} + 1")
      string(REGEX MATCH "([<\"])([^>\"]+)" ignored "${line}")
      set(quote "${CMAKE_MATCH_1}")
      set(header "${CMAKE_MATCH_2}")
      # Otherwise "../scalar/answer.h" would slip through.
      if(header MATCHES "\\.\\./" OR (quote STREQUAL "\"" AND NOT header MATCHES "/"
         AND NOT header IN_LIST generated_headers))
        list(APPEND violations "${file}: ${header}: is not written from the project's root")
        continue()
      endif()
      why_not("${file}" "${header}" why)
      if(why)
        list(APPEND violations "${file}: ${header}: ${why}")
      endif()
    endforeach()
  endforeach()
  list(LENGTH files file_count)
  message(STATUS "${file_count} files, ${count} includes outside of tests")
  if(count EQUAL 0)
    list(APPEND violations "${root}: no #include found: is this the project's root?")
  endif()
  set(${out} "${violations}" PARENT_SCOPE)
endfunction()

# Makes a tree with one violation of each kind, and one without, and fails
# unless the check finds each of the first and passes the second.
function(prove_that_it_fails dir)
  file(REMOVE_RECURSE ${dir})
  set(bad  # file|header
    "oracle/tensor/a.h|<oracle/formats/b.h>" "oracle/formats/a.cc|\"oracle/core/b.h\""
    "oracle/exact/a.cc|\"oracle/tensor/tensor.h\"" "oracle/core/a.cc|\"cases/model/model.h\""
    "oracle/core/b.cc|<gmpxx.h>" "oracle/core/c.cc|\"oracle/exact/value.h\""
    "cases/core/a.cc|\"oracle/core/answer.h\""
    "cases/core/b.cc|\"onnx/onnx_pb.h\"" "cases/node_tests/c.cc|<google/protobuf/message.h>"
    "reports/a.cc|\"harness/runner/runner.h\"" "reports/b.cc|\"cases/model/model.h\""
    "harness/backends/simd/a-inl.h|\"oracle/formats/codes.h\""
    "harness/backends/simd/b.cc|\"harness/backends/backend.h\""
    "harness/runner/a.cc|\"hwy/highway.h\"" "harness/runner/b.cc|<nlohmann/json.hpp>"
    "harness/runner/c.cc|<CLI/CLI.hpp>" "harness/runner/d.cc|\"harness/cli/commands/commands.h\""
    "harness/runner/e.cc|<gtest/gtest.h>" "harness/runner/f.cc|\"oracle/exact/value.h\""
    "harness/runner/g.cc|\"reports/testing/example_records.h\""
    "harness/runner/j.cc|\"harness/backends/simd/testing/questions.h\""
    "harness/runner/h.cc|\"../../oracle/exact/value.h\"" "harness/runner/i.cc|\"sibling.h\""
    "cases/a.cc|  <onnxruntime_c_api.h>")
  set(good
    "oracle/core/a.cc|\"oracle/formats/codes.h\"" "oracle/core/b.cc|<vector>"
    "oracle/core/a_test.cc|\"oracle/exact/value.h\"" "oracle/core/b_test.cc|<gmpxx.h>"
    "cases/lattice/a.cc|\"onnx/defs/schema.h\"" "oracle/base/a.cc|<nlohmann/json.hpp>"
    "harness/backends/simd/a-inl.h|\"hwy/highway.h\"" "harness/cli/a.cc|<CLI/CLI.hpp>"
    "harness/runner/a.cc|\"oracle/core/answer.h\"" "harness/runner/b.cc|<sys/wait.h>"
    "harness/cli/b.cc|\"qconform_version_made.h\"" "oracle/exact/a.cc|<gmpxx.h>")
  foreach(tree bad good)
    foreach(plant IN LISTS ${tree})
      string(REPLACE "|" ";" plant "${plant}")
      list(GET plant 0 file)
      list(GET plant 1 header)
      file(WRITE ${dir}/${tree}/${file} "// planted\n# include ${header}  // why\n")
    endforeach()
    execute_process(
      COMMAND ${CMAKE_COMMAND} -DROOT=${dir}/${tree} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
      RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    set(${tree}_output "${output}")
    set(${tree}_result "${result}")
  endforeach()
  if(NOT good_result EQUAL 0)
    message(FATAL_ERROR "The check fails where nothing is wrong:\n${good_output}")
  endif()
  if(bad_result EQUAL 0)
    message(FATAL_ERROR "The check passes a tree of violations:\n${bad_output}")
  endif()
  foreach(plant IN LISTS bad)
    string(REGEX MATCH "^[^|]+" file "${plant}")
    if(NOT bad_output MATCHES "${file}: ")
      message(FATAL_ERROR "The check did not find ${plant}:\n${bad_output}")
    endif()
  endforeach()
  list(LENGTH bad count)
  if(NOT bad_output MATCHES "[^0-9]${count} includes go")
    message(FATAL_ERROR "The check did not find exactly ${count}:\n${bad_output}")
  endif()
  message(STATUS "all ${count} planted violations are found")
endfunction()

if(PLANT)
  prove_that_it_fails(${PLANT})
elseif(ROOT)
  find_violations(${ROOT} violations)
  foreach(violation IN LISTS violations)
    message("${violation}")
  endforeach()
  list(LENGTH violations count)
  if(count GREATER 0)
    message(FATAL_ERROR "${count} includes go in a direction that is not allowed")
  endif()
else()
  message(FATAL_ERROR "Give -DROOT=tree or -DPLANT=dir")
endif()
