# The operators that are judged. Each word is a folder oracle/operators/<word>,
# oracle/exact/operators/<word>, cases/operators/<word>, harness/operators/<word> and, where
# it has kernels, harness/backends/simd/<word>. Nothing else names an operator.

include_guard(GLOBAL)

set(QCONFORM_OPERATORS quantize_linear q_linear_mat_mul)

# qconform_operator_registry(OUTPUT FUNCTION TYPE GETTER HEADER)
# Sets OUTPUT to a generated source that defines
#   std::span<const TYPE* const> qconform::FUNCTION()
# which returns qconform::<word>::GETTER() of every operator. HEADER declares both TYPE and
# FUNCTION; each folder defines `const TYPE& GETTER()` in the namespace of its word.
function(qconform_operator_registry output function type getter header)
  set(declarations "")
  set(entries "")
  foreach(word IN LISTS QCONFORM_OPERATORS)
    string(APPEND declarations
      "namespace qconform::${word} {\nconst ${type}& ${getter}();\n}\n")
    string(APPEND entries "      &${word}::${getter}(),\n")
  endforeach()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/registries/${function}.cc)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT
"// Generated from QCONFORM_OPERATORS by cmake/operators.cmake.
#include \"@header@\"

#include <span>

@declarations@
namespace qconform {

std::span<const @type@* const> @function@() {
  static const @type@* const all[] = {
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
