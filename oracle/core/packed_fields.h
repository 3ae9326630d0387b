// Packs fields of a few bits into one number, the first into the lowest bits, for an
// operator's ReadingSet::code. The operator names its fields once, in a function that
// takes either of these and calls it for each field.
#ifndef QCONFORM_ORACLE_CORE_PACKED_FIELDS_H_
#define QCONFORM_ORACLE_CORE_PACKED_FIELDS_H_

#include <cstdint>

namespace qconform {

// Precondition of both: a field's value is at least 0 and below 2^bits.
class FieldWriter {
 public:
  template <typename Field>
  void operator()(const Field& field, int bits) {
    code_ |= static_cast<uint64_t>(field) << at_;
    at_ += bits;
  }
  uint64_t code() const { return code_; }

 private:
  uint64_t code_ = 0;
  int at_ = 0;
};

class FieldReader {
 public:
  explicit FieldReader(uint64_t code) : rest_(code) {}

  template <typename Field>
  void operator()(Field& field, int bits) {
    field = static_cast<Field>(rest_ & ((uint64_t{1} << bits) - 1));
    rest_ >>= bits;
  }

 private:
  uint64_t rest_;
};

}  // namespace qconform

#endif  // QCONFORM_ORACLE_CORE_PACKED_FIELDS_H_
