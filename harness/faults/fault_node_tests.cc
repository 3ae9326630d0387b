#include "harness/faults/fault_node_tests.h"

#include <string>
#include <utility>
#include <variant>

#include "harness/backends/faulty/decode.h"
#include "harness/compare/compare.h"
#include "harness/core/oracle_model.h"
#include "harness/faults/comparison_faults.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

// Why a data set is left out.
using LeftOut = std::string;
using AnsweredOrLeftOut = std::variant<AnsweredNodeTest, LeftOut>;

Result<AnsweredOrLeftOut> AnswerDataSet(const NodeTest& test, const DataSet& data) {
  const auto left_out = [](LeftOut why) { return AnsweredOrLeftOut(std::move(why)); };
  if (!data.disputed.empty()) return left_out(data.disputed);
  if (const Status judged = CheckIsJudged(test.model); !judged) {
    return left_out(judged.error().message);
  }
  const auto oracle = OracleModel::Create(test.model);
  if (!oracle) return oracle.error();
  const std::vector<TensorView> views = ViewsOf(data.inputs);
  const auto validity = oracle->Validate(views);
  if (!validity) return validity.error();
  if (validity->kind == ModelValidity::Kind::kInvalid) {
    return left_out(validity->clause + ": " + validity->reason);
  }
  auto answer = oracle->Evaluate(views);
  if (!answer) return answer.error();
  auto decoded = DecodeCase(test.model, oracle->since_version(), views, *answer);
  if (!decoded) return decoded.error();
  if (!WrongForm(*answer, data.outputs).empty()) {
    return left_out("its output has another form than the model's");
  }
  AnsweredNodeTest answered{.name = test.name,
                            .op_type = test.model.node.op_type,
                            .decoded = *std::move(decoded),
                            .answer = *std::move(answer),
                            .expected = CodesOf(data.outputs)};
  for (size_t i = 0; i < answered.expected.size(); ++i) {
    const ElementAnswer& right = answered.answer.elements[i];
    const uint32_t code = answered.expected[i];
    const NumberFormat& format = FormatOf(answered.answer.TypeOf(i));
    const bool both_nan = IsNan(format, code) && IsNan(format, right.code);
    const bool is_free =
        right.freedom == Freedom::kAnyCode || right.freedom == Freedom::kSameCode;
    if (!both_nan && !is_free && code != right.code) {
      return left_out("its output is not the oracle's");
    }
  }
  return AnsweredOrLeftOut(std::move(answered));
}

}  // namespace

Result<AnsweredNodeTests> AnswerNodeTests(const std::vector<FoundNodeTest>& found) {
  AnsweredNodeTests answered;
  for (const FoundNodeTest& one : found) {
    if (!one.test) {
      answered.left_out.push_back(one.name + ": " + one.test.error().message);
      continue;
    }
    for (const DataSet& data : one.test->data_sets) {
      auto made = AnswerDataSet(*one.test, data);
      if (!made) return Error{one.name + ": " + made.error().message};
      if (const auto* why = std::get_if<LeftOut>(&*made)) {
        answered.left_out.push_back(one.name + ": " + *why);
      } else {
        answered.tests.push_back(std::get<AnsweredNodeTest>(*std::move(made)));
      }
    }
  }
  return answered;
}

FoundByNodeTests NodeTestsThatFind(const Fault& fault, const AnsweredNodeTests& tests) {
  FoundByNodeTests found;
  FaultState state;
  for (const AnsweredNodeTest& test : tests.tests) {
    const Codes codes = test.decoded->CodesOf(fault, state);
    bool exactly = false;
    bool with_tolerance = false;
    for (size_t i = 0; i < codes.size(); ++i) {
      const NumberFormat& y = FormatOf(test.answer.TypeOf(i));
      const bool both_nan = IsNan(y, codes[i]) && IsNan(y, test.expected[i]);
      exactly = exactly || (codes[i] != test.expected[i] && !both_nan);
      with_tolerance =
          with_tolerance || !IsWithinOnnxTolerance(y.type, test.expected[i], codes[i]);
    }
    if (exactly) found.exactly.push_back(test.name);
    if (with_tolerance) found.with_tolerance.push_back(test.name);
  }
  return found;
}

}  // namespace qconform
