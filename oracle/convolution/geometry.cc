#include "oracle/convolution/geometry.h"

#include <algorithm>
#include <utility>

#include "oracle/formats/number_format.h"

namespace qconform {
namespace {

using Dims = std::span<const int64_t>;

// The oracle could not hold more answers than this.
constexpr int64_t kMostAnswers = int64_t{1} << 28;
// Nor could it form sums of more products, where tensors without an element have large
// dimensions.
constexpr int64_t kMostTerms = int64_t{1} << 40;
// Sizes, pads, strides and dilations up to this have sums and products that INT64 holds.
constexpr int64_t kMostSize = int64_t{1} << 30;

class Resolver {
 public:
  Resolver(const ConvolutionAttributes& attributes, Dims x, Dims w,
           const ConvolutionClauses& clauses, Validation& validation)
      : attributes_(attributes),
        x_(x),
        w_(w),
        clauses_(clauses),
        validation_(validation) {}

  std::optional<ConvolutionGeometry> Run() {
    if (!CheckNames() || !ResolveChannels() || !ResolveKernel() || !ResolveLists() ||
        !ResolvePads() || !ResolveOutput()) {
      return std::nullopt;
    }
    return std::move(geometry_);
  }

 private:
  bool Invalid(std::string reason) { return validation_.Invalid(std::move(reason)); }

  std::string Shapes() const {
    return "x has shape " + ShapeToString(x_) + ", w has shape " + ShapeToString(w_);
  }

  bool CheckNames() {
    if (attributes_.unknown.empty()) return true;
    return Invalid("attribute '" + attributes_.unknown + "' does not exist");
  }

  bool ResolveChannels() {
    if (x_.size() < 3) {
      return Invalid(Shapes() + ": expected x of rank 3 or more, [N, C, D1, ..]");
    }
    if (w_.size() != x_.size()) {
      return Invalid(Shapes() + ": expected equal ranks, w is [M, C / group, k1, ..]");
    }
    ConvolutionGeometry& g = geometry_;
    g.batches = x_[0];
    g.channels = x_[1];
    g.output_channels = w_[0];
    g.group = attributes_.group;
    if (g.group < 1) {
      return Invalid("group: expected at least 1, got " + std::to_string(g.group));
    }
    const std::string group = "with group " + std::to_string(g.group);
    // The first comparison keeps the product small.
    if (w_[1] > g.channels || g.channels % g.group != 0 ||
        w_[1] != g.channels / g.group) {
      return Invalid(Shapes() + ": " + group +
                     " the channels of x must be those of w times group");
    }
    if (g.output_channels % g.group != 0) {
      return Invalid(Shapes() + ": " + group +
                     " the first dimension of w must be a multiple of group");
    }
    return true;
  }

  bool ResolveKernel() {
    const Dims spatial = x_.subspan(2);
    const Dims kernel = w_.subspan(2);
    if (attributes_.kernel_shape &&
        !std::ranges::equal(*attributes_.kernel_shape, kernel)) {
      return Invalid("kernel_shape: expected " + ShapeToString(kernel) +
                     " as w has it, got " + ShapeToString(*attributes_.kernel_shape));
    }
    for (size_t i = 0; i < spatial.size(); ++i) {
      if (kernel[i] < 1) {
        return Invalid(Shapes() + ": expected kernel dimensions of at least 1");
      }
      if (std::max(spatial[i], kernel[i]) > kMostSize) return TooLarge();
      geometry_.axes.push_back({.in = spatial[i], .kernel = kernel[i]});
    }
    return true;
  }

  bool TooLarge() {
    return Invalid(Shapes() +
                   ": sizes, pads, strides or dilations above 2^30, or more than 2^28 "
                   "elements of y, are not judged");
  }

  // strides, dilations: one for each axis, from 1.
  bool ResolveLists() {
    const auto resolve = [this](const char* name,
                                const std::optional<std::vector<int64_t>>& list,
                                int64_t ConvolutionAxis::*into) {
      if (!list) return true;
      if (!CheckList(name, *list, geometry_.axes.size(), 1)) return false;
      for (size_t i = 0; i < list->size(); ++i) geometry_.axes[i].*into = (*list)[i];
      return true;
    };
    return resolve("strides", attributes_.strides, &ConvolutionAxis::stride) &&
           resolve("dilations", attributes_.dilations, &ConvolutionAxis::dilation);
  }

  bool CheckList(const char* name, const std::vector<int64_t>& list, size_t size,
                 int64_t least) {
    if (list.size() != size) {
      return Invalid(std::string(name) + ": expected " + std::to_string(size) +
                     " values, got " + ShapeToString(list));
    }
    for (const int64_t value : list) {
      if (value < least) {
        return Invalid(std::string(name) + ": expected values of at least " +
                       std::to_string(least) + ", got " + ShapeToString(list));
      }
      if (value > kMostSize) return TooLarge();
    }
    return true;
  }

  bool ResolvePads() {
    const std::string& auto_pad = attributes_.auto_pad;
    const bool upper = auto_pad == "SAME_UPPER";
    const bool same = upper || auto_pad == "SAME_LOWER";
    const bool is_set = same || auto_pad == "VALID";
    if (!is_set && auto_pad != "NOTSET") {
      return Invalid("auto_pad: expected NOTSET, SAME_UPPER, SAME_LOWER or VALID, got '" +
                     auto_pad + "'");
    }
    const size_t rank = geometry_.axes.size();
    if (attributes_.pads) {
      const std::vector<int64_t>& pads = *attributes_.pads;
      if (!CheckList("pads", pads, 2 * rank, 0)) return false;
      if (is_set) {
        validation_.Open(clauses_.auto_pad,
                         "auto_pad " + auto_pad + " and pads: the text forbids both");
      }
      for (size_t i = 0; i < rank; ++i) {
        geometry_.axes[i].begin = pads[i];
        geometry_.axes[i].end = pads[rank + i];
      }
    }
    for (ConvolutionAxis& axis : geometry_.axes) {
      if (same && !attributes_.pads) {
        const int64_t out = (axis.in + axis.stride - 1) / axis.stride;
        const int64_t total =
            std::max<int64_t>(0, (out - 1) * axis.stride + axis.reach() - axis.in);
        axis.begin = upper ? total / 2 : total - total / 2;
        axis.end = total - axis.begin;
      }
      // Rounded down, also below 0.
      const int64_t room = axis.in + axis.begin + axis.end - axis.reach();
      axis.out = room < 0 ? 0 : room / axis.stride + 1;
    }
    return true;
  }

  bool ResolveOutput() {
    Shape& y = geometry_.y_shape;
    for (const ConvolutionAxis& axis : geometry_.axes) y.push_back(axis.out);
    const std::optional<int64_t> positions = ElementCount(y);
    y.insert(y.begin(), {geometry_.batches, geometry_.output_channels});
    const std::optional<int64_t> count = ElementCount(y);
    const std::optional<int64_t> terms = ElementCount(w_.subspan(1));
    if (!positions || *positions > kMostAnswers || !count || *count > kMostAnswers ||
        !terms || *terms > kMostTerms) {
      return TooLarge();
    }
    const bool x_is_empty = std::ranges::find(x_, 0) != x_.end();
    if (*count == 0 || x_is_empty) {
      validation_.Open(clauses_.empty,
                       Shapes() + ", y has shape " + ShapeToString(y) +
                           ": the text does not say what an empty tensor gives");
    }
    return true;
  }

  const ConvolutionAttributes& attributes_;
  Dims x_;
  Dims w_;
  const ConvolutionClauses& clauses_;
  Validation& validation_;
  ConvolutionGeometry geometry_;
};

int64_t Volume(const std::vector<ConvolutionAxis>& axes, int64_t ConvolutionAxis::*size) {
  int64_t volume = 1;
  for (const ConvolutionAxis& axis : axes) volume *= axis.*size;
  return volume;
}

}  // namespace

Result<ConvolutionAttributes> ReadConvolutionAttributes(
    std::span<const Attribute> attributes) {
  ConvolutionAttributes read;
  const auto auto_pad = StringAttribute(attributes, "auto_pad");
  if (!auto_pad) return auto_pad.error();
  if (*auto_pad) read.auto_pad = **auto_pad;
  const auto group = IntegerAttribute(attributes, "group");
  if (!group) return group.error();
  read.group = group->value_or(1);
  const std::pair<std::string_view, std::optional<std::vector<int64_t>>*> lists[] = {
      {"dilations", &read.dilations},
      {"kernel_shape", &read.kernel_shape},
      {"pads", &read.pads},
      {"strides", &read.strides}};
  for (const auto& [name, into] : lists) {
    auto list = IntegersAttribute(attributes, name);
    if (!list) return list.error();
    *into = *std::move(list);
  }
  for (const Attribute& attribute : attributes) {
    const bool is_known = attribute.name == "auto_pad" || attribute.name == "group" ||
                          std::ranges::any_of(lists, [&](const auto& list) {
                            return list.first == attribute.name;
                          });
    if (!is_known) read.unknown = attribute.name;
  }
  return read;
}

int64_t ConvolutionGeometry::terms() const {
  return channels_of_group() * Volume(axes, &ConvolutionAxis::kernel);
}

int64_t ConvolutionGeometry::positions() const {
  return Volume(axes, &ConvolutionAxis::out);
}

std::optional<ConvolutionGeometry> ResolveConvolution(
    const ConvolutionAttributes& attributes, Dims x, Dims w,
    const ConvolutionClauses& clauses, Validation& validation) {
  return Resolver(attributes, x, w, clauses, validation).Run();
}

ConvolutionElement ElementOf(const ConvolutionGeometry& geometry, int64_t index) {
  const int64_t positions = geometry.positions();
  return {.batch = index / positions / geometry.output_channels,
          .output_channel = index / positions % geometry.output_channels,
          .position = index % positions};
}

int64_t IndexOf(const ConvolutionGeometry& geometry, const ConvolutionElement& element) {
  return (element.batch * geometry.output_channels + element.output_channel) *
             geometry.positions() +
         element.position;
}

int64_t GroupOf(const ConvolutionGeometry& geometry, int64_t output_channel) {
  return output_channel / (geometry.output_channels / geometry.group);
}

std::vector<int64_t> WindowOf(const ConvolutionGeometry& geometry, int64_t batch,
                              int64_t group, int64_t position) {
  const std::vector<ConvolutionAxis>& axes = geometry.axes;
  const int64_t depth = geometry.channels_of_group();
  // The window at each channel, and then along one axis after the other.
  std::vector<int64_t> window;
  for (int64_t c = 0; c < depth; ++c) {
    window.push_back(batch * geometry.channels + group * depth + c);
  }
  int64_t after = geometry.positions();
  for (const ConvolutionAxis& axis : axes) {
    after /= axis.out;
    const int64_t start = position / after % axis.out * axis.stride - axis.begin;
    std::vector<int64_t> longer;
    longer.reserve(window.size() * static_cast<size_t>(axis.kernel));
    for (const int64_t before : window) {
      for (int64_t t = 0; t < axis.kernel; ++t) {
        const int64_t at = start + t * axis.dilation;
        const bool is_padded = before < 0 || at < 0 || at >= axis.in;
        longer.push_back(is_padded ? -1 : before * axis.in + at);
      }
    }
    window = std::move(longer);
  }
  return window;
}

std::vector<ConvolutionPair> PairsOf(const ConvolutionGeometry& geometry,
                                     const ConvolutionElement& element) {
  std::vector<ConvolutionPair> pairs;
  int64_t w = element.output_channel * geometry.terms();
  for (const int64_t x :
       WindowOf(geometry, element.batch, GroupOf(geometry, element.output_channel),
                element.position)) {
    pairs.push_back({x, w++});
  }
  return pairs;
}

}  // namespace qconform
