// A libcuda.so.1 for tests: the functions that CudaDevice calls, over host memory. It is meaner than
// a GPU: commands run only when somebody waits for them, every call needs a current context, every
// range is checked, and memory or page-locked buffers left behind by the last context end the
// process. Two kernels exist, by name: increment and crash of DeviceChecks.
//
// Environment: FAKE_CUDA_INIT (result of cuInit), FAKE_CUDA_GPUS, FAKE_CUDA_VERSION,
// FAKE_CUDA_ARCHITECTURE, FAKE_CUDA_USED (bytes that other processes hold), FAKE_CUDA_REFUSES (calls
// that have no memory, by name).
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace {
enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_IMAGE = 200,
       INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700,
       PEER_ACCESS_ALREADY_ENABLED = 704 };

const size_t kTotal = size_t{1} << 30;

struct Context { int device; int retained = 0; int error = SUCCESS; size_t used = 0; int peers = 0; };
struct Stream;
struct Event { Stream* stream = nullptr; bool done = false;
               std::chrono::steady_clock::time_point time; };
struct Stream { Context* context; std::deque<std::function<void()>> queue; };
struct Module { Context* context; std::string text; };
struct Function { Module* module; std::string name; };
struct Block { size_t bytes; Context* context; size_t own; };  // own: of the device's memory

std::recursive_mutex mutex;
using Lock = std::lock_guard<std::recursive_mutex>;
std::map<int, Context> contexts;
std::map<uintptr_t, Block> blocks;
std::map<void*, Context*> pinned;
std::map<Stream*, Context*> streams;
thread_local Context* current = nullptr;

long setting(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atol(text) : otherwise;
}
int gpus() { return int(setting("FAKE_CUDA_GPUS", 1)); }

// Whether a call is one of those that have no memory.
bool refused(const char* call) {
  const char* calls = std::getenv("FAKE_CUDA_REFUSES");
  return calls && std::strstr(calls, call);
}

bool inside(uintptr_t at, size_t bytes) {
  auto block = blocks.upper_bound(at);
  if (block == blocks.begin()) return false;
  --block;
  return at + bytes <= block->first + block->second.bytes;
}

void run(Stream* stream) {
  while (!stream->queue.empty()) {
    auto command = stream->queue.front();
    stream->queue.pop_front();
    if (stream->context->error == SUCCESS) command();
  }
}
}  // namespace

#define API extern "C" __attribute__((visibility("default"))) int
#define ENTER                             \
  Lock lock(mutex);                       \
  if (!current) return INVALID_CONTEXT;   \
  if (current->error) return current->error

API cuInit(unsigned) { return int(setting("FAKE_CUDA_INIT", SUCCESS)); }
API cuDriverGetVersion(int* v) { *v = int(setting("FAKE_CUDA_VERSION", 13000)); return SUCCESS; }
API cuDeviceGetCount(int* n) { *n = gpus(); return SUCCESS; }
API cuDeviceGet(int* device, int ordinal) {
  if (ordinal < 0 || ordinal >= gpus()) return 101;
  *device = ordinal;
  return SUCCESS;
}
API cuDeviceGetName(char* name, int length, int device) {
  std::snprintf(name, length, "Fake GPU %d", device);
  return SUCCESS;
}
API cuDeviceTotalMem_v2(size_t* bytes, int) { *bytes = kTotal; return SUCCESS; }
API cuDeviceGetUuid(unsigned char* uuid, int device) {
  for (int i = 0; i < 16; ++i) uuid[i] = (unsigned char)(0xa0 + i);
  uuid[15] = (unsigned char)device;
  return SUCCESS;
}
// The driver counts in the opposite order of the bus.
API cuDeviceGetPCIBusId(char* text, int length, int device) {
  std::snprintf(text, length, "0000:%02x:00.0", 0x40 - device);
  return SUCCESS;
}
API cuDeviceGetAttribute(int* value, int attribute, int) {
  long architecture = setting("FAKE_CUDA_ARCHITECTURE", 90);
  switch (attribute) {
    case 75: *value = int(architecture / 10); return SUCCESS;
    case 76: *value = int(architecture % 10); return SUCCESS;
    case 16: *value = 4; return SUCCESS;
    case 39: *value = 2048; return SUCCESS;
    case 89: *value = int(setting("FAKE_CUDA_MANAGED", 1)); return SUCCESS;
    case 95: *value = 0; return SUCCESS;  // no cooperative launches
    case 97: *value = 99 << 10; return SUCCESS;
    default: return INVALID_VALUE;
  }
}
API cuGetErrorName(int error, const char** name) {
  static const std::map<int, const char*> names = {
      {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"}, {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
      {NO_DEVICE, "CUDA_ERROR_NO_DEVICE"}, {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE"},
      {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"}, {NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
      {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
  auto found = names.find(error);
  if (found == names.end()) return INVALID_VALUE;
  *name = found->second;
  return SUCCESS;
}

API cuDevicePrimaryCtxRetain(Context** context, int device) {
  Lock lock(mutex);
  Context& primary = contexts[device];
  primary.device = device;
  ++primary.retained;
  *context = &primary;
  return SUCCESS;
}
API cuDevicePrimaryCtxRelease_v2(int device) {
  Lock lock(mutex);
  Context& primary = contexts[device];
  if (--primary.retained == 0) {
    for (auto& block : blocks)
      if (block.second.context == &primary) { std::puts("fake driver: memory leaked"); abort(); }
    for (auto& buffer : pinned)
      if (buffer.second == &primary) { std::puts("fake driver: pinned memory leaked"); abort(); }
    for (auto& stream : streams)
      if (stream.second == &primary) { std::puts("fake driver: stream leaked"); abort(); }
  }
  return SUCCESS;
}
API cuCtxSetCurrent(Context* context) { current = context; return SUCCESS; }
API cuCtxSynchronize() {
  ENTER;
  for (auto& stream : streams)
    if (stream.second == current) run(stream.first);
  return current->error;
}
API cuMemGetInfo_v2(size_t* free, size_t* total) {
  ENTER;
  *total = kTotal;
  *free = kTotal - current->used - size_t(setting("FAKE_CUDA_USED", 0));
  return SUCCESS;
}
API cuMemAlloc_v2(uintptr_t* address, size_t bytes) {
  ENTER;
  if (bytes == 0) return INVALID_VALUE;
  if (current->used + bytes > kTotal) return OUT_OF_MEMORY;
  void* memory = std::malloc(bytes);
  std::memset(memory, 0xcd, bytes);
  *address = reinterpret_cast<uintptr_t>(memory);
  blocks[*address] = {bytes, current, bytes};
  current->used += bytes;
  return SUCCESS;
}
API cuMemFree_v2(uintptr_t address) {
  ENTER;
  auto block = blocks.find(address);
  if (block == blocks.end() || block->second.context != current) return INVALID_VALUE;
  current->used -= block->second.own;
  std::free(reinterpret_cast<void*>(address));
  blocks.erase(block);
  return SUCCESS;
}
// Managed memory is the host's but for the parts that are told to lie on a device.
API cuMemAllocManaged(uintptr_t* address, size_t bytes, unsigned flags) {
  ENTER;
  if (bytes == 0 || flags != 1) return INVALID_VALUE;  // CU_MEM_ATTACH_GLOBAL
  if (refused("cuMemAllocManaged")) return OUT_OF_MEMORY;
  void* memory = std::malloc(bytes);
  std::memset(memory, 0xcd, bytes);
  *address = reinterpret_cast<uintptr_t>(memory);
  blocks[*address] = {bytes, current, 0};
  return SUCCESS;
}
API cuMemAdvise(uintptr_t at, size_t bytes, int advice, int device) {
  ENTER;
  if (!inside(at, bytes) || device < -1 || device >= gpus()) return INVALID_VALUE;
  if (advice == 3 && device >= 0) {  // CU_MEM_ADVISE_SET_PREFERRED_LOCATION
    auto block = --blocks.upper_bound(at);
    block->second.own += bytes;
    block->second.context->used += bytes;
  }
  return SUCCESS;
}
API cuMemPrefetchAsync(uintptr_t at, size_t bytes, int, Stream*) {
  ENTER;
  if (refused("cuMemPrefetchAsync")) return OUT_OF_MEMORY;
  return inside(at, bytes) ? SUCCESS : INVALID_VALUE;
}
API cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
  ENTER;
  if (bytes == 0) return INVALID_VALUE;
  if (refused("cuMemHostAlloc")) return OUT_OF_MEMORY;
  *memory = std::malloc(bytes);
  pinned[*memory] = current;
  return SUCCESS;
}
API cuMemFreeHost(void* memory) {
  ENTER;
  if (!pinned.erase(memory)) return INVALID_VALUE;
  std::free(memory);
  return SUCCESS;
}

API cuStreamCreate(Stream** stream, unsigned flags) {
  ENTER;
  if (flags != 1) return INVALID_VALUE;  // CU_STREAM_NON_BLOCKING
  *stream = new Stream{current, {}};
  streams[*stream] = current;
  return SUCCESS;
}
API cuStreamDestroy_v2(Stream* stream) {
  ENTER;
  run(stream);
  streams.erase(stream);
  delete stream;
  return SUCCESS;
}
API cuStreamSynchronize(Stream* stream) {
  ENTER;
  run(stream);
  return stream->context->error;
}
API cuEventCreate(Event** event, unsigned) { ENTER; *event = new Event; return SUCCESS; }
API cuEventRecord(Event* event, Stream* stream) {
  ENTER;
  event->stream = stream;
  event->done = false;
  stream->queue.push_back([event] {
    event->done = true;
    event->time = std::chrono::steady_clock::now();
  });
  return SUCCESS;
}
API cuStreamWaitEvent(Stream* stream, Event* event, unsigned) {
  ENTER;
  if (!event->done) stream->queue.push_back([event] { if (!event->done) run(event->stream); });
  return SUCCESS;
}
API cuEventSynchronize(Event* event) {
  ENTER;
  if (!event->done) run(event->stream);
  return current->error;
}
// A pending recording is not waited for here, as the real driver does: the test must not close it.
API cuEventDestroy_v2(Event* event) {
  ENTER;
  if (!event->done && event->stream) run(event->stream);
  delete event;
  return SUCCESS;
}
API cuEventElapsedTime(float* millis, Event* start, Event* end) {
  ENTER;
  if (!start->done || !end->done) return 600;
  *millis = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return SUCCESS;
}

API cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t bytes, Stream* stream) {
  ENTER;
  if (!inside(to, bytes)) return INVALID_VALUE;
  stream->queue.push_back([=] { std::memcpy(reinterpret_cast<void*>(to), from, bytes); });
  return SUCCESS;
}
API cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t bytes, Stream* stream) {
  ENTER;
  if (!inside(from, bytes)) return INVALID_VALUE;
  stream->queue.push_back([=] { std::memcpy(to, reinterpret_cast<void*>(from), bytes); });
  return SUCCESS;
}
API cuMemcpyDtoDAsync_v2(uintptr_t to, uintptr_t from, size_t bytes, Stream* stream) {
  ENTER;
  if (!inside(from, bytes) || !inside(to, bytes)) return INVALID_VALUE;
  stream->queue.push_back(
      [=] { std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes); });
  return SUCCESS;
}
API cuMemcpyPeerAsync(uintptr_t to, Context* target, uintptr_t from, Context* source, size_t bytes,
                      Stream* stream) {
  if (target == source) return INVALID_CONTEXT;
  return cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}
API cuMemsetD8Async(uintptr_t to, unsigned char value, size_t bytes, Stream* stream) {
  ENTER;
  if (!inside(to, bytes)) return INVALID_VALUE;
  stream->queue.push_back([=] { std::memset(reinterpret_cast<void*>(to), value, bytes); });
  return SUCCESS;
}

API cuDeviceCanAccessPeer(int* can, int, int) { *can = 1; return SUCCESS; }
API cuCtxEnablePeerAccess(Context* peer, unsigned) {
  ENTER;
  if (current->peers >> peer->device & 1) return PEER_ACCESS_ALREADY_ENABLED;
  current->peers |= 1 << peer->device;
  return SUCCESS;
}

// An image is what the fake NVRTC makes: a line, and the source.
API cuModuleLoadData(Module** module, const char* image) {
  ENTER;
  if (std::strncmp(image, "FAKE sm_", 8) != 0) return INVALID_IMAGE;
  *module = new Module{current, image};
  return SUCCESS;
}
API cuModuleUnload(Module* module) { ENTER; delete module; return SUCCESS; }
API cuModuleGetFunction(Function** function, Module* module, const char* name) {
  ENTER;
  if (module->text.find(std::string("void ") + name + "(") == std::string::npos) return NOT_FOUND;
  *function = new Function{module, name};
  return SUCCESS;
}
API cuFuncGetAttribute(int* value, int attribute, Function*) {
  ENTER;
  *value = attribute == 4 ? 17 : 0;  // registers
  return SUCCESS;
}
API cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function*, int threads, size_t) {
  ENTER;
  *blocks = 2048 / threads;
  return SUCCESS;
}
API cuLaunchKernel(Function* function, unsigned gridX, unsigned gridY, unsigned gridZ,
                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                   Stream* stream, void** parameters, void** extra) {
  ENTER;
  if (!gridX || gridY != 1 || gridZ != 1 || !blockX || blockY != 1 || blockZ != 1 || shared || extra)
    return INVALID_VALUE;
  if (function->module->context != current) return INVALID_CONTEXT;
  struct Frame { int* data; long long count; int delta; int unused; double scale; } f;
  std::memcpy(&f, parameters[0], sizeof f);
  bool crash = function->name == "crash";
  stream->queue.push_back([=] {
    if (crash || f.unused != -1 || !inside(reinterpret_cast<uintptr_t>(f.data), 4 * f.count)) {
      stream->context->error = ILLEGAL_ADDRESS;
      return;
    }
    for (long long i = 0; i < f.count; ++i) f.data[i] += int(f.delta * f.scale);
  });
  return SUCCESS;
}
