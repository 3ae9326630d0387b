# Helpers that give every folder of the design one target whose link interface
# is also its include interface: a target sees only the headers of the targets that
# it links. Each target has its own include root in the build tree, which holds only
# links to its own headers.

include_guard(GLOBAL)

function(_qconform_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion
    -Wno-sign-conversion -Wimplicit-fallthrough -ffp-contract=off)
  if(QCONFORM_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # g++ 12 warns falsely inside std::string.
      target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Without this option GCC spends 7 % of its time looking for memory to free.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=500000)
  endif()
  if(QCONFORM_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${QCONFORM_SANITIZE}
      -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${QCONFORM_SANITIZE})
  endif()
endfunction()

# Compiles the sources of a target in batches of `size` if QCONFORM_UNITY_BUILD asks for it,
# because most are short compared with the headers that they share. `apart` names sources that
# are compiled alone because they reuse a name of another source, or is ALL.
function(_qconform_unity target size folder apart)
  if(QCONFORM_UNITY_BUILD AND NOT apart STREQUAL "ALL")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    foreach(source IN LISTS apart)
      set_source_files_properties(${PROJECT_SOURCE_DIR}/${folder}/${source}
        TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endforeach()
  endif()
endfunction()

# qconform_add_library(NAME FOLDER folder [COLD] HEADERS ... [SOURCES ...] [LINK ...]
#                      [PRIVATE_LINK ...] [APART ALL|source...])
# Defines qconform_NAME and its alias qconform::NAME. LINK holds other NAMEs or
# targets that the headers need; PRIVATE_LINK those that only the sources need. COLD: most
# of the code runs only once per command, report or test.
function(qconform_add_library name)
  cmake_parse_arguments(arg "COLD" "FOLDER" "HEADERS;SOURCES;LINK;PRIVATE_LINK;APART" ${ARGN})
  set(target qconform_${name})
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  foreach(header IN LISTS arg_HEADERS)
    get_filename_component(dir ${root}/${arg_FOLDER}/${header} DIRECTORY)
    file(MAKE_DIRECTORY ${dir})
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${arg_FOLDER}/${header})
      message(FATAL_ERROR "${target}: no header ${arg_FOLDER}/${header}")
    endif()
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${arg_FOLDER}/${header}
         ${root}/${arg_FOLDER}/${header} SYMBOLIC)
  endforeach()
  if(arg_SOURCES)
    list(TRANSFORM arg_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/${arg_FOLDER}/)
    add_library(${target} STATIC ${arg_SOURCES})
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${root}>)
    target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
    _qconform_options(${target})
    if(arg_COLD)
      _qconform_optimize_less(${target})
      _qconform_unity(${target} 16 "${arg_FOLDER}" "${arg_APART}")
    else()
      _qconform_unity(${target} 8 "${arg_FOLDER}" "${arg_APART}")
    endif()
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${root}>)
    target_link_libraries(${target} INTERFACE ${arg_LINK})
  endif()
  add_library(qconform::${name} ALIAS ${target})
endfunction()

# qconform_embed(FUNCTION OUTPUT FILES...)
# Defines in a generated source `std::string_view FUNCTION()` in namespace
# qconform, which returns the text of the files, so that its callers need no path.
function(qconform_embed function output)
  set(text "")
  foreach(file IN LISTS ARGN)
    # Of one form, so that Ninja sees that several functions embed the same file.
    cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE source)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(READ ${source} one)
    string(APPEND text "${one}")
  endforeach()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/embedded/${function}.cc)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT
"// Generated from @ARGN@
#include <string_view>
namespace qconform {
std::string_view @function@();
std::string_view @function@() {
  static constexpr std::string_view kText = R\"qconform_text(@text@)qconform_text\";
  return kText;
}
}  // namespace qconform
")
  set(${output} ${${output}} ${generated} PARENT_SCOPE)
endfunction()

# Halves the compile time of a target by optimizing it less.
function(_qconform_optimize_less target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT EMSCRIPTEN)  # em++ has no -Og
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
endfunction()

# GoogleTest's headers take longer to compile than most tests, so one program compiles them and
# the others reuse the result.
function(_qconform_reuse_test_headers name)
  set(holder qconform_test_headers)
  if(NOT TARGET ${holder})
    set(source ${PROJECT_BINARY_DIR}/precompiled/${holder}.cc)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    add_executable(${holder} ${source})
    target_link_libraries(${holder} PRIVATE qconform_gtest)
    target_precompile_headers(${holder} PRIVATE
      <gmock/gmock.h> <gtest/gtest.h> <algorithm> <map> <memory> <string> <vector>)
    _qconform_options(${holder})
    _qconform_optimize_less(${holder})
  endif()
  target_precompile_headers(${name} REUSE_FROM ${holder})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 forgets that precompiled headers are the system's, and warns falsely
    # inside std::string.
    target_compile_options(${name} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()

# qconform_add_test(NAME FOLDER folder SOURCES ... LINK ... LABELS ... [TIMEOUT s] [ARGS ...]
#                   [APART ALL|source...] [PARTS n])
# Defines one GoogleTest program, which is one CTest test, or PARTS tests that may run
# side by side.
function(qconform_add_test name)
  if(NOT QCONFORM_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "" "FOLDER;TIMEOUT;PARTS" "SOURCES;LINK;LABELS;ARGS;APART"
    ${ARGN})
  list(TRANSFORM arg_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/${arg_FOLDER}/)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} qconform_gtest)
  target_compile_definitions(${name} PRIVATE
    QCONFORM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" QCONFORM_DEPS_DIR="${QCONFORM_DEPS_DIR}")
  _qconform_options(${name})
  _qconform_optimize_less(${name})
  _qconform_unity(${name} 8 "${arg_FOLDER}" "${arg_APART}")
  _qconform_reuse_test_headers(${name})
  set(tests ${name})
  if(arg_PARTS)
    set(tests "")
    foreach(part RANGE 1 ${arg_PARTS})
      add_test(NAME ${name}_${part} COMMAND ${name} ${arg_ARGS})
      math(EXPR index "${part} - 1")
      set_tests_properties(${name}_${part} PROPERTIES
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_PARTS};GTEST_SHARD_INDEX=${index}")
      list(APPEND tests ${name}_${part})
    endforeach()
  else()
    add_test(NAME ${name} COMMAND ${name} ${arg_ARGS})
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(QCONFORM_SANITIZE)
    math(EXPR arg_TIMEOUT "4 * ${arg_TIMEOUT}")
  endif()
  set_tests_properties(${tests} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
endfunction()

# qconform_add_fuzzer(NAME FOLDER folder SOURCES ... LINK ...)
# A libFuzzer program that script/test-fuzz runs; `all_fuzzers` builds them all.
function(qconform_add_fuzzer name)
  if(NOT QCONFORM_BUILD_FUZZERS)
    return()
  endif()
  cmake_parse_arguments(arg "" "FOLDER" "SOURCES;LINK" ${ARGN})
  list(TRANSFORM arg_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/${arg_FOLDER}/)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  _qconform_options(${name})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  if(NOT TARGET all_fuzzers)
    add_custom_target(all_fuzzers)
  endif()
  add_dependencies(all_fuzzers ${name})
endfunction()

# qconform_add_readers(NAME FOLDER folder LINK ...)
# Defines a fuzzer NAME_fuzz and a test NAME_readers_test of the readers that
# FOLDER/testing/tested_readers.cc lists (oracle/base/testing/tested_reader.h).
function(qconform_add_readers name)
  cmake_parse_arguments(arg "" "FOLDER" "LINK" ${ARGN})
  set(source ${arg_FOLDER}/testing/tested_readers.cc)
  qconform_add_fuzzer(${name}_fuzz FOLDER .
    SOURCES ${source} oracle/base/testing/readers_fuzz.cc
    LINK ${arg_LINK} qconform::tested_reader)
  qconform_add_test(${name}_readers_test FOLDER .
    SOURCES ${source} oracle/base/testing/readers_test.cc
    LINK ${arg_LINK} qconform::tested_reader
    LABELS unit)
  foreach(target ${name}_fuzz ${name}_readers_test)
    if(TARGET ${target})
      target_compile_definitions(${target} PRIVATE
        QCONFORM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
        QCONFORM_CORPORA="${PROJECT_SOURCE_DIR}/${arg_FOLDER}/testing")
    endif()
  endforeach()
endfunction()
