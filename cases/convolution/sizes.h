// Lists of convolutions, with those that kernels get wrong: asymmetric pads, odd totals
// of auto_pad, dilations beside strides, groups, kernels larger than the input, and
// channels around the lengths of vectors. No two axes of a kernel are alike where it can
// be, so that a flip or a transposition shows.
#ifndef QCONFORM_CASES_CONVOLUTION_SIZES_H_
#define QCONFORM_CASES_CONVOLUTION_SIZES_H_

#include <span>

#include "cases/convolution/geometry.h"
#include "cases/core/counter_rng.h"

namespace qconform::generators {

std::span<const ConvolutionSizes> WindowSizes();   // ranks, kernels, strides, dilations
std::span<const ConvolutionSizes> PaddingSizes();  // pads
std::span<const ConvolutionSizes> AutoPadSizes();  // SAME_UPPER, SAME_LOWER, VALID
std::span<const ConvolutionSizes> GroupSizes();    // groups and depthwise
// M equals C / group, the batch, or a size of the input, the kernel or the output.
std::span<const ConvolutionSizes> EqualSizes();
// C, M and the number of output elements around vectors and tiles.
std::span<const ConvolutionSizes> ChannelSizes();
// More than 256 products for each element of y: all remainders modulo 16, and whole tiles
// of 64.
std::span<const ConvolutionSizes> LongSizes();
// As models have them, and large enough to be cut into parts.
std::span<const ConvolutionSizes> HugeSizes();

// Any of them: ranks 1 to 3, groups, and what else there is.
ConvolutionSizes RandomConvolution(CounterRng& rng);

}  // namespace qconform::generators

#endif  // QCONFORM_CASES_CONVOLUTION_SIZES_H_
