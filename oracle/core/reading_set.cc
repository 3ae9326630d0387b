#include "oracle/core/reading_set.h"

namespace qconform {

std::string Spell(const ReadingSet& set) { return Spell(set.readings); }

}  // namespace qconform
