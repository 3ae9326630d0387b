# qconform_highway: Google Highway 1.2 or newer. It is looked for in this order:
# FETCHCONTENT_SOURCE_DIR_HIGHWAY, an installed package, .deps (written by
# script/bootstrap: its sources, otherwise Debian's package), the upstream release by hash.
# If there are sources, it is linked statically, so that installed programs and libraries do
# not need libhwy.so.

include_guard(GLOBAL)

set(QCONFORM_HIGHWAY_MINIMUM 1.2)
set(_highway_source ${QCONFORM_DEPS_DIR}/highway-source/1.2.0)

# `source` has the few functions of Highway that are not templates, `headers` has the others.
function(_qconform_highway_static source headers definitions)
  add_library(qconform_highway_static STATIC EXCLUDE_FROM_ALL ${source}/hwy/abort.cc
    ${source}/hwy/targets.cc)
  target_include_directories(qconform_highway_static PRIVATE ${source})
  target_include_directories(qconform_highway_static SYSTEM PUBLIC "${headers}")
  target_compile_definitions(qconform_highway_static PUBLIC "${definitions}")
  qconform_wrap(qconform_highway qconform_highway_static)
endfunction()

qconform_has_source_tree(highway highway_tree_given)
if(NOT highway_tree_given)
  find_package(HWY ${QCONFORM_HIGHWAY_MINIMUM} CONFIG QUIET)
  if(NOT HWY_FOUND)
    if(HWY_CONSIDERED_CONFIGS)
      message(STATUS "highway: passing over ${HWY_CONSIDERED_CONFIGS} (version "
        "${HWY_CONSIDERED_VERSIONS}): ${QCONFORM_HIGHWAY_MINIMUM} or newer is needed")
    endif()
    if(NOT CMAKE_DISABLE_FIND_PACKAGE_HWY AND NOT EXISTS ${_highway_source}/hwy/highway.h)
      find_package(HWY ${QCONFORM_HIGHWAY_MINIMUM} CONFIG QUIET NO_DEFAULT_PATH
        PATHS ${QCONFORM_DEPS_DIR}/highway/usr)
    endif()
  endif()
endif()

if(NOT highway_tree_given AND HWY_FOUND)
  message(STATUS "highway: ${HWY_VERSION} (${HWY_CONFIG})")
  get_target_property(_highway_type hwy::hwy TYPE)
  if(_highway_type STREQUAL "SHARED_LIBRARY" AND HWY_VERSION VERSION_EQUAL 1.2.0
      AND EXISTS ${_highway_source}/hwy/targets.cc)
    # Debian has no static library.
    _qconform_highway_static(${_highway_source}
      $<TARGET_PROPERTY:hwy::hwy,INTERFACE_INCLUDE_DIRECTORIES>
      $<TARGET_PROPERTY:hwy::hwy,INTERFACE_COMPILE_DEFINITIONS>)
  else()
    if(_highway_type STREQUAL "SHARED_LIBRARY")
      message(STATUS "highway: shared, so an installed qconform needs it")
    endif()
    qconform_wrap(qconform_highway hwy::hwy)
  endif()
elseif(NOT highway_tree_given AND NOT CMAKE_DISABLE_FIND_PACKAGE_HWY
    AND EXISTS ${_highway_source}/hwy/highway.h)
  message(STATUS "highway: sources 1.2.0 in .deps")
  _qconform_highway_static(${_highway_source} ${_highway_source}
    HWY_STATIC_DEFINE)
else()
  set(HWY_ENABLE_TESTS OFF)
  set(HWY_ENABLE_EXAMPLES OFF)
  set(HWY_ENABLE_CONTRIB OFF)
  set(HWY_ENABLE_INSTALL OFF)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # so that the values below set its options
  qconform_fetch(highway
    URL https://github.com/google/highway/archive/refs/tags/1.3.0.tar.gz
    SHA256 07b3c1ba2c1096878a85a31a5b9b3757427af963b1141ca904db2f9f4afe0bc2
    PACKAGE "libhwy-dev >= ${QCONFORM_HIGHWAY_MINIMUM}")
  if(NOT TARGET hwy)
    message(FATAL_ERROR "highway in ${highway_SOURCE_DIR}: its CMakeLists.txt defines no target hwy")
  endif()
  qconform_wrap(qconform_highway hwy)
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # HWY_BEFORE_NAMESPACE of a target that leaves all functions out.
  target_compile_options(qconform_highway INTERFACE -Wno-pragma-clang-attribute)
endif()
