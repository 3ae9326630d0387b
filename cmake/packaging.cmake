# cpack: a .tar.gz and a .deb of the component `program`. script/package builds them, from
# the preset `package`, whose program depends on glibc only.
include_guard(GLOBAL)

if(QCONFORM_STATIC)
  target_link_options(qconform PRIVATE -static-libstdc++ -static-libgcc)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_sources(qconform PRIVATE ${CMAKE_CURRENT_LIST_DIR}/packaging/arc4random.cc)
  endif()

  # The licence of a library that the program contains: the first of the files that exists.
  function(_qconform_licence name)
    foreach(file IN LISTS ARGN)
      file(REAL_PATH ${file} file)  # a link would be installed as one
      if(EXISTS ${file})
        install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses RENAME ${name}
          COMPONENT program)
        return()
      endif()
    endforeach()
    list(JOIN ARGN ", " tried)
    message(FATAL_ERROR "the licence of ${name} is missing, which a package has to contain: "
      "expected one of ${tried}")
  endfunction()
  set(_doc /usr/share/doc)
  # ONNX has the licence of qconform, Apache-2.0.
  _qconform_licence(onnx ${onnx_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  _qconform_licence(protobuf ${_doc}/libprotobuf-dev/copyright)
  _qconform_licence(zlib ${_doc}/zlib1g-dev/copyright)
  _qconform_licence(nlohmann_json ${nlohmann_json_SOURCE_DIR}/LICENSE.MIT
    ${_doc}/nlohmann-json3-dev/copyright)
  _qconform_licence(cli11 ${cli11_SOURCE_DIR}/LICENSE ${_doc}/libcli11-dev/copyright)
  _qconform_licence(libstdc++ ${_doc}/libstdc++6/copyright)
  _qconform_licence(onnxruntime_c_api
    ${PROJECT_SOURCE_DIR}/cmake/third_party/onnxruntime/LICENSE)
  if(QCONFORM_KERNELS)
    _qconform_licence(highway ${highway_SOURCE_DIR}/LICENSE
      ${QCONFORM_DEPS_DIR}/highway-source/1.2.0/LICENSE ${_doc}/libhwy-dev/copyright)
  endif()
  if(TARGET qconform_crypto)
    _qconform_licence(openssl ${_doc}/libssl-dev/copyright)
  endif()
endif()

set(CPACK_PACKAGE_NAME qconform)
set(CPACK_PACKAGE_VENDOR "the qconform authors")
set(CPACK_PACKAGE_CONTACT "the qconform authors <qconform@example.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Conformance tests for ONNX's quantization operators")
set(CPACK_PACKAGE_DESCRIPTION "qconform checks whether an implementation of ONNX's quantization
operators gives the bits that the specification asks for, in each opset, data type and
granularity, and says what it does instead.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_FILE_NAME
  qconform-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
# One package, of the program; the library of kernels is built with its users' compiler.
set(CPACK_COMPONENTS_ALL program)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.35)")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# The archive has a folder around it, and the .deb none.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/cpack_by_generator.cmake)
file(WRITE ${CPACK_PROJECT_CONFIG_FILE} [=[
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
]=])
include(CPack)
