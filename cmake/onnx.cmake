# qconform_onnx: ONNX's schemas, shape inference, checker and messages, over
# full protobuf (reflection and DebugString). Sources are looked for in this order:
# FETCHCONTENT_SOURCE_DIR_ONNX, an installed ONNX package, .deps (written by
# script/bootstrap), the upstream release by hash. All source trees are built
# here, the same way; ONNX's own CMakeLists is never read.

include_guard(GLOBAL)

set(QCONFORM_ONNX_MINIMUM 1.20)

if(QCONFORM_STATIC)
  set(Protobuf_USE_STATIC_LIBS ON)
endif()
# Protobuf since 22 needs its own package file, which brings abseil along;
# older ones have none.
find_package(Protobuf CONFIG QUIET)
if(NOT TARGET protobuf::libprotobuf)
  find_package(Protobuf 3.21 MODULE QUIET)
endif()
if(NOT TARGET protobuf::libprotobuf OR NOT TARGET protobuf::protoc)
  message(FATAL_ERROR "protobuf is missing: needs version 3.21 or newer with its compiler protoc. "
    "Run script/bootstrap, or install libprotobuf-dev and protobuf-compiler (Debian), "
    "protobuf (elsewhere).")
endif()

# Sets onnx_version in the caller to the version of the source tree `root`.
function(_qconform_onnx_tree_version root)
  foreach(file VERSION_NUMBER VERSION)
    if(EXISTS "${root}/${file}")
      file(STRINGS "${root}/${file}" version LIMIT_COUNT 1)
      string(STRIP "${version}" version)
      break()
    endif()
  endforeach()
  if(NOT version MATCHES "^[0-9]+\\.[0-9]+")
    message(FATAL_ERROR "ONNX in ${root}: no version: VERSION_NUMBER (or VERSION) should hold "
      "something like 1.20.0")
  endif()
  if(version VERSION_LESS QCONFORM_ONNX_MINIMUM)
    message(FATAL_ERROR "ONNX in ${root}: expected version ${QCONFORM_ONNX_MINIMUM} or newer, got ${version}")
  endif()
  set(onnx_version "${version}" PARENT_SCOPE)
endfunction()

# Generates C++ for one of ONNX's messages. The text is copied without the line
# that asks for the lite runtime, which has no reflection.
function(_qconform_onnx_proto root name out)
  set(generated ${PROJECT_BINARY_DIR}/onnx/generated)
  set(source ${root}/onnx/${name}.proto)
  if(NOT EXISTS ${source})
    message(FATAL_ERROR "ONNX in ${root}: onnx/${name}.proto is missing")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  string(REPLACE "option optimize_for = LITE_RUNTIME;" "" text "${text}")
  file(CONFIGURE OUTPUT ${generated}/onnx/${name}.proto CONTENT "@text@" @ONLY)
  add_custom_command(
    OUTPUT ${generated}/onnx/${name}.pb.cc ${generated}/onnx/${name}.pb.h
    COMMAND protobuf::protoc --cpp_out=${generated} -I ${generated}
            ${generated}/onnx/${name}.proto
    DEPENDS ${generated}/onnx/${name}.proto
    COMMENT "Generating onnx/${name}.pb.cc" VERBATIM)
  set(${out} ${${out}} ${generated}/onnx/${name}.pb.cc PARENT_SCOPE)
endfunction()

# Sources that nothing here needs: Python's module, tests, the parts that change or
# print models. References to the inliner are met by onnx/without_inliner.cc instead. If a
# source is needed after all, linking a program fails with an undefined symbol.
set(_qconform_onnx_left_out
  "^/onnx/(cpp2py_export\\.cc|(backend/)?test/|version_converter/|inliner/|defs/printer\\.cc"
  "|defs/tensor_util\\.cc|common/(interned_strings|ir_pb_converter|model_helpers)\\.cc)")
string(CONCAT _qconform_onnx_left_out ${_qconform_onnx_left_out})

# Defines qconform_onnx from the source tree `root`.
function(_qconform_onnx_build root)
  _qconform_onnx_tree_version(${root})
  set(protos)
  foreach(name onnx-ml onnx-operators-ml onnx-data)
    _qconform_onnx_proto(${root} ${name} protos)
  endforeach()
  # Globbed, because the list differs between releases.
  file(GLOB_RECURSE sources ${root}/onnx/*.cc)
  string(LENGTH ${root} root_length)
  set(kept)
  foreach(source IN LISTS sources)
    string(SUBSTRING ${source} ${root_length} -1 name)
    if(NOT name MATCHES "${_qconform_onnx_left_out}")
      list(APPEND kept ${source})
    endif()
  endforeach()
  if(NOT EXISTS ${root}/onnx/defs/schema.cc)
    message(FATAL_ERROR "ONNX in ${root}: onnx/defs/schema.cc is missing")
  endif()

  set(without_inliner ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/onnx/without_inliner.cc)
  add_library(qconform_onnx STATIC ${kept} ${without_inliner} ${protos})
  target_include_directories(qconform_onnx SYSTEM PUBLIC
    $<BUILD_INTERFACE:${root}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/onnx/generated>)
  target_compile_definitions(qconform_onnx PUBLIC ONNX_NAMESPACE=onnx ONNX_ML=1)
  target_link_libraries(qconform_onnx PUBLIC protobuf::libprotobuf)
  # This is foreign code: it is built without warnings and sanitizers, and with little
  # optimization, because it is not on any hot path. The flags are the same in every build
  # type, so that ccache helps.
  target_compile_options(qconform_onnx PRIVATE
    $<$<NOT:$<CXX_COMPILER_ID:MSVC>>:-w;-Og;-g0;-fno-sanitize=all>)
  set_target_properties(qconform_onnx PROPERTIES
    POSITION_INDEPENDENT_CODE ON UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  # These specialize templates after their use, or clash in a unity build.
  set_source_files_properties(${root}/onnx/defs/schema.cc ${root}/onnx/defs/tensor_proto_util.cc
    ${without_inliner} ${protos} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(onnx_version ${onnx_version} PARENT_SCOPE)
endfunction()

qconform_has_source_tree(onnx onnx_tree_given)
if(NOT onnx_tree_given)
  find_package(ONNX ${QCONFORM_ONNX_MINIMUM} CONFIG QUIET)
  if(NOT ONNX_FOUND AND ONNX_CONSIDERED_CONFIGS)
    message(STATUS "onnx: passing over ${ONNX_CONSIDERED_CONFIGS} (version ${ONNX_CONSIDERED_VERSIONS}): "
      "${QCONFORM_ONNX_MINIMUM} or newer is needed")
  endif()
endif()

if(NOT onnx_tree_given AND ONNX_FOUND)
  set(onnx_version ${ONNX_VERSION})
  message(STATUS "onnx: installed package ${ONNX_VERSION}")
  # ONNX::onnx carries neither its messages nor protobuf.
  qconform_wrap(qconform_onnx ONNX::onnx ONNX::onnx_proto protobuf::libprotobuf)
  target_compile_definitions(qconform_onnx INTERFACE ONNX_NAMESPACE=onnx ONNX_ML=1)
elseif(NOT onnx_tree_given AND EXISTS "${QCONFORM_DEPS_DIR}/onnx/onnx/defs/schema.h")
  _qconform_onnx_build(${QCONFORM_DEPS_DIR}/onnx)
  message(STATUS "onnx: sources ${onnx_version} in .deps")
else()
  qconform_fetch(onnx SOURCES_ONLY
    URL https://github.com/onnx/onnx/archive/refs/tags/v1.23.2.tar.gz
    SHA256 2f23784e27d210a23b059a847c305e305034fb4a842fface3ff37283f85a2b40
    PACKAGE "libonnx-dev >= ${QCONFORM_ONNX_MINIMUM}")
  _qconform_onnx_build(${onnx_SOURCE_DIR})
endif()

target_compile_definitions(qconform_onnx INTERFACE QCONFORM_ONNX_VERSION="${onnx_version}")
