#include "oracle/exact/operators/conv_integer/conv_integer.h"

#include <cassert>
#include <vector>

#include "oracle/exact/accumulator.h"
#include "oracle/exact/format.h"

namespace qconform::exact {
namespace {

std::vector<Value> ZeroPoints(const std::optional<Codes>& codes) {
  if (!codes) return {Value::Number(0)};
  return ValuesOf(*codes);
}

}  // namespace

Answer ConvInteger(const ConvIntegerInput& input) {
  const Convolution convolution =
      Convolve(input.x.shape, input.w.shape, input.attributes);
  const std::vector<Value> x = ValuesOf(input.x);
  const std::vector<Value> w = ValuesOf(input.w);
  const std::vector<Value> x_zero = ZeroPoints(input.x_zero_point);
  const std::vector<Value> w_zero = ZeroPoints(input.w_zero_point);
  assert(x_zero.size() == 1);
  assert(w_zero.size() == 1 || w_zero.size() == static_cast<size_t>(input.w.shape[0]));
  const Format& int32 = GetFormat(kInt32);

  Answer answer;
  answer.type = kInt32;
  answer.shape = convolution.shape;
  for (const ConvolutionElement& element : convolution.elements) {
    const mpq_class& w_zero_point =
        w_zero.size() == 1 ? w_zero[0].number : w_zero[element.channel].number;
    mpq_class sum = 0;
    for (const ConvolutionTerm& term : element.terms) {
      sum += (x[term.x].number - x_zero[0].number) * (w[term.w].number - w_zero_point);
    }
    Element one;
    if (!IsInt32(sum)) {
      one.tier = Tier::kAccumulatorOverflow;
      one.freedom = Freedom::kAnyCode;
    }
    one.code = CodeOf(int32, Value::Number(WrappedToInt32(sum)));
    answer.elements.push_back(one);
  }
  return answer;
}

}  // namespace qconform::exact
