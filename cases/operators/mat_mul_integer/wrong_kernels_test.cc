// Kernels that are wrong at one place only, such as one remainder of K, one position of a
// tile or one block of a loop: the contents of each cell show each of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cases/core/testing/asked.h"
#include "cases/matmul/layout.h"
#include "cases/operators/mat_mul_integer/cases.h"
#include "oracle/formats/codes.h"
#include "oracle/formats/number_format.h"

namespace qconform::generators {
namespace {

std::vector<int> ValuesOf(const Tensor& tensor) {
  std::vector<int> values;
  if (tensor.type == DataType::kUndefined) return {0};
  const NumberFormat& format = FormatOf(tensor.type);
  for (const uint64_t code : ReadCodes(tensor.view())) {
    values.push_back(static_cast<int>(ToInteger(format, code)));
  }
  return values;
}

MatMulSizes SizesOf(const Shape& a, const Shape& b) {
  MatMulSizes sizes;
  sizes.a_is_vector = a.size() == 1;
  sizes.b_is_vector = b.size() == 1;
  sizes.k = a.back();
  if (!sizes.a_is_vector) {
    sizes.a_batch.assign(a.begin(), a.end() - 2);
    sizes.rows = a[a.size() - 2];
  }
  if (!sizes.b_is_vector) {
    sizes.b_batch.assign(b.begin(), b.end() - 2);
    sizes.columns = b.back();
  }
  return sizes;
}

// A case with its values, and the place of an element of Y.
struct Problem {
  explicit Problem(const OpCase& made)
      : layout(MakeMatMulLayout(made.key.cell, {VectorForm::kFull, VectorForm::kFull},
                                SizesOf(made.operands[0].shape, made.operands[1].shape))),
        a(ValuesOf(made.operands[0])),
        b(ValuesOf(made.operands[1])),
        a_zero_points(ValuesOf(made.operands[2])),
        b_zero_points(ValuesOf(made.operands[3])),
        a_is_signed(made.operands[0].type == DataType::kInt8),
        b_is_signed(made.operands[1].type == DataType::kInt8) {}

  MatMulLayout layout;
  std::vector<int> a, b, a_zero_points, b_zero_points;
  bool a_is_signed, b_is_signed;

  int64_t rows() const { return layout.sizes.rows; }
  int64_t columns() const { return layout.sizes.columns; }
  int64_t terms() const { return layout.sizes.k; }
  int64_t matrices() const { return std::ssize(layout.a_of); }
};

struct Place {
  int64_t matrix, row, column;  // of Y
};

int64_t AMatrix(const Problem& p, const Place& at) {
  return p.layout.a_of[static_cast<size_t>(at.matrix)];
}
int64_t BMatrix(const Problem& p, const Place& at) {
  return p.layout.b_of[static_cast<size_t>(at.matrix)];
}
int A(const Problem& p, int64_t matrix, int64_t row, int64_t k) {
  return p.a[static_cast<size_t>((matrix * p.rows() + row) * p.terms() + k)];
}
int B(const Problem& p, int64_t matrix, int64_t k, int64_t column) {
  return p.b[static_cast<size_t>((matrix * p.terms() + k) * p.columns() + column)];
}
int AZero(const Problem& p, int64_t matrix, int64_t row) {
  return p.a_zero_points[static_cast<size_t>(p.layout.a_channel(matrix, row))];
}
int BZero(const Problem& p, int64_t matrix, int64_t column) {
  return p.b_zero_points[static_cast<size_t>(p.layout.b_channel(matrix, column))];
}

// What an element is computed from; wrong kernels replace a part of it.
struct Terms {
  std::function<int(int64_t k)> a, b;
  std::function<int(int64_t k)> a_zero, b_zero;
};

Terms TermsAt(const Problem& p, const Place& at) {
  const int64_t a = AMatrix(p, at);
  const int64_t b = BMatrix(p, at);
  const int a_zero = AZero(p, a, at.row);
  const int b_zero = BZero(p, b, at.column);
  return {[&p, at, a](int64_t k) { return A(p, a, at.row, k); },
          [&p, at, b](int64_t k) { return B(p, b, k, at.column); },
          [a_zero](int64_t) { return a_zero; }, [b_zero](int64_t) { return b_zero; }};
}

int64_t Sum(const Terms& t, int64_t first, int64_t end) {
  int64_t sum = 0;
  for (int64_t k = first; k < end; ++k) {
    sum += static_cast<int64_t>(t.a(k) - t.a_zero(k)) * (t.b(k) - t.b_zero(k));
  }
  return sum;
}

int64_t Right(const Problem& p, const Place& at) {
  const int64_t a = AMatrix(p, at);
  const int64_t b = BMatrix(p, at);
  const int a_zero = AZero(p, a, at.row);
  const int b_zero = BZero(p, b, at.column);
  int64_t sum = 0;
  for (int64_t k = 0; k < p.terms(); ++k) {
    sum += static_cast<int64_t>(A(p, a, at.row, k) - a_zero) *
           (B(p, b, k, at.column) - b_zero);
  }
  return sum;
}

bool IsInt32(int64_t sum) { return sum == static_cast<int32_t>(sum); }

// The sum of products of codes, which kernels correct for zero points afterwards.
int64_t Corrected(const Terms& t, int64_t terms, int64_t counted, int64_t products) {
  int64_t of_a = 0;
  int64_t of_b = 0;
  for (int64_t k = 0; k < terms; ++k) {
    of_a += t.a(k);
    of_b += t.b(k);
  }
  const int64_t a_zero = terms > 0 ? t.a_zero(0) : 0;
  const int64_t b_zero = terms > 0 ? t.b_zero(0) : 0;
  return products - a_zero * of_b - b_zero * of_a + counted * a_zero * b_zero;
}

struct Kernel {
  std::string name;
  std::function<bool(const Problem&)> applies;  // whether it can be wrong there
  std::function<int64_t(const Problem&, const Place&)> element;
  std::function<bool(const Cell&)> has = [](const Cell&) { return true; };
  int percent = 100;  // of the cells in which it has to be seen
};

int Saturated(int value) { return std::clamp(value, -32768, 32767); }

// Codes as unsigned A and signed B, the pairs of which saturate in INT16, within a part
// of K.
int64_t WithSaturatedPairs(const Problem& p, const Place& at, int64_t first,
                           int64_t end) {
  const Terms t = TermsAt(p, at);
  const int a_shift = p.a_is_signed ? 128 : 0;
  const int b_shift = p.b_is_signed ? 0 : -128;
  const auto product = [&](int64_t k) {
    return k < p.terms() ? (t.a(k) + a_shift) * (t.b(k) + b_shift) : 0;
  };
  int64_t lost = 0;
  for (int64_t k = first; k < std::min(end, p.terms()); k += 2) {
    const int pair = product(k) + product(k + 1);
    lost += Saturated(pair) - pair;
  }
  return Right(p, at) + lost;
}

void AddTails(std::vector<Kernel>& kernels) {
  for (int64_t remainder = 0; remainder < 64; ++remainder) {
    const auto applies = [remainder](const Problem& p) {
      return p.terms() >= 128 && p.terms() % 64 == remainder;
    };
    const std::string at = " of remainder " + std::to_string(remainder);
    kernels.push_back(
        {"last term lost" + at, applies, [](const Problem& p, const Place& place) {
           return Sum(TermsAt(p, place), 0, p.terms() - 1);
         }});
    if (remainder == 0) continue;
    kernels.push_back({"correction for whole vectors" + at, applies,
                       [](const Problem& p, const Place& place) {
                         const Terms t = TermsAt(p, place);
                         const int64_t counted = (p.terms() + 63) / 64 * 64;
                         return Right(p, place) +
                                (counted - p.terms()) * t.a_zero(0) * t.b_zero(0);
                       }});
  }
  for (int64_t length = 1; length <= 64; ++length) {
    const auto applies = [length](const Problem& p) { return p.terms() == length; };
    const std::string at = " of " + std::to_string(length);
    kernels.push_back(
        {"last term lost" + at, applies, [](const Problem& p, const Place& place) {
           return Sum(TermsAt(p, place), 0, p.terms() - 1);
         }});
    kernels.push_back({"correction for another length" + at, applies,
                       [](const Problem& p, const Place& place) {
                         const Terms t = TermsAt(p, place);
                         return Right(p, place) + t.a_zero(0) * t.b_zero(0);
                       }});
    kernels.push_back(
        {"first term lost" + at, applies, [](const Problem& p, const Place& place) {
           return Sum(TermsAt(p, place), 1, p.terms());
         }});
  }
  // Paths of their own for one row or one column.
  for (int64_t remainder = 0; remainder < 32; ++remainder) {
    for (const bool is_row : {true, false}) {
      kernels.push_back({std::string(is_row ? "one row: " : "one column: ") +
                             "last term lost of remainder " + std::to_string(remainder),
                         [remainder, is_row](const Problem& p) {
                           const int64_t lines = is_row ? p.rows() : p.columns();
                           return lines == 1 && p.terms() % 32 == remainder &&
                                  p.terms() > 0;
                         },
                         [](const Problem& p, const Place& place) {
                           return Sum(TermsAt(p, place), 0, p.terms() - 1);
                         }});
    }
  }
  for (const int64_t block :
       {128, 192, 256, 320, 384, 512, 768, 1024, 2048, 4096, 8192}) {
    const std::string of = " of " + std::to_string(block);
    kernels.push_back({"only the last block" + of,
                       [block](const Problem& p) { return p.terms() > block; },
                       [block](const Problem& p, const Place& place) {
                         const int64_t first = (p.terms() - 1) / block * block;
                         return Sum(TermsAt(p, place), first, p.terms());
                       }});
    kernels.push_back({"zero points of the first block only" + of,
                       [block](const Problem& p) { return p.terms() > block; },
                       [block](const Problem& p, const Place& place) {
                         Terms t = TermsAt(p, place);
                         const int64_t first = Sum(t, 0, block);
                         t.b_zero = [](int64_t) { return 0; };
                         return first + Sum(t, block, p.terms());
                       }});
  }
}

void AddPairs(std::vector<Kernel>& kernels) {
  const auto any = [](const Problem& p) { return p.terms() > 1; };
  kernels.push_back({"pairs saturate", any, [](const Problem& p, const Place& at) {
                       return WithSaturatedPairs(p, at, 0, p.terms());
                     }});
  kernels.push_back(
      {"the last pair saturates", any, [](const Problem& p, const Place& at) {
         return WithSaturatedPairs(p, at, (p.terms() - 1) / 2 * 2, p.terms());
       }});
  kernels.push_back({"the pairs after whole vectors saturate",
                     [](const Problem& p) { return p.terms() > 64; },
                     [](const Problem& p, const Place& at) {
                       return WithSaturatedPairs(p, at, p.terms() / 64 * 64, p.terms());
                     }});
  for (int64_t place = 0; place < 64; place += 2) {
    kernels.push_back({"a pair at " + std::to_string(place) + " saturates",
                       [place](const Problem& p) { return p.terms() > place; },
                       [place](const Problem& p, const Place& at) {
                         return WithSaturatedPairs(p, at, place, place + 2);
                       }});
  }
}

void AddZeroPoints(std::vector<Kernel>& kernels) {
  const auto any = [](const Problem&) { return true; };
  const auto per_row = [](const Cell& cell) { return IsPerRow(cell); };
  const auto per_column = [](const Cell& cell) { return IsPerColumn(cell); };
  using Change = std::function<void(const Problem&, const Place&, Terms&)>;
  const auto add = [&](std::string name, Change change,
                       std::function<bool(const Problem&)> applies,
                       std::function<bool(const Cell&)> has) {
    kernels.push_back({std::move(name), std::move(applies),
                       [change = std::move(change)](const Problem& p, const Place& at) {
                         Terms t = TermsAt(p, at);
                         change(p, at, t);
                         return Sum(t, 0, p.terms());
                       },
                       std::move(has)});
  };
  const auto always = [](const Cell&) { return true; };
  const auto fixed = [](int value) { return [value](int64_t) { return value; }; };
  add(
      "a_zero_point ignored",
      [=](const Problem&, const Place&, Terms& t) { t.a_zero = fixed(0); }, any, always);
  add(
      "b_zero_point ignored",
      [=](const Problem&, const Place&, Terms& t) { t.b_zero = fixed(0); }, any, always);
  const auto matrices = [](const Problem& p) { return p.matrices() > 1; };
  for (const int64_t tile : {1, 2, 3, 4, 5, 6, 8, 12, 14, 16, 32, 48, 64}) {
    const std::string name = std::to_string(tile);
    add(
        "a_zero_point of row modulo " + name,
        [=](const Problem& p, const Place& at, Terms& t) {
          t.a_zero = fixed(AZero(p, AMatrix(p, at), at.row % tile));
        },
        [tile](const Problem& p) { return p.rows() > tile; }, per_row);
    add(
        "b_zero_point of column modulo " + name,
        [=](const Problem& p, const Place& at, Terms& t) {
          t.b_zero = fixed(BZero(p, BMatrix(p, at), at.column % tile));
        },
        [tile](const Problem& p) { return p.columns() > tile; }, per_column);
  }
  add(
      "a_zero_point by k if M = K",
      [](const Problem& p, const Place& at, Terms& t) {
        t.a_zero = [&p, at](int64_t k) { return AZero(p, AMatrix(p, at), k); };
      },
      [](const Problem& p) { return p.rows() == p.terms(); }, per_row);
  add(
      "b_zero_point by k if N = K",
      [](const Problem& p, const Place& at, Terms& t) {
        t.b_zero = [&p, at](int64_t k) { return BZero(p, BMatrix(p, at), k); };
      },
      [](const Problem& p) { return p.columns() == p.terms(); }, per_column);
  add(
      "a_zero_point by column if M = N",
      [=](const Problem& p, const Place& at, Terms& t) {
        t.a_zero = fixed(AZero(p, AMatrix(p, at), at.column));
      },
      [](const Problem& p) { return p.rows() == p.columns(); }, per_row);
  add(
      "b_zero_point by row if M = N",
      [=](const Problem& p, const Place& at, Terms& t) {
        t.b_zero = fixed(BZero(p, BMatrix(p, at), at.row));
      },
      [](const Problem& p) { return p.rows() == p.columns(); }, per_column);
  add(
      "a_zero_point of the first matrix",
      [=](const Problem& p, const Place& at, Terms& t) {
        t.a_zero = fixed(AZero(p, 0, at.row));
      },
      matrices, per_row);
  add(
      "b_zero_point of the first matrix",
      [=](const Problem& p, const Place& at, Terms& t) {
        t.b_zero = fixed(BZero(p, 0, at.column));
      },
      matrices, per_column);
  add(
      "a_zero_point by the matrix of Y",
      [=](const Problem& p, const Place& at, Terms& t) {
        t.a_zero = fixed(AZero(p, at.matrix % p.layout.a_matrices, at.row));
      },
      matrices, per_row);
  add(
      "b_zero_point by the matrix of Y",
      [=](const Problem& p, const Place& at, Terms& t) {
        t.b_zero = fixed(BZero(p, at.matrix % p.layout.b_matrices, at.column));
      },
      matrices, per_column);
  add(
      "a_zero_point of the matrix of B",
      [=](const Problem& p, const Place& at, Terms& t) {
        t.a_zero = fixed(AZero(p, BMatrix(p, at) % p.layout.a_matrices, at.row));
      },
      matrices, per_row);
  const auto other_sign = [](int value, bool is_signed) {
    return is_signed ? static_cast<int>(static_cast<uint8_t>(value))
                     : static_cast<int>(static_cast<int8_t>(value));
  };
  add(
      "a_zero_point read with the other sign",
      [=](const Problem& p, const Place&, Terms& t) {
        t.a_zero = fixed(other_sign(t.a_zero(0), p.a_is_signed));
      },
      any, always);
  add(
      "b_zero_point read with the other sign",
      [=](const Problem& p, const Place&, Terms& t) {
        t.b_zero = fixed(other_sign(t.b_zero(0), p.b_is_signed));
      },
      any, always);
  // A look at some of them decides for all.
  const auto shortcut = [&](const char* name, auto is_none) {
    add(
        std::string("a_zero_point ignored if ") + name + " is 0",
        [=](const Problem& p, const Place&, Terms& t) {
          if (is_none(p.a_zero_points)) t.a_zero = fixed(0);
        },
        any, per_row);
    add(
        std::string("b_zero_point ignored if ") + name + " is 0",
        [=](const Problem& p, const Place&, Terms& t) {
          if (is_none(p.b_zero_points)) t.b_zero = fixed(0);
        },
        any, per_column);
  };
  using Values = std::vector<int>;
  shortcut("the first", [](const Values& v) { return v.size() > 2 && v.front() == 0; });
  shortcut("the last", [](const Values& v) { return v.size() > 2 && v.back() == 0; });
  shortcut("each of both ends", [](const Values& v) {
    return v.size() > 2 && v.front() == 0 && v.back() == 0;
  });
  shortcut("all but the last", [](const Values& v) {
    return v.size() > 2 && std::count(v.begin(), v.end() - 1, 0) + 1 == std::ssize(v);
  });
  const auto wrapped = [](int value) { return static_cast<int8_t>(value); };
  add(
      "differences of A wrap",
      [=](const Problem&, const Place&, Terms& t) {
        t.a = [wrapped, t](int64_t k) {
          return t.a_zero(k) + wrapped(t.a(k) - t.a_zero(k));
        };
      },
      any, always);
  add(
      "differences of B wrap",
      [=](const Problem&, const Place&, Terms& t) {
        t.b = [wrapped, t](int64_t k) {
          return t.b_zero(k) + wrapped(t.b(k) - t.b_zero(k));
        };
      },
      any, always);
  add(
      "differences of A wrap to UINT8",
      [](const Problem&, const Place&, Terms& t) {
        t.a = [t](int64_t k) {
          return t.a_zero(k) + static_cast<uint8_t>(t.a(k) - t.a_zero(k));
        };
      },
      any, always);
  add(
      "differences of B saturate",
      [](const Problem&, const Place&, Terms& t) {
        t.b = [t](int64_t k) {
          return t.b_zero(k) + std::clamp(t.b(k) - t.b_zero(k), -128, 127);
        };
      },
      any, always);
}

void AddAccumulators(std::vector<Kernel>& kernels) {
  const auto longer = [](int64_t than) {
    return [than](const Problem& p) { return p.terms() > than; };
  };
  kernels.push_back({"sums in FLOAT", longer(200), [](const Problem& p, const Place& at) {
                       const Terms t = TermsAt(p, at);
                       float sum = 0;
                       for (int64_t k = 0; k < p.terms(); ++k) {
                         sum += static_cast<float>((t.a(k) - t.a_zero(k)) *
                                                   (t.b(k) - t.b_zero(k)));
                       }
                       return static_cast<int64_t>(sum);
                     }});
  kernels.push_back({"blocks of 64 are added in FLOAT", longer(200),
                     [](const Problem& p, const Place& at) {
                       const Terms t = TermsAt(p, at);
                       float sum = 0;
                       for (int64_t k = 0; k < p.terms(); k += 64) {
                         sum +=
                             static_cast<float>(Sum(t, k, std::min(k + 64, p.terms())));
                       }
                       return static_cast<int64_t>(sum);
                     }});
  kernels.push_back(
      {"the result in FLOAT", longer(200), [](const Problem& p, const Place& at) {
         return static_cast<int64_t>(static_cast<float>(Right(p, at)));
       }});
  kernels.push_back({"sums of codes of A in 16 bits", longer(128),
                     [](const Problem& p, const Place& at) {
                       const Terms t = TermsAt(p, at);
                       int64_t of_a = 0;
                       for (int64_t k = 0; k < p.terms(); ++k) of_a += t.a(k);
                       const int64_t lost = of_a - static_cast<int16_t>(of_a);
                       return Right(p, at) + lost * t.b_zero(0);
                     }});
  kernels.push_back({"sums of codes of B in 16 bits", longer(128),
                     [](const Problem& p, const Place& at) {
                       const Terms t = TermsAt(p, at);
                       int64_t of_b = 0;
                       for (int64_t k = 0; k < p.terms(); ++k) of_b += t.b(k);
                       const int64_t lost = of_b - static_cast<int16_t>(of_b);
                       return Right(p, at) + lost * t.a_zero(0);
                     }});
  kernels.push_back({"products of codes saturate in INT32", longer(30'000),
                     [](const Problem& p, const Place& at) {
                       const Terms t = TermsAt(p, at);
                       int64_t products = 0;
                       for (int64_t k = 0; k < p.terms(); ++k) {
                         products = std::clamp<int64_t>(products + t.a(k) * t.b(k),
                                                        INT32_MIN, INT32_MAX);
                       }
                       return Corrected(t, p.terms(), p.terms(), products);
                     }});
  kernels.push_back(
      {"sums saturate in INT32", longer(30'000), [](const Problem& p, const Place& at) {
         const Terms t = TermsAt(p, at);
         int64_t sum = 0;
         for (int64_t k = 0; k < p.terms(); ++k) {
           const int64_t product =
               static_cast<int64_t>(t.a(k) - t.a_zero(k)) * (t.b(k) - t.b_zero(k));
           sum = std::clamp<int64_t>(sum + product, INT32_MIN, INT32_MAX);
         }
         return sum;
       }});
}

void AddMatrices(std::vector<Kernel>& kernels) {
  const auto matrices = [](const Problem& p) { return p.matrices() > 1; };
  using Change = std::function<void(const Problem&, Place&, int64_t& a, int64_t& b)>;
  const auto add = [&](std::string name, Change change, auto applies, int percent = 100) {
    kernels.push_back({std::move(name), applies,
                       [change = std::move(change)](const Problem& p, const Place& of_y) {
                         Place at = of_y;
                         int64_t a = AMatrix(p, at);
                         int64_t b = BMatrix(p, at);
                         change(p, at, a, b);
                         Terms t = TermsAt(p, of_y);
                         t.a = [&p, at, a](int64_t k) { return A(p, a, at.row, k); };
                         t.b = [&p, at, b](int64_t k) { return B(p, b, k, at.column); };
                         return Sum(t, 0, p.terms());
                       },
                       [](const Cell&) { return true; }, percent});
  };
  add(
      "the first matrix of A",
      [](const Problem&, Place&, int64_t& a, int64_t&) { a = 0; }, matrices);
  add(
      "the first matrix of B",
      [](const Problem&, Place&, int64_t&, int64_t& b) { b = 0; }, matrices);
  add(
      "matrices of A by those of Y",
      [](const Problem& p, Place& at, int64_t& a, int64_t&) {
        a = at.matrix % p.layout.a_matrices;
      },
      matrices);
  add(
      "matrices of B by those of Y",
      [](const Problem& p, Place& at, int64_t&, int64_t& b) {
        b = at.matrix % p.layout.b_matrices;
      },
      matrices);
  add(
      "matrices of B that change slowest",
      [](const Problem& p, Place& at, int64_t&, int64_t& b) {
        b = at.matrix * p.layout.b_matrices / p.matrices();
      },
      matrices);
  const auto correction = [&](const char* name, auto lost) {
    kernels.push_back({name, matrices, [lost](const Problem& p, const Place& at) {
                         return Right(p, at) + lost(p, at);
                       }});
  };
  correction("column sums of the first matrix of B",
             [](const Problem& p, const Place& at) {
               int64_t lost = 0;
               for (int64_t k = 0; k < p.terms(); ++k) {
                 lost += B(p, BMatrix(p, at), k, at.column) - B(p, 0, k, at.column);
               }
               return lost * AZero(p, AMatrix(p, at), at.row);
             });
  correction("row sums of the first matrix of A", [](const Problem& p, const Place& at) {
    int64_t lost = 0;
    for (int64_t k = 0; k < p.terms(); ++k) {
      lost += A(p, AMatrix(p, at), at.row, k) - A(p, 0, at.row, k);
    }
    return lost * BZero(p, BMatrix(p, at), at.column);
  });
  for (const int64_t block : {16, 24, 32, 48, 64, 128, 256, 512, 1024}) {
    const int percent = block <= 64 ? 100 : block <= 256 ? 50 : 10;
    add(
        "columns from " + std::to_string(block) + " on are those before",
        [block](const Problem&, Place& at, int64_t&, int64_t&) { at.column %= block; },
        [block](const Problem& p) { return p.columns() > block; }, percent);
  }
  for (const int64_t block : {4, 6, 8, 12, 16, 32, 64, 128, 256}) {
    const int percent = block <= 32 ? 100 : block == 64 ? 60 : block == 128 ? 40 : 20;
    add(
        "rows from " + std::to_string(block) + " on are those before",
        [block](const Problem&, Place& at, int64_t&, int64_t&) { at.row %= block; },
        [block](const Problem& p) { return p.rows() > block; }, percent);
  }
}

std::vector<Kernel> AllKernels() {
  std::vector<Kernel> kernels;
  AddTails(kernels);
  AddPairs(kernels);
  AddZeroPoints(kernels);
  AddAccumulators(kernels);
  AddMatrices(kernels);
  return kernels;
}

bool IsSeen(const Kernel& kernel, const Problem& p) {
  if (!kernel.applies(p)) return false;
  for (int64_t matrix = 0; matrix < p.matrices(); ++matrix) {
    for (int64_t row = 0; row < p.rows(); ++row) {
      for (int64_t column = 0; column < p.columns(); ++column) {
        const Place at{matrix, row, column};
        const int64_t right = Right(p, at);
        if (!IsInt32(right)) continue;
        const int64_t wrong = kernel.element(p, at);
        if (static_cast<int32_t>(wrong) != static_cast<int32_t>(right)) return true;
      }
    }
  }
  return false;
}

// Returns the kernels that no content of a cell shows.
std::vector<const Kernel*> NotSeen(const Cell& cell, Level level,
                                   const std::vector<Kernel>& kernels) {
  std::vector<const Kernel*> left;
  for (const Kernel& kernel : kernels) {
    if (kernel.has(cell)) left.push_back(&kernel);
  }
  for (const CaseKey& key : ContentsOf(cell, level)) {
    const auto made = MakeCase(key, kTestSeed);
    EXPECT_TRUE(made.ok()) << CaseId(key);
    if (!made || ElementCount(made->model.outputs[0].shape).value() == 0) continue;
    const Problem problem(*made);
    std::erase_if(left, [&](const Kernel* kernel) { return IsSeen(*kernel, problem); });
  }
  return left;
}

TEST(MatMulIntegerKernels, Standard_ShowsEachWrongOneInEachCell) {
  const std::vector<Kernel> kernels = AllKernels();
  std::map<std::string, int> cells_without;
  const auto cells = CellsOf("MatMulInteger");
  for (const Cell& cell : cells) {
    for (const Kernel* kernel : NotSeen(cell, Level::kStandard, kernels)) {
      ++cells_without[kernel->name];
      if (kernel->percent == 100) {
        ADD_FAILURE() << kernel->name << " in " << CellId(cell);
      }
    }
  }
  for (const Kernel& kernel : kernels) {
    EXPECT_LE(100 * cells_without[kernel.name],
              (100 - kernel.percent) * std::ssize(cells))
        << kernel.name;
  }
}

// Smoke is small: most are seen.
TEST(MatMulIntegerKernels, Smoke_ShowsMostWrongOnes) {
  std::vector<Kernel> kernels = AllKernels();
  // Those of one remainder or length are for the level standard.
  std::erase_if(kernels, [](const Kernel& kernel) {
    return kernel.name.find(" of ") != std::string::npos || kernel.percent < 100;
  });
  int64_t asked = 0;
  int64_t missed = 0;
  for (const Cell& cell : CellsOf("MatMulInteger")) {
    for (const Kernel& kernel : kernels) asked += kernel.has(cell) ? 1 : 0;
    for (const Kernel* kernel : NotSeen(cell, Level::kSmoke, kernels)) {
      ++missed;
      RecordProperty(kernel->name, CellId(cell));
    }
  }
  EXPECT_LT(10 * missed, asked) << missed << " of " << asked;
}

}  // namespace
}  // namespace qconform::generators
