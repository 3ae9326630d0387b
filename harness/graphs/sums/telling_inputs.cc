#include "harness/graphs/sums/telling_inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "harness/graphs/nodes.h"
#include "harness/graphs/numbers.h"
#include "harness/graphs/sums/sum_terms.h"
#include "oracle/formats/number_format.h"

namespace qconform::graphs {
namespace {

// What the bound of reduced precision allows (GR-06), and a little more.
constexpr Number kAllowed = 1.05L / 64;
// The most terms that are not 0, so that the bound is no wider.
constexpr size_t kMostTerms = 14;
constexpr size_t kThirds = 3;

// The values that a sum can have behind it, and the distance between two of them.
struct Range {
  Number low = -std::numeric_limits<Number>::infinity();
  Number high = std::numeric_limits<Number>::infinity();
  Number step = 0;
};

Range RangeOf(const Workspace& graph, size_t step) {
  Range range;
  std::optional<size_t> at = step;
  while ((at = graph.OnlyReaderOf(graph.steps()[*at].node.outputs.front()))) {
    const GraphStep& reader = graph.steps()[*at];
    const auto number = [&](size_t position) -> std::optional<Number> {
      const SharedTensor tensor = graph.InputOf(reader, position);
      if (tensor == nullptr || ElementCount(tensor->shape).value_or(0) < 1) return {};
      return NumbersOf(*tensor).front();
    };
    if (reader.Is("Relu")) {
      range.low = std::max<Number>(range.low, 0);
    } else if (reader.Is("Clip")) {
      range.low = std::max(range.low, number(1).value_or(range.low));
      range.high = std::min(range.high, number(2).value_or(range.high));
    } else if (reader.Is(kQuantize)) {
      const DataType type = graph.ValueOf(reader.node.outputs.front())->type;
      if (!IsInteger(type)) return range;
      range.step = std::fabs(number(kScaleInput).value_or(1));
      const Number zero = number(kZeroPointInput).value_or(0);
      range.low = std::max(range.low, (LeastOf(type) - zero) * range.step);
      range.high = std::min(range.high, (GreatestOf(type) - zero) * range.step);
      return range;
    }
  }
  return range;
}

// A term that is not 0: the number of the term, and its code.
struct Setting {
  size_t term = 0;
  Number code = 0;
};
using Probe = std::vector<Setting>;

// One column of the weights, with the sum of one element of the output.
struct Column {
  size_t output = 0;
  Number unit = 0;
  Number bias = 0;
};

// The columns whose sums have the same terms of the operand, such as those of one row or
// of one window.
struct Window {
  std::vector<size_t> of_operand;  // by term: the element
  std::vector<Column> columns{};
};

class PairFinder {
 public:
  PairFinder(Terms terms, DataType operand, std::vector<Number> bias, Range range)
      : terms_(std::move(terms)),
        bias_(std::move(bias)),
        range_(range),
        least_(LeastOf(operand)),
        greatest_(GreatestOf(operand)) {}

  // Returns codes of the operand, one for each element, at most `most` times.
  std::vector<std::vector<Number>> Find(size_t most) {
    if (!FindWindows()) return {};
    // Windows over the same columns of the weights take turns.
    std::map<size_t, std::vector<const Window*>> alike;
    for (const Window& window : windows_) {
      alike[WeightAt(window.columns.front().output, 0)].push_back(&window);
    }
    struct Turn {
      std::vector<const Window*> windows;
      std::vector<Probe> probes;
      size_t next = 0;
    };
    std::vector<Turn> turns;
    for (auto& [column, windows] : alike) {
      std::vector<Probe> probes = ProbesOf(*windows.front(), most * windows.size());
      turns.push_back({std::move(windows), std::move(probes)});
    }
    std::vector<std::vector<Number>> found;
    while (found.size() < most) {
      std::vector<Number> codes = terms_.zeros[0];
      std::vector<bool> is_used(codes.size());
      bool is_any = false;
      for (Turn& turn : turns) {
        for (const Window* window : turn.windows) {
          if (turn.next == turn.probes.size()) break;
          const auto used = [&](size_t element) { return is_used[element]; };
          if (std::ranges::any_of(window->of_operand, used)) continue;
          for (const size_t element : window->of_operand) is_used[element] = true;
          for (const Setting& one : turn.probes[turn.next]) {
            codes[window->of_operand[one.term]] = one.code;
          }
          ++turn.next;
          is_any = true;
        }
      }
      if (!is_any) break;
      found.push_back(std::move(codes));
    }
    return found;
  }

 private:
  size_t TermsAt(size_t output) const {
    return (terms_.wired.first[output + 1] - terms_.wired.first[output]) / 2;
  }
  const WiredElement& SourceAt(size_t output, size_t term, size_t side) const {
    return terms_.wired.sources[terms_.wired.first[output] + 2 * term + side];
  }
  size_t WeightAt(size_t output, size_t term) const {
    return static_cast<size_t>(SourceAt(output, term, 1).index);
  }
  // The code of a weight, and that less its zero point.
  Number Raw(size_t output, size_t term) const {
    const size_t at = WeightAt(output, term);
    return terms_.codes[1][at] + terms_.zeros[1][at];
  }
  Number Weight(size_t output, size_t term) const {
    return terms_.codes[1][WeightAt(output, term)];
  }
  Number ZeroAt(const Window& window, size_t term) const {
    return terms_.zeros[0][window.of_operand[term]];
  }

  // Finds the windows without padding. Returns whether there are some.
  bool FindWindows() {
    std::map<std::vector<size_t>, size_t> by_elements;
    std::map<size_t, size_t> last_of_column;  // limits how many windows are looked at
    for (size_t i = 0; i + 1 < terms_.wired.first.size(); ++i) {
      std::vector<size_t> elements;
      for (size_t term = 0; term < TermsAt(i); ++term) {
        const WiredElement& x = SourceAt(i, term, 0);
        if (x.operand != 0 || SourceAt(i, term, 1).operand != 1) break;
        elements.push_back(static_cast<size_t>(x.index));
      }
      if (elements.size() < 2 || elements.size() < TermsAt(i)) continue;
      const auto unit = UnitOf(terms_, i);
      if (!unit || *unit == 0) continue;
      Column column{i, terms_.alpha * *unit, 0};
      if (!terms_.wired.bias.empty() &&
          terms_.wired.bias[i].operand != WiredElement::kZero) {
        column.bias =
            terms_.beta * bias_[static_cast<size_t>(terms_.wired.bias[i].index)];
      }
      const auto [found, is_new] = by_elements.try_emplace(elements, windows_.size());
      if (is_new) windows_.push_back({std::move(elements)});
      windows_[found->second].columns.push_back(column);
    }
    return !windows_.empty();
  }

  // Returns what saturation to 16 bits takes from a pair of products of UINT8 codes.
  static Number LossOf(Number pair) {
    return pair -
           std::clamp(pair, LeastOf(DataType::kInt16), GreatestOf(DataType::kInt16));
  }

  // Whether a kernel that saturates pairs gives the column another result than any that
  // is allowed.
  bool Shows(const Window& window, const Column& column, const Probe& probe) const {
    Number right = column.bias;
    Number absolute = std::fabs(column.bias);
    std::map<size_t, Number> pairs;  // of products of codes
    for (const auto& [term, code] : probe) {
      const Number product =
          (code - ZeroAt(window, term)) * Weight(column.output, term) * column.unit;
      right += product;
      absolute += std::fabs(product);
      pairs.try_emplace(term / 2, 0);
    }
    Number lost = 0;
    for (auto& [pair, products] : pairs) {
      for (size_t term = 2 * pair;
           term < std::min(2 * pair + 2, window.of_operand.size()); ++term) {
        const auto set = std::ranges::find(probe, term, &Setting::term);
        const Number code = set == probe.end() ? ZeroAt(window, term) : set->code;
        products += (code - least_) * Raw(column.output, term);
      }
      lost += LossOf(products) * column.unit;
    }
    const auto bounded = [&](Number v) { return std::clamp(v, range_.low, range_.high); };
    return std::fabs(bounded(right) - bounded(right - lost)) >
           absolute * kAllowed + 1.5L * range_.step;
  }

  // Returns the pair at this place with the terms that bring the result into its range;
  // nothing if it does not show then.
  std::optional<Probe> ProbeAt(const Window& window, const Column& column,
                               size_t pair) const {
    Probe probe = {{2 * pair, greatest_}, {2 * pair + 1, greatest_}};
    Number right = column.bias;
    Number products = 0;
    for (const auto& [term, code] : probe) {
      right += (code - ZeroAt(window, term)) * Weight(column.output, term) * column.unit;
      products += (code - least_) * Raw(column.output, term);
    }
    const Number wrong = right - LossOf(products) * column.unit;
    const Number high = std::max(right, wrong);
    const Number low = std::min(right, wrong);
    Number left = 0;  // by which the sum is to be moved
    if (high > range_.high) {
      left = range_.high - high;
    } else if (low < range_.low) {
      left = std::min(range_.low - low, range_.high - high);
    }
    AddTerms(window, column, pair, left, probe);
    return Shows(window, column, probe) ? std::optional(std::move(probe)) : std::nullopt;
  }

  // Adds the largest terms that move the sum by `left`.
  void AddTerms(const Window& window, const Column& column, size_t pair, Number left,
                Probe& probe) const {
    if (left == 0) return;
    struct End {
      Number moves = 0;
      Setting setting{};
    };
    std::vector<End> ends;
    for (size_t term = 0; term < window.of_operand.size(); ++term) {
      if (term / 2 == pair) continue;
      for (const Number code : {least_, greatest_}) {
        const Number moves =
            (code - ZeroAt(window, term)) * Weight(column.output, term) * column.unit;
        if (moves * left > 0) ends.push_back({moves, {term, code}});
      }
    }
    const size_t room = std::min(ends.size(), kMostTerms - probe.size());
    std::ranges::partial_sort(ends, ends.begin() + static_cast<std::ptrdiff_t>(room),
                              std::ranges::greater(),
                              [](const End& end) { return std::fabs(end.moves); });
    for (size_t i = 0; i < room && left != 0; ++i) {
      const auto [moves, setting] = ends[i];
      if (std::fabs(moves) <= std::fabs(left)) {
        probe.push_back(setting);
        left -= moves;
        continue;
      }
      const Number zero = ZeroAt(window, setting.term);
      probe.push_back(
          {setting.term, zero + RoundedToEven((setting.code - zero) * left / moves)});
      left = 0;
    }
  }

  // Returns for each third of the sum and each sign the pair that loses most.
  std::vector<size_t> LargestPairs(const Window& window, const Column& column) const {
    const size_t pairs = window.of_operand.size() / 2;
    struct Best {
      Number loss = 0;
      size_t pair = 0;
    };
    Best best[kThirds][2];
    for (size_t pair = 0; pair < pairs; ++pair) {
      const Number loss =
          LossOf((greatest_ - least_) *
                 (Raw(column.output, 2 * pair) + Raw(column.output, 2 * pair + 1)));
      Best& of = best[pair * kThirds / pairs][loss < 0 ? 1 : 0];
      if (std::fabs(loss) > std::fabs(of.loss)) of = {loss, pair};
    }
    std::vector<size_t> largest;
    for (const auto& third : best) {
      for (const Best& of : third) {
        if (of.loss != 0) largest.push_back(of.pair);
      }
    }
    return largest;
  }

  // Returns the fewest probes, as a greedy choice finds them, that show each column that
  // some probe shows, and each third of the sum.
  std::vector<Probe> ProbesOf(const Window& window, size_t most) const {
    struct Candidate {
      Probe probe;
      std::set<size_t> shows;  // the columns, and after them the thirds
    };
    const size_t columns = window.columns.size();
    std::vector<Candidate> candidates;
    std::set<size_t> seen;
    for (const Column& column : window.columns) {
      for (const size_t pair : LargestPairs(window, column)) {
        auto probe = ProbeAt(window, column, pair);
        if (!probe) continue;
        if (probe->size() == 2 && !seen.insert(pair).second) continue;
        Candidate& made = candidates.emplace_back(*std::move(probe));
        for (size_t other = 0; other < columns; ++other) {
          if (Shows(window, window.columns[other], made.probe)) made.shows.insert(other);
        }
        const size_t pairs = window.of_operand.size() / 2;
        made.shows.insert(columns + pair * kThirds / pairs);
      }
    }
    std::vector<Probe> chosen;
    std::set<size_t> shown;
    while (chosen.size() < most) {
      const auto adds = [&](const Candidate& one) {
        return std::ranges::count_if(one.shows,
                                     [&](size_t at) { return !shown.contains(at); });
      };
      const auto best = std::ranges::max_element(candidates, {}, adds);
      if (best == candidates.end() || adds(*best) == 0) break;
      shown.insert(best->shows.begin(), best->shows.end());
      chosen.push_back(best->probe);
    }
    return chosen;
  }

  Terms terms_;
  std::vector<Number> bias_;
  Range range_;
  Number least_;
  Number greatest_;
  std::vector<Window> windows_;
};

// Returns the operand of the graph from which these codes of a sum come: codes, or
// numbers that a QuantizeLinear makes codes.
struct Origin {
  size_t operand = 0;
  bool is_quantized = false;
};
std::optional<Origin> OriginOf(const Workspace& graph, const Node& outer,
                               const GraphStep& dequantizer) {
  std::string name = dequantizer.node.inputs[kQuantizedInput];
  const auto producer = graph.ProducerOf(name);
  if (producer) {
    if (!graph.steps()[*producer].Is(kQuantize)) return std::nullopt;
    name = graph.steps()[*producer].node.inputs[kQuantizedInput];
  }
  const auto found = std::ranges::find(outer.inputs, name);
  if (found == outer.inputs.end()) return std::nullopt;
  return Origin{static_cast<size_t>(found - outer.inputs.begin()), producer.has_value()};
}

bool IsOf8Bits(DataType type) { return IsInteger(type) && BitWidth(type) == 8; }

}  // namespace

std::vector<TellingInput> InputsOfPairs(const Workspace& graph, const Node& outer,
                                        size_t most) {
  std::vector<TellingInput> all;
  for (size_t step = 0; step < graph.steps().size(); ++step) {
    if (BitsOfOperands(graph, step) == 0) continue;
    const SharedTensor codes = CodesOf(graph, step, kOperandInput);
    if (!IsOf8Bits(codes->type) ||
        CodesOf(graph, step, kWeightsInput)->type != DataType::kInt8) {
      continue;
    }
    const GraphStep& sum = graph.steps()[step];
    const GraphStep& a = graph.steps()[*GivenBy(graph, step, kOperandInput)];
    const GraphStep& b = graph.steps()[*GivenBy(graph, step, kWeightsInput)];
    const auto origin = OriginOf(graph, outer, a);
    if (!origin) continue;
    std::vector<SharedTensor> inputs = {graph.InputOf(sum, kOperandInput),
                                        graph.InputOf(sum, kWeightsInput)};
    for (const std::string& name : InputsOfSum(graph, step)) {
      inputs.push_back(name.empty() ? nullptr : graph.ValueOf(name));
    }
    auto terms = TermsOf(sum, a, b, inputs);
    if (!terms) continue;  // not one that wrong models have
    std::vector<Number> bias;
    if (inputs.back() != nullptr) bias = NumbersOf(*inputs.back());
    const std::vector<Number> scales = terms->scales[0];
    const std::vector<Number> zeros = terms->zeros[0];
    const SharedTensor operand = graph.ValueOf(outer.inputs[origin->operand]);
    if (operand == nullptr || operand->shape != codes->shape) continue;
    PairFinder finder(*std::move(terms), codes->type, std::move(bias),
                      RangeOf(graph, step));
    for (std::vector<Number>& found : finder.Find(most)) {
      for (size_t i = 0; origin->is_quantized && i < found.size(); ++i) {
        found[i] = (found[i] - zeros[i]) * scales[i];
      }
      all.push_back(
          {origin->operand, TensorOfNumbers(operand->type, operand->shape, found)});
    }
  }
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace qconform::graphs
