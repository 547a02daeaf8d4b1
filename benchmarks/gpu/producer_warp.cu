// A study: does it pay to have a warp of each block fetch the edges of the next rows by bulk copies (TMA) while the others evaluate?
// y[v] = sum of x[u] over the in-edges u -> v, and the same with a weight an edge, y[v] = sum of w(e) x[u]; every vertex, floats.
// Graphs: R-MAT as RmatGraph of the engine makes it (edge factor 16, ids scrambled, vertices without edges left out), a lattice.
// Forms:
//   a  streamed   as sgg/stream.cuh and sgg/superstep.cuh do it: a warp takes the edges of its 32 rows as they lie, 4 a lane, loads first, then
//                 evaluates; rows of more than 1024 edges in chunks of 2048, a warp each; warps take pieces where there are such rows
//   b  producer   warp specialisation (sm_90): the last warp of a block copies tiles (cp.async.bulk, mbarrier) into a ring of shared memory:
//                 offsets of rows, neighbour ids, weights. The others wait for a tile, take its rows as form a does, with ids and weights from the
//                 ring, and hand the stage back. A tile is consecutive rows of at most S edges together, or a chunk of S edges of a long row, so it
//                 always fits one stage; the host cuts it into a range of rows for each warp, of about equal edges
// Fields of b: C consumer warps, D stages, S edges of a stage; tiles are given out "stride" (persistent blocks, every so-many-th), "taken"
// (persistent blocks, the next one that nobody has, by an atomic a tile) or "batch" (a block for every 8 tiles in a row, not persistent).
// Columns: blocks = that a multiprocessor holds; ms = median of 15 launches by events; GB/s = (ids + weights + offsets + x + y once each) / ms;
// a/ = the time of form a / ms, so more than 1 wins; check = every element against the sums of a host loop: x and weights are small whole numbers, so
// that all sums of floats are exact. All waits are bounded by clock64: where a barrier never comes an error is told, and the program ends with 1.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o producer_warp producer_warp.cu
//   ./producer_warp --check                 results only, of small graphs with rows of 0, 1, 31, 32, 33, 1000, 1024, 1025 and 100000 edges
//   ./producer_warp [SCALE [SIDE]]          default 22 and 4096; a side of 0 leaves the lattice out, a scale of 0 R-MAT
//
// Without a device (threads are fibers, bulk copies come late and in any order): g++ -O1 -std=c++17 -x c++ -DEMULATE producer_warp.cu -lpthread,
// then --check.

#include <algorithm>
#include <atomic>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#ifdef EMULATE
#include <setjmp.h>
#include <ucontext.h>

#include <random>
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
struct Place3 { unsigned x = 0, y = 0, z = 0; };
static Place3 threadIdx, blockIdx, blockDim, gridDim;
namespace emulation {
// One block at a time: a fiber for each thread; lanes of a warp meet at collectives, all threads at block barriers.
struct Fiber { ucontext_t context; jmp_buf at; std::vector<char> stack; bool begun, done; };
struct Meeting { int arrived = 0; unsigned generation = 0; uint32_t values[2][32]; };
struct Copy { void* to; std::vector<char> bytes; uint64_t* barrier; };
static std::vector<Fiber> fibers;
static std::vector<Meeting> warps;
static Meeting whole;
static std::vector<Copy> copies;
static std::vector<char> shared(256 << 10);
static jmp_buf back;
static int current;
static std::function<void()> body;
static std::mt19937 random(7);
static long steps;
// Jumps, as to swap contexts asks the kernel each time.
static void pause() {
  if (_setjmp(fibers[current].at) == 0) _longjmp(back, 1);
}
static void entry() {
  body();
  fibers[current].done = true;
  _longjmp(back, 1);
}
static void resume(int t) {
  current = t;
  threadIdx.x = t;
  if (_setjmp(back) != 0) return;
  if (fibers[t].begun) _longjmp(fibers[t].at, 1);
  fibers[t].begun = true;
  setcontext(&fibers[t].context);
}
static void meet(Meeting& at, int expected) {
  unsigned generation = at.generation;
  if (++at.arrived == expected) {
    at.arrived = 0;
    at.generation++;
  }
  while (at.generation == generation) pause();
}
template <class T> T exchange(T value, int from) {
  static_assert(sizeof(T) == 4);
  Meeting& warp = warps[current / 32];
  // Read from the half of this generation: the next one writes the other half, and none is two ahead.
  int half = warp.generation & 1;
  std::memcpy(&warp.values[half][current & 31], &value, 4);
  meet(warp, 32);
  T result;
  std::memcpy(&result, &warp.values[half][from & 31], 4);
  return result;
}
// A barrier in 64 bits: phase, arrivals that the phase still waits for, arrivals of a phase, bytes that are expected still.
struct Barrier { uint8_t phase; uint8_t pending; uint8_t count; uint8_t unused; int32_t bytes; };
static_assert(sizeof(Barrier) == 8);
static void settle(Barrier* b) {
  if (b->pending == 0 && b->bytes == 0) {
    b->phase ^= 1;
    b->pending = b->count;
  }
}
static void arrive(Barrier* b) {
  if (b->pending == 0) { std::printf("EMULATION: one arrival too many\n"); std::exit(1); }
  b->pending--;
  settle(b);
}
static void land() {
  size_t which = random() % copies.size();
  Copy copy = copies[which];
  copies.erase(copies.begin() + which);
  std::memcpy(copy.to, copy.bytes.data(), copy.bytes.size());
  Barrier* b = reinterpret_cast<Barrier*>(copy.barrier);
  b->bytes -= static_cast<int32_t>(copy.bytes.size());
  if (b->bytes < 0) { std::printf("EMULATION: more bytes than expected\n"); std::exit(1); }
  settle(b);
}
static void block(int threads) {
  fibers.resize(threads);
  warps.assign(threads / 32, Meeting());
  whole = Meeting();
  std::memset(shared.data(), 0x7f, shared.size());
  for (int t = 0; t < threads; t++) {
    Fiber& fiber = fibers[t];
    fiber.stack.resize(1 << 16);
    fiber.begun = fiber.done = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, entry, 0);
  }
  for (bool any = true; any; steps++) {
    any = false;
    // From another warp each time.
    int first = static_cast<int>(random() % (threads / 32)) * 32;
    for (int i = 0; i < threads; i++) {
      int t = (first + i) % threads;
      if (fibers[t].done) continue;
      resume(t);
      any = any || !fibers[t].done;
    }
    if (!copies.empty() && random() % 3 == 0) land();
  }
  if (!copies.empty()) { std::printf("EMULATION: a block ends before its copies\n"); std::exit(1); }
}
}  // namespace emulation
#define __shared__ static
template <class T> T __shfl_sync(unsigned, T v, int from) { return emulation::exchange(v, from); }
template <class T> T __shfl_down_sync(unsigned, T v, int d) {
  int lane = emulation::current & 31;
  return emulation::exchange(v, lane + d < 32 ? lane + d : lane);
}
static unsigned __ballot_sync(unsigned, bool v) {
  emulation::Meeting& warp = emulation::warps[emulation::current / 32];
  int half = warp.generation & 1;
  warp.values[half][emulation::current & 31] = v;
  emulation::meet(warp, 32);
  unsigned all = 0;
  for (int l = 0; l < 32; l++) all |= warp.values[half][l] << l;
  return all;
}
static int __ffs(int v) { return __builtin_ffs(v); }
static void __syncwarp() { __shfl_sync(~0u, 0, 0); }
static void __syncthreads() { emulation::meet(emulation::whole, static_cast<int>(blockDim.x)); }
static void __threadfence() {}
static int atomicAdd(int* p, int v) { int before = *p; *p += v; return before; }
static int atomicExch(int* p, int v) { int before = *p; *p = v; return before; }
static char* sharedBytes() { return emulation::shared.data(); }
#define CUDA(call) call
template <class T> void allocate(T** p, size_t bytes) { *p = static_cast<T*>(std::aligned_alloc(256, (bytes + 511) / 256 * 256)); }
static void copyBytes(void* to, const void* from, size_t bytes) { std::memcpy(to, from, bytes); }
static void setBytes(void* to, int value, size_t bytes) { std::memset(to, value, bytes); }
static void release(void* p) { std::free(p); }
template <class... P, class... A>
void launch(int blocks, int threads, size_t shared, void (*kernel)(P...), A... args) {
  if (shared > emulation::shared.size()) { std::printf("EMULATION: too much shared memory\n"); std::exit(1); }
  blockDim.x = threads;
  gridDim.x = blocks;
  for (int b = 0; b < blocks; b++) {
    blockIdx.x = b;
    emulation::body = [&] { kernel(args...); };
    emulation::block(threads);
  }
}
#else
#include <cuda_runtime.h>
#define CUDA(call)                                                                    \
  do {                                                                                \
    cudaError_t status_ = (call);                                                     \
    if (status_ != cudaSuccess) {                                                     \
      std::fprintf(stderr, "producer_warp: %s: %s\n", #call, cudaGetErrorString(status_)); \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (0)
template <class T> void allocate(T** p, size_t bytes) { CUDA(cudaMalloc(p, bytes + 256)); }
static void copyBytes(void* to, const void* from, size_t bytes) { CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDefault)); }
static void setBytes(void* to, int value, size_t bytes) { CUDA(cudaMemset(to, value, bytes)); }
static void release(void* p) { CUDA(cudaFree(p)); }
__device__ __forceinline__ char* sharedBytes() {
  extern __shared__ __align__(128) char room[];
  return room;
}
template <class... P, class... A>
void launch(int blocks, int threads, size_t shared, void (*kernel)(P...), A... args) {
  kernel<<<blocks, threads, shared>>>(args...);
  CUDA(cudaGetLastError());
}
#endif

namespace {

constexpr unsigned kAll = ~0u;
constexpr int kDepth = 4;          // Policy::DEPTH
constexpr int kSerialPart = 32;    // Policy::SERIAL_PART
constexpr int kHubDegree = 1024;   // DeviceSettings.DEFAULT
constexpr int kChunkEdges = 2048;
constexpr int kPieceEdges = 4096;  // DenseTuning.PIECE_EDGES
constexpr int kBlock = 256;
constexpr int kBatch = 8;          // tiles of a block that is not persistent
constexpr int kEnd = INT_MIN;      // what a tile says instead of its rows: there are no more

enum { kStride, kTaken, kBatched };

// Cycles after which a wait is given up: more than a second.
constexpr long long kPatience = 1ll << 31;

// ---- loads, as in sgg/loads.cuh ---------------------------------------------------------------------

#ifdef EMULATE
int loadOnce(const int* p, bool wanted) { return wanted ? *p : 0; }
float loadValue(const float* p) { return *p; }
int arriveGlobal(int* count) { return atomicAdd(count, 1); }
#else
__device__ __forceinline__ int loadOnce(const int* p, bool wanted) {
  int value = 0;
  asm("{ .reg .pred wanted; setp.ne.s32 wanted, %2, 0; @wanted ld.global.cs.s32 %0, [%1]; }"
      : "+r"(value)
      : "l"(__cvta_generic_to_global(p)), "r"(static_cast<int>(wanted)));
  return value;
}
__device__ __forceinline__ float loadValue(const float* p) {
  float value;
  asm("{ .reg .b64 last; createpolicy.fractional.L2::evict_last.b64 last, 1.0; ld.global.L2::cache_hint.b32 %0, [%1], last; }"
      : "=f"(value)
      : "l"(__cvta_generic_to_global(p)));
  return value;
}
__device__ __forceinline__ int arriveGlobal(int* count) {
  int before;
  asm volatile("atom.release.gpu.global.add.s32 %0, [%1], 1;" : "=r"(before) : "l"(__cvta_generic_to_global(count)) : "memory");
  return before;
}
#endif

__host__ __device__ inline int smaller(int a, int b) { return a < b ? a : b; }
__host__ __device__ inline int larger(int a, int b) { return a > b ? a : b; }

// ---- barriers and bulk copies -----------------------------------------------------------------------

#ifdef EMULATE
long long clockNow() { return emulation::steps * 20000; }
void barrierInit(uint64_t* b, int count) {
  *reinterpret_cast<emulation::Barrier*>(b) = {0, static_cast<uint8_t>(count), static_cast<uint8_t>(count), 0, 0};
}
void fenceProxy() {}
void barrierArrive(uint64_t* b) { emulation::arrive(reinterpret_cast<emulation::Barrier*>(b)); }
void barrierExpect(uint64_t* b, int bytes) {
  reinterpret_cast<emulation::Barrier*>(b)->bytes += bytes;
  emulation::arrive(reinterpret_cast<emulation::Barrier*>(b));
}
bool barrierTry(uint64_t* b, int parity) {
  if (reinterpret_cast<emulation::Barrier*>(b)->phase != parity) return true;
  emulation::pause();
  return false;
}
void bulkCopy(void* to, const void* from, int bytes, uint64_t* b, unsigned long long) {
  if (reinterpret_cast<uintptr_t>(to) % 16 != 0 || reinterpret_cast<uintptr_t>(from) % 16 != 0 || bytes % 16 != 0 || bytes <= 0) {
    std::printf("EMULATION: a bulk copy that is not aligned to 16 bytes\n");
    std::exit(1);
  }
  const char* first = static_cast<const char*>(from);
  emulation::copies.push_back({to, std::vector<char>(first, first + bytes), b});
  std::memset(to, 0x7f, bytes);
}
unsigned long long onceOnly() { return 0; }
#else
__device__ __forceinline__ long long clockNow() { return clock64(); }
__device__ __forceinline__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void barrierInit(uint64_t* b, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(sharedAddress(b)), "r"(count) : "memory");
}
// What threads did to shared memory comes before what copies do to it.
__device__ __forceinline__ void fenceProxy() { asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); }
__device__ __forceinline__ void barrierArrive(uint64_t* b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(sharedAddress(b)) : "memory");
}
// Arrives, and says how many bytes of copies the phase has to wait for.
__device__ __forceinline__ void barrierExpect(uint64_t* b, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(sharedAddress(b)), "r"(bytes) : "memory");
}
// Whether the phase of a parity is over; waits for some time that the device knows.
__device__ __forceinline__ bool barrierTry(uint64_t* b, int parity) {
  int done;
  asm volatile("{ .reg .pred done; mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2; selp.s32 %0, 1, 0, done; }"
               : "=r"(done)
               : "r"(sharedAddress(b)), "r"(parity)
               : "memory");
  return done != 0;
}
__device__ __forceinline__ void bulkCopy(void* to, const void* from, int bytes, uint64_t* b, unsigned long long policy) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;"
               :
               : "r"(sharedAddress(to)), "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(sharedAddress(b)), "l"(policy)
               : "memory");
}
__device__ __forceinline__ unsigned long long onceOnly() {
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
#endif

// Waits for the end of the phase of a parity; false: it did not come, which is noted.
__device__ __forceinline__ bool barrierWait(uint64_t* b, int parity, int* error, int place) {
  if (barrierTry(b, parity)) return true;
  for (const long long since = clockNow(); !barrierTry(b, parity);) {
    if (clockNow() - since > kPatience) {
      atomicExch(error, place);
      return false;
    }
  }
  return true;
}

// ---- what both forms share --------------------------------------------------------------------------

// Device arrays, ids and offsets padded by more than 16 bytes.
struct Rows {
  int rows;
  const int* offsets;
  const int* ids;
  const float* weights;
  const float* x;
  float* y;
  // Long rows; their chunks are [hubFirst[h], hubFirst[h + 1]), with `parts` partial sums each; hubArrived is 0 between launches.
  const int* hubRows;
  const int* hubFirst;
  int* hubArrived;
  float* partials;
  int* taken;  // pieces or tiles that were taken: 0 when a launch begins
};

// What the send function reads over an edge, as it is staged.
template <bool W> struct Edge { float other; };
template <> struct Edge<true> { float other, weight; };
template <bool W> __device__ __forceinline__ float evaluate(const Edge<W>& e) {
  if constexpr (W) return e.other * e.weight;
  else return e.other;
}

__device__ __forceinline__ float mergeLanes(int lane, float part) {
#pragma unroll 1
  for (int d = 1; d < 32; d <<= 1) {
    float other = __shfl_down_sync(kAll, part, d);
    if (lane + d < 32) part += other;
  }
  return part;
}

// Adds what a value of the staged edges is, value(place), to the sums of their rows: sgg_take_staged. This lane's row has [begin, end) of all
// edges, `count` edges from `first` on are staged.
template <class Value>
__device__ __forceinline__ void takeStaged(int lane, Value value, int first, int count, int begin, int end, float& sum) {
  const int from = larger(begin - first, 0);
  const int to = smaller(end - first, count);
  const bool together = to - from > kSerialPart;
  if (!together && from < to) {
    float part = value(from);
    for (int p = from + 1; p < to; p++) part += value(p);
    sum += part;
  }
  for (unsigned left = __ballot_sync(kAll, together); left != 0u; left &= left - 1u) {
    const int owner = __ffs(static_cast<int>(left)) - 1;
    const int ownersFrom = __shfl_sync(kAll, from, owner);
    const int ownersTo = __shfl_sync(kAll, to, owner);
    float part = 0;
    for (int p = ownersFrom + lane; p < ownersTo; p += 32) part += value(p);
    part = __shfl_sync(kAll, mergeLanes(lane, part), 0);
    if (lane == owner) sum += part;
  }
}

// Leaves a partial sum of a chunk, which lane 0 has, and finishes the row where it is the last one. All lanes.
__device__ __forceinline__ void leavePartial(const Rows& r, int lane, int h, int place, int parts, float sum) {
  const int first = r.hubFirst[h] * parts, last = r.hubFirst[h + 1] * parts;
  int others = 0;
  if (lane == 0) {
    r.partials[place] = sum;
    others = arriveGlobal(&r.hubArrived[h]);
  }
  if (__shfl_sync(kAll, others, 0) != last - first - 1) return;
  __threadfence();
  __syncwarp();
  float all = 0;
  for (int c = first + lane; c < last; c += 32) all += *static_cast<volatile float*>(&r.partials[c]);
  all = mergeLanes(lane, all);
  if (lane == 0) {
    r.hubArrived[h] = 0;
    r.y[r.hubRows[h]] = all;
  }
}

// ---- a: streamed ------------------------------------------------------------------------------------

// Work of form a: chunks of long rows, then words of 32 rows.
struct Streamed {
  const int* chunkHub;
  const int* chunkBegin;
  const int* chunkEnd;
  int chunks;
  int pieceWords;
};

template <bool W, int Depth, bool Full>
__device__ __forceinline__ void loadEdges(const Rows& r, int lane, int first, int count, Edge<W> (&loaded)[Depth]) {
  const int* ends = r.ids + first + lane;
  int neighbour[Depth];
#pragma unroll
  for (int i = 0; i < Depth; i++) neighbour[i] = loadOnce(ends + 32 * i, Full || 32 * i + lane < count);
#pragma unroll
  for (int i = 0; i < Depth; i++) {
    const int place = 32 * i + lane;
    loaded[i].other = loadValue(r.x + neighbour[i]);
    if constexpr (W) loaded[i].weight = r.weights[first + (Full || place < count ? place : 0)];
  }
}

template <bool W, int Depth, bool Full>
__device__ __forceinline__ void stageSome(const Rows& r, int lane, int first, int count, Edge<W>* stage) {
  Edge<W> loaded[Depth];
  loadEdges<W, Depth, Full>(r, lane, first, count, loaded);
#pragma unroll
  for (int i = 0; i < Depth; i++) stage[32 * i + lane] = loaded[i];
}

// sgg_stream_rows, of rows of which those between `from` and `to` are one range.
template <bool W>
__device__ __forceinline__ void streamRange(const Rows& r, int lane, int first, int left, int begin, int end, Edge<W>* stage, float& sum) {
  while (left > 0) {
    const int count = smaller(left, 32 * kDepth);
    if (count == 32 * kDepth) stageSome<W, kDepth, true>(r, lane, first, count, stage);
    else if (count > 16 * kDepth) stageSome<W, kDepth, false>(r, lane, first, count, stage);
    else stageSome<W, kDepth / 2, false>(r, lane, first, count, stage);
    __syncwarp();
    takeStaged(lane, [&](int p) { return evaluate(stage[p]); }, first, count, begin, end, sum);
    __syncwarp();
    left -= count;
    first += count;
  }
}

template <bool W, bool Full>
__device__ __forceinline__ void chunkRound(const Rows& r, int lane, int first, int count, float& sum) {
  Edge<W> loaded[kDepth];
  loadEdges<W, kDepth, Full>(r, lane, first, count, loaded);
  float part = 0;
#pragma unroll
  for (int i = 0; i < kDepth; i++) {
    if (Full || 32 * i + lane < count) part += evaluate(loaded[i]);
  }
  sum += part;
}

template <bool W, bool Uneven>
__global__ void __launch_bounds__(kBlock, Uneven ? 5 : 6) streamedKernel(Rows r, Streamed work) {
  __shared__ Edge<W> stages[kBlock / 32][32 * kDepth];
  const int lane = threadIdx.x & 31;
  Edge<W>* stage = stages[threadIdx.x >> 5];
  const int warps = static_cast<int>(gridDim.x) * (kBlock / 32);
  const int words = (r.rows + 31) >> 5;
  auto take = [&] {
    int next = lane == 0 ? atomicAdd(r.taken, 1) : 0;
    return warps + __shfl_sync(kAll, next, 0);
  };
  int piece = static_cast<int>(blockIdx.x) * (kBlock / 32) + static_cast<int>(threadIdx.x >> 5);
  const int chunks = Uneven ? work.chunks : 0;
  for (; piece < chunks; piece = take()) {
    float sum = 0;
    for (int first = work.chunkBegin[piece], left = work.chunkEnd[piece] - first; left > 0; left -= 32 * kDepth, first += 32 * kDepth) {
      if (left >= 32 * kDepth) chunkRound<W, true>(r, lane, first, 32 * kDepth, sum);
      else chunkRound<W, false>(r, lane, first, left, sum);
    }
    leavePartial(r, lane, work.chunkHub[piece], piece, 1, mergeLanes(lane, sum));
  }
  int word = (piece - chunks) * (Uneven ? work.pieceWords : 1);
  auto offset = [&](int v) { return r.offsets[smaller(v, r.rows)]; };
  int begin = 0, end = 0;
  if (word < words) {
    begin = offset(word * 32 + lane);
    end = offset(word * 32 + lane + 1);
  }
  while (word < words) {
    int behind = word + warps;
    if (Uneven) {
      behind = word + 1;
      if ((behind & (work.pieceWords - 1)) == 0) behind = (take() - chunks) * work.pieceWords;
    }
    int nextBegin = 0, nextEnd = 0;
    if (behind < words) {
      nextBegin = offset(behind * 32 + lane);
      nextEnd = offset(behind * 32 + lane + 1);
    }
    const int v = word * 32 + lane;
    const bool isRow = v < r.rows && (!Uneven || end - begin <= kHubDegree);
    float sum = 0;
    const unsigned cuts = Uneven ? __ballot_sync(kAll, !isRow && begin < end) : 0u;
    for (int from = 0; from < 32;) {
      const unsigned cutsBehind = cuts & (kAll << from);
      const int to = cutsBehind == 0u ? 32 : __ffs(static_cast<int>(cutsBehind)) - 1;
      if (to > from) {
        const int first = __shfl_sync(kAll, begin, from);
        streamRange<W>(r, lane, first, __shfl_sync(kAll, end, to - 1) - first, begin, end, stage, sum);
      }
      from = to + 1;
    }
    if (isRow) r.y[v] = sum;
    begin = nextBegin;
    end = nextEnd;
    word = behind;
  }
}

// ---- b: a producer warp -----------------------------------------------------------------------------

// A tile: `rows` rows from row `first` on; or, negative, ~rows is the number of a chunk and `first` that of its long row in hubRows. kEnd:
// there are no more tiles. `edges` from edge `edge` on.
struct alignas(16) Tile { int rows, first, edge, edges; };

// Rows that a tile's warps begin with, relative to its first one; one more behind. Whole 16 bytes: a copy brings it.
template <int C> struct alignas(16) Split { uint16_t from[(C + 1 + 7) / 8 * 8]; };

// A stage of the ring: what copies bring is the 16 bytes around what is wanted, of which the first wanted one is up to 3 behind.
template <bool W, int C, int S>
struct alignas(128) Stage {
  int ids[S + 8];
  float weights[W ? S + 8 : 4];
  int offsets[32 * C + 8];
  Split<C> split;
  Tile tile;
};

template <bool W, int C, int D, int S>
struct Ring {
  Stage<W, C, S> stages[D];
  uint64_t full[D];   // the copies of a stage have come
  uint64_t empty[D];  // all warps have taken a stage
  float values[C][32 * kDepth];
};

template <int C>
struct Tiles {
  const Tile* tiles;
  const Split<C>* splits;
  int count;
  int giving;
};

// Blocks that a multiprocessor should hold: 40 registers a thread, and what shared memory holds.
template <bool W, int C, int D, int S>
constexpr int blocksOf() {
  int byThreads = 1536 / (32 * (C + 1));
  int byShared = static_cast<int>((227 << 10) / (sizeof(Ring<W, C, D, S>) + 1024));
  int blocks = byThreads < byShared ? byThreads : byShared;
  return blocks < 1 ? 1 : blocks;
}

// Copies the 16-byte words that [first, first + count) of an array are in; returns the bytes, copies only where `to` is there.
template <class T>
__device__ __forceinline__ int copyAround(T* to, const T* from, int first, int count, uint64_t* full, unsigned long long policy, bool really) {
  static_assert(sizeof(T) == 4);
  const int aligned = first & ~3;
  const int bytes = (((first + count + 3) & ~3) - aligned) * 4;
  if (really) bulkCopy(to, from + aligned, bytes, full, policy);
  return bytes;
}

// One lane fetches tile after tile.
template <bool W, int C, int D, int S>
__device__ __forceinline__ void produce(const Rows& r, const Tiles<C>& work, Ring<W, C, D, S>& ring, int* error) {
  const unsigned long long policy = onceOnly();
  const int blocks = static_cast<int>(gridDim.x);
  int next = static_cast<int>(blockIdx.x);
  int last = work.count;
  if (work.giving == kBatched) {
    next *= kBatch;
    last = smaller(last, next + kBatch);
  }
  auto behind = [&](int t) {
    if (work.giving == kTaken) return blocks + atomicAdd(r.taken, 1);
    return work.giving == kStride ? t + blocks : t + 1;
  };
  const Tile none{kEnd, 0, 0, 0};
  // What has to be known of a tile is loaded while the one before is on its way.
  Tile tile = next < last ? work.tiles[next] : none;
  int parity = 1;  // of the phase before the first: nobody has to hand a stage back in the first round
  for (int stage = 0;;) {
    const int here = next;
    next = here < last ? behind(here) : last;
    const Tile coming = next < last ? work.tiles[next] : none;
    if (!barrierWait(&ring.empty[stage], parity, error, 1)) return;
    fenceProxy();
    Stage<W, C, S>& room = ring.stages[stage];
    uint64_t* full = &ring.full[stage];
    room.tile = tile;
    if (tile.rows == kEnd) {
      barrierArrive(full);
      return;
    }
    const bool edges = tile.edges > 0, rows = tile.rows > 0;
    int bytes = 0;
    for (int really = 0; really < 2; really++) {
      // All bytes are announced before a copy can bring the first ones.
      if (really) {
        if (bytes > 0) barrierExpect(full, bytes);
        else barrierArrive(full);
        bytes = 0;
      }
      if (edges) {
        bytes += copyAround(room.ids, r.ids, tile.edge, tile.edges, full, policy, really);
        if (W) bytes += copyAround(room.weights, r.weights, tile.edge, tile.edges, full, policy, really);
      }
      if (rows) {
        bytes += copyAround(room.offsets, r.offsets, tile.first, tile.rows + 1, full, policy, really);
        if (really) bulkCopy(&room.split, work.splits + here, sizeof(Split<C>), full, policy);
        bytes += static_cast<int>(sizeof(Split<C>));
      }
    }
    tile = coming;
    if (++stage == D) {
      stage = 0;
      parity ^= 1;
    }
  }
}

// Loads the values at the other ends of staged edges: `count` from `ids` on.
template <int Depth, bool Full>
__device__ __forceinline__ void gatherSome(const float* x, int lane, const int* ids, int count, float (&loaded)[Depth]) {
  int neighbour[Depth];
#pragma unroll
  for (int i = 0; i < Depth; i++) neighbour[i] = ids[Full || 32 * i + lane < count ? 32 * i + lane : 0];
#pragma unroll
  for (int i = 0; i < Depth; i++) loaded[i] = loadValue(x + neighbour[i]);
}

template <int Depth, bool Full>
__device__ __forceinline__ void stageValues(const float* x, int lane, const int* ids, int count, float* values) {
  float loaded[Depth];
  gatherSome<Depth, Full>(x, lane, ids, count, loaded);
#pragma unroll
  for (int i = 0; i < Depth; i++) values[32 * i + lane] = loaded[i];
}

// A warp's rows [from, to) of a tile.
template <bool W, int C, int S>
__device__ __forceinline__ void takeRows(const Rows& r, int lane, const Stage<W, C, S>& room, const Tile& tile, int from, int to, float* values) {
  const int shift = tile.edge & ~3;
  const int* offsets = room.offsets + (tile.first & 3);
  for (; from < to; from += 32) {
    const int begin = offsets[smaller(from + lane, to)];
    const int end = offsets[smaller(from + lane + 1, to)];
    float sum = 0;
    int first = __shfl_sync(kAll, begin, 0);
    for (int left = __shfl_sync(kAll, end, 31) - first; left > 0;) {
      const int count = smaller(left, 32 * kDepth);
      const int* ids = room.ids + (first - shift);
      if (count == 32 * kDepth) stageValues<kDepth, true>(r.x, lane, ids, count, values);
      else if (count > 16 * kDepth) stageValues<kDepth, false>(r.x, lane, ids, count, values);
      else stageValues<kDepth / 2, false>(r.x, lane, ids, count, values);
      __syncwarp();
      if constexpr (W) {
        const float* weights = room.weights + (first - shift);
        takeStaged(lane, [&](int p) { return values[p] * weights[p]; }, first, count, begin, end, sum);
      } else {
        takeStaged(lane, [&](int p) { return values[p]; }, first, count, begin, end, sum);
      }
      __syncwarp();
      left -= count;
      first += count;
    }
    if (from + lane < to) r.y[tile.first + from + lane] = sum;
  }
}

template <bool W, bool Full>
__device__ __forceinline__ void chunkPart(const Rows& r, int lane, const int* ids, const float* weights, int count, float& sum) {
  float loaded[kDepth];
  gatherSome<kDepth, Full>(r.x, lane, ids, count, loaded);
  float part = 0;
#pragma unroll
  for (int i = 0; i < kDepth; i++) {
    if (Full || 32 * i + lane < count) part += W ? loaded[i] * weights[32 * i + lane] : loaded[i];
  }
  sum += part;
}

// A warp's part of a chunk.
template <bool W, int C, int S>
__device__ __forceinline__ void takeChunk(const Rows& r, int lane, const Stage<W, C, S>& room, const Tile& tile, int warp) {
  const int shift = tile.edge & 3;
  const int each = ((tile.edges + C - 1) / C + 31) & ~31;
  const int from = smaller(warp * each, tile.edges), to = smaller(from + each, tile.edges);
  float sum = 0;
  for (int first = from; first < to; first += 32 * kDepth) {
    const int* ids = room.ids + shift + first;
    const float* weights = room.weights + (W ? shift + first : 0);
    if (to - first >= 32 * kDepth) chunkPart<W, true>(r, lane, ids, weights, 32 * kDepth, sum);
    else chunkPart<W, false>(r, lane, ids, weights, to - first, sum);
  }
  leavePartial(r, lane, tile.first, ~tile.rows * C + warp, C, mergeLanes(lane, sum));
}

template <bool W, int C, int D, int S>
__device__ __forceinline__ void consume(const Rows& r, Ring<W, C, D, S>& ring, int warp, int lane, int* error) {
  int parity = 0;
  for (int stage = 0;;) {
    // Lanes see a phase end at different times, and wait for each other here.
    const bool came = barrierWait(&ring.full[stage], parity, error, 2);
    if (__ballot_sync(kAll, came) != kAll) return;
    const Stage<W, C, S>& room = ring.stages[stage];
    const Tile tile = room.tile;
    if (tile.rows == kEnd) return;
    if (tile.rows < 0) takeChunk<W, C, S>(r, lane, room, tile, warp);
    else takeRows<W, C, S>(r, lane, room, tile, room.split.from[warp], room.split.from[warp + 1], ring.values[warp]);
    // What the lanes have read comes before lane 0's arrival, which the producer waits for.
    __syncwarp();
    if (lane == 0) barrierArrive(&ring.empty[stage]);
    if (++stage == D) {
      stage = 0;
      parity ^= 1;
    }
  }
}

template <bool W, int C, int D, int S>
__global__ void __launch_bounds__(32 * (C + 1), blocksOf<W, C, D, S>()) producerKernel(Rows r, Tiles<C> work, int* error) {
  Ring<W, C, D, S>& ring = *reinterpret_cast<Ring<W, C, D, S>*>(sharedBytes());
  const int warp = static_cast<int>(threadIdx.x >> 5), lane = static_cast<int>(threadIdx.x & 31);
  if (threadIdx.x == 0) {
    for (int i = 0; i < D; i++) {
      barrierInit(&ring.full[i], 1);
      barrierInit(&ring.empty[i], C);
    }
    // Copies see the barriers as they were made.
    fenceProxy();
  }
  __syncthreads();
  if (warp < C) {
    consume<W, C, D, S>(r, ring, warp, lane, error);
  } else if (lane == 0) {
    produce<W, C, D, S>(r, work, ring, error);
  }
}

// ---- results ----------------------------------------------------------------------------------------

__host__ __device__ inline unsigned hashed(unsigned v) {
  unsigned h = v * 2654435769u;
  h ^= h >> 15;
  h *= 2246822519u;
  return h ^ h >> 13;
}
__host__ __device__ inline int valueOf(int v) { return static_cast<int>(hashed(static_cast<unsigned>(v)) & 7u); }
__host__ __device__ inline int weightOf(int e) { return 1 + static_cast<int>(hashed(static_cast<unsigned>(e) ^ 0x55555555u) % 3u); }

// The last row that differs, plus 1. Of bits: what was not written is no number.
__global__ void compareKernel(int rows, const float* y, const float* want, int* wrong) {
  const int v = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (v < rows && !(y[v] == want[v])) *wrong = v + 1;
}

// ---- host -------------------------------------------------------------------------------------------

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "producer_warp: %s\n", what.c_str());
  std::exit(1);
}

void inParallel(long size, const std::function<void(long, long)>& work) {
  constexpr long range = 1 << 16;
  std::atomic<long> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); t++) {
    threads.emplace_back([&] {
      for (long from; (from = next.fetch_add(range)) < size;) work(from, std::min(size, from + range));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

struct Graph {
  std::string name;
  int rows = 0;
  std::vector<int> offsets, ids;
  int edges() const { return offsets[rows]; }
  int degree(int v) const { return offsets[v + 1] - offsets[v]; }
};

uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
uint64_t bits(uint64_t seed, uint64_t counter) { return mix(seed + (counter + 1) * 0x9E3779B97F4A7C15ull); }

// RmatGraph of the engine with its benchmarks' seed: the same edges.
Graph rmat(int scale) {
  const int factor = 16;
  const uint64_t seed = mix(42), scramble = mix(seed + 1), mask = (1ull << scale) - 1;
  const int shift = std::max(1, (scale + 1) / 2);
  const long edges = static_cast<long>(factor) << scale;
  const uint64_t a = std::llround(0.57 * 4294967296.0), ab = std::llround(0.76 * 4294967296.0), abc = std::llround(0.95 * 4294967296.0);
  auto scrambled = [&](uint64_t id) {
    uint64_t x = (id ^ scramble) & mask;
    for (uint64_t factorOf : {0x9E3779B97F4A7C15ull, 0xBF58476D1CE4E5B9ull, 0x94D049BB133111EBull}) {
      x = (x * factorOf) & mask;
      x ^= x >> shift;
    }
    return static_cast<int>(x);
  };
  std::vector<int> from(edges), to(edges);
  inParallel(edges, [&](long begin, long end) {
    for (long i = begin; i < end; i++) {
      uint64_t source = 0, destination = 0;
      const uint64_t stream = bits(seed, i);
      for (int level = 0; level < scale; level += 2) {
        uint64_t word = bits(stream, level);
        for (int half = level; half < std::min(scale, level + 2); half++) {
          const uint64_t draw = word & 0xFFFFFFFFull;
          word >>= 32;
          const bool lower = draw >= ab;
          const bool right = (draw >= a && !lower) || draw >= abc;
          source = source << 1 | lower;
          destination = destination << 1 | right;
        }
      }
      from[i] = scrambled(source);
      to[i] = scrambled(destination);
    }
  });
  Graph g;
  g.name = "rmat" + std::to_string(scale);
  std::vector<int> dense(1 << scale, 0);
  for (long i = 0; i < edges; i++) dense[from[i]] = dense[to[i]] = 1;
  for (int& id : dense) id = id != 0 ? g.rows++ : -1;
  g.offsets.assign(g.rows + 1, 0);
  for (long i = 0; i < edges; i++) g.offsets[dense[to[i]] + 1]++;
  for (int v = 0; v < g.rows; v++) g.offsets[v + 1] += g.offsets[v];
  std::vector<int> next(g.offsets.begin(), g.offsets.end() - 1);
  g.ids.resize(edges);
  for (long i = 0; i < edges; i++) g.ids[next[dense[to[i]]]++] = dense[from[i]];
  inParallel(g.rows, [&](long begin, long end) {
    for (long v = begin; v < end; v++) std::sort(g.ids.begin() + g.offsets[v], g.ids.begin() + g.offsets[v + 1]);
  });
  return g;
}

Graph lattice(int side) {
  Graph g;
  g.name = "lattice" + std::to_string(side);
  g.rows = side * side;
  g.offsets.push_back(0);
  g.ids.reserve(4l * g.rows);
  for (int r = 0; r < side; r++) {
    for (int c = 0; c < side; c++) {
      const int v = r * side + c;
      if (r > 0) g.ids.push_back(v - side);
      if (c > 0) g.ids.push_back(v - 1);
      if (c < side - 1) g.ids.push_back(v + 1);
      if (r < side - 1) g.ids.push_back(v + side);
      g.offsets.push_back(static_cast<int>(g.ids.size()));
    }
  }
  return g;
}

// Rows of these degrees in turn.
Graph degrees(const std::string& name, int rows, const std::vector<int>& of) {
  Graph g;
  g.name = name;
  g.rows = rows;
  g.offsets.push_back(0);
  for (int v = 0; v < rows; v++) {
    for (int e = 0; e < of[v % of.size()]; e++) g.ids.push_back(static_cast<int>(hashed(static_cast<unsigned>(g.ids.size())) % rows));
    g.offsets.push_back(static_cast<int>(g.ids.size()));
  }
  return g;
}

template <typename T> T* upload(const std::vector<T>& values) {
  T* device = nullptr;
  // Bulk copies read whole 16 bytes, up to 12 behind the end.
  allocate(&device, (values.size() + 16) * sizeof(T));
  setBytes(device, 0, (values.size() + 16) * sizeof(T));
  copyBytes(device, values.data(), values.size() * sizeof(T));
  return device;
}

#ifdef EMULATE
constexpr bool kEmulated = true;
int multiprocessors() { return 1; }
#else
constexpr bool kEmulated = false;
int multiprocessors() {
  static const int count = [] {
    int value = 0;
    CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    return value;
  }();
  return count;
}
#endif

// A graph on the device, with what is expected of it.
struct Problem {
  const Graph& graph;
  Rows rows{};
  float* want[2];
  int *taken, *error, *wrong;
  std::vector<int> hubs;
  std::vector<void*> owned;
  double streamedMs[2] = {0, 0};
  bool measured;
  bool right = true;

  Problem(const Graph& g, bool measures) : graph(g), measured(measures) {
    std::vector<float> x(g.rows), weights(g.edges()), expected[2];
    for (int w = 0; w < 2; w++) expected[w].resize(g.rows);
    std::atomic<bool> exact{true};
    inParallel(g.rows, [&](long from, long to) {
      for (long v = from; v < to; v++) {
        x[v] = static_cast<float>(valueOf(static_cast<int>(v)));
        long sum = 0, weighted = 0;
        for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++) {
          weights[e] = static_cast<float>(weightOf(e));
          sum += valueOf(g.ids[e]);
          weighted += valueOf(g.ids[e]) * weightOf(e);
        }
        expected[0][v] = static_cast<float>(sum);
        expected[1][v] = static_cast<float>(weighted);
        if (weighted >= 1 << 24) exact = false;
      }
    });
    if (!exact) fail(g.name + " has a row whose sum is not exact in floats");
    for (int v = 0; v < g.rows; v++) {
      if (g.degree(v) > kHubDegree) hubs.push_back(v);
    }
    rows.rows = g.rows;
    rows.offsets = keep(upload(g.offsets));
    rows.ids = keep(upload(g.ids));
    rows.weights = keep(upload(weights));
    rows.x = keep(upload(x));
    rows.y = keep(upload(x));
    rows.hubRows = keep(upload(hubs));
    rows.hubArrived = keep(upload(std::vector<int>(hubs.size(), 0)));
    for (int w = 0; w < 2; w++) want[w] = keep(upload(expected[w]));
    rows.taken = taken = keep(upload(std::vector<int>(1, 0)));
    error = keep(upload(std::vector<int>(1, 0)));
    wrong = keep(upload(std::vector<int>(1, 0)));
  }
  ~Problem() {
    for (void* p : owned) release(p);
  }
  template <class T> T* keep(T* p) {
    owned.push_back(const_cast<void*>(static_cast<const void*>(p)));
    return p;
  }

  double bytes(bool weighted) const { return 4.0 * graph.edges() * (weighted ? 2 : 1) + 12.0 * graph.rows; }

  // Chunks of `most` edges of long rows: for each its row's number, its first edge, that behind; first chunks of rows.
  void cut(int most, std::vector<int>& hub, std::vector<int>& begin, std::vector<int>& end, std::vector<int>& first) const {
    for (size_t h = 0; h < hubs.size(); h++) {
      first.push_back(static_cast<int>(hub.size()));
      const int behind = graph.offsets[hubs[h] + 1];
      for (int from = graph.offsets[hubs[h]]; from < behind; from += most) {
        hub.push_back(static_cast<int>(h));
        begin.push_back(from);
        end.push_back(std::min(behind, from + most));
      }
    }
    first.push_back(static_cast<int>(hub.size()));
  }

  // Runs once for the result, then for the time.
  void report(const std::string& form, bool weighted, int held, const std::function<void()>& work) {
    auto once = [&] {
      setBytes(taken, 0, 4);
      work();
    };
    setBytes(rows.y, 0xff, 4l * graph.rows);
    setBytes(wrong, 0, 4);
    once();
    // A second time: counters of the first launch were left as a launch needs them.
    once();
    launch((graph.rows + 255) / 256, 256, 0, compareKernel, graph.rows, static_cast<const float*>(rows.y), static_cast<const float*>(want[weighted]), wrong);
    int bad = 0, gaveUp = 0;
    copyBytes(&bad, wrong, 4);
    copyBytes(&gaveUp, error, 4);
    std::string check = "ok";
    if (gaveUp != 0) check = gaveUp == 1 ? "THE PRODUCER WAITED IN VAIN" : "CONSUMERS WAITED IN VAIN";
    else if (bad != 0) check = "WRONG row " + std::to_string(bad - 1) + " of " + std::to_string(graph.degree(bad - 1)) + " edges";
    right = right && check == "ok";
    double ms = measured && check == "ok" ? median(work) : NAN;
    if (form[0] == 'a') streamedMs[weighted] = ms;
    if (measured || check != "ok") {
      std::printf("%-12s %-9s %-34s %6d %9.4f %8.0f %6.3f  %s\n", graph.name.c_str(), weighted ? "weighted" : "plain", form.c_str(), held, ms,
                  bytes(weighted) / ms / 1e6, streamedMs[weighted] / ms, check.c_str());
      std::fflush(stdout);
    }
    if (gaveUp != 0) fail("stopped: " + graph.name + " " + form);
  }

  double median(const std::function<void()>& work) {
#ifdef EMULATE
    return NAN;
#else
    cudaEvent_t begin, end;
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    std::vector<float> times;
    for (int i = 0; i < 18; i++) {
      CUDA(cudaMemsetAsync(taken, 0, 4));
      CUDA(cudaEventRecord(begin));
      work();
      CUDA(cudaEventRecord(end));
      CUDA(cudaEventSynchronize(end));
      float ms = 0;
      CUDA(cudaEventElapsedTime(&ms, begin, end));
      if (i >= 3) times.push_back(ms);
    }
    CUDA(cudaEventDestroy(begin));
    CUDA(cudaEventDestroy(end));
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
#endif
  }

  template <bool W>
  void streamed() {
    std::vector<int> hub, begin, end, first;
    cut(kChunkEdges, hub, begin, end, first);
    int *dHub = upload(hub), *dBegin = upload(begin), *dEnd = upload(end), *dFirst = upload(first);
    float* partials = upload(std::vector<float>(hub.size(), 0));
    const long perWord = std::max(1l, 32l * graph.edges() / graph.rows);
    int pieceWords = 1;
    while (pieceWords * 2 <= std::min(1024l, kPieceEdges / perWord)) pieceWords *= 2;
    const Streamed work{dHub, dBegin, dEnd, static_cast<int>(hub.size()), pieceWords};
    rows.hubFirst = dFirst;
    rows.partials = partials;
    // As the engine launches: all that threads' slots would hold, or as many as there are rows.
    const int blocks = std::min(8 * multiprocessors(), (graph.rows + kBlock - 1) / kBlock);
    if (hubs.empty()) {
      report("a streamed", W, held(streamedKernel<W, false>, kBlock, 0), [&] { launch(blocks, kBlock, 0, streamedKernel<W, false>, rows, work); });
    } else {
      report("a streamed, hubs in chunks", W, held(streamedKernel<W, true>, kBlock, 0), [&] { launch(blocks, kBlock, 0, streamedKernel<W, true>, rows, work); });
    }
    for (void* p : std::initializer_list<void*>{dHub, dBegin, dEnd, dFirst, partials}) release(p);
  }

  template <class... P>
  int held(void (*kernel)(P...), int threads, size_t shared) {
#ifdef EMULATE
    return 2;
#else
    if (shared > 0) {
      CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
    }
    int blocks = 0;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
    if (blocks < 1) fail("a kernel does not fit the device");
    if (shared > 0) {
      // As much shared memory as these blocks need, and no more: the rest caches x.
      int room = 0;
      CUDA(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
      const long percent = (100l * blocks * static_cast<long>(shared + 1024) + room - 1) / room;
      CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, static_cast<int>(std::min(100l, percent))));
    }
    return blocks;
#endif
  }

  template <int C>
  void tilesOf(int most, const std::vector<int>& hub, const std::vector<int>& begin, const std::vector<int>& end, std::vector<Tile>& tiles,
               std::vector<Split<C>>& splits) const {
    for (size_t c = 0; c < hub.size(); c++) {
      tiles.push_back({~static_cast<int>(c), hub[c], begin[c], end[c] - begin[c]});
      splits.push_back({});
    }
    for (int v = 0; v < graph.rows;) {
      int behind = v;
      while (behind < graph.rows && behind - v < 32 * C && graph.degree(behind) <= kHubDegree && graph.offsets[behind + 1] - graph.offsets[v] <= most) {
        behind++;
      }
      if (behind == v) {
        v++;  // a long row
        continue;
      }
      // A row costs a little besides its edges.
      Split<C> split{};
      const long all = graph.offsets[behind] - graph.offsets[v] + (behind - v);
      for (int w = 0, row = v; w <= C; w++) {
        const long wanted = all * w / C;
        while (row < behind && graph.offsets[row] - graph.offsets[v] + (row - v) < wanted) row++;
        split.from[w] = static_cast<uint16_t>(row - v);
      }
      tiles.push_back({behind - v, v, graph.offsets[v], graph.offsets[behind] - graph.offsets[v]});
      splits.push_back(split);
      v = behind;
    }
  }

  template <bool W, int C, int D, int S>
  void producer(std::initializer_list<int> givings) {
    static_assert(S >= kHubDegree);
    std::vector<int> hub, begin, end, first;
    cut(S, hub, begin, end, first);
    std::vector<Tile> tiles;
    std::vector<Split<C>> splits;
    tilesOf<C>(S, hub, begin, end, tiles, splits);
    int* dFirst = upload(first);
    float* partials = upload(std::vector<float>(C * hub.size(), 0));
    Tile* dTiles = upload(tiles);
    Split<C>* dSplits = upload(splits);
    rows.hubFirst = dFirst;
    rows.partials = partials;
    const size_t shared = sizeof(Ring<W, C, D, S>);
    const int holds = held(producerKernel<W, C, D, S>, 32 * (C + 1), shared);
    const int count = static_cast<int>(tiles.size());
    for (int giving : givings) {
      const Tiles<C> work{dTiles, dSplits, count, giving};
      const int blocks = giving == kBatched ? (count + kBatch - 1) / kBatch : std::min(count, holds * multiprocessors());
      const char* names[] = {"stride", "taken", "batch"};
      char form[64];
      std::snprintf(form, sizeof form, "b producer C=%d D=%d S=%d %s", C, D, S, names[giving]);
      report(form, W, holds, [&] { launch(blocks, 32 * (C + 1), shared, producerKernel<W, C, D, S>, rows, work, error); });
    }
    for (void* p : std::initializer_list<void*>{dFirst, partials, dTiles, dSplits}) release(p);
  }

  template <bool W>
  void study() {
    streamed<W>();
    producer<W, 8, 2, 2048>({kStride, kTaken, kBatched});
    producer<W, 8, 3, 2048>({kStride, kTaken, kBatched});
    producer<W, 8, 4, 2048>({kStride, kTaken, kBatched});
    producer<W, 8, 2, 1024>({kStride, kTaken});
    producer<W, 8, 3, 1024>({kStride, kTaken});
    producer<W, 8, 4, 1024>({kStride, kTaken});
    producer<W, 8, 2, 4096>({kStride, kTaken});
    producer<W, 8, 3, 4096>({kStride, kTaken});
    producer<W, 4, 2, 1024>({kStride, kTaken});
    producer<W, 4, 3, 1024>({kStride, kTaken});
    producer<W, 4, 4, 1024>({kStride, kTaken});
    producer<W, 4, 3, 2048>({kStride, kTaken});
    producer<W, 12, 3, 2048>({kStride, kTaken});
    producer<W, 16, 2, 4096>({kStride, kTaken});
    producer<W, 16, 3, 4096>({kStride, kTaken});
    // Once more: what the first one's difference from itself is.
    streamed<W>();
  }
};

bool study(const Graph& graph, bool measured) {
  int largest = 0, empty = 0;
  for (int v = 0; v < graph.rows; v++) {
    largest = std::max(largest, graph.degree(v));
    empty += graph.degree(v) == 0;
  }
  Problem problem(graph, measured);
  std::printf("# %s: %d rows (%d empty), %d edges, longest row %d, %zu rows in chunks\n", graph.name.c_str(), graph.rows, empty, graph.edges(), largest,
              problem.hubs.size());
  std::fflush(stdout);
  problem.study<false>();
  problem.study<true>();
  std::printf("# %s: %s\n", graph.name.c_str(), problem.right ? "all right" : "SOMETHING IS WRONG");
  return problem.right;
}

}  // namespace

int main(int argc, char** argv) {
#ifndef EMULATE
  cudaDeviceProp device;
  CUDA(cudaGetDeviceProperties(&device, 0));
  if (device.major < 9) fail("bulk copies need a device of compute capability 9.0 or more");
  std::printf("# %s, %d multiprocessors\n", device.name, device.multiProcessorCount);
#endif
  bool right = true;
  if (argc > 1 && std::strcmp(argv[1], "--check") == 0) {
    right &= study(degrees("mixed", kEmulated ? 200 : 30000, {0, 1, 31, 32, 33, 3, 1000, 5, 1024, 0, 0, 2, 1025, 7, 128, 129}), false);
    right &= study(degrees("empty", 5000, {0}), false);
    right &= study(degrees("one", 1, {5}), false);
    right &= study(degrees("hubs", 3, {100000, 2049, 4096}), false);
    std::vector<int> sparse(700, 0);
    sparse[650] = 100000;
    sparse[699] = 1;
    right &= study(degrees("gaps", 1400, sparse), false);
    right &= study(rmat(kEmulated ? 9 : 14), false);
    right &= study(lattice(kEmulated ? 61 : 1001), false);
  } else {
    const int scale = argc > 1 ? std::atoi(argv[1]) : 22;
    const int side = argc > 2 ? std::atoi(argv[2]) : 4096;
    if (scale < 0 || scale > 26 || side < 0 || side > 16384 || (scale == 0 && side == 0)) {
      fail("usage: producer_warp --check | producer_warp [SCALE up to 26 [SIDE up to 16384]]");
    }
    std::printf("%-12s %-9s %-34s %6s %9s %8s %6s  check\n", "# graph", "edges", "form", "blocks", "ms", "GB/s", "a/");
    if (scale > 0) right &= study(rmat(scale), true);
    if (side > 0) right &= study(lattice(side), true);
  }
  std::printf("# %s\n", right ? "all right" : "SOMETHING IS WRONG");
  return right ? 0 : 1;
}
