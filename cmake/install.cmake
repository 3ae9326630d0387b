# cmake --install: the program, and the package for find_package(qconform).
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Highway may be a shared library of .deps, which no loader looks into by itself.
if(TARGET hwy::hwy)
  set_target_properties(qconform qconform_kernels PROPERTIES INSTALL_RPATH "$<TARGET_FILE_DIR:hwy::hwy>")
endif()

# What the authors of plugins and workers need.
install(FILES harness/backends/plugin/qconform_backend.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES harness/backends/process/worker.proto DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform)
install(DIRECTORY harness/backends/process/python/qconform_worker
  DESTINATION ${CMAKE_INSTALL_DATADIR}/qconform/python FILES_MATCHING PATTERN "*.py")

set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/qconform)
install(TARGETS qconform qconform_cells qconform_kernels EXPORT qconformTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES harness/backends/simd/public/qconform/quantize_linear.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/qconform)
# qconform::gtest: its source for the consumer's GoogleTest, and the headers that it shows.
foreach(file harness/gtest/gtest_cells.cc harness/gtest/gtest_cells.h harness/gtest/cell_runs.h
    harness/backends/backend.h harness/backends/operands.h cases/generators/case.h
    cases/lattice/cell.h cases/lattice/lattice.h cases/model/model.h oracle/tensor/data_type.h
    oracle/tensor/result.h oracle/tensor/tensor.h reports/record.h reports/verdict.h)
  cmake_path(GET file PARENT_PATH folder)
  install(FILES ${file} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/qconform/gtest/${folder})
endforeach()
install(EXPORT qconformTargets NAMESPACE qconform:: DESTINATION ${_package})
configure_package_config_file(cmake/qconformConfig.cmake.in
  ${PROJECT_BINARY_DIR}/qconformConfig.cmake INSTALL_DESTINATION ${_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/qconformConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/qconformConfig.cmake
  ${PROJECT_BINARY_DIR}/qconformConfigVersion.cmake
  cmake/qconform_add_conformance_tests.cmake cmake/conformance_groups.cmake.in
  DESTINATION ${_package})
# The same name for consumers that use add_subdirectory.
add_executable(qconform::qconform ALIAS qconform)
include(qconform_add_conformance_tests)
