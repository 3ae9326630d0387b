#include "reports/testing/example_records.h"

#include <stdlib.h>

#include <algorithm>

namespace qconform {
namespace {

Counterexample ExampleCounterexample(const CellRecord& cell, std::string_view form) {
  Counterexample example;
  example.case_id = cell.cell + "/" + std::string(form) + "/saturate=1/ties/17";
  example.tier = "regular";
  example.operand_form = form;
  example.index = Shape{0, 3};
  example.operands = {{"x", DataType::kFloat, {"0x40200000", "0x1.4p+1"}},
                      {"y_scale", DataType::kFloat, {"0x3f800000", "0x1p+0"}},
                      {"y_zero_point", cell.output_type(), {"0x80", "128"}}};
  example.expected = {"0x82", "130"};
  example.actual = {"0x83", "131"};
  example.clause = "QL-10";
  example.replay = "qconform replay '" + example.case_id + "' --backend simd:AVX2";
  return example;
}

constexpr DataType kIntegerTargets[] = {DataType::kUint8, DataType::kInt8};
constexpr DataType kTargets[] = {
    DataType::kUint8,          DataType::kInt8,       DataType::kUint16,
    DataType::kInt16,          DataType::kUint4,      DataType::kInt4,
    DataType::kUint2,          DataType::kInt2,       DataType::kFloat8E4M3FN,
    DataType::kFloat8E4M3FNUZ, DataType::kFloat8E5M2, DataType::kFloat8E5M2FNUZ,
    DataType::kFloat4E2M1};
constexpr DataType kMatMulTypes[] = {DataType::kUint8,        DataType::kInt8,
                                     DataType::kFloat8E4M3FN, DataType::kFloat8E4M3FNUZ,
                                     DataType::kFloat8E5M2,   DataType::kFloat8E5M2FNUZ};
constexpr DataType kFloats[] = {DataType::kFloat, DataType::kFloat16,
                                DataType::kBfloat16};

}  // namespace

RunInfo ExampleRun() {
  RunInfo run;
  run.tool = {"qconform", "0.1.0", "0123456789ab"};
  run.suite = {"1", std::string(64, 'a'), "1.20.0", "standard", 1};
  run.selection.operators = {"QuantizeLinear", "QLinearMatMul"};
  run.backend = {"simd",
                 "simd:AVX2",
                 "0.1.0",
                 "qconform",
                 "AVX2",
                 std::string(64, 'b'),
                 {{"highway", "1.2.0"}}};
  run.machine = {.cpu_model = "A model of CPU",
                 .cpu_features = {"avx2", "sse4_1"},
                 .cores = 2,
                 .simd_targets_compiled = {"AVX3", "AVX2", "SSE4"},
                 .simd_targets_supported = {"AVX2", "SSE4"},
                 .os = "Linux"};
  run.command_line = {"qconform", "run", "--backend", "simd:AVX2"};
  run.start_time = "2026-08-01T12:00:00Z";
  run.duration_s = 12.5;
  run.jobs = 2;
  return run;
}

CellRecord ExampleCell(std::string_view op_type, int since_version,
                       std::vector<DataType> types, std::string_view granularity,
                       Verdict verdict) {
  CellRecord cell;
  cell.op_type = op_type;
  cell.since_version = since_version;
  cell.types = std::move(types);
  cell.granularity = granularity;
  cell.cell = cell.op_type + "/" + std::to_string(since_version) + "/";
  for (size_t i = 0; i < cell.types.size(); ++i) {
    cell.cell += (i > 0 ? "-" : "") + std::string(DataTypeName(cell.types[i]));
  }
  cell.cell += "/" + cell.granularity;
  cell.verdict = verdict;
  if (verdict == Verdict::kError) cell.reason = "the oracle refuses a legal model";
  if (!IsOfBackend(verdict)) return cell;

  cell.opset_versions = {{since_version, verdict}};
  // The definitions of 23 and 24 are of one opset_version each.
  if (since_version < 23 || since_version > 24) {
    cell.opset_versions.push_back({since_version + 1, verdict});
  }
  cell.cases = 64;
  cell.time_ms = 1.5;
  if (verdict == Verdict::kUnsupported) {
    cell.declined = cell.cases;
    cell.reason = "the type " + std::string(DataTypeName(cell.output_type())) +
                  " is not implemented";
  }
  for (const char* form : {"inputs", "initializers"}) {
    FormRecord record{form, {}};
    for (const char* tier :
         {"regular", "subnormal", "conversion_range", "degenerate_scale"}) {
      record.tiers.push_back({tier, verdict});
    }
    cell.forms.push_back(std::move(record));
  }
  if (verdict != Verdict::kUnsupported) {
    cell.tiers = {{"regular", 123456, 0},
                  {"subnormal", 2048, 0},
                  {"conversion_range", 128, 0},
                  {"degenerate_scale", 4096, 0}};
    cell.free = 12;
    cell.dynamic_shapes =
        verdict == Verdict::kPartial ? kDynamicShapesDeclined : kDynamicShapesAnswered;
    cell.coverage = {
        {"tie", 1234},        {"near_tie", 2345},       {"saturated_low", 345},
        {"inexact", 9999},    {"saturated_high", 4567}, {"quotient_rounded", 88888},
        {"nan", 12},          {"infinity", 34},         {"zero_result", 5678},
        {"zero_point", 60000}};
  }
  if (verdict == Verdict::kAdmissible) {
    cell.reading = "QL-04:f32_quotient";
    cell.example = ExampleCounterexample(cell, "inputs");
    cell.example->reading = "QL-04:f32_quotient";
  }
  if (verdict == Verdict::kConformant) {
    cell.observed = {{"QL-12", "NaN to an integer", {"qmin"}, {}}};
    cell.not_told_apart = {"QL-04:f32_quotient"};
  }
  if (verdict == Verdict::kPartial) cell.declined = 3;
  if (verdict == Verdict::kRefusedLegal) {
    cell.refused_legal = 3;
    Counterexample example;
    example.case_id = cell.cell + "/inputs/saturate=1/specials/0";
    example.message = "refused as invalid: axis: expected 0, got -1";
    example.replay = "qconform replay '" + example.case_id + "' --backend simd:AVX2";
    cell.counterexamples = {example};
    cell.reason = example.message;
  }
  if (verdict == Verdict::kNonconformant) {
    cell.diagnosis = "ties_away";
    cell.deviation = Deviation{.model = "Ties are rounded away from zero.",
                               .indistinguishable_from = {"ties_like_it"},
                               .also_explained_by = {},
                               .nearest = "",
                               .elements_deviating = 17,
                               .elements_explained = 17,
                               .elements_confirmed = 512,
                               .pattern = {"only ties"},
                               .mixed_readings = {}};
    cell.observed = {{"QL-12", "NaN to an integer", {"0", "qmin"}, {"position"}}};
    cell.tiers[0].mismatches = 14;
    for (size_t i = 1; i < cell.tiers.size(); ++i) cell.tiers[i].mismatches = 1;
    cell.counterexamples = {ExampleCounterexample(cell, "inputs"),
                            ExampleCounterexample(cell, "initializers")};
    cell.counterexamples[0].steps = {
        {"q = x / y_scale", "-0x1.3dp+7 (-158.5)", "-0x1.3dp+7 (-158.5)"},
        {"rounded to an integer", "-158", "-159"}};
  }
  if (verdict == Verdict::kCrashed || verdict == Verdict::kTimedOut ||
      verdict == Verdict::kFailed || verdict == Verdict::kInvalidOutput) {
    Counterexample example;
    example.case_id = cell.cell + "/inputs/saturate=1/specials/0";
    example.message = "signal 11";
    example.replay = "qconform replay '" + example.case_id + "' --backend simd:AVX2";
    cell.counterexamples = {example};
    cell.reason = "signal 11";
  }
  return cell;
}

std::vector<CellRecord> ExampleCells() {
  std::vector<CellRecord> cells;
  const std::vector<std::string_view> granularities = {"per_tensor", "per_axis",
                                                       "blocked"};
  size_t next = 0;
  // The newest verdict comes last, so that the cells of the others stay as they were.
  std::vector<Verdict> verdicts(AllVerdicts().begin(), AllVerdicts().end());
  std::erase(verdicts, Verdict::kRefusedLegal);
  verdicts.push_back(Verdict::kRefusedLegal);
  for (const Verdict verdict : verdicts) {
    const DataType target = kTargets[next % std::size(kTargets)];
    cells.push_back(ExampleCell("QuantizeLinear", next % 2 == 0 ? 21 : 25,
                                {DataType::kFloat, DataType::kFloat, target},
                                granularities[next % 3], verdict));
    ++next;
  }
  cells.push_back(ExampleCell(
      "QLinearMatMul", 21,
      {DataType::kFloat16, DataType::kUint8, DataType::kInt8, DataType::kUint8},
      "per_row-per_column", Verdict::kConformant));
  return cells;
}

NodeTestRecord ExampleNodeTest(std::string_view name, NodeVerdict verdict) {
  NodeTestRecord test;
  test.name = name;
  test.release = "1.20.0";
  test.op_type = "QuantizeLinear";
  test.opset_version = 25;
  test.verdict = verdict;
  if (verdict != NodeVerdict::kPass) test.reason = "y[0]: expected 0x01, actual 0x02";
  test.digest = std::string(64, 'c');
  return test;
}

NegativeRecord ExampleNegative(std::string_view id) {
  return {.id = std::string(id),
          .kind = "invalid",
          .clause = "QL-34",
          .op_type = "QuantizeLinear",
          .opset_version = 21,
          .phase = "load",
          .result = NegativeResult::kRefused,
          .text = ""};
}

Report ExampleReport() {
  RunInfo run = ExampleRun();
  std::vector<CellRecord> cells = ExampleCells();
  run.selection.cells = static_cast<int64_t>(cells.size());
  std::vector<NodeTestRecord> tests;
  for (const NodeVerdict verdict : AllNodeVerdicts()) {
    tests.push_back(
        ExampleNodeTest("test_" + std::string(NodeVerdictName(verdict)), verdict));
  }
  return *BuildReport(run, cells, tests, true);
}

std::vector<CellRecord> WholeLattice(Verdict verdict) {
  std::vector<CellRecord> cells;
  const auto quantize = [&](int since, std::span<const DataType> xs,
                            std::span<const DataType> scales,
                            std::span<const DataType> ys, int granularities) {
    const char* const names[] = {"per_tensor", "per_axis", "blocked"};
    for (const DataType x : xs) {
      for (const DataType scale : scales) {
        for (const DataType y : ys) {
          for (int i = 0; i < granularities; ++i) {
            cells.push_back(
                ExampleCell("QuantizeLinear", since, {x, scale, y}, names[i], verdict));
          }
        }
      }
    }
  };
  const DataType x4[] = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                         DataType::kInt32};
  const DataType scales5[] = {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                              DataType::kInt32, DataType::kFloat8E8M0};
  const std::span<const DataType> all(kTargets);
  quantize(10, std::span(x4).first(2), std::span(x4).first(1), kIntegerTargets, 1);  // 4
  quantize(13, std::span(x4).first(2), std::span(x4).first(1), kIntegerTargets, 2);  // 8
  quantize(19, x4, std::span(x4).first(1), all.first(6), 2);                         // 48
  quantize(21, x4, std::span(x4).first(1), all.first(10), 3);  // 120
  quantize(23, x4, x4, all.first(11), 3);                      // 528
  quantize(24, x4, scales5, all.first(11), 3);                 // 660
  quantize(25, x4, scales5, all, 3);                           // 780
  const auto matmul = [&](int since, std::span<const DataType> scales,
                          std::span<const DataType> types) {
    for (const DataType scale : scales) {
      for (const DataType a : types) {
        for (const DataType b : types) {
          for (const DataType y : types) {
            for (const char* granularity :
                 {"per_tensor-per_tensor", "per_tensor-per_column", "per_row-per_tensor",
                  "per_row-per_column"}) {
              cells.push_back(ExampleCell("QLinearMatMul", since, {scale, a, b, y},
                                          granularity, verdict));
            }
          }
        }
      }
    }
  };
  matmul(10, std::span(kFloats).first(1), kIntegerTargets);  // 32
  matmul(21, kFloats, kMatMulTypes);                         // 2592
  return cells;
}

CellRecord ExamplePart(std::string_view name, int64_t position, Verdict verdict) {
  CellRecord row = ExampleCell("QuantizeLinear", 21,
                               {DataType::kFloat, DataType::kFloat, DataType::kUint8},
                               "per_tensor", verdict);
  const std::string id = row.cell;
  row.part = PartRecord{std::string(name), position, {}, {}};
  row.cell += "#" + row.part->name;
  for (Counterexample& example : row.counterexamples) {
    example.case_id = "QuantizeLinear/21@21/FLOAT-FLOAT-UINT8/per_tensor#" +
                      row.part->name + "/initializers/model/directed/0";
  }
  if (row.example) {
    row.example->case_id = "QuantizeLinear/21@21/FLOAT-FLOAT-UINT8/per_tensor#" +
                           row.part->name + "/initializers/model/directed/0";
  }
  return row;
}

Report ExampleModelReport(std::vector<CellRecord> rows) {
  RunInfo run = ExampleRun();
  run.selection.shard.reset();
  run.selection.profile.clear();
  run.selection.model = ModelRecord{
      "net.onnx",
      std::string(64, 'a'),
      {{"attention", "domain com.microsoft"}, {"attention2", "domain com.microsoft"}},
      "The whole model on mine differs from the composition:\n"
      "  output 'y': 1 of 2 elements differs\nNo part deviates."};
  run.selection.cells = static_cast<int64_t>(rows.size());
  return *BuildReport(std::move(run), std::move(rows), {}, /*finished=*/true);
}

}  // namespace qconform
