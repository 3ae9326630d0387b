// Lengths that vectors leave something of: no cell does without any of them.
#include "harness/faults/testing/strangers.h"

namespace qconform {
namespace {

// The elements that lie one behind the other with one scale, or with one each.
struct Line {
  int64_t length;
  int64_t at;  // of the element
};

Line LineOf(const Element& e) {
  const auto& l = e.d.layout;
  if (l.granularity == QuantizeLinearLayout::Granularity::kPerTensor) {
    return {e.count, e.index};
  }
  return l.inner > 1 ? Line{l.inner, e.j} : Line{l.axis, e.i};
}

void AddTails(std::vector<Stranger>& all) {
  for (const int64_t lanes : {8, 16}) {
    for (int64_t r = 0; r < lanes; ++r) {
      all.push_back({"what vectors of " + std::to_string(lanes) + " leave of a line, " +
                         std::to_string(r),
                     Any(),
                     [=](const Element& e) {
                       const Line line = LineOf(e);
                       const int64_t tail = r == 0 ? lanes : r;
                       return line.length % lanes == r && line.at >= line.length - tail;
                     },
                     {},
                     true});
    }
  }
}

void AddProducts(std::vector<Stranger>& all) {
  const auto add = [&](std::string name, auto where) {
    all.push_back({"matmul, everywhere " + std::move(name), Any(), {}, where, true});
  };
  for (const int64_t k : {0, 1, 2, 3, 7, 15, 17, 31, 33, 63, 64, 65, 127, 129}) {
    add("K==" + std::to_string(k), [k](const MatElement& e) { return e.k() == k; });
  }
  add("K odd above 256",
      [](const MatElement& e) { return e.k() > 256 && e.k() % 2 == 1; });
  add("more batch dimensions of b than of a, all above 1", [](const MatElement& e) {
    const auto& l = e.d.layout;
    return e.b_rank() > e.a_rank() && l.a.matrices > 1 && l.b.matrices > 1 &&
           e.matrix > 0;
  });
  add("M==1", [](const MatElement& e) { return e.a_rank() > 1 && e.rows() == 1; });
  add("N==1", [](const MatElement& e) { return e.b_rank() > 1 && e.columns() == 1; });
}

}  // namespace

std::vector<Stranger> LengthStrangers() {
  std::vector<Stranger> all;
  AddTails(all);
  AddProducts(all);
  return all;
}

}  // namespace qconform
