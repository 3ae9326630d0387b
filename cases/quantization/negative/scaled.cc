#include "cases/quantization/negative/scaled.h"

namespace qconform::negative {
namespace {

void Replace(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

}  // namespace

std::string ScaledRows::Named(std::string_view sentence) const {
  std::string text(sentence);
  Replace(text, "{scale}", op_.scale);
  Replace(text, "{zero_point}", op_.zero_point);
  return text;
}

}  // namespace qconform::negative
