# Builds for WebAssembly with Emscripten: `script/bootstrap --with emscripten`, or any
# em++ in PATH. Used by the preset wasm.

find_program(QCONFORM_EMXX em++ REQUIRED)
get_filename_component(_emscripten "${QCONFORM_EMXX}" REALPATH)
get_filename_component(_emscripten "${_emscripten}" DIRECTORY)
# Debian's em++ is a link to a script elsewhere; EMSDK has both in one folder.
foreach(root ${_emscripten} /usr/share/emscripten)
  if(EXISTS ${root}/cmake/Modules/Platform/Emscripten.cmake)
    set(EMSCRIPTEN_ROOT_PATH ${root})
    include(${root}/cmake/Modules/Platform/Emscripten.cmake)
    break()
  endif()
endforeach()
if(NOT EMSCRIPTEN)
  message(FATAL_ERROR "${QCONFORM_EMXX}: no cmake/Modules/Platform/Emscripten.cmake next to it")
endif()
