#include "harness/faults/testing/strangers.h"

namespace qconform {

std::vector<Stranger> MatMulStrangers() {
  std::vector<Stranger> all;
  const auto add = [&](std::string name, Applies applies, auto where) {
    all.push_back({"matmul " + std::move(name), std::move(applies), {}, where});
  };
  const Applies any = Any();
  const Applies integers = [](const Cell& c) {
    return IsInteger(c.types[1]) && IsInteger(c.types[2]);
  };
  const Applies rows = [](const Cell& c) {
    return c.granularity.starts_with("per_row-");
  };
  const Applies columns = [](const Cell& c) {
    return c.granularity.ends_with("-per_column");
  };
  for (int64_t r = 0; r < 16; ++r) {
    add("N%16==" + std::to_string(r), any,
        [r](const MatElement& e) { return e.last_column() && e.columns() % 16 == r; });
  }
  for (int64_t r = 0; r < 4; ++r) {
    add("K%4==" + std::to_string(r), any,
        [r](const MatElement& e) { return e.k() % 4 == r && e.k() > 0; });
    add("M%4==" + std::to_string(r), any,
        [r](const MatElement& e) { return e.rows() % 4 == r && e.last_row(); });
  }
  for (const int64_t n : {8, 16, 32, 64}) {
    add("K%" + std::to_string(n) + "==0", any,
        [n](const MatElement& e) { return e.k() % n == 0 && e.k() > 0; });
    add("K%" + std::to_string(n) + "==1", any,
        [n](const MatElement& e) { return e.k() % n == 1 && e.k() > n; });
    add("N%" + std::to_string(n) + "==0", any,
        [n](const MatElement& e) { return e.columns() % n == 0; });
    add("K>=" + std::to_string(n), any, [n](const MatElement& e) { return e.k() >= n; });
    add("column " + std::to_string(n), any,
        [n](const MatElement& e) { return e.column == n; });
  }
  for (const int64_t n : {128, 256, 512, 1024}) {
    add("K>=" + std::to_string(n), integers,
        [n](const MatElement& e) { return e.k() >= n && e.k() < 2 * n; });
  }
  for (int64_t r = 1; r < 16; r += 2) {
    add("K%16==" + std::to_string(r) + " above 256", any,
        [r](const MatElement& e) { return e.k() > 256 && e.k() % 16 == r; });
  }
  for (const int64_t n : {69, 128, 256}) {
    add("column " + std::to_string(n), any,
        [n](const MatElement& e) { return e.column == n; });
  }
  for (const int64_t n : {5, 6, 8, 12, 16, 33, 64}) {
    add("row " + std::to_string(n), any, [n](const MatElement& e) { return e.row == n; });
  }
  add("M>=6, N>=32", any,
      [](const MatElement& e) { return e.rows() >= 6 && e.columns() >= 32; });
  add("M and N odd", any, [](const MatElement& e) {
    return e.rows() % 2 == 1 && e.columns() % 2 == 1 && e.last_row() && e.last_column();
  });
  add("M and N even", any, [](const MatElement& e) {
    return e.rows() % 2 == 0 && e.columns() % 2 == 0 && e.last_row() && e.last_column();
  });
  add("M even, K even", any,
      [](const MatElement& e) { return e.rows() % 2 == 0 && e.k() % 2 == 0; });
  add("b alone has batches", any, [](const MatElement& e) {
    return e.d.layout.b.matrices > 1 && e.d.layout.a.matrices == 1 && e.matrix > 0;
  });
  add("a alone has batches", any, [](const MatElement& e) {
    return e.d.layout.a.matrices > 1 && e.d.layout.b.matrices == 1 && e.matrix > 0;
  });
  add("equal batches", any, [](const MatElement& e) {
    return e.d.layout.a.matrices > 1 && e.d.layout.a.batch == e.d.layout.b.batch &&
           e.matrix > 0;
  });
  add("batches broadcast both ways", any, [](const MatElement& e) {
    return e.d.layout.y.matrices > e.d.layout.a.matrices &&
           e.d.layout.y.matrices > e.d.layout.b.matrices;
  });
  for (const size_t rank : {1, 3, 4, 5}) {
    add("a of rank " + std::to_string(rank),
        rank == 1 ? Applies([](const Cell& c) {
          return c.granularity == "per_tensor-per_tensor";
        })
                  : any,
        [rank](const MatElement& e) { return e.a_rank() == rank; });
    add("b of rank " + std::to_string(rank),
        rank == 1 ? Applies([](const Cell& c) {
          return c.granularity == "per_tensor-per_tensor";
        })
                  : any,
        [rank](const MatElement& e) { return e.b_rank() == rank; });
  }
  add("scales of shape [1]", any, [](const MatElement& e) {
    return e.asked.operands[6].shape.size() == 1 && e.last_row() && e.last_column();
  });
  add("scales of shape []", any, [](const MatElement& e) {
    return e.asked.operands[6].shape.empty() && e.last_row() && e.last_column();
  });
  add("M==1", any, [](const MatElement& e) { return e.rows() == 1; });
  add("N==1", any, [](const MatElement& e) { return e.columns() == 1; });
  add("K==1", any, [](const MatElement& e) { return e.k() == 1; });
  for (const int64_t n : {4, 8, 16}) {
    add("row scale " + std::to_string(n), rows,
        [n](const MatElement& e) { return e.row == n; });
  }
  for (const int64_t n : {16, 32, 64}) {
    add("column scale " + std::to_string(n), columns,
        [n](const MatElement& e) { return e.column == n; });
  }
  add("row scales with batches", rows,
      [](const MatElement& e) { return e.d.layout.a.matrices > 1 && e.matrix > 0; });
  add("column scales with batches", columns,
      [](const MatElement& e) { return e.d.layout.b.matrices > 1 && e.matrix > 0; });
  // Ways to call it that models have: one sequence at a time, a batch of them, vectors.
  const Applies one_a = [](const Cell& c) {
    return !c.granularity.starts_with("per_row-");
  };
  const Applies one_b = [](const Cell& c) {
    return !c.granularity.ends_with("-per_column");
  };
  add("[1, M, K] x [K, N]", any, [](const MatElement& e) {
    return e.a_rank() == 3 && e.d.layout.a.matrices == 1 && e.b_rank() == 2;
  });
  add("[B, S, K] x [K, N], row scales", rows, [](const MatElement& e) {
    return e.a_rank() > 2 && e.b_rank() == 2 && e.matrix > 0 && e.rows() > 1;
  });
  add("[K] x batches", one_a,
      [](const MatElement& e) { return e.a_rank() == 1 && e.matrix > 0; });
  add("batches x [K]", one_b,
      [](const MatElement& e) { return e.b_rank() == 1 && e.matrix > 0; });
  add("M == K, row scales [M]", rows, [](const MatElement& e) {
    return e.a_rank() == 2 && e.asked.operands[1].shape.size() == 1 && e.row > 0 &&
           e.rows() == e.k();
  });
  add("y_scale negative", any, [](const MatElement& e) { return e.y_scale() < 0; });
  add("y_scale 0", any, [](const MatElement& e) { return e.y_scale() == 0; });
  add("y_scale infinite", any,
      [](const MatElement& e) { return std::isinf(e.y_scale()); });
  add("a_scale 0, per tensor", one_a, [](const MatElement& e) { return e.a_scale == 0; });
  add("b_scale 0, per tensor", one_b, [](const MatElement& e) { return e.b_scale == 0; });
  add("b_scale negative, per tensor", one_b,
      [](const MatElement& e) { return e.b_scale < 0; });
  add("b_scale infinite, per tensor", one_b,
      [](const MatElement& e) { return std::isinf(e.b_scale); });
  const Applies floats = [](const Cell& c) { return !Integer(c); };
  add("y_scale NaN", floats, [](const MatElement& e) { return std::isnan(e.y_scale()); });
  add("y_zero_point NaN", floats,
      [](const MatElement& e) { return std::isnan(e.y_zero_point); });
  add(
      "y_zero_point infinite",
      [](const Cell& c) { return OutputType(c) == DataType::kFloat8E5M2; },
      [](const MatElement& e) { return std::isinf(e.y_zero_point); });
  add("y_zero_point small", floats, [](const MatElement& e) {
    return e.y_zero_point != 0 && std::abs(e.y_zero_point) < 16;
  });
  add("sum beyond 2^16", integers,
      [](const MatElement& e) { return std::abs(e.sum) > 0x1p16; });
  add("sum beyond 2^24", integers,
      [](const MatElement& e) { return std::abs(e.sum) > 0x1p24; });
  add("sum beyond 2^24, odd, tells", integers, [](const MatElement& e) {
    return std::abs(e.sum) > 0x1p24 && std::fmod(e.sum, 2) != 0 &&
           (e.answer.features & (kFeatureNearTie | kFeatureTie)) != 0;
  });
  add("sum 0", any, [](const MatElement& e) { return e.sum == 0 && e.k() > 0; });
  add("sum negative, a tie", any, [](const MatElement& e) {
    return e.sum < 0 && (e.answer.features & kFeatureTie) != 0;
  });
  add("sum positive, a tie", any, [](const MatElement& e) {
    return e.sum > 0 && (e.answer.features & kFeatureTie) != 0;
  });
  add("both zero points 0", any,
      [](const MatElement& e) { return e.a_zero_point == 0 && e.b_zero_point == 0; });
  add("a_zero_point 0 alone", any,
      [](const MatElement& e) { return e.a_zero_point == 0 && e.b_zero_point != 0; });
  add("b_zero_point 0 alone", any,
      [](const MatElement& e) { return e.a_zero_point != 0 && e.b_zero_point == 0; });
  add("b_zero_point 128 or -128", integers,
      [](const MatElement& e) { return std::abs(e.b_zero_point) == 128; });
  add("b_zero_point 255 or 127", integers,
      [](const MatElement& e) { return e.b_zero_point == 255 || e.b_zero_point == 127; });
  add("y_zero_point at an end", Ints(), [](const MatElement& e) {
    return e.y_zero_point == static_cast<double>(IntegerMax(*e.d.y)) ||
           e.y_zero_point == static_cast<double>(IntegerMin(*e.d.y));
  });
  add("all scales powers of two, a tie", integers, [](const MatElement& e) {
    return IsPowerOfTwo(e.a_scale) && IsPowerOfTwo(e.b_scale) &&
           (e.answer.features & kFeatureTie) != 0;
  });
  add("a_scale > 1", any, [](const MatElement& e) { return e.a_scale > 1; });
  add("a_scale 1", any, [](const MatElement& e) { return e.a_scale == 1; });
  return all;
}

}  // namespace qconform
