#include "harness/core/case_answer.h"

#include <utility>

#include "oracle/formats/codes.h"

namespace qconform {

CaseAnswer::CaseAnswer(std::vector<Answer> answers, std::vector<std::string> names) {
  names.resize(answers.size(), "y");
  bool bounded = false;
  for (const Answer& answer : answers) bounded = bounded || !answer.bounds.empty();
  for (size_t i = 0; i < answers.size(); ++i) {
    Answer& answer = answers[i];
    outputs.push_back(
        {std::move(names[i]), answer.type, std::move(answer.shape), elements.size()});
    if (answer.bounds.empty()) {
      if (bounded) bounds.resize(bounds.size() + answer.elements.size());
    } else {
      bounds.insert(bounds.end(), answer.bounds.begin(), answer.bounds.end());
    }
    if (i == 0) {
      elements = std::move(answer.elements);
    } else {
      elements.insert(elements.end(), answer.elements.begin(), answer.elements.end());
    }
  }
  for (size_t i = 0; i < answers.size(); ++i) {
    for (auto& [index, codes] : answers[i].one_of) {
      one_of.emplace(outputs[i].first + static_cast<size_t>(index), std::move(codes));
    }
  }
  for (const Answer& answer : answers) {
    if (!answer.same_code_as) continue;
    same_code_as = outputs[answer.same_code_as->output].first +
                   static_cast<size_t>(answer.same_code_as->index);
  }
}

ElementPlace CaseAnswer::PlaceOf(size_t element) const {
  const OutputForm& output = OutputOf(element);
  return {static_cast<size_t>(&output - outputs.data()),
          static_cast<int64_t>(element - output.first)};
}

std::string CaseAnswer::RecordedName(size_t output) const {
  const std::string& name = outputs[output].name;
  return outputs.size() == 1 && name == "y" ? "" : name;
}

std::optional<size_t> CaseAnswer::ElementAt(const std::string& output,
                                            const Shape& index) const {
  for (const OutputForm& form : outputs) {
    if (output.empty() ? outputs.size() != 1 : form.name != output) continue;
    if (index.size() != form.shape.size()) return std::nullopt;
    int64_t flat = 0;
    for (size_t i = 0; i < index.size(); ++i) {
      if (index[i] < 0 || index[i] >= form.shape[i]) return std::nullopt;
      flat = flat * form.shape[i] + index[i];
    }
    return form.first + static_cast<size_t>(flat);
  }
  return std::nullopt;
}

std::string CaseAnswer::NameOf(size_t element) const {
  const ElementPlace place = PlaceOf(element);
  return outputs[place.output].name + "[" + std::to_string(place.index) + "]";
}

std::string CaseAnswer::NumberOf(size_t element) const {
  const ElementPlace place = PlaceOf(element);
  const std::string number = std::to_string(place.index);
  return outputs.size() == 1 ? number : number + " of " + outputs[place.output].name;
}

Shape Unravel(const Shape& shape, int64_t index) {
  Shape coordinates(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    coordinates[i] = index % shape[i];
    index /= shape[i];
  }
  return coordinates;
}

std::vector<uint32_t> CodesOf(std::span<const Tensor> outputs) {
  std::vector<uint32_t> codes;
  for (const Tensor& output : outputs) {
    const TensorView view = output.view();
    const int64_t count = ElementCount(output.shape).value_or(0);
    codes.reserve(codes.size() + static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) {
      codes.push_back(static_cast<uint32_t>(ReadCode(view, i)));
    }
  }
  return codes;
}

std::vector<Tensor> PackCodes(const CaseAnswer& answer, std::span<const uint32_t> codes) {
  std::vector<Tensor> outputs;
  for (const OutputForm& form : answer.outputs) {
    Tensor& output = outputs.emplace_back(Tensor::Zeros(form.type, form.shape));
    const MutableTensorView view = output.mutable_view();
    const int64_t count = ElementCount(form.shape).value_or(0);
    for (int64_t i = 0; i < count; ++i) {
      WriteCode(view, i, codes[form.first + static_cast<size_t>(i)]);
    }
  }
  return outputs;
}

std::vector<Tensor> PackAnswer(const CaseAnswer& answer) {
  std::vector<uint32_t> codes;
  for (const ElementAnswer& element : answer.elements) codes.push_back(element.code);
  return PackCodes(answer, codes);
}

}  // namespace qconform
