// A sum of products of 8-bit integers, with the mistakes of kernels: what wrong models of
// operators that multiply matrices or convolve have in common.
#ifndef QCONFORM_HARNESS_MATMUL_FAULTY_SUM_H_
#define QCONFORM_HARNESS_MATMUL_FAULTY_SUM_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace qconform {

struct FaultySum {
  enum class Kind : uint8_t {
    kExact,
    // Of the products of codes, as instructions see them; zero points are corrected
    // exactly:
    kPairsSaturate16,  // pairs of products saturate to INT16, as VPMADDUBSW does
    kCodesSaturate32,  // the running sum saturates to INT32, as VPDPBUSDS does
    // Of the products of differences:
    kWrapDifferences,       // each difference wraps in the type of its operand
    kSaturateDifferences8,  // each difference saturates to INT8
    kWrap16,                // each product keeps 16 bits
    kSaturate16,            // the running sum saturates to INT16
    kWrap24,                // the sum keeps 24 bits
    kSaturate32,            // the running sum saturates to INT32
    kFloat,                 // the running sum is rounded to FLOAT,
    kFloat16,               // to FLOAT16,
    kBfloat16,              // or to BFLOAT16
    // Of the sum:
    kThroughFloat,      // it is rounded to FLOAT
    kOutputSaturates16  // it saturates to INT16
  };
  Kind kind = Kind::kExact;
  int lost_tail = 0;         // terms after the last multiple of it do not count
  int uncorrected_tail = 0;  // there, zero points are not subtracted
  bool lost_last = false;    // the last term does not count
  // Of the correction terms * a_zero_point * b_zero_point:
  bool no_cross_term = false;
  bool cross_term_subtracted = false;  // in place of being added
  int padded_cross_term = 0;           // `terms` is rounded up to a multiple of it

  friend bool operator==(const FaultySum&, const FaultySum&) = default;
};

// The products of one element: the factors as values of their type, and the zero points
// that are subtracted from them.
struct FaultyTerms {
  std::span<const int16_t> a;
  std::span<const int16_t> b;  // as many
  int64_t a_zero_point = 0;
  int64_t b_zero_point = 0;
  bool a_is_signed = false;  // INT8, otherwise UINT8
  bool b_is_signed = false;
};

// Returns the sum of (a - a_zero_point) * (b - b_zero_point) with the mistakes. A sum in
// FLOAT16 that becomes infinite gives an end of INT32.
int64_t SumOf(const FaultyTerms& terms, const FaultySum& mistakes);

}  // namespace qconform

#endif  // QCONFORM_HARNESS_MATMUL_FAULTY_SUM_H_
