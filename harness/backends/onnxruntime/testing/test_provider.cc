// An execution provider library like those of vendors, for tests: its provider
// "FortyTwo" takes every whole graph and answers 42 in every byte of y; "Idle" takes
// nothing.
#include <onnxruntime_c_api.h>

#include <cstring>
#include <vector>

namespace {

const OrtApi* g_api = nullptr;

// --- 42 -----------------------------------------------------------------------------

struct FortyTwo : OrtNodeComputeInfo {
  FortyTwo() : OrtNodeComputeInfo{} {
    ort_version_supported = ORT_API_VERSION;
    CreateState = [](OrtNodeComputeInfo*, OrtNodeComputeContext*, void** state) {
      *state = nullptr;
      return static_cast<OrtStatus*>(nullptr);
    };
    Compute = [](OrtNodeComputeInfo*, void*, OrtKernelContext* context) {
      return Fill(context);
    };
    ReleaseState = [](OrtNodeComputeInfo*, void*) {};
  }

  // y has the shape of the first input, and elements of a byte.
  static OrtStatus* Fill(OrtKernelContext* context) {
    const OrtValue* x = nullptr;
    if (OrtStatus* status = g_api->KernelContext_GetInput(context, 0, &x)) return status;
    OrtTensorTypeAndShapeInfo* info = nullptr;
    if (OrtStatus* status = g_api->GetTensorTypeAndShape(x, &info)) return status;
    size_t rank = 0;
    size_t count = 0;
    OrtStatus* status = g_api->GetDimensionsCount(info, &rank);
    std::vector<int64_t> shape(rank);
    if (status == nullptr) status = g_api->GetDimensions(info, shape.data(), rank);
    if (status == nullptr) status = g_api->GetTensorShapeElementCount(info, &count);
    g_api->ReleaseTensorTypeAndShapeInfo(info);
    if (status != nullptr) return status;
    OrtValue* y = nullptr;
    status = g_api->KernelContext_GetOutput(context, 0, shape.data(), rank, &y);
    if (status != nullptr) return status;
    void* data = nullptr;
    status = g_api->GetTensorMutableData(y, &data);
    if (status == nullptr) std::memset(data, 42, count);
    return status;
  }
};

struct Provider : OrtEp {
  Provider(const char* its_name, bool takes_all)
      : OrtEp{}, name(its_name), claims(takes_all) {
    ort_version_supported = ORT_API_VERSION;
    GetName = [](const OrtEp* ep) noexcept {
      return static_cast<const Provider*>(ep)->name;
    };
    GetCapability = [](OrtEp* ep, const OrtGraph* graph,
                       OrtEpGraphSupportInfo* info) noexcept {
      return static_cast<Provider*>(ep)->Claim(graph, info);
    };
    Compile = [](OrtEp*, const OrtGraph**, const OrtNode**, size_t count,
                 OrtNodeComputeInfo** infos, OrtNode**) noexcept {
      for (size_t i = 0; i < count; ++i) infos[i] = new FortyTwo;
      return static_cast<OrtStatus*>(nullptr);
    };
    ReleaseNodeComputeInfos = [](OrtEp*, OrtNodeComputeInfo** infos,
                                 size_t count) noexcept {
      for (size_t i = 0; i < count; ++i) delete static_cast<FortyTwo*>(infos[i]);
    };
  }

  OrtStatus* Claim(const OrtGraph* graph, OrtEpGraphSupportInfo* info) const {
    size_t count = 0;
    OrtStatus* status = g_api->Graph_GetNumNodes(graph, &count);
    if (status != nullptr || !claims || count == 0) return status;
    std::vector<const OrtNode*> nodes(count);
    status = g_api->Graph_GetNodes(graph, nodes.data(), count);
    if (status != nullptr) return status;
    return g_api->GetEpApi()->EpGraphSupportInfo_AddNodesToFuse(info, nodes.data(), count,
                                                                nullptr);
  }

  const char* name;
  bool claims;
};

// --- factories ------------------------------------------------------------------------

struct Factory : OrtEpFactory {
  Factory(const char* its_name, bool takes_all)
      : OrtEpFactory{}, name(its_name), claims(takes_all) {
    ort_version_supported = ORT_API_VERSION;
    GetName = [](const OrtEpFactory* self) noexcept {
      return static_cast<const Factory*>(self)->name;
    };
    GetVendor = [](const OrtEpFactory*) noexcept { return "qconform"; };
    GetVendorId = [](const OrtEpFactory*) noexcept { return uint32_t{0}; };
    GetVersion = [](const OrtEpFactory*) noexcept { return "1.0.0"; };
    GetSupportedDevices = [](OrtEpFactory* self, const OrtHardwareDevice* const* devices,
                             size_t count, OrtEpDevice** ep_devices, size_t most,
                             size_t* made) noexcept {
      *made = 0;
      for (size_t i = 0; i < count && *made < most; ++i) {
        if (g_api->HardwareDevice_Type(devices[i]) != OrtHardwareDeviceType_CPU) continue;
        OrtStatus* status = g_api->GetEpApi()->CreateEpDevice(
            self, devices[i], nullptr, nullptr, &ep_devices[*made]);
        if (status != nullptr) return status;
        ++*made;
      }
      return static_cast<OrtStatus*>(nullptr);
    };
    CreateEp = [](OrtEpFactory* self, const OrtHardwareDevice* const*,
                  const OrtKeyValuePairs* const*, size_t, const OrtSessionOptions*,
                  const OrtLogger*, OrtEp** ep) noexcept {
      const auto* factory = static_cast<const Factory*>(self);
      *ep = new Provider(factory->name, factory->claims);
      return static_cast<OrtStatus*>(nullptr);
    };
    ReleaseEp = [](OrtEpFactory*, OrtEp* ep) noexcept {
      delete static_cast<Provider*>(ep);
    };
    // It has no allocator of its own and uses the CPU's memory.
    CreateAllocator = [](OrtEpFactory*, const OrtMemoryInfo*, const OrtKeyValuePairs*,
                         OrtAllocator** allocator) noexcept {
      *allocator = nullptr;
      return static_cast<OrtStatus*>(nullptr);
    };
    ReleaseAllocator = [](OrtEpFactory*, OrtAllocator*) noexcept {};
    CreateDataTransfer = [](OrtEpFactory*, OrtDataTransferImpl** transfer) noexcept {
      *transfer = nullptr;
      return static_cast<OrtStatus*>(nullptr);
    };
    IsStreamAware = [](const OrtEpFactory*) noexcept { return false; };
  }

  const char* name;
  bool claims;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) OrtStatus* CreateEpFactories(
    const char*, const OrtApiBase* base, const OrtLogger*, OrtEpFactory** factories,
    size_t most, size_t* count) {
  // The library may be older than the headers; it needs 1.22, which introduced this API.
  for (uint32_t version = ORT_API_VERSION; g_api == nullptr && version >= 22; --version) {
    g_api = base->GetApi(version);
  }
  *count = 0;
  if (most < 2) return g_api->CreateStatus(ORT_INVALID_ARGUMENT, "room for 2 is needed");
  factories[(*count)++] = new Factory("FortyTwo", true);
  factories[(*count)++] = new Factory("Idle", false);
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) OrtStatus* ReleaseEpFactory(
    OrtEpFactory* factory) {
  delete static_cast<Factory*>(factory);
  return nullptr;
}
