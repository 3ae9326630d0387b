#include "harness/cli/commands/commands.h"

namespace qconform {
namespace {

void AddAbsent(Command& program, const std::string& name) {
  static std::vector<std::string> ignored;  // so that they do not hide what is missing
  Command command =
      program.AddCommand(name, "(not in this program, which was built without kernels)");
  command.Add("arguments", ignored, "");
  command.Does([name] {
    return Fail({name + ": expected a program with kernels, got one that was built with "
                        "QCONFORM_KERNELS=OFF"});
  });
}

}  // namespace

void AddProveCommand(Command& program) { AddAbsent(program, "prove"); }
void AddBenchCommand(Command& program) { AddAbsent(program, "bench"); }

}  // namespace qconform
