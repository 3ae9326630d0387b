#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <tuple>

#include "harness/backends/registry/registry.h"
#include "harness/operators/quantize_linear/proofs/chunks.h"
#include "harness/operators/quantize_linear/proofs/line.h"
#include "harness/operators/quantize_linear/proofs/subject.h"
#include "harness/sweep/model_asker.h"
#include "harness/sweep/sweep.h"
#include "oracle/formats/number_format.h"

namespace qconform::quantize_linear {
namespace {

using enum DataType;

const std::atomic<bool> kNeverStop{false};

QuantizeLinearLine LineOf(DataType x, DataType y_scale, DataType y, uint64_t scale) {
  QuantizeLinearLine line;
  line.since_version = y == kFloat6E2M3 || y == kFloat6E3M2 ? 28 : 25;
  line.x = x;
  line.y_scale = y_scale;
  line.y = y;
  line.scale = scale;
  return line;
}

SweepOutcome Sweep(const Proof& proof, SweepOptions options = {}) {
  options.jobs = 2;
  auto outcome = RunSweep(proof.plan, options, kNeverStop);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome ? *outcome : SweepOutcome();
}

// The inner function, but for one x: its code is one too many.
class OffByOne : public Subject {
 public:
  OffByOne(std::unique_ptr<Subject> subject, uint64_t scale, uint32_t x)
      : subject_(std::move(subject)), scale_(scale), x_(x) {}
  Status SetScale(uint64_t scale) override {
    hit_ = scale == scale_;
    return subject_->SetScale(scale);
  }
  Status Run(const void* x, size_t n, void* codes) override {
    const Status status = subject_->Run(x, n, codes);
    for (size_t i = 0; hit_ && i < n; ++i) {
      uint32_t code;
      std::memcpy(&code, static_cast<const std::byte*>(x) + 4 * i, 4);
      if (code == x_) ++static_cast<uint8_t*>(codes)[i];
    }
    return status;
  }
  size_t batch() const override { return subject_->batch(); }

 private:
  const std::unique_ptr<Subject> subject_;
  const uint64_t scale_;
  const uint32_t x_;
  bool hit_ = false;
};

Result<SubjectSource> WithOffByOne(const QuantizeLinearLine& line, uint64_t scale,
                                   uint32_t x) {
  auto source = InnerSubjects(line, "");
  if (!source) return source;
  source->make = [make = source->make, scale, x]() -> Result<std::unique_ptr<Subject>> {
    auto subject = make();
    if (!subject) return subject.error();
    return std::unique_ptr<Subject>(
        std::make_unique<OffByOne>(*std::move(subject), scale, x));
  };
  return source;
}

TEST(ProveLine, SixteenBitX_EveryTarget_VisitsAllCodesAndFindsNothing) {
  int lines = 0;
  for (const auto& [type, scale] :
       {std::pair(kFloat16, 0x2E66u), std::pair(kBfloat16, 0x3DCDu)}) {
    for (const DataType y : {kUint8, kInt8, kUint16, kInt16, kUint4, kInt4, kUint2, kInt2,
                             kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ,
                             kFloat4E2M1, kFloat6E2M3, kFloat6E3M2}) {
      for (const int64_t saturate : {1, 0}) {
        auto line = LineOf(type, type, y, scale);
        line.saturate = saturate;
        const auto source = InnerSubjects(line, "");
        ASSERT_TRUE(source) << source.error().message;
        const auto proof = ProveLine(line, *source);
        ASSERT_TRUE(proof);
        const SweepOutcome outcome = Sweep(*proof);
        EXPECT_EQ(outcome.totals.inputs, 1u << 16);
        EXPECT_EQ(outcome.totals.mismatches, 0u) << DataTypeName(y);
        EXPECT_GT(outcome.totals.oracle_evaluations, 1000u);
        ++lines;
      }
    }
  }
  EXPECT_EQ(lines, 60);
}

TEST(ProveLine, SegmentsCoverEveryCodeOnce) {
  for (const DataType x : {kFloat, kFloat16, kBfloat16, kInt32}) {
    for (const float scale : {0.1f, -3.0f}) {
      const auto line = LineOf(x, kFloat, kInt8, std::bit_cast<uint32_t>(scale));
      const auto segments = SegmentsOf(line, *FindThresholds(line));
      uint64_t next = 0;
      for (const Segment& segment : segments) {
        ASSERT_EQ(segment.first, next);
        ASSERT_GE(segment.last, segment.first);
        next = segment.last + 1;
      }
      EXPECT_EQ(next, uint64_t{1} << BitWidth(x));
    }
  }
}

// Chunk 63 has x from 2^-1 on, 191 their negatives, 127 and 255 infinities and NaN.
TEST(ProveLine, FloatX_SomeChunks_OfTheInnerFunctionAndOfTensors) {
  const auto backend = MakeBackend("simd", {});
  ASSERT_TRUE(backend);
  for (const DataType y :
       {kUint8, kInt4, kInt16, kFloat8E5M2FNUZ, kFloat6E2M3, kFloat6E3M2}) {
    const auto line = LineOf(kFloat, kFloat, y, std::bit_cast<uint32_t>(0.013f));
    const auto inner = InnerSubjects(line, "");
    ASSERT_TRUE(inner);
    const SubjectSource tensors = ModelSubjects(line, AskersOf(**backend));
    EXPECT_TRUE(inner->inner);
    EXPECT_FALSE(tensors.inner);
    for (const SubjectSource& source : {*inner, tensors}) {
      const auto proof = ProveLine(line, source);
      ASSERT_TRUE(proof);
      EXPECT_EQ(proof->plan.chunks, 256);
      for (const int64_t chunk : {63, 127, 191, 255}) {
        const SweepOutcome outcome = Sweep(*proof, {.first = chunk, .last = chunk + 1});
        EXPECT_EQ(outcome.totals.inputs, uint64_t{1} << 24);
        EXPECT_EQ(outcome.totals.mismatches, 0u) << DataTypeName(y) << " " << chunk;
      }
    }
  }
}

// What a row is compared with is what its x give: any other code, x or scale is seen.
TEST(InnerSubject, MatchRows_StopsAtTheFirstRowThatDiffers) {
  constexpr size_t kColumns = 512;
  for (const DataType y :
       {kUint8, kInt16, kInt4, kFloat8E4M3FN, kFloat8E5M2FNUZ, kFloat6E3M2}) {
    const auto source = InnerSubjects(LineOf(kFloat, kFloat, y, 0), "");
    ASSERT_TRUE(source);
    auto made = source->make();
    Subject& subject = **made;
    ASSERT_TRUE(subject.CanMatchRows(kColumns));
    // Reciprocals, then division; equal quotients.
    const std::vector<float> scales = {1, 2, 0x1p70f, 0x1p71f};
    std::vector<float> x;
    for (const float scale : scales) {
      for (size_t i = 0; i < kColumns; ++i) {
        x.push_back(-scale * (0.25f * static_cast<float>(i) + 1));
      }
    }
    std::vector<float> positive(x.begin(), x.begin() + kColumns);
    for (float& value : positive) value = -value;
    std::vector<uint8_t> codes(2 * kColumns);
    ASSERT_TRUE(subject.SetScale(std::bit_cast<uint32_t>(1.0f)));
    ASSERT_TRUE(subject.Run(positive.data(), kColumns, codes.data()));
    const std::vector<uint32_t> flipped(scales.size(), 0x80000000);
    const Subject::Rows rows{.scales = scales,
                             .flipped = flipped,
                             .x = x.data(),
                             .stride = kColumns,
                             .columns = kColumns,
                             .codes = codes.data()};
    EXPECT_EQ(subject.MatchRows(rows), 4u);
    for (const size_t row : {0u, 1u, 2u, 3u}) {
      for (const size_t at : {size_t{0}, size_t{63}, kColumns - 1}) {
        std::vector<float> other = x;
        other[row * kColumns + at] = 1;  // flipped: -1
        Subject::Rows wrong = rows;
        wrong.x = other.data();
        EXPECT_EQ(subject.MatchRows(wrong), row) << DataTypeName(y) << " " << at;
      }
    }
    codes[7] ^= 1;
    EXPECT_EQ(subject.MatchRows(rows), 0u);
  }
}

// Packing ignores what lies above a code; a sweep compares bytes.
TEST(InnerSubject, NarrowCodes_HaveNoBitsAboveThem) {
  for (const auto& [y, bits] : {std::pair(kInt4, 4), std::pair(kInt2, 2),
                                std::pair(kFloat6E2M3, 6), std::pair(kFloat6E3M2, 6)}) {
    const auto source = InnerSubjects(LineOf(kFloat, kFloat, y, 0), "");
    ASSERT_TRUE(source);
    auto subject = source->make();
    ASSERT_TRUE((*subject)->SetScale(std::bit_cast<uint32_t>(1.0f)));
    for (const size_t n : {size_t{1}, size_t{63}, size_t{64}, size_t{200}}) {
      // -1, or the lowest of FLOAT6, has a code of ones.
      const std::vector<float> x(n, bits == 6 ? -100.0f : -1.0f);
      std::vector<uint8_t> codes(n + 1, 0xEE);
      ASSERT_TRUE((*subject)->Run(x.data(), n, codes.data()));
      const std::vector<uint8_t> right(n, static_cast<uint8_t>((1 << bits) - 1));
      EXPECT_TRUE(std::equal(right.begin(), right.end(), codes.begin())) << n;
      EXPECT_EQ(codes[n], 0xEE);
    }
  }
}

// Answers with codes of its own, packed bit by bit.
class PackedAsker : public ModelAsker {
 public:
  PackedAsker(int bits, std::vector<uint8_t> codes)
      : bits_(bits), codes_(std::move(codes)) {}
  Status Prepare(const Model&) override { return Ok(); }
  std::span<std::byte> FirstInput(size_t) override { return {}; }
  Result<std::vector<std::byte>> Run(std::span<const TensorView>) override {
    const auto bits = static_cast<size_t>(bits_);
    std::vector<std::byte> bytes((codes_.size() * bits + 7) / 8);
    for (size_t at = 0; at < codes_.size() * bits; ++at) {
      const unsigned bit = (codes_[at / bits] >> (at % bits)) & 1u;
      bytes[at / 8] |= static_cast<std::byte>(bit << (at % 8));
    }
    return bytes;
  }

 private:
  int bits_;
  std::vector<uint8_t> codes_;
};

TEST(ModelSubjects, PackedCodes_GoToAByteEach) {
  for (const auto& [y, bits] : {std::pair(kUint2, 2), std::pair(kInt4, 4),
                                std::pair(kFloat6E2M3, 6), std::pair(kFloat6E3M2, 6)}) {
    for (size_t n = 1; n <= 40; ++n) {
      std::vector<uint8_t> right(n);
      for (size_t i = 0; i < n; ++i) {
        right[i] = static_cast<uint8_t>((i * 37 + 11) % (1u << bits));
      }
      auto line = LineOf(kFloat, kFloat, y, 0x3f800000);
      line.zero_point = 1;
      const SubjectSource source =
          ModelSubjects(line, [&, bits = bits]() -> std::unique_ptr<ModelAsker> {
            return std::make_unique<PackedAsker>(bits, right);
          });
      auto subject = source.make();
      ASSERT_TRUE(subject);
      const std::vector<float> x(n, 1);
      std::vector<uint8_t> codes(n + 1, 0xEE);
      ASSERT_TRUE((*subject)->Run(x.data(), n, codes.data()));
      EXPECT_TRUE(std::equal(right.begin(), right.end(), codes.begin()))
          << bits << " " << n;
      EXPECT_EQ(codes[n], 0xEE);
    }
  }
}

TEST(LineCase, ZeroPointsOfRows_ArePacked) {
  const std::vector<uint64_t> scales(6, 0x3f800000);
  for (const auto& [y, code, bytes] :
       {std::tuple(kUint8, 7u, std::vector<int>{7, 7, 7, 7, 7, 7}),
        std::tuple(kInt16, 0x1234u,
                   std::vector<int>{0x34, 0x12, 0x34, 0x12, 0x34, 0x12, 0x34, 0x12, 0x34,
                                    0x12, 0x34, 0x12}),
        std::tuple(kInt4, 9u, std::vector<int>{0x99, 0x99, 0x99}),
        std::tuple(kInt2, 2u, std::vector<int>{0xAA, 0x0A}),
        // 0x21 is 100001: 01100001 00011000 10000110, then 01100001 00001000.
        std::tuple(kFloat6E3M2, 0x21u, std::vector<int>{0x61, 0x18, 0x86, 0x61, 0x08})}) {
    auto line = LineOf(kFloat, kFloat, y, 0);
    line.zero_point = code;
    const StoredCase made = LineCase(line, scales, 1, {});
    std::vector<int> actual;
    for (const std::byte byte : made.inputs[2].data) {
      actual.push_back(std::to_integer<int>(byte));
    }
    EXPECT_EQ(actual, bytes) << DataTypeName(y);
    const StoredCase scalar = LineCase(line, std::span(scales).first(1), 1, {});
    EXPECT_EQ(scalar.inputs[2].shape, Shape{});
    EXPECT_EQ(std::to_integer<unsigned>(scalar.inputs[2].data[0]), code & 0xFF);
  }
}

TEST(ModelSubjects, WhatRan_NamesTheOperandsThatAreFed) {
  const auto backend = MakeBackend("simd", {});
  auto line = LineOf(kFloat, kFloat, kUint8, 0x3f800000);
  line.zero_point.reset();
  EXPECT_EQ(ModelSubjects(line, AskersOf(**backend)).ran,
            "models of one node, with x and y_scale fed as tensors");
  line.zero_point = 3;
  EXPECT_EQ(ModelSubjects(line, AskersOf(**backend)).ran,
            "models of one node, with x, y_scale and y_zero_point fed as tensors");
}

TEST(ProveLine, IntegerScale_HasNoInnerFunctionAndGoesByTensors) {
  const auto backend = MakeBackend("simd", {});
  const auto line = LineOf(kInt32, kInt32, kUint8, 12345);
  EXPECT_FALSE(InnerSubjects(line, ""));
  const auto proof = ProveLine(line, ModelSubjects(line, AskersOf(**backend)));
  const SweepOutcome outcome = Sweep(*proof, {.first = 255, .last = 256});
  EXPECT_EQ(outcome.totals.inputs, uint64_t{1} << 24);
  EXPECT_EQ(outcome.totals.mismatches, 0u);

  // By these, quotients in FLOAT have two codes that exact ones have not.
  const auto narrow = LineOf(kBfloat16, kInt32, kInt16, 65539);
  EXPECT_FALSE(InnerSubjects(narrow, ""));
  const auto all = ProveLine(narrow, ModelSubjects(narrow, AskersOf(**backend)));
  EXPECT_EQ(Sweep(*all, {.first = 0, .last = all->plan.chunks}).totals.mismatches, 0u);
}

TEST(ProveLine, XOfAnotherTypeThanP_HasAnInnerFunction) {
  for (const DataType x : {kInt32, kBfloat16}) {
    for (const DataType scale : {kFloat, kFloat16}) {
      const auto line =
          LineOf(x, scale, kFloat8E4M3FN,
                 scale == kFloat ? std::bit_cast<uint32_t>(1234.5f) : 0x3C01);
      const auto inner = InnerSubjects(line, "");
      ASSERT_TRUE(inner);
      const auto proof = ProveLine(line, *inner);
      const SweepOutcome outcome = Sweep(*proof, {.first = 0, .last = 1});
      EXPECT_GT(outcome.totals.inputs, 0u);
      EXPECT_EQ(outcome.totals.mismatches, 0u);
    }
  }
}

TEST(ProveLine, PlantedOffByOne_IsFoundAndReplayable) {
  auto line = LineOf(kFloat, kFloat, kUint8, std::bit_cast<uint32_t>(0.1f));
  const uint32_t x = std::bit_cast<uint32_t>(1.23456f);
  const auto source = WithOffByOne(line, line.scale, x);
  const auto proof = ProveLine(line, *source);
  const int64_t chunk = x >> 24;
  const SweepOutcome outcome = Sweep(*proof, {.first = chunk, .last = chunk + 1});
  EXPECT_EQ(outcome.totals.mismatches, 1u);
  ASSERT_EQ(outcome.totals.first.size(), 1u);
  const SweepMismatch& found = outcome.totals.first[0];
  EXPECT_EQ(found,
            (SweepMismatch{.x = x, .scale = line.scale, .expected = 12, .actual = 13}));
  const StoredCase kept = MismatchCase(line, found);
  EXPECT_TRUE(ParseStoredCase(StoredCaseText(kept), "kept"));
  EXPECT_EQ(kept.inputs[0].shape, Shape{1});
}

TEST(ProvePlane, OneChunk_VisitsAllXOfItsScales) {
  for (const DataType type : {kFloat16, kBfloat16}) {
    for (const DataType y : {kInt8, kFloat8E4M3FN}) {
      const auto line = LineOf(type, type, y, 0);
      const auto proof = ProvePlane(line, *InnerSubjects(line, ""));
      ASSERT_TRUE(proof) << proof.error().message;
      EXPECT_EQ(proof->plan.chunks, 256);
      // Zero and subnormal scales; infinite and NaN ones.
      for (const int64_t chunk : {0, 124}) {
        const SweepOutcome outcome = Sweep(*proof, {.first = chunk, .last = chunk + 1});
        EXPECT_EQ(outcome.totals.inputs, 256u << 16);
        EXPECT_EQ(outcome.totals.mismatches, 0u) << DataTypeName(y) << " " << chunk;
      }
    }
  }
  EXPECT_FALSE(ProvePlane(LineOf(kFloat, kFloat, kInt8, 0), SubjectSource()));
}

SourceOf Inner() {
  return [](const QuantizeLinearLine& one) { return InnerSubjects(one, ""); };
}

TEST(ProveAllScales, ChunksOfSubnormalMiddleAndHugestScales) {
  struct Row {
    DataType y;
    uint64_t inputs;  // of each scale
  };
  // 255 boundaries, two sides, two signs, two infinities for each zero point; float8
  // has zeros, infinities and NaN for each sign.
  for (const Row& row :
       {Row{kUint8, 4 * 255 + 4}, Row{kInt8, 4 * 255 + 4}, Row{kInt4, 4 * 15 + 4},
        Row{kFloat8E4M3FN, 4 * 126 + 6}, Row{kFloat8E5M2FNUZ, 4 * 127 + 6},
        Row{kFloat6E2M3, 4 * 31 + 6}, Row{kFloat6E3M2, 4 * 31 + 6}}) {
    for (const int64_t saturate : {1, 0}) {
      if (saturate == 0 && !IsFloat8(row.y)) continue;  // no other type heeds it
      auto line = LineOf(kFloat, kFloat, row.y, 0);
      line.saturate = saturate;
      const auto proof = ProveAllScales(line, {}, Inner());
      ASSERT_TRUE(proof) << proof.error().message;
      if (saturate == 1) {
        EXPECT_EQ(proof->expected_inputs, row.inputs * 0x7F7FFFFF) << DataTypeName(row.y);
      }
      const int64_t last = proof->plan.chunks - 1;
      for (const int64_t chunk : {int64_t{0}, last / 2, last}) {
        const SweepOutcome outcome = Sweep(*proof, {.first = chunk, .last = chunk + 1});
        const uint64_t scales = AllScalesChunks(row.y).At(chunk).count;
        EXPECT_EQ(outcome.totals.inputs, scales * (proof->expected_inputs / 0x7F7FFFFF));
        EXPECT_EQ(outcome.totals.mismatches, 0u)
            << DataTypeName(row.y) << " " << saturate << " " << chunk;
        EXPECT_EQ(outcome.totals.oracle_evaluations, 4096u);
      }
    }
  }
}

TEST(ProveAllScales, SixteenBits_OneChunkOfABinade) {
  const auto line = LineOf(kFloat, kFloat, kUint16, 0);
  const auto proof = ProveAllScales(line, {-4}, Inner());
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_EQ(proof->expected_inputs, uint64_t{4 * 65535 + 4} << 23);
  const SweepOutcome outcome = Sweep(*proof, {.first = 7, .last = 8});
  EXPECT_EQ(outcome.totals.inputs, uint64_t{4 * 65535 + 4} * 512);
  EXPECT_EQ(outcome.totals.mismatches, 0u);
}

TEST(ProveAllScales, Tensors_GoThroughTheBackendPerAxis) {
  const auto backend = MakeBackend("simd", {});
  const auto line = LineOf(kFloat, kFloat, kInt8, 0);
  const auto proof = ProveAllScales(line, {-7, 3}, [&](const QuantizeLinearLine& one) {
    return Result<SubjectSource>(ModelSubjects(one, AskersOf(**backend)));
  });
  EXPECT_EQ(proof->plan.chunks, 2 * 128);
  EXPECT_EQ(proof->expected_inputs, uint64_t{4 * 255 + 4} << 24);
  const SweepOutcome outcome = Sweep(*proof, {.first = 127, .last = 129});
  EXPECT_EQ(outcome.totals.inputs, uint64_t{4 * 255 + 4} << 17);
  EXPECT_EQ(outcome.totals.mismatches, 0u);
}

TEST(ProveAllScales, PlantedOffByOne_OnOneSideOfOneBoundary_IsFound) {
  const uint64_t scale = std::bit_cast<uint32_t>(0.3f);
  // The largest x below 0.3 * 7.5 (and a bit).
  const uint32_t x =
      std::bit_cast<uint32_t>(std::nextafter(static_cast<float>(0.3f * 7.5000002), 0.0f));
  const auto line = LineOf(kFloat, kFloat, kUint8, 0);
  int64_t found = 0;
  for (const uint32_t candidate : {x - 2, x - 1, x, x + 1, x + 2}) {
    const auto proof = ProveAllScales(line, {-2}, [&](const QuantizeLinearLine& one) {
      return WithOffByOne(one, scale, candidate);
    });
    const auto chunk = static_cast<int64_t>((scale & 0x7FFFFF) >> 16);
    const SweepOutcome outcome = Sweep(*proof, {.first = chunk, .last = chunk + 1});
    if (outcome.totals.mismatches == 0) continue;
    EXPECT_EQ(outcome.totals.first[0].x, candidate);
    EXPECT_EQ(outcome.totals.first[0].scale, scale);
    found += static_cast<int64_t>(outcome.totals.mismatches);
  }
  EXPECT_EQ(found, 2);  // one on either side
}

TEST(TimeKernelAlone, IsStopped) {
  const auto line = LineOf(kFloat, kFloat, kUint8, std::bit_cast<uint32_t>(0.1f));
  const auto source = InnerSubjects(line, "");
  ASSERT_TRUE(source);
  const std::atomic<bool> stop{true};
  EXPECT_FALSE(TimeKernelAlone(line, *source, stop));
  const auto small = LineOf(kFloat16, kFloat16, kUint8, 0x3C00);
  const auto seconds = TimeKernelAlone(small, *InnerSubjects(small, ""), kNeverStop);
  ASSERT_TRUE(seconds);
  EXPECT_GT(*seconds, 0);
}

}  // namespace
}  // namespace qconform::quantize_linear
