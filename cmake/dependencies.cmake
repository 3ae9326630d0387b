# All third-party libraries, as targets qconform_<name>; each is private to few
# folders of the project (docs/architecture.md). An installed package comes
# first, then what script/bootstrap put into .deps, then the upstream release.

include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/fetch.cmake)

set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # our values win over options of what is fetched

if(EMSCRIPTEN)
  # The host's headers must not be in the path: only this library's are.
  find_path(QCONFORM_JSON_INCLUDE_DIR nlohmann/json.hpp PATHS /usr/include /usr/local/include
    NO_CMAKE_FIND_ROOT_PATH)
  if(NOT QCONFORM_JSON_INCLUDE_DIR)
    message(FATAL_ERROR "nlohmann/json.hpp is missing: run script/bootstrap, or install "
      "nlohmann-json3-dev (Debian)")
  endif()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/json)
  file(CREATE_LINK ${QCONFORM_JSON_INCLUDE_DIR}/nlohmann ${PROJECT_BINARY_DIR}/json/nlohmann SYMBOLIC)
  add_library(qconform_json INTERFACE)
  target_include_directories(qconform_json SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/json)
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/onnx.cmake)
if(QCONFORM_KERNELS)
  include(${CMAKE_CURRENT_LIST_DIR}/highway.cmake)
endif()

# --- the library and the program --------------------------------------------

qconform_find(nlohmann_json nlohmann_json 3.11)
if(NOT nlohmann_json_FOUND)
  set(JSON_BuildTests OFF)
  qconform_fetch(nlohmann_json PACKAGE nlohmann-json3-dev
    URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
    SHA256 0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406)
endif()
qconform_wrap(qconform_json nlohmann_json::nlohmann_json)

qconform_find(cli11 CLI11 2.1)
if(NOT CLI11_FOUND)
  qconform_fetch(cli11 PACKAGE libcli11-dev
    URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
    SHA256 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
endif()
qconform_wrap(qconform_cli11 CLI11::CLI11)

# --- the judge ----------------------------------------------------------------

find_path(QCONFORM_GMP_INCLUDE_DIR gmpxx.h)
find_library(QCONFORM_GMP_LIBRARY gmp)
find_library(QCONFORM_GMPXX_LIBRARY gmpxx)
mark_as_advanced(QCONFORM_GMP_INCLUDE_DIR QCONFORM_GMP_LIBRARY QCONFORM_GMPXX_LIBRARY)
if(QCONFORM_GMP_INCLUDE_DIR AND QCONFORM_GMP_LIBRARY AND QCONFORM_GMPXX_LIBRARY)
  add_library(qconform_gmp INTERFACE)
  target_include_directories(qconform_gmp SYSTEM INTERFACE ${QCONFORM_GMP_INCLUDE_DIR})
  target_link_libraries(qconform_gmp INTERFACE ${QCONFORM_GMPXX_LIBRARY} ${QCONFORM_GMP_LIBRARY})
elseif(QCONFORM_BUILD_TESTS)
  message(FATAL_ERROR "GMP with its C++ interface (gmpxx.h) is missing: the judge needs it. "
    "Run script/bootstrap, or install libgmp-dev (Debian), gmp (elsewhere), "
    "or build without tests: -DQCONFORM_BUILD_TESTS=OFF")
endif()

# --- benchmarks: only if the library is there ----------------------------------

find_package(benchmark 1.7 CONFIG QUIET)
if(benchmark_FOUND)
  qconform_wrap(qconform_benchmark benchmark::benchmark)
endif()

# --- the tests ------------------------------------------------------------------

if(NOT QCONFORM_BUILD_TESTS)
  return()
endif()

qconform_find(googletest GTest 1.12)
if(NOT GTest_FOUND)
  set(INSTALL_GTEST OFF)
  qconform_fetch(googletest PACKAGE "libgtest-dev and libgmock-dev"
    URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
    SHA256 8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7)
endif()
qconform_wrap(qconform_gtest GTest::gmock_main GTest::gmock GTest::gtest)

qconform_find(rapidcheck rapidcheck)
if(NOT rapidcheck_FOUND)
  set(RC_ENABLE_GTEST ON)
  # This is a commit, because no release was ever tagged upstream.
  qconform_fetch(rapidcheck PACKAGE librapidcheck-dev
    URL https://github.com/emil-e/rapidcheck/archive/ff6af6fc683159deb51c543b065eba14dfcf329b.zip
    SHA256 60951dbc4de162622f51a4a34117c269a9921833a51dddce36f4cc80a5f7cf9f)
endif()
qconform_wrap(qconform_rapidcheck rapidcheck_gtest rapidcheck)

qconform_find(valijson valijson)
if(NOT valijson_FOUND)
  set(valijson_BUILD_TESTS OFF)
  qconform_fetch(valijson PACKAGE libvalijson-dev
    URL https://github.com/tristanpenman/valijson/archive/v1.0.3.tar.gz
    SHA256 0fbd3cd2312b441c6373ee116e9a162c400f9e3cd79f6b32665cdd22fa11ac3f)
endif()
qconform_wrap(qconform_valijson valijson)
