#include <string>

#include "harness/cli/help/command_text.h"
#include "oracle/base/text.h"

namespace qconform {
namespace {

// Returns the text so that roff prints it as it is.
std::string Roff(const std::string& text) {
  std::string roff;
  for (const char c : text) {
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else if ((c == '.' || c == '\'') && (roff.empty() || roff.back() == '\n')) {
      roff += std::string("\\&") + c;  // at the beginning of a line it is a request
    } else {
      roff += c;
    }
  }
  return roff;
}

void AddCommand(const CommandText& command, const std::string& path, std::string& page) {
  page += ".SS " + Roff(path) + "\n" + Roff(command.what) + "\n";
  for (const FlagText& flag : command.flags) {
    page += ".TP\n.B " + Roff(NamesOf(flag));
    const std::string what = WhatOf(flag);
    page += "\n" + Roff(what.empty() ? flag.type : what) + "\n";
  }
  for (const Example& example : command.examples) {
    page += ".PP\n" + Roff(example.what) + ":\n.PP\n.nf\n.RS\n" + Roff(example.line) +
            "\n.RE\n.fi\n";
  }
  if (!command.footer.empty()) page += ".PP\n.nf\n" + Roff(command.footer) + "\n.fi\n";
  for (const CommandText& child : command.commands) {
    AddCommand(child, path + " " + child.name, page);
  }
}

}  // namespace

std::string ManPage(const CommandText& program, const std::string& version) {
  std::string page = ".TH QCONFORM 1 \"\" \"" + Roff(version) +
                     "\" \"User Commands\"\n.SH NAME\nqconform \\- " +
                     "checks ONNX's quantization operators bit by bit\n.SH SYNOPSIS\n"
                     ".B qconform\n.I COMMAND\n[OPTIONS]\n.SH DESCRIPTION\n" +
                     Roff(program.what) + "\n.SH COMMANDS\n";
  for (const CommandText& command : program.commands) {
    AddCommand(command, "qconform " + command.name, page);
  }
  page += ".SH EXAMPLES\n";
  for (const Example& example : program.examples) {
    page += ".TP\n.B " + Roff(example.line) + "\n" + Roff(example.what) + "\n";
  }
  if (!program.footer.empty()) {
    page += ".SH EXIT STATUS\n" + Roff(program.footer) + "\n";
  }
  return page;
}

}  // namespace qconform
