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
endif()
