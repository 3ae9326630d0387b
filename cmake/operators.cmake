# The operators that are judged. Each word is a folder oracle/operators/<word>,
# oracle/exact/operators/<word>, cases/operators/<word>, harness/operators/<word> and, where
# it has kernels, harness/backends/simd/<word>. No other file names an operator.

include_guard(GLOBAL)

set(QCONFORM_OPERATORS quantize_linear q_linear_mat_mul dequantize_linear mat_mul_integer
  conv_integer q_linear_conv dynamic_quantize_linear)

# The families of graphs: graphs.<word> stands where an op_type stands. oracle/graphs,
# cases/graphs and harness/graphs define the getters of the registries that all operators
# are in, in the namespace graphs and with the family as argument.
set(QCONFORM_GRAPH_FAMILIES round_trip requantization movers choosers arithmetic sums weights
  dynamic)

# Sets OUTPUT to the words that have a folder harness/operators/<word>/FOLDER.
function(qconform_operators_with output folder)
  set(words "")
  foreach(word IN LISTS QCONFORM_OPERATORS)
    if(EXISTS ${PROJECT_SOURCE_DIR}/harness/operators/${word}/${folder}/CMakeLists.txt)
      list(APPEND words ${word})
    endif()
  endforeach()
  set(${output} ${words} PARENT_SCOPE)
endfunction()

# qconform_operator_registry(OUTPUT FUNCTION TYPE GETTER HEADER [FOLDER folder])
# Sets OUTPUT to a generated source that defines
#   std::span<const TYPE* const> qconform::FUNCTION()
# which returns qconform::<word>::GETTER() of every operator, and then
# qconform::graphs::GETTER("graphs.<word>") of every family of graphs. HEADER declares both
# TYPE and FUNCTION; each folder defines `const TYPE& GETTER()` in the namespace of its
# word. With FOLDER, only operators that have harness/operators/<word>/FOLDER are included.
function(qconform_operator_registry output function type getter header)
  cmake_parse_arguments(arg "" "FOLDER" "" ${ARGN})
  set(declarations "")
  set(entries "")
  set(words ${QCONFORM_OPERATORS})
  set(families ${QCONFORM_GRAPH_FAMILIES})
  if(arg_FOLDER)
    qconform_operators_with(words ${arg_FOLDER})
    set(families "")
  endif()
  list(LENGTH words count)
  list(LENGTH families count_of_families)
  math(EXPR count "${count} + ${count_of_families}")
  foreach(word IN LISTS words)
    string(APPEND declarations
      "namespace qconform::${word} {\nconst ${type}& ${getter}();\n}\n")
    string(APPEND entries "      &${word}::${getter}(),\n")
  endforeach()
  if(families)
    string(APPEND declarations
      "namespace qconform::graphs {\nconst ${type}& ${getter}(std::string_view family);\n}\n")
  endif()
  foreach(family IN LISTS families)
    string(APPEND entries "      &graphs::${getter}(\"graphs.${family}\"),\n")
  endforeach()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/registries/${function}.cc)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT
"// Generated from QCONFORM_OPERATORS by cmake/operators.cmake.
#include \"@header@\"

#include <array>
#include <span>
#include <string_view>

@declarations@
namespace qconform {

std::span<const @type@* const> @function@() {
  static const std::array<const @type@*, @count@> all = {
@entries@  };
  return all;
}

}  // namespace qconform
")
  set(${output} ${generated} PARENT_SCOPE)
endfunction()

# Adds the folder of every operator below the current one.
macro(qconform_add_operators)
  foreach(word IN LISTS QCONFORM_OPERATORS)
    add_subdirectory(${word})
  endforeach()
endmacro()

# qconform_add_parts_registry(PART FUNCTION TYPE GETTER HEADER LINK): the target
# qconform::harness_PART_registry with the registry of all operators that have a folder
# harness/operators/<word>/PART, whose target is qconform::harness_<word>_PART. LINK is the
# target of HEADER.
function(qconform_add_parts_registry part function type getter header link)
  qconform_operator_registry(source ${function} ${type} ${getter} ${header} FOLDER ${part})
  set(target qconform_harness_${part}_registry)
  add_library(${target} STATIC ${source})
  add_library(qconform::harness_${part}_registry ALIAS ${target})
  target_link_libraries(${target} PUBLIC ${link})
  qconform_operators_with(words ${part})
  foreach(word IN LISTS words)
    target_link_libraries(${target} PRIVATE qconform::harness_${word}_${part})
  endforeach()
  _qconform_options(${target})
endfunction()
