#include "oracle/exact/graphs/testing/graph_comparison.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>

#include "oracle/core/answer.h"
#include "oracle/core/reading_set.h"
#include "oracle/exact/format.h"
#include "oracle/exact/graphs/admit.h"
#include "oracle/exact/graphs/code_order.h"
#include "oracle/exact/graphs/compose.h"
#include "oracle/exact/graphs/testing/graph_problem.h"
#include "oracle/graphs/graph.h"

namespace qconform::agreement {
namespace {

// What an element may be, in the words of both.
struct Possible {
  bool any_code = false;
  bool any_nan = false;
  std::vector<uint64_t> codes;  // ascending; without NaN where any is allowed

  friend bool operator==(const Possible&, const Possible&) = default;
};

bool IsNan(int type, uint64_t code) {
  return exact::IsNanCode(exact::GetFormat(type), code);
}

Possible JudgePossible(int type, const exact::GraphElement& element) {
  Possible possible;
  possible.any_code = element.any_code;
  possible.any_nan = element.any_nan;
  if (possible.any_code) return {true, false, {}};
  possible.codes = element.others;
  if (!element.any_nan || !IsNan(type, element.code)) {
    possible.codes.push_back(element.code);
  }
  std::sort(possible.codes.begin(), possible.codes.end());
  return possible;
}

Possible OraclePossible(const Answer& answer, size_t index) {
  const ElementAnswer& element = answer.elements[index];
  const int type = static_cast<int>(answer.type);
  switch (element.freedom) {
    case Freedom::kAnyCode:
    case Freedom::kSameCode:
      return {true, false, {}};
    case Freedom::kAnyNan:
      return {false, true, {}};
    case Freedom::kOneOf: {
      Possible possible;
      for (uint32_t code : answer.one_of.at(static_cast<int64_t>(index))) {
        if (IsNan(type, code)) {
          possible.any_nan = true;
        } else {
          possible.codes.push_back(code);
        }
      }
      return possible;
    }
    case Freedom::kNone:
      break;
  }
  Possible possible;
  possible.codes = {element.code};
  if (element.zero_sign_is_free) {
    possible.codes.push_back(element.code ^
                             (uint64_t{1} << (exact::GetFormat(type).bits - 1)));
    std::sort(possible.codes.begin(), possible.codes.end());
  }
  return possible;
}

std::string Text(const Possible& possible) {
  std::ostringstream out;
  if (possible.any_code) out << "any code";
  if (possible.any_nan) out << "any NaN ";
  out << std::hex;
  for (uint64_t code : possible.codes) out << "0x" << code << " ";
  return out.str();
}

void CompareAnswers(const exact::GraphValues& values, const GraphQuestion& question,
                    const std::vector<Answer>& answers, bool compares_tiers,
                    const std::string& where, Tally& tally) {
  for (size_t o = 0; o < question.graph.outputs.size(); ++o) {
    const exact::GraphTensor& judge = values.at(question.graph.outputs[o]);
    const Answer& oracle = answers[o];
    const auto add = [&](const std::string& kind, const std::string& text) {
      tally.Add(kind, text + " " + where + ", output " + std::to_string(o) + ", " +
                          ToString(question));
    };
    if (judge.type != static_cast<int>(oracle.type) || judge.shape != oracle.shape) {
      add("type or shape", "");
      continue;
    }
    for (size_t i = 0; i < judge.elements.size(); ++i) {
      const exact::GraphElement& one = judge.elements[i];
      const ElementAnswer& other = oracle.elements[i];
      const Possible judged = JudgePossible(judge.type, one);
      const Possible answered = OraclePossible(oracle, i);
      std::ostringstream text;
      text << "[" << i << "] judge " << Text(judged) << " tier "
           << static_cast<int>(one.tier) << ", oracle " << Text(answered) << " tier "
           << static_cast<int>(other.tier);
      if (!(judged == answered)) {
        add("codes", text.str());
      } else if (compares_tiers &&
                 static_cast<int>(one.tier) != static_cast<int>(other.tier)) {
        add("tier", text.str());
      } else if (!judged.any_code && !judged.any_nan && one.code != other.code &&
                 judged.codes.size() == 1) {
        add("canonical code", text.str());
      }
    }
  }
}

bool IsLess(int type, uint64_t one, uint64_t other) {
  return exact::Order(type).IsLess(one, other);
}

// Whether these codes are all those from `low` to `high`; +0 and -0 are one value.
bool AreAllBetween(int type, std::vector<uint64_t> codes, uint64_t low, uint64_t high) {
  const exact::Order order(type);
  const auto less = [&](uint64_t a, uint64_t b) { return order.IsLess(a, b); };
  const auto same = [&](uint64_t a, uint64_t b) { return !less(a, b) && !less(b, a); };
  std::sort(codes.begin(), codes.end(), less);
  codes.erase(std::unique(codes.begin(), codes.end(), same), codes.end());
  for (size_t i = 1; i < codes.size(); ++i) {
    if (!same(order.Next(codes[i - 1], 1), codes[i])) return false;
  }
  return !codes.empty() && same(codes.front(), low) && same(codes.back(), high);
}

// Compares the ends of what is admitted around the canonical answer.
void CompareBounds(const std::vector<exact::AdmittedTensor>& admitted,
                   const exact::GraphValues& values, const GraphQuestion& question,
                   const std::vector<Answer>& answers, bool is_wider,
                   const std::string& where, Tally& tally) {
  for (size_t o = 0; o < admitted.size(); ++o) {
    const exact::GraphTensor& judge = values.at(question.graph.outputs[o]);
    const Answer& oracle = answers[o];
    if (oracle.bounds.size() != judge.elements.size()) {
      // An output that no bound concerns has the codes of the composition.
      continue;
    }
    for (size_t i = 0; i < judge.elements.size(); ++i) {
      const exact::AdmittedElement& one = admitted[o].elements[i];
      const CodeBounds& other = oracle.bounds[i];
      if (oracle.elements[i].freedom == Freedom::kAnyCode || judge.elements[i].any_code ||
          judge.elements[i].any_nan) {
        continue;
      }
      if (oracle.elements[i].tier != Tier::kRegular) continue;
      if (one.is_set) {
        const Possible judged =
            JudgePossible(judge.type, is_wider ? one.wider : one.possible);
        const Possible answered = OraclePossible(oracle, i);
        ++tally.bounds;
        if (judged.codes.size() > 1) ++tally.wide;
        // A set without gaps may be given by its ends.
        const uint64_t low = is_wider ? other.wider_low : other.low;
        const uint64_t high = is_wider ? other.wider_high : other.high;
        const bool has_ends =
            oracle.elements[i].freedom == Freedom::kNone && IsLess(judge.type, low, high);
        if (has_ends ? AreAllBetween(judge.type, judged.codes, low, high)
                     : judged == answered) {
          continue;
        }
        std::ostringstream ends;
        if (has_ends) ends << std::hex << "from 0x" << low << " to 0x" << high;
        tally.Add(is_wider ? "open set" : "set",
                  "[" + std::to_string(i) + "] judge " + Text(judged) + ", oracle " +
                      (has_ends ? ends.str() : Text(answered)) + " " + where +
                      ", output " + std::to_string(o) + ", " + ToString(question));
        continue;
      }
      const uint64_t low = is_wider ? one.wider_low : one.low;
      const uint64_t high = is_wider ? one.wider_high : one.high;
      const uint64_t oracle_low = is_wider ? other.wider_low : other.low;
      const uint64_t oracle_high = is_wider ? other.wider_high : other.high;
      ++tally.bounds;
      if (low != high) ++tally.wide;
      const auto differs = [&](uint64_t a, uint64_t b) {
        return IsLess(judge.type, a, b) || IsLess(judge.type, b, a);
      };
      if (!differs(low, oracle_low) && !differs(high, oracle_high)) continue;
      const bool oracle_is_wider =
          (IsLess(judge.type, oracle_low, low) || IsLess(judge.type, high, oracle_high));
      std::ostringstream text;
      text << std::hex << "[" << std::dec << i << std::hex << "] judge 0x" << low
           << " to 0x" << high << ", oracle 0x" << oracle_low << " to 0x" << oracle_high
           << ", canonical 0x" << judge.elements[i].code << ", " << where << ", output "
           << o << ", " << ToString(question);
      tally.Add(
          std::string(is_wider ? "open, " : "bounds, ") +
              (oracle_is_wider ? "the oracle's are wider" : "the judge's are wider"),
          text.str());
    }
  }
}

}  // namespace

void AskBoth(const GraphQuestion& question, Random& random, Tally& tally) {
  const GraphProblem problem(question);
  if (!problem.refusal().empty()) {
    tally.AddRefusal(problem.refusal());
    return;
  }
  const BoundGraph& bound = problem.bound();
  const auto sets = bound.Readings(problem.operands());
  const auto canonical = bound.Evaluate(problem.operands(), {});
  if (!sets.ok() || !canonical.ok()) {
    tally.AddRefusal(sets.ok() ? canonical.error().message : sets.error().message);
    return;
  }
  const exact::GraphValues values = exact::Compose(question.graph, question.inputs);
  for (const std::string& name : question.graph.outputs) {
    tally.elements += static_cast<int64_t>(values.at(name).elements.size());
  }
  CompareAnswers(values, question, *canonical, true, "canonical", tally);
  std::vector<const ReadingSet*> functions;
  for (const ReadingSet& set : *sets) {
    if (set.kind == ReadingSet::Kind::kFunction) {
      if (!set.is_canonical()) functions.push_back(&set);
      continue;
    }
    // Readings of nodes besides: some of them.
    ReadingSet own;
    for (const Reading& reading : set.readings) {
      if (!reading.clause.starts_with("GR-")) own.readings.push_back(reading);
    }
    if (!own.readings.empty() && !random.OneIn(8)) continue;
    std::string unknown;
    const auto readings = JudgeNodeReadings(question.graph, values, own, unknown);
    if (!readings) {
      tally.AddRefusal("reading not compared: " + unknown);
      continue;
    }
    const exact::GraphValues changed =
        own.readings.empty() ? values
                             : exact::Compose(question.graph, question.inputs, *readings);
    const std::vector<exact::AdmittedTensor> admitted =
        exact::Admit(question.graph, changed, *readings);
    const auto answers = bound.Evaluate(problem.operands(), set);
    if (!answers.ok()) {
      tally.AddRefusal(Spell(set) + ": " + answers.error().message);
      continue;
    }
    const bool is_wider = set.kind == ReadingSet::Kind::kWider;
    CompareBounds(admitted, changed, question, *answers, is_wider, Spell(set), tally);
  }
  for (int i = 0; i < 2 && !functions.empty(); ++i) {
    const ReadingSet& set = *functions[random.Below(functions.size())];
    std::string unknown;
    const auto readings = JudgeNodeReadings(question.graph, values, set, unknown);
    if (!readings) {
      tally.AddRefusal("reading not compared: " + unknown);
      continue;
    }
    const auto answers = bound.Evaluate(problem.operands(), set);
    if (!answers.ok()) {
      tally.AddRefusal(Spell(set) + ": " + answers.error().message);
      continue;
    }
    const exact::GraphValues other =
        exact::Compose(question.graph, question.inputs, *readings);
    for (const std::string& name : question.graph.outputs) {
      tally.readings += static_cast<int64_t>(other.at(name).elements.size());
    }
    CompareAnswers(other, question, *answers, false, Spell(set), tally);
  }
}

}  // namespace qconform::agreement
