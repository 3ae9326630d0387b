// Oracle and judge agree on what a fuzzer makes of questions to DynamicQuantizeLinear.
#include <cstdint>
#include <vector>

#include "oracle/exact/operators/dynamic_quantize_linear/testing/questions.h"
#include "oracle/exact/testing/fuzz_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace qconform;
  agreement::FuzzBytes bytes(data, size);
  static const std::vector<ReadingSet> all =
      agreement::OracleReadings({exact::kFloat, {}, {0}});
  agreement::Random random(bytes.Take(16));
  const auto kind = static_cast<agreement::DynamicRangeKind>(
      bytes.Take(8) % agreement::kDynamicRangeKinds);
  const ReadingSet& readings = all[bytes.Take(8) % all.size()];
  const exact::DynamicQuantizeLinearReadings judge = agreement::JudgeReadings(readings);
  exact::Codes x = agreement::MakeQuestion(kind, judge, random);
  agreement::Overwrite(x, bytes);
  agreement::RequireNone(
      agreement::Difference(exact::DynamicQuantizeLinear(x, judge), x, readings),
      Spell(readings) + ", x " + agreement::ToString(x));
  return 0;
}
