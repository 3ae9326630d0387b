// Wrong kernels that level standard once passed, each the witness of a kind: one length,
// one K, one opset_version, sizes from some number on. What they answer there does not
// matter: the cases must lead there.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cases/core/content.h"
#include "harness/compare/compare.h"
#include "harness/runner/ask/further_cases.h"
#include "harness/runner/ask/parallel.h"
#include "harness/runner/selection.h"
#include "harness/runner/suites/coverage.h"
#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

// A case, and what coverage says of it.
struct Asked {
  const OpCase& op_case;
  std::map<std::string, FactValue> facts;

  int64_t Number(const std::string& fact) const {
    const auto found = facts.find(fact);
    return found == facts.end() ? -1 : found->second.number;
  }
  bool Has(const std::string& fact) const { return facts.contains(fact); }
  int since() const { return op_case.key.cell.since_version; }
  int opset() const { return op_case.key.opset_version; }
  bool Says(std::string_view part) const {
    return op_case.key.variant.find(part) != std::string::npos;
  }
  const Shape& y() const { return op_case.model.outputs.front().shape; }
  const Shape& Operand(size_t index) const { return op_case.operands[index].shape; }
  int64_t axis() const {
    const auto found = facts.find("axis");
    return found == facts.end() || !found->second.words.empty() ? 1
                                                                : found->second.number;
  }
};

struct Witness {
  std::string name;
  std::string op_type;
  std::function<bool(const Cell&)> applies;
  // Where the kernel is wrong: cases, and elements of their first output.
  std::function<bool(const Asked&)> where;
  std::function<bool(const Asked&, const ElementAnswer&, int64_t index)> element{};
  // The share of the cells in which it is caught at least, in percent.
  int percent = 100;
};

bool IsAny(const Cell&) { return true; }
auto Since(int since_version) {
  return [=](const Cell& cell) { return cell.since_version == since_version; };
}

void AddLengths(const std::string& op_type, const std::string& x,
                std::vector<Witness>& all) {
  for (int64_t n = 1; n <= 64; ++n) {
    all.push_back(
        {op_type + ": x of exactly " + std::to_string(n) + " elements", op_type, IsAny,
         [=](const Asked& asked) { return asked.Number("elements of " + x) == n; }});
  }
}

bool IsNotFinite(const Asked& asked, const ElementAnswer& element, int64_t) {
  const DataType type = asked.op_case.model.outputs.front().type;
  const ValueClass value = Decode(FormatOf(type), element.code).value_class;
  return value != ValueClass::kFinite && value != ValueClass::kZero;
}

void AddQuantizations(std::vector<Witness>& all) {
  for (const std::string op_type : {"QuantizeLinear", "DequantizeLinear"}) {
    AddLengths(op_type, "x", all);
    all.push_back(
        {op_type + ": wrong split from 65536 elements on", op_type, IsAny,
         [](const Asked& asked) { return asked.Number("elements of x") >= 65'536; },
         [](const Asked&, const ElementAnswer&, int64_t index) {
           return index >= 65'536;
         },
         1});
    all.push_back({op_type + ": a negative axis is one too early from rank 3 on", op_type,
                   [](const Cell& cell) { return cell.granularity != "per_tensor"; },
                   [](const Asked& asked) {
                     const int64_t axis = asked.axis();
                     const auto rank = static_cast<int64_t>(asked.Operand(0).size());
                     return axis < 0 && rank >= 3 &&
                            asked.Operand(0)[static_cast<size_t>(axis + rank)] > 1;
                   }});
    for (const int opset : {13, 14, 15, 16, 17, 18}) {
      all.push_back(
          {op_type + ": a negative axis at opset_version " + std::to_string(opset),
           op_type,
           [](const Cell& cell) {
             return cell.since_version == 13 && cell.granularity == "per_axis";
           },
           [=](const Asked& asked) {
             return asked.opset() == opset && asked.axis() < 0;
           }});
    }
  }
  const std::string quantize = "QuantizeLinear";
  for (const int opset : {19, 20}) {
    all.push_back({quantize + ": saturate=0 at opset_version " + std::to_string(opset),
                   quantize,
                   [](const Cell& cell) {
                     return cell.since_version == 19 &&
                            FormatOf(OutputType(cell)).kind == NumberKind::kFloat;
                   },
                   [=](const Asked& asked) {
                     return asked.opset() == opset && asked.Says("saturate=0");
                   },
                   IsNotFinite});
  }
  for (const int opset : {21, 22}) {
    all.push_back({quantize + ": output_dtype without a zero point at opset_version " +
                       std::to_string(opset),
                   quantize, Since(21), [=](const Asked& asked) {
                     return asked.opset() == opset && asked.Says("output_dtype") &&
                            asked.Says("zp=");
                   }});
  }
  for (const int opset : {25, 26, 27}) {
    all.push_back({quantize + ": precision at opset_version " + std::to_string(opset),
                   quantize, Since(25), [=](const Asked& asked) {
                     return asked.opset() == opset && asked.Says("precision=");
                   }});
  }
}

// Operators with sums. `percent`: one in four cells is asked a K where there are many.
void AddSums(const std::string& op_type, int percent, std::vector<Witness>& all) {
  const std::string products = "products in a sum";
  const auto add_k = [&](int64_t k) {
    all.push_back({op_type + ": K = " + std::to_string(k),
                   op_type,
                   IsAny,
                   [=](const Asked& asked) { return asked.Number(products) == k; },
                   {},
                   percent});
  };
  for (int64_t k = 1; k <= 64; ++k) add_k(k);
  for (int64_t k = 80; k <= 256; k += 16) {
    for (const int64_t beside : {-1, 0, 1}) add_k(k + beside);
  }
  const bool is_matrix = op_type.find("MatMul") != std::string::npos;
  if (!is_matrix) {
    all.push_back({op_type + ": a batch of more than 16", op_type, IsAny,
                   [](const Asked& asked) { return asked.Operand(0).front() > 16; },
                   [](const Asked& asked, const ElementAnswer&, int64_t index) {
                     return index >= 16 * *ElementCount(asked.y()) / asked.y().front();
                   }});
    all.push_back({op_type + ": channels from 1024 on", op_type, IsAny,
                   [](const Asked& asked) { return asked.y()[1] > 1024; }});
  } else {
    all.push_back({op_type + ": rows from 1024 on", op_type, IsAny,
                   [](const Asked& asked) { return asked.Number("rows") > 1024; },
                   [](const Asked& asked, const ElementAnswer&, int64_t index) {
                     return index / std::max<int64_t>(asked.y().back(), 1) >= 1024;
                   },
                   percent == 100 ? 100 : 12});
    all.push_back({op_type + ": more than 16 matrices",
                   op_type,
                   IsAny,
                   [](const Asked& asked) {
                     const Shape& y = asked.y();
                     return y.size() > 2 && *ElementCount({y.begin(), y.end() - 2}) > 16;
                   },
                   {},
                   percent == 100 ? 100 : 40});
    all.push_back(
        {op_type + ": the last row where M modulo 4 is 3", op_type,
         [](const Cell& cell) { return cell.granularity.starts_with("per_row"); },
         [](const Asked& asked) {
           const Shape& a = asked.Operand(0);
           return a.size() > 1 && a[a.size() - 2] % 4 == 3;
         },
         [](const Asked& asked, const ElementAnswer&, int64_t index) {
           const Shape& y = asked.y();
           if (y.size() < 2 || y.back() == 0) return false;
           const int64_t rows = y[y.size() - 2];
           return index / y.back() % rows == rows - 1;
         }});
  }
  all.push_back(
      {op_type + ": wrong split from 65536 elements on", op_type, IsAny,
       [](const Asked& asked) { return *ElementCount(asked.y()) >= 65'536; },
       [](const Asked&, const ElementAnswer&, int64_t index) { return index >= 65'536; },
       percent == 100 ? 100 : 1});
}

std::vector<Witness> Witnesses() {
  std::vector<Witness> all;
  AddQuantizations(all);
  AddLengths("DynamicQuantizeLinear", "x", all);
  for (int opset = 11; opset <= 28; ++opset) {
    all.push_back(
        {"DynamicQuantizeLinear: rank 3 at opset_version " + std::to_string(opset),
         "DynamicQuantizeLinear", IsAny, [=](const Asked& asked) {
           return asked.opset() == opset && asked.Number("rank of x") == 3;
         }});
  }
  AddSums("QLinearMatMul", 20, all);
  AddSums("MatMulInteger", 100, all);
  AddSums("ConvInteger", 100, all);
  AddSums("QLinearConv", 100, all);
  return all;
}

struct Tally {
  int applies = 0;
  int caught = 0;
  int caught_before = 0;  // without the rows of covering arrays and second lists
};

// Whether the answer of the oracle, changed where the witness is wrong, deviates.
bool IsCaught(const Witness& witness, const Asked& asked, const CaseAnswer& answer) {
  std::vector<uint32_t> codes;
  for (const ElementAnswer& element : answer.elements) codes.push_back(element.code);
  const int64_t count = *ElementCount(asked.y());
  const int bits = BitWidth(asked.op_case.model.outputs.front().type);
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(i);
    if (witness.element && !witness.element(asked, answer.elements[at], i)) continue;
    codes[at] ^= uint32_t{1} << std::max(bits - 2, 0);
  }
  return Compare(answer, codes, 1).mismatches() > 0;
}

// A sample of operators with many cells: all granularities of some types.
bool IsInSample(const Cell& cell) {
  constexpr uint64_t kStep = 23;
  if (cell.op_type == "QLinearMatMul" && cell.since_version == 10) return true;
  const bool has_many =
      cell.op_type == "QLinearMatMul" ||
      ((cell.op_type == "QuantizeLinear" || cell.op_type == "DequantizeLinear") &&
       cell.since_version > 19);
  return !has_many || generators::HashOfTypes(cell).hash() % kStep == 0;
}

void Hunt(const SelectedCell& selected, const std::vector<Witness>& witnesses,
          std::map<std::string, Tally>& tallies, std::mutex& mutex) {
  std::vector<const Witness*> open;
  for (const Witness& witness : witnesses) {
    if (witness.op_type == selected.cell.op_type && witness.applies(selected.cell)) {
      open.push_back(&witness);
    }
  }
  std::map<std::string, Tally> mine;
  for (const Witness* witness : open) mine[witness->name].applies = 1;
  const int newest = selected.versions.opset_versions.back();
  CaseMaker maker(1);
  for (const CaseKey& key : CasesOf(selected.cell, selected.versions, Level::kStandard)) {
    const auto made = maker.Make(key);
    ASSERT_TRUE(made.ok()) << made.error().message;
    const auto facts = FactsOfCase(*made);
    ASSERT_TRUE(facts.ok()) << facts.error().message;
    const Asked asked{*made, {facts->begin(), facts->end()}};
    const bool is_new = key.generator == "sizes" || key.opset_version != newest;
    std::shared_ptr<const CaseAnswer> answer;
    for (const Witness* witness : open) {
      Tally& tally = mine[witness->name];
      if (tally.caught > 0 && (is_new || tally.caught_before > 0)) continue;
      if (!witness->where(asked)) continue;
      if (answer == nullptr) {
        auto answered = AnswerCase(*made);
        ASSERT_TRUE(answered.ok()) << answered.error().message;
        answer = *std::move(answered);
      }
      if (!IsCaught(*witness, asked, *answer)) continue;
      tally.caught = 1;
      if (!is_new) tally.caught_before = 1;
    }
  }
  const std::lock_guard lock(mutex);
  for (const auto& [name, tally] : mine) {
    tallies[name].applies += tally.applies;
    tallies[name].caught += tally.caught;
    tallies[name].caught_before += tally.caught_before;
  }
}

// QCONFORM_WITNESSES=1 prints in how many cells each is caught, and in how many without
// the rows of covering arrays.
TEST(Witnesses, AreCaughtAtStandard) {
  const auto selected = SelectCells({});
  ASSERT_TRUE(selected.ok());
  std::vector<SelectedCell> cells;
  for (const SelectedCell& each : *selected) {
    if (IsInSample(each.cell)) cells.push_back(each);
  }
  const std::vector<Witness> witnesses = Witnesses();
  std::map<std::string, Tally> tallies;
  std::mutex mutex;
  const std::atomic<bool> never{false};
  const auto ran = ForEachInParallel(
      cells.size(), static_cast<int>(std::max(1u, std::thread::hardware_concurrency())),
      never, [&](size_t at) -> Result<bool> {
        Hunt(cells[at], witnesses, tallies, mutex);
        return true;
      });
  ASSERT_TRUE(ran.ok());
  const bool prints = std::getenv("QCONFORM_WITNESSES") != nullptr;
  for (const Witness& witness : witnesses) {
    const auto found = tallies.find(witness.name);
    ASSERT_NE(found, tallies.end()) << witness.name;
    const Tally& tally = found->second;
    EXPECT_GE(100 * tally.caught, witness.percent * tally.applies)
        << witness.name << ": in " << tally.caught << " of " << tally.applies;
    EXPECT_GT(tally.caught, 0) << witness.name;
    if (prints) {
      std::printf("%5d of %5d cells, %5d before  %s\n", tally.caught, tally.applies,
                  tally.caught_before, witness.name.c_str());
    }
  }
}

}  // namespace
}  // namespace qconform
