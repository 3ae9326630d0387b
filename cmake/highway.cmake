# qconform_highway: Google Highway 1.2 or newer. Found in this order:
# FETCHCONTENT_SOURCE_DIR_HIGHWAY, an installed package, .deps (written by
# script/bootstrap), the upstream release by hash. It is linked statically where that can
# be: programs and libraries that are installed then need no other.

include_guard(GLOBAL)

set(QCONFORM_HIGHWAY_MINIMUM 1.2)

qconform_has_source_tree(highway highway_tree_given)
if(NOT highway_tree_given)
  find_package(HWY ${QCONFORM_HIGHWAY_MINIMUM} CONFIG QUIET)
  if(NOT HWY_FOUND)
    if(HWY_CONSIDERED_CONFIGS)
      message(STATUS "highway: passing over ${HWY_CONSIDERED_CONFIGS} (version "
        "${HWY_CONSIDERED_VERSIONS}): ${QCONFORM_HIGHWAY_MINIMUM} or newer is needed")
    endif()
    if(NOT CMAKE_DISABLE_FIND_PACKAGE_HWY)
      find_package(HWY ${QCONFORM_HIGHWAY_MINIMUM} CONFIG QUIET NO_DEFAULT_PATH
        PATHS ${QCONFORM_DEPS_DIR}/highway/usr)
    endif()
  endif()
endif()

if(NOT highway_tree_given AND HWY_FOUND)
  message(STATUS "highway: ${HWY_VERSION} (${HWY_CONFIG})")
  get_target_property(_highway_type hwy::hwy TYPE)
  set(_highway_source ${QCONFORM_DEPS_DIR}/highway-source/${HWY_VERSION})
  if(_highway_type STREQUAL "SHARED_LIBRARY" AND EXISTS ${_highway_source}/hwy/targets.cc)
    # Debian has no static one. Few of its functions are no templates.
    add_library(qconform_highway_static STATIC EXCLUDE_FROM_ALL ${_highway_source}/hwy/abort.cc
      ${_highway_source}/hwy/per_target.cc ${_highway_source}/hwy/targets.cc)
    target_include_directories(qconform_highway_static PRIVATE ${_highway_source})
    target_include_directories(qconform_highway_static SYSTEM PUBLIC
      $<TARGET_PROPERTY:hwy::hwy,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(qconform_highway_static PUBLIC
      $<TARGET_PROPERTY:hwy::hwy,INTERFACE_COMPILE_DEFINITIONS>)
    qconform_wrap(qconform_highway qconform_highway_static)
  else()
    if(_highway_type STREQUAL "SHARED_LIBRARY")
      message(STATUS "highway: shared: what is installed needs it")
    endif()
    qconform_wrap(qconform_highway hwy::hwy)
  endif()
else()
  set(HWY_ENABLE_TESTS OFF)
  set(HWY_ENABLE_EXAMPLES OFF)
  set(HWY_ENABLE_CONTRIB OFF)
  set(HWY_ENABLE_INSTALL OFF)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # so that its options take these values
  qconform_fetch(highway
    URL https://github.com/google/highway/archive/refs/tags/1.3.0.tar.gz
    SHA256 07b3c1ba2c1096878a85a31a5b9b3757427af963b1141ca904db2f9f4afe0bc2
    PACKAGE "libhwy-dev >= ${QCONFORM_HIGHWAY_MINIMUM}")
  if(NOT TARGET hwy)
    message(FATAL_ERROR "highway in ${highway_SOURCE_DIR}: its CMakeLists.txt defines no target hwy")
  endif()
  qconform_wrap(qconform_highway hwy)
endif()
