#include "harness/backends/registry/registry.h"

#include <algorithm>

#include "harness/backends/faulty/faulty_backend.h"
#include "harness/backends/onnxruntime/onnxruntime_backend.h"
#include "harness/backends/oracle/oracle_backend.h"
#include "harness/backends/plugin/plugin_backend.h"
#include "harness/backends/registry/python_backend.h"
#include "harness/backends/registry/simd_backend.h"
#include "oracle/base/expected.h"

namespace qconform {

Result<std::unique_ptr<Backend>> MakeBackend(std::string_view spec,
                                             const BackendOptions& options) {
  const size_t colon = spec.find(':');
  const std::string_view kind = spec.substr(0, colon);
  const std::string_view target =
      colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  if (colon != std::string_view::npos && target.empty()) {
    return Expected("backend '" + std::string(spec) + "'", "a target after the colon",
                    "nothing");
  }
  if (kind == "simd") return MakeSimdBackend(target, options);
  if (kind == "onnxruntime") {
    if (!target.empty()) {
      return Expected("backend onnxruntime", "no target", "'" + std::string(target) + "'",
                      "--backend-option provider=NAME chooses a provider");
    }
    return MakeOnnxRuntimeBackend(options);
  }
  if (kind == "oracle") {
    if (!target.empty()) {
      return Expected("backend oracle", "no target", "'" + std::string(target) + "'");
    }
    if (!options.empty()) {
      return Expected("backend oracle", "no option", "'" + options.begin()->first + "'");
    }
    return MakeOracleBackend();
  }
  if (kind == "plugin") {
    if (target.empty()) {
      return Expected("backend plugin", "plugin:PATH, the path of a shared library",
                      "no path");
    }
    return MakePluginBackend(std::string(target), options);
  }
  if (kind == "faulty") {
    if (!options.empty()) {
      return Expected("backend faulty", "no option", "'" + options.begin()->first + "'");
    }
    if (target.empty()) {
      return Expected("backend faulty", "faulty:NAME, the name of a fault", "no name",
                      "'qconform list faults' lists them all");
    }
    return MakeFaultyBackend(target);
  }
  return Expected("backend",
                  "one of simd, simd:TARGET, onnxruntime, oracle, faulty:NAME, "
                  "plugin:PATH, py:MODULE:CLASS, worker:NAME, process:COMMAND",
                  "'" + std::string(spec) + "'",
                  "'qconform list backends' lists them all");
}

std::vector<BackendListing> ListBackends() {
  const std::vector<std::string> supported = SupportedSimdTargets();
  std::vector<BackendListing> listings;
  listings.push_back({"simd",
                      supported.empty()
                          ? "the built-in kernels; none in this program or for this CPU"
                          : "the built-in kernels on the best target of this machine, " +
                                supported.front() + "; --backend-option " +
                                SimdOptionsText(),
                      !supported.empty()});
  for (const std::string& target : CompiledSimdTargets()) {
    listings.push_back(
        {"simd:" + target, "the built-in kernels compiled for " + target,
         std::find(supported.begin(), supported.end(), target) != supported.end()});
  }
  const auto onnxruntime = FindOnnxRuntime();
  listings.push_back(
      {"onnxruntime",
       "ONNX Runtime's CPU kernels or another of its providers "
       "(--backend-option provider=NAME ep_library=PATH "
       "opt_level=LEVEL threads=N library=PATH); " +
           (onnxruntime ? "found: " + *onnxruntime : onnxruntime.error().message),
       onnxruntime.ok()});
  listings.push_back(
      {"oracle", "the scalar oracle itself, as a check of the harness", true});
  listings.push_back(
      {"plugin:PATH", "a shared library with the interface of qconform_backend.h", true});
  listings.push_back({"py:onnxruntime",
                      "the Python package onnxruntime (py:onnxruntime,opt_level=basic)",
                      true});
  listings.push_back(
      {"py:onnx.reference", "ONNX's reference evaluator, in Python", true});
  listings.push_back({"py:MODULE:CLASS",
                      "a Python class with ONNX's backend interface, or a function of "
                      "@qconform.backend (py:./mine.py:Class, --python PATH)",
                      true});
  for (const WorkerListing& worker : ListWorkers()) {
    listings.push_back({"worker:" + worker.name,
                        worker.available
                            ? "a real implementation, docs/workers.md"
                            : "a real implementation; script/bootstrap --with " +
                                  worker.name + " fetches it",
                        worker.available});
  }
  listings.push_back({"process:COMMAND",
                      "a program that speaks the worker protocol (worker.proto)", true});
  listings.push_back(
      {"faulty:NAME",
       "a fault that was planted on purpose; 'qconform list faults' lists them", true});
  return listings;
}

}  // namespace qconform
