# The commit that reports name; "unknown" outside a git checkout.
include_guard(GLOBAL)
set(QCONFORM_COMMIT "unknown")
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -c safe.directory=* -C ${PROJECT_SOURCE_DIR}
    describe --always --dirty --abbrev=12
    OUTPUT_VARIABLE _commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE _status)
  if(_status EQUAL 0 AND _commit)
    set(QCONFORM_COMMIT "${_commit}")
  endif()
  # Another commit is another version: configure again.
  execute_process(COMMAND ${GIT_EXECUTABLE} -c safe.directory=* -C ${PROJECT_SOURCE_DIR}
    rev-parse --git-path logs/HEAD
    OUTPUT_VARIABLE _head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  cmake_path(ABSOLUTE_PATH _head BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(EXISTS "${_head}")
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_head}")
  endif()
endif()
