// The oracle's answer to one case, over all outputs of its node.
#ifndef QCONFORM_HARNESS_CORE_CASE_ANSWER_H_
#define QCONFORM_HARNESS_CORE_CASE_ANSWER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/core/answer.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// Where an element of a case lies.
struct ElementPlace {
  size_t output = 0;  // position in the schema
  int64_t index = 0;  // in that output, in row-major order

  friend bool operator==(const ElementPlace&, const ElementPlace&) = default;
};

struct OutputForm {
  std::string name;  // the schema's: "y_scale"
  DataType type = DataType::kUndefined;
  Shape shape;
  size_t first = 0;  // where its elements begin in CaseAnswer::elements
};

// The elements of all outputs lie one output after the other, each in row-major order:
// an element of a case has one index, as have the codes that a backend gave.
struct CaseAnswer {
  CaseAnswer() = default;
  // `names` are those of the outputs; missing ones are "y".
  explicit CaseAnswer(std::vector<Answer> answers, std::vector<std::string> names = {});

  std::vector<OutputForm> outputs;
  std::vector<ElementAnswer> elements;
  // One for each element, or empty. Nothing for elements of an output that has none:
  // their answer by itself says what is allowed.
  std::vector<std::optional<CodeBounds>> bounds;
  // The free element whose code those of Freedom::kSameCode have.
  std::optional<size_t> same_code_as;
  // Of the elements of Freedom::kOneOf: their codes, ascending.
  std::map<size_t, std::vector<uint32_t>> one_of;

  // Precondition: `element` is an index into `elements`.
  const OutputForm& OutputOf(size_t element) const {
    size_t output = outputs.size() - 1;
    while (outputs[output].first > element) --output;
    return outputs[output];
  }
  DataType TypeOf(size_t element) const { return OutputOf(element).type; }
  // Returns the number of elements of an output, by its position.
  size_t SizeOf(size_t output) const {
    return (output + 1 < outputs.size() ? outputs[output + 1].first : elements.size()) -
           outputs[output].first;
  }
  ElementPlace PlaceOf(size_t element) const;
  // Returns the name by which records mean an output, by its position: empty if it is the
  // only one and is called y.
  std::string RecordedName(size_t output) const;
  // Returns the element at an index of an output, or nothing if there is none. An empty
  // name is the only output.
  std::optional<size_t> ElementAt(const std::string& output, const Shape& index) const;

  // Returns "y[3]".
  std::string NameOf(size_t element) const;
  // Returns "3"; "3 of y_scale" where there are several outputs.
  std::string NumberOf(size_t element) const;
};

// Returns the coordinates of an element, by its index in row-major order.
Shape Unravel(const Shape& shape, int64_t index);

// Returns the codes of all elements of some outputs, in the order of CaseAnswer's.
std::vector<uint32_t> CodesOf(std::span<const Tensor> outputs);

// Returns outputs of the form of the answer that have these codes.
std::vector<Tensor> PackCodes(const CaseAnswer& answer, std::span<const uint32_t> codes);

// Returns the outputs with the codes of the answer.
std::vector<Tensor> PackAnswer(const CaseAnswer& answer);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_CORE_CASE_ANSWER_H_
