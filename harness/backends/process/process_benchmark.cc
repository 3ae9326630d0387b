// The cost of crossing processes: small cases per second, and bytes per second of
// large ones, through a plugin in a child (`qconform worker`) and through a worker.
//
//   harness_process_benchmark --benchmark_min_time=1
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "harness/backends/process/process_backend.h"
#include "harness/backends/process/words.h"
#include "harness/backends/registry/hosted_backend.h"

namespace qconform {
namespace {

// QuantizeLinear-13 of FLOAT to UINT8, scale and zero point constant.
FedModel MakeCaseOf(int64_t elements) {
  FedModel made;
  Model& model = made.model;
  model.opset_version = 13;
  model.ir_version = 8;
  model.node = {"QuantizeLinear", "", {"x", "y_scale", "y_zero_point"}, {"y"}, {}};
  model.inputs = {{"x", DataType::kFloat, {elements}}};
  model.outputs = {{"y", DataType::kUint8, {elements}}};
  Tensor scale = Tensor::Zeros(DataType::kFloat, {});
  const float one = 1.0f;
  std::memcpy(scale.data.data(), &one, sizeof one);
  model.initializers = {{"y_scale", scale},
                        {"y_zero_point", {DataType::kUint8, {}, {std::byte{3}}}}};
  made.inputs = {Tensor::Zeros(DataType::kFloat, {elements})};
  return made;
}

std::unique_ptr<Backend> PluginIn(HostOptions::Where where) {
  HostOptions host;
  host.where = where;
  host.program = QCONFORM_TOOL;
  auto made =
      MakeHostedBackend("plugin:" QCONFORM_PLUGINS "/qconform_simd_plugin.so", {}, host);
  return made ? *std::move(made) : nullptr;
}

std::unique_ptr<Backend> Worker() {
  auto made = MakeHostedBackend("process:" QCONFORM_FAUX_WORKER " honest", {}, {});
  return made ? *std::move(made) : nullptr;
}

// CPU seconds of this process and of the children that it has reaped: the cost for
// one core, however busy the machine is.
double CpuSeconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    struct rusage usage {};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      seconds +=
          static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    }
  }
  return seconds;
}

// `make` is called twice, the first time to measure the cost of only the start.
void RunCases(benchmark::State& state,
              const std::function<std::unique_ptr<Backend>()>& make, bool prepare_each) {
  const double start = CpuSeconds();
  make().reset();
  const double start_cost = CpuSeconds() - start;
  const double before = CpuSeconds();
  std::unique_ptr<Backend> backend = make();
  if (!backend) return state.SkipWithError("the backend cannot be made");
  const Case asked = MakeCaseOf(state.range(0));
  const std::vector<TensorView> inputs{asked.inputs[0].view()};
  std::unique_ptr<PreparedModel> prepared;
  for (auto _ : state) {
    if (!prepared || prepare_each) {
      prepared.reset();
      auto result = backend->Prepare(asked.model);
      if (!std::holds_alternative<std::unique_ptr<PreparedModel>>(result)) {
        return state.SkipWithError("prepare gave no model");
      }
      prepared = std::get<std::unique_ptr<PreparedModel>>(std::move(result));
    }
    const RunResult result = prepared->Run(inputs);
    if (!std::holds_alternative<Outputs>(result))
      return state.SkipWithError("no outputs");
  }
  prepared.reset();
  backend.reset();  // reaps the child
  state.counters["cases/cpu_s"] =
      static_cast<double>(state.iterations()) / (CpuSeconds() - before - start_cost);
  state.counters["cases/s"] = benchmark::Counter(static_cast<double>(state.iterations()),
                                                 benchmark::Counter::kIsRate);
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void PluginInChild(benchmark::State& state) {
  RunCases(
      state, [] { return PluginIn(HostOptions::Where::kChild); }, true);
}
void PluginInChildPrepared(benchmark::State& state) {
  RunCases(
      state, [] { return PluginIn(HostOptions::Where::kChild); }, false);
}
void PluginInProcess(benchmark::State& state) {
  RunCases(
      state, [] { return PluginIn(HostOptions::Where::kInProcess); }, true);
}
void WorkerOverPipes(benchmark::State& state) { RunCases(state, Worker, true); }

BENCHMARK(PluginInChild)->Arg(64)->UseRealTime();
BENCHMARK(PluginInChildPrepared)->Arg(64)->Arg(1 << 20)->Arg(1 << 24)->UseRealTime();
BENCHMARK(PluginInProcess)->Arg(64)->Arg(1 << 24)->UseRealTime();
BENCHMARK(WorkerOverPipes)->Arg(64)->UseRealTime();

}  // namespace
}  // namespace qconform

BENCHMARK_MAIN();
