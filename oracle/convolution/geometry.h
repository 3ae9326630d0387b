// The geometry of a convolution of x [N, C, D1, .., Dr] with w [M, C / group, k1, ..,
// kr], for every operator that has one: its attributes, the shapes that they allow, and
// which elements of x and w make an element of y [N, M, out1, .., outr].
#ifndef QCONFORM_ORACLE_CONVOLUTION_GEOMETRY_H_
#define QCONFORM_ORACLE_CONVOLUTION_GEOMETRY_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/base/attribute.h"
#include "oracle/base/result.h"
#include "oracle/core/validation.h"
#include "oracle/tensor/tensor.h"

namespace qconform {

// As the node has them.
struct ConvolutionAttributes {
  std::string auto_pad = "NOTSET";
  std::optional<std::vector<int64_t>> dilations{};
  int64_t group = 1;
  std::optional<std::vector<int64_t>> kernel_shape{};
  std::optional<std::vector<int64_t>> pads{};
  std::optional<std::vector<int64_t>> strides{};
  std::string unknown{};  // the name of an attribute that no convolution has
};

// An Error if one of them is of the wrong kind.
Result<ConvolutionAttributes> ReadConvolutionAttributes(
    std::span<const Attribute> attributes);

// One spatial axis. Output `o` is made of the positions o * stride - begin + t * dilation
// of x, 0 <= t < kernel; positions outside of [0, in) are padded.
struct ConvolutionAxis {
  int64_t in = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t begin = 0;  // positions that are padded before x
  int64_t end = 0;    // and after it
  int64_t out = 0;

  // Returns how many positions of x the dilated kernel spans.
  int64_t reach() const { return (kernel - 1) * dilation + 1; }
};

struct ConvolutionGeometry {
  int64_t batches = 0;          // N
  int64_t channels = 0;         // C
  int64_t output_channels = 0;  // M
  int64_t group = 1;
  std::vector<ConvolutionAxis> axes;
  Shape y_shape;

  int64_t channels_of_group() const { return channels / group; }
  // How many products make an element of y, those of padded positions included.
  int64_t terms() const;
  // How many spatial positions y has.
  int64_t positions() const;
};

// The clauses of an operator that its convolution's models are open by.
struct ConvolutionClauses {
  std::string_view auto_pad;  // auto_pad beside pads
  std::string_view empty;     // an empty x, w or y
};

// Finds the geometry. `x_name` and `w_name`: as the schema names them. Models that are
// open by the shapes or attributes get their plain meaning: where pads and auto_pad are
// both given, pads count, and a size of y that would be negative is 0. Nothing if the
// model is invalid.
std::optional<ConvolutionGeometry> ResolveConvolution(
    const ConvolutionAttributes& attributes, std::span<const int64_t> x,
    std::span<const int64_t> w, const ConvolutionClauses& clauses,
    Validation& validation);

// An element of y.
struct ConvolutionElement {
  int64_t batch = 0;
  int64_t output_channel = 0;
  int64_t position = 0;  // row-major in the spatial axes of y
};

// From and to a row-major index.
ConvolutionElement ElementOf(const ConvolutionGeometry& geometry, int64_t index);
int64_t IndexOf(const ConvolutionGeometry& geometry, const ConvolutionElement& element);

// A product that makes an element of y: row-major indices into x and w.
struct ConvolutionPair {
  int64_t x = 0;  // -1: a padded position
  int64_t w = 0;
};

// Returns the group of an output channel.
int64_t GroupOf(const ConvolutionGeometry& geometry, int64_t output_channel);

// Returns the elements of x under the kernel, row-major indices in the order of w: -1 for
// padded positions. `position` as ConvolutionElement has it.
std::vector<int64_t> WindowOf(const ConvolutionGeometry& geometry, int64_t batch,
                              int64_t group, int64_t position);

// Returns all products that make an element of y, in the order of w.
std::vector<ConvolutionPair> PairsOf(const ConvolutionGeometry& geometry,
                                     const ConvolutionElement& element);

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CONVOLUTION_GEOMETRY_H_
