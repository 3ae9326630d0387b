#include "harness/cli/commands/semantics.h"

#include <string_view>

#include "oracle/core/clauses.h"

namespace qconform {
namespace {

constexpr std::string_view kIntroduction =
    R"(# What the operators mean: clauses and readings

Made by `script/docs` from `oracle/scalar/clauses*.cc`; a test fails where the two
differ. The code and every report cite the ids.

A clause is **normative** (one answer) or **open**: *parametric* (finitely many named
readings, of which a backend must follow one consistently over a cell), *free* (any output
of a stated set; recorded, never judged) or *bounded* (a derived interval). The reading
with a star is canonical: what the oracle answers. What no reading allows is
nonconformant. Where ONNX's text does not decide, the clause is open: a false accusation
is worse than a missed fault.

Notation: `round_P(v)` is v rounded to the type P, nearest, ties to even, with P's
subnormals and overflow to infinity; `rne(v)` the same to an integer; *exact* means in the
real numbers.
)";

// The derivation of the bounds of MM-02 and MM-10 (oracle/scalar/
// q_linear_mat_mul_bounds.h computes them).
constexpr std::string_view kBounds =
    R"(
## Where the bounds of MM-02 and MM-10 come from

Let u = 2^-24, half a unit in FLOAT's last place. A FLOAT operation whose exact result is
z, neither overflowing nor subnormal, returns z(1 + d) with |d| <= u. A product of n such
factors, (1 + d_1) ... (1 + d_n), is 1 + t with |t| <= gamma(n) = n u / (1 - n u), as long as
n u < 1: by induction, since gamma(n) + u + gamma(n) u <= gamma(n + 1). Dividing by a factor
(1 + d) costs no more than multiplying by one.

**Any order of summation.** A sum of K terms is a tree of K - 1 additions, whatever the
order, the number of partial sums or the width of the vectors. A term passes through at
most K - 1 of them, and every one multiplies it by a factor (1 + d). A fused multiply-add,
a wider accumulator and an exact partial sum leave factors out; none adds one.

**MM-10.** Let A_i = a_i - a_zero_point and B_i = b_i - b_zero_point be the exact values.

1. A float8 value and an 8-bit integer are FLOAT values, so A_i and B_i carry no factor
   where both zero points are 0. Otherwise each is a difference that is rounded to FLOAT at
   most once: one factor each.
2. The product A_i B_i: one factor. (It is exact where both have at most 12 bits; the bound
   does not use that.)
3. The sum: at most K - 1 factors.

With zero points these are 1 + 1 + 1 + (K - 1) = K + 2; without them K. So C' = sum of
A_i B_i (1 + t_i) with |t_i| <= gamma(n), and

    |C' - C| <= gamma(n) * sum |A_i B_i|,   n = K, or K + 2 with a zero point.

No step overflows or is subnormal: |A_i| and |B_i| are 0 or lie between 2^-17 and 2^17, so
products lie between 2^-34 and 2^34, and a sum that is not 0 is a multiple of the smallest
unit. `K = 0` gives C' = C = 0.

Narrower sums (`MM-10:reduced_precision_accumulation`). Sums in FLOAT16, u = 2^-11, stay within
K * 2^-10 * sum |A_i B_i| as long as nothing overflows: gamma(K) there is no more for K up to
1024. The text does not exclude them, so a cell whose answers all lie within this interval is
admissible, by this name. But the interval is wide: of 256 terms it is a quarter of
sum |A_i B_i|, and small errors of any kind hide in it (operand scales rounded to BFLOAT16, for
one). What K = 1 and few terms are asked keeps a cell from passing whatever it answers. Who reads
a report should ask why a backend needs this name.

**float_matmul of MM-02.** Both operands are dequantized to FLOAT first: A_i a_scale and
B_i b_scale, one factor each beyond those above; the quotient by y_scale is one more. For
integers A_i and B_i are exact, so n = 1 + 1 + 1 + (K - 1) + 1 = K + 3, and by the same
count v' = (C * a_scale * b_scale / y_scale) moved by at most
gamma(K + 3) * sum |A_i B_i| * |a_scale * b_scale / y_scale|; for float8 operands with zero
points n is larger by the two of step 1. This holds while the dequantized values and their
products stay in FLOAT's normal range; inputs that leave it belong to the tier
`degenerate_scale`. [bounds.md](bounds.md) derives what may arise there, and the bound
`scale_type_matmul`.

Let a' and b' be the significands of the scales as odd integers, so that a_scale = a' 2^i and
b_scale = b' 2^j. Of integer operands the dequantized values are multiples of 2^i and 2^j,
products and sums multiples of 2^(i+j), whatever the order, and none is above S = sum |A_i B_i|
a' b' of these. Where S <= 2^24 and all is in FLOAT's normal range, products and sums are FLOATs,
and so are dequantized values, but for some that meet only zeros: nothing that counts is rounded
before the division, whose result is off by one factor, and by none where y_scale is a power of
two. There ties are ties for every float_matmul, too.

**Out of FLOAT's range (MM-20).** In `degenerate_scale` the same backend may meet values that
FLOAT does not hold. What it dequantizes is known: a' = f32(A a_scale) and b' = f32(B b_scale),
and so are the products p = f32(a' b'). By IEEE 754 their sum S is

- NaN, if a p is NaN, or if +Inf and -Inf arise: as two of the p, or as a p and a partial sum,
  or as two partial sums. Partial sums of products of one sign are largest, so +Inf arises where
  a p is +Inf or where the positive p add up to FLOAT's overflow threshold 2^128 - 2^103, times
  1 + t with |t| <= (1 + u)^K - 1, as their additions are rounded; and -Inf likewise.
- +Inf or -Inf, if it arises; but not if a p is NaN, or is the other one because an a' or b' is
  infinite (a product that overflows FLOAT need not overflow what it is summed in).
- finite, if all a' and b' are: a wider accumulator need not overflow where a product does.

A finite S differs from C a_scale b_scale by the factors above, and by 2^-150 for each rounding
whose result is below 2^-126 and no multiple of 2^-149: half of the smallest subnormal. So with
alpha = |A a_scale| and beta = |B b_scale|, each term has at most
(alpha + e(alpha)) (beta + e(beta)) + e(product), with e(x) = u x for normal and 2^-150 for
subnormal x, and the K - 1 additions multiply by (1 + d) as before; sums of FLOATs that are
subnormal are exact. v = S / y_scale follows, extended reals as ever: 0 / 0 and Inf / Inf are NaN,
and where S may be 0 and y_scale is 0, NaN and both infinities may arise. Nothing is dequantized
where K = 0: S = 0, whatever the scales are. An element that none of this concerns is held to the
canonical answer, or to the bound above.

**scale_type_matmul of MM-02.** Scales of FLOAT16 or BFLOAT16: operands are dequantized in the
scales' type T. What comes of that is known, a' = round_T(A a_scale) and b' = round_T(B b_scale),
so nothing has to be bounded: the two may be far from A a_scale and B b_scale, but S = sum a' b' is
one number. A product of two has at most 22 digits, which FLOAT holds, but for its range. Only the
additions are rounded, in FLOAT or better, K - 1 of them on the way of a term: |S' - S| <=
((1 + u)^K - 1) sum |a' b'|, u = 2^-24; and where sum |a' b'| is at most 2^24 of the unit of which
all products are multiples, no partial sum is rounded. Both S' and the quotient by y_scale may be
rounded to T, as S' is where a library's product of matrices of T gives T: four choices, each
followed over a whole tier. Ties of these numbers stay ties. What leaves the range of T or of FLOAT
becomes NaN or Inf as above, in every tier: FLOAT16 ends at 65504.

**From sums to codes.** Every reading of MM-02 is, for fixed scales, a chain of roundings
and of multiplications and divisions by constants, and so monotone in C; rounding to y's
grid, adding the zero point and saturating are monotone too. The codes that C' in
[C - e, C + e] can give are therefore those between the codes of both ends, for each
reading. An element is within the bound if its code lies between the smallest and the
largest of these. The test `MatMulBounds.Float8_HoldAnyOrderOfFloatSums` sums in FLOAT
forwards, backwards and dequantized first, and looks whether any leaves the bound.
)";

std::string Heading(const Clause& clause) {
  std::string text = "\n### " + std::string(clause.id) + ": " +
                     std::string(ClauseStatusName(clause.status));
  if (clause.status == ClauseStatus::kOpen) {
    text += ", " + std::string(ClauseKindName(clause.kind));
  }
  return text + "\n\n";
}

std::string Versions(const Clause& clause) {
  std::string text;
  for (const int version : clause.since_versions) {
    text += (text.empty() ? "Since " : ", ") + std::to_string(version);
  }
  return text.empty() ? "" : text + ". ";
}

}  // namespace

std::string SemanticsMarkdown() {
  std::string page(kIntroduction);
  bool first = true;
  std::string_view op_type;
  for (const Clause& clause : Clauses()) {
    if (first || clause.op_type != op_type) {
      op_type = clause.op_type;
      page += "\n## " + std::string(op_type.empty() ? "Every operator" : op_type) + "\n";
      first = false;
    }
    page += Heading(clause) + std::string(clause.text) + "\n\n" + Versions(clause) +
            "Source: " + std::string(clause.source) + "\n";
    if (!clause.readings.empty()) page += "\n";
    for (const ClauseReading& reading : clause.readings) {
      page += "- " + std::string(reading.canonical ? "\\* " : "") + "`" +
              std::string(reading.name) + "`: " + std::string(reading.sentence) + "\n";
    }
    if (clause.tests.empty()) continue;
    page += "\nTests:";
    for (const std::string_view test : clause.tests)
      page += " `" + std::string(test) + "`";
    page += "\n";
  }
  page += kBounds;
  return page;
}

}  // namespace qconform
