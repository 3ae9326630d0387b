# cmake --install: the program, and the package for find_package(qconform). There are two
# components: `kernels`, the library of kernels, and `program`, everything else. Each works
# without the other.
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A wheel (pyproject.toml) has its program among the scripts, which pip puts in the
# environment's bin, and everything else where `cmake --install` puts it.
if(SKBUILD)
  set(CMAKE_INSTALL_BINDIR ${SKBUILD_SCRIPTS_DIR})
endif()

# Highway may be a shared library in .deps, where the loader does not look by itself.
if(TARGET hwy::hwy AND NOT TARGET qconform_highway_static)
  get_target_property(_highway_type hwy::hwy TYPE)
  cmake_path(IS_PREFIX QCONFORM_DEPS_DIR "${HWY_CONFIG}" NORMALIZE _highway_in_deps)
  if(_highway_type STREQUAL "SHARED_LIBRARY" AND _highway_in_deps)
    set_target_properties(qconform qconform_kernels PROPERTIES INSTALL_RPATH "$<TARGET_FILE_DIR:hwy::hwy>")
  endif()
endif()

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/qconform)

# --- kernels ------------------------------------------------------------------

if(QCONFORM_KERNELS)
  install(TARGETS qconform_kernels EXPORT qconform-kernelsTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT kernels
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT kernels)
  install(FILES cmake/kernels_example/CMakeLists.txt cmake/kernels_example/quantize.cc
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/kernels COMPONENT kernels)
endif()

# --- program ------------------------------------------------------------------

# A package has no qconform::gtest: the static libraries of a distribution, which its program
# is linked with, cannot be part of a shared one.
set(_program qconform)
if(NOT QCONFORM_STATIC)
  list(APPEND _program qconform_cells)
endif()
# Whoever builds the program can install: `cmake --install` takes all that is listed here.
set(_installed ${_program})
if(QCONFORM_KERNELS)
  list(APPEND _installed qconform_kernels)
endif()
list(REMOVE_ITEM _installed qconform)
if(_installed)
  add_dependencies(qconform ${_installed})
endif()
install(TARGETS ${_program} EXPORT qconform-programTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT program)
# The manual page and the completions are what the program itself prints. A program for
# another machine cannot be run here; then they are left out.
set(_printed "${PROJECT_BINARY_DIR}/printed")
install(CODE "
  file(MAKE_DIRECTORY \"${_printed}\")
  foreach(text \"qconform.1;help;--man\" \"qconform;completion;bash\"
               \"_qconform;completion;zsh\" \"qconform.fish;completion;fish\")
    list(POP_FRONT text file)
    execute_process(COMMAND \"$<TARGET_FILE:qconform>\" \${text}
                    OUTPUT_FILE \"${_printed}/\${file}\" ERROR_QUIET RESULT_VARIABLE failed)
    if(failed)
      message(STATUS \"not installed: \${file}, which the program could not print here\")
      file(REMOVE \"${_printed}/\${file}\")
    endif()
  endforeach()" COMPONENT program)
install(FILES ${_printed}/qconform.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
  COMPONENT program OPTIONAL)
install(FILES ${_printed}/qconform COMPONENT program OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${_printed}/_qconform COMPONENT program OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${_printed}/qconform.fish COMPONENT program OPTIONAL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# Files that the authors of plugins and workers need.
install(FILES harness/backends/plugin/qconform_backend.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT program)
install(FILES harness/backends/process/worker.proto
  DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform COMPONENT program)
# The worker is what the program starts; users' modules may import qconform. Only a wheel
# has the package where other interpreters find it.
install(DIRECTORY harness/backends/process/python/qconform_worker python/qconform
  DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform/python COMPONENT program
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
# The workers that worker:NAME starts; bootstrap fetches what they ask.
install(DIRECTORY harness/backends/workers/ DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform/workers
  COMPONENT program USE_SOURCE_PERMISSIONS
  PATTERN "CMakeLists.txt" EXCLUDE PATTERN "testing" EXCLUDE PATTERN "target" EXCLUDE
  PATTERN "__pycache__" EXCLUDE)
# The script of the certify action, for other systems of CI.
install(PROGRAMS .github/actions/certify/certify.sh .github/actions/certify/annotate.py
  DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform/ci COMPONENT program)
install(DIRECTORY harness/backends/process/node/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform/node COMPONENT program
  FILES_MATCHING PATTERN "*.mjs" PATTERN "*_test.mjs" EXCLUDE)
install(DIRECTORY reports/schema/ DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform/schema
  COMPONENT program FILES_MATCHING PATTERN "*.schema.json")
install(FILES harness/certificate/statement-1.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform/schema COMPONENT program)
install(DIRECTORY cases/profiles/ DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform/profiles
  COMPONENT program FILES_MATCHING PATTERN "*.json")
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
  COMPONENT program FILES_MATCHING PATTERN "*.md")
install(FILES README.md CHANGELOG.md SECURITY.md CITATION.cff
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
# qconform::gtest: its source, to be compiled with the consumer's GoogleTest, and its public headers.
set(_shown harness/gtest/gtest_cells.cc harness/gtest/gtest_cells.h harness/gtest/cell_runs.h
  harness/backends/backend.h cases/core/case.h cases/core/level.h
  cases/lattice/cell.h cases/lattice/definitions.h cases/lattice/lattice.h cases/lattice/since_version.h
  cases/model/model.h oracle/tensor/data_type.h oracle/base/attribute.h
  oracle/base/result.h oracle/base/node.h oracle/tensor/tensor.h
  reports/record/operator_record.h reports/record/record.h reports/record/verdict.h)
if(QCONFORM_STATIC)
  set(_shown)
endif()
foreach(file IN LISTS _shown)
  cmake_path(GET file PARENT_PATH folder)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/qconform/gtest/${folder}
    COMPONENT program)
  # Checked here, because otherwise only a consumer's build would fail.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} _includes REGEX "^#include \"")
  list(TRANSFORM _includes REPLACE "^#include \"(.*)\".*" "\\1")
  list(REMOVE_ITEM _includes ${_shown})
  if(_includes)
    message(FATAL_ERROR "${file} is installed and includes ${_includes}, which is not")
  endif()
endforeach()
install(FILES cmake/qconform_add_conformance_tests.cmake cmake/conformance_groups.cmake.in
  DESTINATION ${_package} COMPONENT program)

# --- both ---------------------------------------------------------------------

set(_config ${PROJECT_BINARY_DIR}/package/qconformConfig.cmake)
configure_package_config_file(cmake/qconformConfig.cmake.in ${_config}
  INSTALL_DESTINATION ${_package})
configure_file(cmake/qconformBuildTreeConfig.cmake.in
  ${PROJECT_BINARY_DIR}/qconformConfig.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/qconformConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
set(_components program)
if(QCONFORM_KERNELS)
  list(APPEND _components kernels)
endif()
foreach(component IN LISTS _components)
  install(EXPORT qconform-${component}Targets NAMESPACE qconform:: DESTINATION ${_package}
    COMPONENT ${component})
  install(FILES ${_config} ${PROJECT_BINARY_DIR}/qconformConfigVersion.cmake
    DESTINATION ${_package} COMPONENT ${component})
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT ${component})
endforeach()

# The same name for consumers that use add_subdirectory.
add_executable(qconform::qconform ALIAS qconform)
include(qconform_add_conformance_tests)
