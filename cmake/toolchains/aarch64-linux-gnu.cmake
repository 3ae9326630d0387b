# Cross-builds for aarch64 with Debian's cross-compiler and the libraries that
# `script/bootstrap --with aarch64` unpacks. Used by the preset aarch64.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

# CMake reads this file again for each try_compile, without the cache.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES QCONFORM_DEPS_DIR)
if(NOT QCONFORM_DEPS_DIR)
  set(QCONFORM_DEPS_DIR "$ENV{QCONFORM_DEPS_DIR}")
endif()
if(NOT QCONFORM_DEPS_DIR)
  get_filename_component(QCONFORM_DEPS_DIR "${CMAKE_CURRENT_LIST_DIR}/../../.deps" ABSOLUTE)
endif()
if(NOT IS_DIRECTORY "${QCONFORM_DEPS_DIR}/aarch64/usr")
  message(FATAL_ERROR "no libraries for aarch64 in ${QCONFORM_DEPS_DIR}/aarch64: "
    "run script/bootstrap --with aarch64")
endif()

# Programs (protoc) are the host's; headers, libraries and packages are the target's.
set(CMAKE_FIND_ROOT_PATH ${QCONFORM_DEPS_DIR}/aarch64)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(Protobuf_USE_STATIC_LIBS ON)  # the shared library would also need zlib

find_program(QCONFORM_QEMU_AARCH64 NAMES qemu-aarch64-static qemu-aarch64)
mark_as_advanced(QCONFORM_QEMU_AARCH64)
if(QCONFORM_QEMU_AARCH64)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${QCONFORM_QEMU_AARCH64};-cpu;max;-L;/usr/aarch64-linux-gnu)
endif()
