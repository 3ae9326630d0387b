// Operand forms and levels.
#ifndef QCONFORM_CASES_CORE_LEVEL_H_
#define QCONFORM_CASES_CORE_LEVEL_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace qconform {

// Which operands are constants of the model.
enum class OperandForm : uint8_t {
  kInputs,        // none: everything is fed
  kInitializers,  // all but the data: weights, scales and zero points
  kParameters,    // scales and zero points, as where all data are activations
};
inline constexpr std::array kAllOperandForms{
    OperandForm::kInputs, OperandForm::kInitializers, OperandForm::kParameters};
std::string_view OperandFormName(OperandForm form);

// How much a cell is asked. Contents are fixed and frozen by a digest in the source.
enum class Level : uint8_t { kSmoke, kStandard, kExhaustive };
inline constexpr std::array kAllLevels{Level::kSmoke, Level::kStandard,
                                       Level::kExhaustive};
std::string_view LevelName(Level level);
// Returns the level of that name, or nothing.
std::optional<Level> ParseLevel(std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_CASES_CORE_LEVEL_H_
