// A graph under construction: one content of a cell of a family. The generator makes a
// plan; the makers of the graphs (makers.h) add nodes and choose operands by it.
#ifndef QCONFORM_CASES_GRAPHS_QUESTION_H_
#define QCONFORM_CASES_GRAPHS_QUESTION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/core/content.h"
#include "cases/core/counter_rng.h"
#include "cases/core/exact_value.h"
#include "cases/graphs/table.h"
#include "oracle/tensor/tensor.h"

namespace qconform::generators {

// How the scales of a graph lie to each other.
enum class Scales : uint8_t {
  kFull,      // all bits in use
  kPowers,    // powers of two, the last of them so large that codes are ties
  kEqual,     // the same bits, and equal zero points
  kLastBit,   // of which the last differs in the last bit
  kNearTies,  // of which the last makes one value a tie or nearly one
  kNegative,  // one of them negative, or several
  kTiny,      // near the least of the type
  kHuge,      // near the greatest
};

enum class ZeroPoints : uint8_t {
  kByTurn,      // both ends, one beside each, the middle, 0, any
  kBesideLows,  // the lowest code, and one beside it
  kZero,        // codes are values
  // Data: the middle, so that values have both signs. Results: the lowest code, the
  // highest, the middle and the one beside the lowest, with scales of either sign.
  kFolds,
};

enum class Values : uint8_t {
  kAll,       // every code of types of at most 8 bits; floats at and beside ties
  kEnds,      // the lowest and the highest
  kSmall,     // few codes beside the zero point; small whole multiples
  kSpecials,  // NaN, infinities, zeros, subnormals among them
};

// Plan::special of graphs with a FLOAT bias: y_scale is half a step of the sums instead
// of a quarter.
inline constexpr int kHalfSteps = 2;
// Plan::special of sums: a bias of 17 bits; a Conv with several channels in each group.
inline constexpr int kLargeBias = 3;
inline constexpr int kGroups = 4;

// What a generator decides.
struct Plan {
  Scales scales = Scales::kFull;
  ZeroPoints zero_points = ZeroPoints::kByTurn;
  Values values = Values::kAll;
  // How many elements: the makers choose a shape of about that many. 0: few.
  int elements = 0;
  // Sums: the exact twin of GR-12.
  bool exact = false;
  // Choices and means are over two or three elements.
  bool few_terms = false;
  // Generators of one family have further meanings for this one.
  int special = 0;
};

// Scales and zero points of one quantizing node, as they lie in their tensors.
struct Parameters {
  DataType type = DataType::kUndefined;  // of the codes
  DataType scale_type = DataType::kUndefined;
  Shape shape;                    // of scales and zero points; {}: per tensor
  std::optional<int64_t> axis{};  // per axis and blocked
  int64_t block_size = 0;
  std::vector<uint64_t> scales;       // codes, row-major
  std::vector<uint64_t> zero_points;  // codes; empty: the node has none
};

class GraphQuestion {
 public:
  GraphQuestion(const Cell& cell_in, const GraphInfo& graph_in, const Plan& plan_in,
                int index_in, CounterRng rng_in);

  const Cell& cell;
  const GraphInfo& graph;
  const Plan plan;  // for graphs with a FLOAT bias: always the exact twin
  const int index;
  CounterRng rng;

  // --- what the cell says -----------------------------------------------------
  int opset() const { return cell.since_version; }
  bool per_axis() const { return granularity_ == "per_axis"; }
  bool blocked() const { return granularity_ == "blocked"; }
  // Whether the graph begins with a DequantizeLinear; ends with a QuantizeLinear.
  bool starts_with_codes() const {
    return graph.name.starts_with("DQ-") || graph.name.starts_with("DQ,");
  }
  bool ends_with_codes() const {
    return graph.name.ends_with("-Q") || graph.name.ends_with(",Q");
  }
  // The float node of the graph: the first that does not quantize or dequantize.
  std::string_view op_type() const { return op_type_; }
  bool has(std::string_view op_type) const;
  // Whether the content asks what a compiler may fold into codes, and what it may not.
  bool folds() const { return plan.zero_points == ZeroPoints::kFolds; }
  // Whether the scale of the result is negative.
  bool has_negative_result() const;

  // --- parameters -------------------------------------------------------------
  // Returns scales for the first codes of a graph, by the plan: `channels` of them.
  // `plain`: neither tiny nor huge, so that a product with such ones stays in range.
  Parameters First(DataType type, DataType scale_type, int64_t channels = 1,
                   bool plain = false);
  // Returns scales for codes of which some are to be ties, and which are to reach both
  // ends of the range: of values up to 2^magnitude (in channel 0 of `like`). `like`: the
  // parameters that kEqual and kLastBit take, of which channel `source[i]` stands for
  // channel i; may be null. `aim`: a value that kNearTies makes nearly a tie.
  Parameters Last(DataType type, DataType scale_type, int magnitude,
                  const Parameters* like = nullptr, std::optional<ExactValue> aim = {},
                  const std::vector<int64_t>& source = {0});
  // Returns floor(log2) of the largest value of channel 0.
  static int Magnitude(const Parameters& parameters);
  // Lays them along an axis of a tensor.
  void Along(Parameters& parameters, int64_t axis) const;

  // Returns the code of a FLOAT, FLOAT16 or BFLOAT16 of about 2^exponent; within the
  // range of the type.
  uint64_t Scale(DataType type, int exponent, bool full_bits);
  // `of_result`: of the codes that the graph gives.
  uint64_t ZeroPoint(DataType type, int64_t channel, bool of_result = false);
  // Returns a scale with which the value is a tie of codes of `type`, or nearly one.
  uint64_t AimedScale(DataType type, DataType scale_type, const ExactValue& value);

  // --- operands ---------------------------------------------------------------
  // Returns codes by the plan. Without `unusual` none is NaN or infinite.
  Tensor Codes(DataType type, Shape shape, const Parameters& parameters,
               bool unusual = true);
  // Returns how far codes are from the zero point where they are small.
  int64_t SmallCodes(const Parameters& parameters) const;
  // Returns floats at and beside the ties of a QuantizeLinear, by the plan.
  Tensor Floats(DataType type, Shape shape, const Parameters& parameters);
  // Returns the code's value times the scale of its channel 0, exactly.
  ExactValue ValueOf(const Parameters& parameters, uint64_t code) const;

  // --- nodes --------------------------------------------------------------------
  // Feeds a tensor to the graph.
  std::string Feed(std::string name, Tensor tensor, Constant constant = Constant::kNever);
  // Feeds whole numbers that are a constant in every form: shapes, axes, indices.
  std::string Feed(std::string name, const std::vector<int64_t>& numbers, Shape shape);
  std::string Feed(std::string name, const std::vector<int64_t>& numbers);
  void Add(std::string_view op_type, std::vector<std::string> inputs,
           std::vector<std::string> outputs, std::vector<Attribute> attributes = {});
  // Adds a node with one output and returns that.
  std::string Apply(std::string_view op_type, std::vector<std::string> inputs,
                    std::string output, std::vector<Attribute> attributes = {});
  // Feeds codes with their parameters and adds a DequantizeLinear.
  std::string Dequantize(const std::string& name, Tensor codes,
                         const Parameters& parameters,
                         Constant constant = Constant::kNever);
  // Adds a DequantizeLinear with the parameters that `name` already has.
  std::string DequantizeWith(const std::string& codes, const std::string& name,
                             const Parameters& parameters, std::string output);
  // Adds a QuantizeLinear with new parameters.
  std::string Quantize(const std::string& value, const std::string& name,
                       const Parameters& parameters);
  // Feeds scales and zero points, as NAME_scale and NAME_zero_point.
  void FeedParameters(const std::string& name, const Parameters& parameters);
  // Makes a value a result of the graph.
  void Return(const std::string& name, DataType type, Shape shape);

  Content Take();

 private:
  // Returns the exponent nearest to `exponent` with which a power of two as the scale of
  // `type` makes some values of a channel of x ties that do not saturate.
  int ExponentWithTies(const Parameters& x, size_t channel, int x_exponent, DataType type,
                       uint64_t zero_point, int exponent) const;

  std::string_view granularity_;
  std::string_view op_type_;
  struct Fed {
    Tensor tensor;
    Constant constant = Constant::kNever;
  };
  std::map<std::string, Fed> fed_;
  std::vector<qconform::Node> body_;
  std::vector<ValueInfo> outputs_;
};

// The elements that a broadcast, a pool or a mover makes have to be counted by the
// makers, so that the outputs of the models have shapes. Returns the product.
int64_t Elements(const Shape& shape);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_GRAPHS_QUESTION_H_
