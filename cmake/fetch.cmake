# Gets a dependency that is not installed: from a tree that the user names by
# FETCHCONTENT_SOURCE_DIR_<NAME>, otherwise by URL and SHA-256. Every hash below
# comes from a published recipe for that archive (Conan, Bazel, Homebrew).

include_guard(GLOBAL)
include(FetchContent)
if(POLICY CMP0169)
  # Populate and add_subdirectory are called separately: only then does EXCLUDE_FROM_ALL work
  # before CMake 3.28.
  cmake_policy(SET CMP0169 OLD)
endif()

set(QCONFORM_DEPS_DIR "$ENV{QCONFORM_DEPS_DIR}" CACHE PATH
    "Where script/bootstrap unpacked its packages (default: .deps of the source tree)")
if(NOT QCONFORM_DEPS_DIR)
  get_filename_component(_qconform_deps_default "${CMAKE_CURRENT_LIST_DIR}/../.deps" ABSOLUTE)
  set(QCONFORM_DEPS_DIR "${_qconform_deps_default}" CACHE PATH "" FORCE)
endif()

# Sets `out` to TRUE if the user gave a source tree for `name`: it then wins
# over installed packages and over .deps.
function(qconform_has_source_tree name out)
  string(TOUPPER ${name} upper)
  if(FETCHCONTENT_SOURCE_DIR_${upper})
    if(NOT IS_DIRECTORY "${FETCHCONTENT_SOURCE_DIR_${upper}}")
      message(FATAL_ERROR "FETCHCONTENT_SOURCE_DIR_${upper}: no such directory: "
        "${FETCHCONTENT_SOURCE_DIR_${upper}}")
    endif()
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

# qconform_find(NAME PACKAGE [VERSION]): calls find_package(PACKAGE), unless the
# user gave a source tree for NAME.
macro(qconform_find name package)
  qconform_has_source_tree(${name} _find_local)
  if(_find_local)
    set(${package}_FOUND FALSE)
  else()
    find_package(${package} ${ARGN} CONFIG QUIET)
  endif()
endmacro()

# qconform_fetch(NAME URL url SHA256 hash PACKAGE debian [SOURCES_ONLY])
# Makes the sources of NAME available (`<name>_SOURCE_DIR` in the caller's scope)
# and, without SOURCES_ONLY, adds its targets, outside of `all` and `install`.
macro(qconform_fetch name)
  cmake_parse_arguments(_fetch "SOURCES_ONLY" "URL;SHA256;PACKAGE" "" ${ARGN})
  qconform_has_source_tree(${name} _fetch_local)
  if(FETCHCONTENT_FULLY_DISCONNECTED AND NOT _fetch_local)
    string(TOUPPER ${name} _fetch_upper)
    message(FATAL_ERROR "${name} is not installed and downloads are off. Run script/bootstrap, "
      "or install ${_fetch_PACKAGE}, or give its source tree as FETCHCONTENT_SOURCE_DIR_${_fetch_upper}.")
  endif()
  if(_fetch_local)
    message(STATUS "${name}: from the given source tree")
  else()
    string(TOUPPER ${name} _fetch_upper)
    message(STATUS "${name}: not installed (${_fetch_PACKAGE}), fetching ${_fetch_URL} "
      "(without a network: run script/bootstrap, or give FETCHCONTENT_SOURCE_DIR_${_fetch_upper})")
  endif()
  FetchContent_Declare(${name} URL ${_fetch_URL} URL_HASH SHA256=${_fetch_SHA256}
    DOWNLOAD_EXTRACT_TIMESTAMP FALSE)
  FetchContent_GetProperties(${name})
  if(NOT ${name}_POPULATED)
    FetchContent_Populate(${name})
    if(NOT _fetch_SOURCES_ONLY)
      add_subdirectory(${${name}_SOURCE_DIR} ${${name}_BINARY_DIR} EXCLUDE_FROM_ALL)
    endif()
  endif()
endmacro()

# Defines the INTERFACE target `wrapper` that links `targets` and exports their
# headers as system headers, so that the project's warnings do not apply to them.
function(qconform_wrap wrapper)
  add_library(${wrapper} INTERFACE)
  foreach(target IN LISTS ARGN)
    target_link_libraries(${wrapper} INTERFACE ${target})
    target_include_directories(${wrapper} SYSTEM INTERFACE
      $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
endfunction()
