// Text inside XML and HTML. Private to the sources of reports.
#ifndef QCONFORM_REPORTS_SHOW_XML_H_
#define QCONFORM_REPORTS_SHOW_XML_H_

#include <string>

namespace qconform {

// Returns the text so that it is shown as it is between tags and in attributes with
// double quotes. XML 1.0 has no way to write most control characters; those of ASCII
// become spaces, and whatever else does not print, bytes that are not UTF-8 included,
// becomes U+FFFD. A line end stays one; in an attribute every reader takes it for a
// space.
std::string XmlEscaped(const std::string& text);

}  // namespace qconform

#endif  // QCONFORM_REPORTS_SHOW_XML_H_
