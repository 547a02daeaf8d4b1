// A study: in which shape should a warp sum its rows' neighbours' vectors? y[v] = sum of x[u] over the
// in-edges u -> v, x of K floats per vertex (K is fixed when the kernel is compiled, as it is in the
// engine's generated kernels), every vertex, an R-MAT graph. Shapes:
//   a  soa      lanes own edges, K columns (x[f * n + u]); rows of up to 32 edges by a thread, others by a warp
//   b  onyx     a warp owns 32 rows: prefix sums of degrees, a lane searches the owner of one edge, then K lanes
//               per edge walk the batch (ONYX, with the guards that k which do not divide 32 need)
//   c  rows     T lanes per row, G lanes per edge, V floats per load, U gathers under way; the T / G parts are
//               merged by shuffles. ids: d = every lane loads the ids it needs, c = T ids at once, handed round by
//               shuffles, p = the same with the next T ids loaded ahead. Rows of more than C edges are cut into pieces of
//               at most C, merged by a second pass in a fixed order. nat = rows in their order, deg = by degree
//   d  a warp owns 32 rows, takes those that have edges 32 / T at a time, and loads the ids of the next ones ahead
//   e  edges    a group of G lanes takes S consecutive edges whatever their rows; rows that cross a border are
//               merged by a second pass in a fixed order
// All sums are deterministic but b's. Bounds, measured in the same run:
//   flat        c's loads of ids and vectors in the order of the edges, rows ignored
//   flat + y    the same, and as many rows written as there are: all bytes that a sum over rows has to move but the offsets
//   random      rows of 4 K bytes at random places of 16 MiB (l2), of x's size, of 2 GiB (dram); no ids
//   copy        bytes read and written by a copy
// Columns: ms = median of 11; GB/s = edges * (4 K + 4) / ms: the bytes that are asked for; of flat = flat's ms / ms;
// check = every element against a plain kernel in doubles, whose rows are compared with the processor's on samples.
// B = blocks a multiprocessor is to hold, a bound on registers. Fields behind "h": 0 = plain loads, 1 = ids and y streamed, 2 = and x kept in L2 (evict last), 3 = and x not in L1.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -DK=16 -o feature_sum_16 feature_sum.cu
//   ./feature_sum_16 [SCALE [EDGE_FACTOR [CACHE_FILE]]]      BOUNDS_ONLY=1 leaves the shapes out
//
// Without a device the indices can be tried (a lane is a fiber): g++ -O1 -std=c++17 -x c++ -DK=16 -DEMULATE
// feature_sum.cu, then with a scale of 8.

#include <algorithm>
#include <atomic>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#ifndef K
#define K 16
#endif

#ifdef EMULATE
#include <ucontext.h>
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
struct Place3 { unsigned x = 0, y = 0, z = 0; };
static Place3 threadIdx, blockIdx, blockDim, gridDim;
static std::vector<char> sharedMemory(1 << 18);
namespace emulation {
// One warp at a time: 32 fibers that meet at every collective.
struct Lane { ucontext_t context; std::vector<char> stack; bool done; };
static Lane lanes[32];
static ucontext_t scheduler;
static int current;
static uint32_t exchanged[2][32];
static int parity[32];
static std::function<void()> body;
static unsigned warpBase;
static void entry() { body(); lanes[current].done = true; swapcontext(&lanes[current].context, &scheduler); }
static void meet() { int me = current; swapcontext(&lanes[me].context, &scheduler); }
static void warp(unsigned base) {
  warpBase = base;
  for (int l = 0; l < 32; l++) {
    Lane& lane = lanes[l];
    lane.stack.resize(1 << 17);
    lane.done = false;
    parity[l] = 0;
    getcontext(&lane.context);
    lane.context.uc_stack.ss_sp = lane.stack.data();
    lane.context.uc_stack.ss_size = lane.stack.size();
    lane.context.uc_link = nullptr;
    makecontext(&lane.context, entry, 0);
  }
  for (bool any = true; any;) {
    any = false;
    int finished = 0;
    for (int l = 0; l < 32; l++) {
      if (!lanes[l].done) {
        current = l;
        threadIdx.x = warpBase + l;
        swapcontext(&scheduler, &lanes[l].context);
      }
      if (lanes[l].done) finished++; else any = true;
    }
    if (finished != 0 && finished != 32) { std::printf("EMULATION: lanes left before a collective\n"); std::exit(1); }
  }
}
template <class T> T exchange(T value, int from) {
  static_assert(sizeof(T) == 4);
  int me = current, p = parity[me];
  parity[me] ^= 1;
  std::memcpy(&exchanged[p][me], &value, 4);
  meet();
  T result;
  std::memcpy(&result, &exchanged[p][from], 4);
  return result;
}
}  // namespace emulation
template <class T> T __shfl_sync(unsigned, T v, int from, int width = 32) {
  return emulation::exchange(v, (emulation::current & ~(width - 1)) | (from & (width - 1)));
}
template <class T> T __shfl_xor_sync(unsigned, T v, int d) { return emulation::exchange(v, emulation::current ^ d); }
template <class T> T __shfl_up_sync(unsigned, T v, int d) {
  return emulation::exchange(v, emulation::current >= d ? emulation::current - d : emulation::current);
}
static int __reduce_max_sync(unsigned, int v) {
  for (int d = 1; d < 32; d *= 2) v = std::max(v, __shfl_xor_sync(~0u, v, d));
  return v;
}
static unsigned __ballot_sync(unsigned, bool v) {
  unsigned all = 0;
  for (int l = 0; l < 32; l++) all |= static_cast<unsigned>(__shfl_sync(~0u, static_cast<int>(v), l)) << l;
  return all;
}
static int __popc(unsigned v) { return __builtin_popcount(v); }
static void __syncwarp() { __shfl_sync(~0u, 0, 0); }
static void atomicAdd(float* p, float v) { *p += v; }
static float* sharedFloats() { return reinterpret_cast<float*>(sharedMemory.data()); }
typedef int Status;
#define CUDA(call) call
template <class T> void allocate(T** p, size_t bytes) { *p = static_cast<T*>(std::aligned_alloc(256, (bytes + 511) / 256 * 256)); }
static void copyBytes(void* to, const void* from, size_t bytes) { std::memcpy(to, from, bytes); }
static void setBytes(void* to, int value, size_t bytes) { std::memset(to, value, bytes); }
static void release(void* p) { std::free(p); }
template <class... P, class... A>
void launch(long blocks, int threads, size_t, void (*kernel)(P...), A... args) {
  gridDim.x = blocks;
  blockDim.x = threads;
  emulation::body = [=] { kernel(args...); };
  for (long b = 0; b < blocks; b++) {
    blockIdx.x = b;
    for (int w = 0; w < threads; w += 32) emulation::warp(w);
  }
}
#else
#include <cuda_runtime.h>
#define CUDA(call)                                                                    \
  do {                                                                                \
    cudaError_t status_ = (call);                                                     \
    if (status_ != cudaSuccess) {                                                     \
      std::printf("%s: %s\n", #call, cudaGetErrorString(status_));                    \
      std::exit(1);                                                                   \
    }                                                                                 \
  } while (0)
template <class T> void allocate(T** p, size_t bytes) { CUDA(cudaMalloc(p, bytes + 256)); }
static void copyBytes(void* to, const void* from, size_t bytes) { CUDA(cudaMemcpy(to, from, bytes, cudaMemcpyDefault)); }
static void setBytes(void* to, int value, size_t bytes) { CUDA(cudaMemset(to, value, bytes)); }
static void release(void* p) { CUDA(cudaFree(p)); }
__device__ __forceinline__ float* sharedFloats() { extern __shared__ float room[]; return room; }
template <class... P, class... A>
void launch(long blocks, int threads, size_t shared, void (*kernel)(P...), A... args) {
  if (shared > 48 * 1024) {
    CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  }
  kernel<<<static_cast<unsigned>(blocks), threads, shared>>>(args...);
  CUDA(cudaGetLastError());
}
#endif

namespace {

constexpr unsigned kAll = ~0u;
constexpr int kThreads = 256;

constexpr int powerAbove(int v) { int p = 1; while (p < v) p *= 2; return p; }
constexpr int roundUp(int v, int to) { return (v + to - 1) / to * to; }

// Padded rows: whole 16-byte words from three floats on.
constexpr int kWide = K >= 3 ? 4 : K;
constexpr int kPadded = roundUp(K, kWide);
// Lanes that hold a padded row with one load each.
constexpr int kLanes = std::min(32, powerAbove((K + kWide - 1) / kWide));

// Lanes' vectors of one batch in floats -> blocks that a multiprocessor should hold. Without such a bound ptxas takes 32 registers for
// full occupancy and puts the loads of a batch one behind the other; seen with nvcc 13.0.
constexpr int blocksOf(int floats) { return floats <= 8 ? 8 : floats <= 16 ? 5 : floats <= 32 ? 4 : floats <= 64 ? 2 : 1; }
constexpr int vectorsOf(int v, int g) { return ((K + v - 1) / v + g - 1) / g; }

// ---- loads ------------------------------------------------------------------------------------------

template <int V> struct alignas(4 * V) Floats { float f[V]; };

#ifdef EMULATE
typedef int Policy;
Policy keepPolicy() { return 0; }
template <int V, int H> void loadIf(Floats<V>& v, const float* p, bool ok, Policy) { if (ok) v = *reinterpret_cast<const Floats<V>*>(p); }
template <int V, int H> void store(float* p, Floats<V> v) { *reinterpret_cast<Floats<V>*>(p) = v; }
template <int H> int loadId(const int* p, bool ok) { return ok ? *p : -1; }
float loadWeight(const float* p, bool ok) { return ok ? *p : 1.0f; }
#else
typedef unsigned long long Policy;
__device__ __forceinline__ Policy keepPolicy() {
  Policy policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
// Loads under a predicate, no branches: only so does the compiler keep several of them under way. 
#define LOAD_IF(modifiers, policy4, policy2, policy1)                                                                       \
  if constexpr (V == 4) {                                                                                                   \
    asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %5, 0;\n@p ld.global.nc" modifiers ".v4.f32 {%0, %1, %2, %3}, [%4]" policy4 ";\n}" \
        : "+f"(v.f[0]), "+f"(v.f[V > 1 ? 1 : 0]), "+f"(v.f[V > 2 ? 2 : 0]), "+f"(v.f[V > 3 ? 3 : 0])                         \
        : "l"(p), "r"(static_cast<int>(ok)), "l"(policy));                                                                  \
  } else if constexpr (V == 2) {                                                                                            \
    asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %3, 0;\n@p ld.global.nc" modifiers ".v2.f32 {%0, %1}, [%2]" policy2 ";\n}"         \
        : "+f"(v.f[0]), "+f"(v.f[V > 1 ? 1 : 0]) : "l"(p), "r"(static_cast<int>(ok)), "l"(policy));                         \
  } else {                                                                                                                  \
    asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %2, 0;\n@p ld.global.nc" modifiers ".f32 %0, [%1]" policy1 ";\n}"                  \
        : "+f"(v.f[0]) : "l"(p), "r"(static_cast<int>(ok)), "l"(policy));                                                   \
  }
template <int V, int H>
__device__ __forceinline__ void loadIf(Floats<V>& v, const float* p, bool ok, Policy policy) {
  if constexpr (H <= 1) {
    LOAD_IF("", "", "", "")
  } else if constexpr (H == 2) {
    LOAD_IF(".L2::cache_hint", ", %6", ", %4", ", %3")
  } else {
    LOAD_IF(".L1::no_allocate.L2::cache_hint", ", %6", ", %4", ", %3")
  }
}
template <int V, int H>
__device__ __forceinline__ void store(float* p, Floats<V> v) {
  if constexpr (H == 0) {
    *reinterpret_cast<Floats<V>*>(p) = v;
  } else if constexpr (V == 4) {
    __stcs(reinterpret_cast<float4*>(p), make_float4(v.f[0], v.f[1], v.f[2], v.f[3]));
  } else if constexpr (V == 2) {
    __stcs(reinterpret_cast<float2*>(p), make_float2(v.f[0], v.f[1]));
  } else {
    __stcs(p, v.f[0]);
  }
}
// -1 where there is none.
template <int H>
__device__ __forceinline__ int loadId(const int* p, bool ok) {
  int id = -1;
  if constexpr (H == 0) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %2, 0;\n@p ld.global.nc.s32 %0, [%1];\n}" : "+r"(id) : "l"(p), "r"(static_cast<int>(ok)));
  } else {
    asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %2, 0;\n@p ld.global.cs.s32 %0, [%1];\n}" : "+r"(id) : "l"(p), "r"(static_cast<int>(ok)));
  }
  return id;
}
__device__ __forceinline__ float loadWeight(const float* p, bool ok) {
  float weight = 1;
  asm volatile("{\n.reg .pred p;\nsetp.ne.s32 p, %2, 0;\n@p ld.global.cs.f32 %0, [%1];\n}" : "+f"(weight) : "l"(p), "r"(static_cast<int>(ok)));
  return weight;
}
#endif

struct Sum {
  static constexpr bool sum = true;
  __device__ static float none() { return 0.0f; }
  __device__ static float merge(float a, float b) { return a + b; }
};
struct Max {
  static constexpr bool sum = false;
  __device__ static float none() { return -1e30f; }
  __device__ static float merge(float a, float b) { return a > b ? a : b; }
};

template <class Op, int V, int R> __device__ __forceinline__ void reset(Floats<V> (&acc)[R]) {
#pragma unroll
  for (int r = 0; r < R; r++) {
#pragma unroll
    for (int i = 0; i < V; i++) acc[r].f[i] = Op::none();
  }
}
template <class Op, int V, int R>
__device__ __forceinline__ void take(Floats<V> (&acc)[R], const Floats<V> (&value)[R]) {
#pragma unroll
  for (int r = 0; r < R; r++) {
#pragma unroll
    for (int i = 0; i < V; i++) acc[r].f[i] = Op::merge(acc[r].f[i], value[r].f[i]);
  }
}
// Merges over lanes that are From, 2 From, ... To / 2 apart.
template <class Op, int From, int To, int V, int R>
__device__ __forceinline__ void mergeLanes(Floats<V> (&acc)[R]) {
#pragma unroll
  for (int d = From; d < To; d *= 2) {
#pragma unroll
    for (int r = 0; r < R; r++) {
#pragma unroll
      for (int i = 0; i < V; i++) acc[r].f[i] = Op::merge(acc[r].f[i], __shfl_xor_sync(kAll, acc[r].f[i], d));
    }
  }
}
template <class Op, int G, int V, int LD, int H, int R>
__device__ __forceinline__ void gather(Floats<V> (&value)[R], const float* x, int id, int q, float weight, bool weighted, Policy policy) {
  constexpr int words = (K + V - 1) / V;
#pragma unroll
  for (int r = 0; r < R; r++) {
    int word = q + r * G;
#pragma unroll
    for (int i = 0; i < V; i++) value[r].f[i] = Op::none();
    loadIf<V, H>(value[r], x + static_cast<long>(id) * LD + word * V, id >= 0 && word < words, policy);
    if (weighted) {
#pragma unroll
      for (int i = 0; i < V; i++) value[r].f[i] *= weight;
    }
  }
}
template <int G, int V, int LD, int H, int R>
__device__ __forceinline__ void put(float* to, int q, const Floats<V> (&acc)[R]) {
  constexpr int words = (K + V - 1) / V;
#pragma unroll
  for (int r = 0; r < R; r++) {
    if (q + r * G < words) store<V, H>(to + (q + r * G) * V, acc[r]);
  }
}

// ---- c: rows ----------------------------------------------------------------------------------------

// What is to be summed: first `listed` items of lists, then rows 0 .. rows - 1 unless they have more than `cut` edges.
struct Work {
  const int* offsets;
  const int* ids;
  const float* weights;
  const int* begins;
  const int* ends;
  const int* targets;  // row, or ~place of a piece
  int listed;
  int rows;
  int cut;
};

template <int T, int G, int U, int Ids, int V, int LD, int H, class Op, bool W, int B = blocksOf(U* V* vectorsOf(V, G))>
__global__ void __launch_bounds__(kThreads, B) rowsKernel(Work w, const float* x, float* y, float* pieces) {
  static_assert(G <= T && T <= 32 && (Ids == 0 || U <= G));
  constexpr int R = ((K + V - 1) / V + G - 1) / G;
  constexpr int E = T / G;
  const int lane = threadIdx.x & 31;
  const int q = lane % G;
  const int part = lane % T / G;
  const long warp = (static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const long item = warp * (32 / T) + lane / T;
  const Policy policy = keepPolicy();
  int begin = 0, count = 0, target = INT_MIN;
  if (item < w.listed) {
    begin = w.begins[item];
    count = w.ends[item] - begin;
    target = w.targets[item];
  } else if (item < static_cast<long>(w.listed) + w.rows) {
    int row = static_cast<int>(item - w.listed);
    begin = w.offsets[row];
    count = w.offsets[row + 1] - begin;
    target = row;
    if (count > w.cut) {
      count = 0;
      target = INT_MIN;
    }
  }
  Floats<V> acc[R];
  reset<Op>(acc);
  const int* ids = w.ids + begin;
  const float* weights = w.weights + begin;
  if constexpr (Ids == 0) {
    for (int base = part; base < count; base += E * U) {
      int id[U];
      float weight[U];
#pragma unroll
      for (int u = 0; u < U; u++) {
        int p = base + u * E;
        id[u] = loadId<H>(ids + p, p < count);
        weight[u] = W ? loadWeight(weights + p, p < count) : 1.0f;
      }
      Floats<V> value[U][R];
#pragma unroll
      for (int u = 0; u < U; u++) gather<Op, G, V, LD, H>(value[u], x, id[u], q, weight[u], W, policy);
#pragma unroll
      for (int u = 0; u < U; u++) take<Op>(acc, value[u]);
    }
    __syncwarp();
  } else {
    const int most = T == 32 ? count : __reduce_max_sync(kAll, count);
    const int l = lane % T;
    int next = loadId<H>(ids + l, Ids == 2 && l < count);
    float nextWeight = W ? loadWeight(weights + l, Ids == 2 && l < count) : 1.0f;
    for (int base = 0; base < most; base += T) {
      int mine = next;
      float mineWeight = nextWeight;
      int place = base + l + (Ids == 2 ? T : 0);
      next = loadId<H>(ids + place, place < count);
      nextWeight = W ? loadWeight(weights + place, place < count) : 1.0f;
      if (Ids == 1) {
        mine = next;
        mineWeight = nextWeight;
      }
      const int here = most - base < T ? most - base : T;
      for (int t = 0; t < here; t += E * U) {
        Floats<V> value[U][R];
#pragma unroll
        for (int u = 0; u < U; u++) {
          int from = t + u * E + part;
          int id = __shfl_sync(kAll, mine, from, T);
          float weight = W ? __shfl_sync(kAll, mineWeight, from, T) : 1.0f;
          gather<Op, G, V, LD, H>(value[u], x, id, q, weight, W, policy);
        }
#pragma unroll
        for (int u = 0; u < U; u++) take<Op>(acc, value[u]);
      }
    }
  }
  mergeLanes<Op, G, T>(acc);
  if (part == 0 && target != INT_MIN) {
    float* to = target >= 0 ? y + static_cast<size_t>(target) * LD : pieces + static_cast<size_t>(~target) * LD;
    put<G, V, LD, H>(to, q, acc);
  }
}

// ---- d: rows of a warp ------------------------------------------------------------------------------

// A warp owns 32 rows, as the engine's kernels do: their offsets are loaded together, rows without edges are written and left out, the
// others taken 32 / T at a time; the ids of the next ones are loaded before the vectors of these. Rows above cut are left to pieces.
template <int T, int G, int U, int V, int LD, int H, class Op>
__global__ void __launch_bounds__(kThreads, blocksOf(U* V* vectorsOf(V, G))) warpRowsKernel(Work w, const float* x, float* y) {
  static_assert(G <= T && T <= 32 && U <= G);
  constexpr int R = ((K + V - 1) / V + G - 1) / G;
  constexpr int E = T / G;
  constexpr int Rows = 32 / T;
  const int lane = threadIdx.x & 31;
  const int q = lane % G;
  const int part = lane % T / G;
  const int l = lane % T;
  const int sub = lane / T;
  const long first = (static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32 * 32;
  if (first >= w.rows) return;
  const Policy policy = keepPolicy();
  const long v = first + lane;
  int begin = v < w.rows ? w.offsets[v] : 0;
  int count = v < w.rows ? w.offsets[v + 1] - begin : 0;
  const bool mine = v < w.rows && count <= w.cut;
  const unsigned full = __ballot_sync(kAll, mine && count > 0);
  const unsigned empty = __ballot_sync(kAll, mine && count == 0);
  const int rows = __popc(full);
  int* slots = reinterpret_cast<int*>(sharedFloats()) + (threadIdx.x & ~31u);
  if (full >> lane & 1u) slots[__popc(full & ((1u << lane) - 1u))] = lane;
  __syncwarp();
  const int slot = lane < rows ? slots[lane] : 0;
  begin = __shfl_sync(kAll, begin, slot);
  count = __shfl_sync(kAll, count, slot);
  if (lane >= rows) count = 0;
  Floats<V> acc[R];
  reset<Op>(acc);
  for (int s = 0; s < 32; s += 32 / G) {
    int i = s + lane / G;
    if (empty >> i & 1u) put<G, V, LD, H>(y + static_cast<size_t>(first + i) * LD, q, acc);
  }
  int nextBegin = __shfl_sync(kAll, begin, sub);
  int nextCount = __shfl_sync(kAll, count, sub);
  int nextId = loadId<H>(w.ids + nextBegin + l, l < nextCount);
  for (int s = 0; s < rows; s += Rows) {
    const int here = nextBegin;
    const int edges = nextCount;
    int id = nextId;
    const int row = __shfl_sync(kAll, slot, s + sub);
    const int after = (s + Rows + sub) & 31;
    nextBegin = __shfl_sync(kAll, begin, after);
    nextCount = __shfl_sync(kAll, count, after);
    if (s + Rows >= rows) nextCount = 0;
    nextId = loadId<H>(w.ids + nextBegin + l, l < nextCount);
    const int most = T == 32 ? edges : __reduce_max_sync(kAll, edges);
    reset<Op>(acc);
    for (int base = 0; base < most; base += T) {
      int place = base + T + l;
      int ahead = loadId<H>(w.ids + here + place, place < edges);
      const int batch = most - base < T ? most - base : T;
      for (int t = 0; t < batch; t += E * U) {
        Floats<V> value[U][R];
#pragma unroll
        for (int u = 0; u < U; u++) {
          int from = __shfl_sync(kAll, id, t + u * E + part, T);
          gather<Op, G, V, LD, H>(value[u], x, from, q, 1.0f, false, policy);
        }
#pragma unroll
        for (int u = 0; u < U; u++) take<Op>(acc, value[u]);
      }
      id = ahead;
    }
    mergeLanes<Op, G, T>(acc);
    if (part == 0 && edges > 0) put<G, V, LD, H>(y + static_cast<size_t>(first + row) * LD, q, acc);
  }
}

// Merges the pieces first[i] .. last[i] of rows[i], a warp per row. Step 2: pieces of sections, the last one at 2 j, others at 2 j + 1.
template <int G, int V, int LD, class Op, int Step>
__global__ void __launch_bounds__(kThreads, blocksOf(4 * V * vectorsOf(V, G))) finishKernel(int count, const int* rows, const int* first, const int* last, const float* pieces,
                                                         float* y) {
  constexpr int R = ((K + V - 1) / V + G - 1) / G;
  constexpr int E = 32 / G;
  constexpr int U = 4;
  const int lane = threadIdx.x & 31;
  const int q = lane % G;
  const long i = (static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (i >= count) return;
  const int to = last[i];
  Floats<V> acc[R];
  reset<Op>(acc);
  for (int base = first[i] + lane / G; base <= to; base += E * U) {
    Floats<V> value[U][R];
#pragma unroll
    for (int u = 0; u < U; u++) {
      int j = base + u * E;
      int place = j > to ? -1 : Step == 1 ? j : j < to ? 2 * j + 1 : 2 * j;
      gather<Op, G, V, LD, 0>(value[u], pieces, place, q, 1.0f, false, 0);
    }
#pragma unroll
    for (int u = 0; u < U; u++) take<Op>(acc, value[u]);
  }
  __syncwarp();
  mergeLanes<Op, G, 32>(acc);
  if (lane < G) put<G, V, LD, 0>(y + static_cast<size_t>(rows[i]) * LD, q, acc);
}

// ---- e: edges ---------------------------------------------------------------------------------------

// offsets has two more entries behind its end, ids are padded to whole sections.
template <int G, int U, int V, int LD, int H, class Op>
__global__ void __launch_bounds__(kThreads, blocksOf(U* V* vectorsOf(V, G))) sectionsKernel(int n, int m, int size, const int* offsets, const int* ids, const int* sectionRows,
                                                           const float* x, float* y, float* pieces) {
  constexpr int R = ((K + V - 1) / V + G - 1) / G;
  const long thread = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long section = thread / G;
  const int q = static_cast<int>(thread % G);
  const long from = section * size;
  if (from >= m) return;
  const int begin = static_cast<int>(from);
  const int end = m - begin < size ? m : begin + size;
  const Policy policy = keepPolicy();
  int row = sectionRows[section];
  bool open = offsets[row] < begin;
  int rowEnd = offsets[row + 1];
  int nextEnd = offsets[row + 2];
  Floats<V> acc[R];
  reset<Op>(acc);
  auto close = [&] {
    put<G, V, LD, H>(open ? pieces + static_cast<size_t>(2 * section) * LD : y + static_cast<size_t>(row) * LD, q, acc);
    open = false;
    reset<Op>(acc);
    row++;
    rowEnd = nextEnd;
    nextEnd = offsets[row + 2 <= n ? row + 2 : n];
  };
  for (int base = begin; base < end; base += U) {
    int id[U];
#pragma unroll
    for (int u = 0; u < U; u++) id[u] = loadId<0>(ids + base + u, base + u < end);
    Floats<V> value[U][R];
#pragma unroll
    for (int u = 0; u < U; u++) gather<Op, G, V, LD, H>(value[u], x, id[u], q, 1.0f, false, policy);
#pragma unroll
    for (int u = 0; u < U; u++) {
      if (base + u < end) {
        while (rowEnd == base + u) close();
        take<Op>(acc, value[u]);
      }
    }
  }
  while (row < n && rowEnd == end) close();
  if (row < n && offsets[row] < end) {
    put<G, V, LD, H>(pieces + static_cast<size_t>(2 * section + 1) * LD, q, acc);
  }
}

// ---- b: onyx ----------------------------------------------------------------------------------------

constexpr int kOnyxThreads = 128;

// Sums only. Rows of more than cut edges are left to the pieces. K > 32: a warp per edge, several features a lane.
__global__ void __launch_bounds__(kOnyxThreads) onyxKernel(int n, int cut, const int* offsets, const int* ids, const float* x, float* y) {
  constexpr int G = K <= 32 ? 32 / K : 1;
  constexpr int R = (K + 31) / 32;
  constexpr int P = K <= 32 ? K : 32;
  const int lane = threadIdx.x & 31;
  const long warp = (static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const long v = warp * 32 + lane;
  float* sums = sharedFloats() + static_cast<size_t>(threadIdx.x / 32) * 32 * K;
  for (int i = lane; i < 32 * K; i += 32) sums[i] = 0;
  int begin = v < n ? offsets[v] : 0;
  int degree = v < n ? offsets[v + 1] - begin : 0;
  const bool mine = v < n && degree <= cut;
  if (!mine) degree = 0;
  int scan = degree;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(kAll, scan, d);
    if (lane >= d) scan += other;
  }
  const int total = __shfl_sync(kAll, scan, 31);
  scan -= degree;
  __syncwarp();
  int owner = -1;
  float acc[R];
#pragma unroll
  for (int r = 0; r < R; r++) acc[r] = 0;
  auto flush = [&] {
    if (owner >= 0) {
#pragma unroll
      for (int r = 0; r < R; r++) {
        int f = lane % P + 32 * r;
        // Groups that end the same row together meet here.
        if (f < K) atomicAdd(sums + owner * K + f, acc[r]);
        acc[r] = 0;
      }
    }
  };
  for (int base = 0; base < total; base += 32) {
    int e = base + lane;
    int slot = 0;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) {
      int there = __shfl_sync(kAll, scan, slot + d);
      if (there <= e) slot += d;
    }
    int at = __shfl_sync(kAll, begin, slot) + e - __shfl_sync(kAll, scan, slot);
    int id = loadId<0>(ids + at, e < total);
    int here = total - base < 32 ? total - base : 32;
    for (int t = 0; t * G < here; t++) {
      int j = t * G + lane / P;
      bool ok = lane < G * P && j < here;
      int u = __shfl_sync(kAll, id, ok ? j : 0);
      int s = __shfl_sync(kAll, slot, ok ? j : 0);
      if (ok) {
        if (s != owner) {
          flush();
          owner = s;
        }
#pragma unroll
        for (int r = 0; r < R; r++) {
          int f = lane % P + 32 * r;
          Floats<1> value = {0.0f};
          loadIf<1, 0>(value, x + static_cast<size_t>(u) * K + f, f < K, 0);
          acc[r] += value.f[0];
        }
      }
    }
  }
  flush();
  __syncwarp();
  const long first = warp * 32;
  for (int s = 0; s < 32; s++) {
    bool writes = __shfl_sync(kAll, static_cast<int>(mine), s) != 0;
    for (int f = lane; f < K && writes; f += 32) y[(first + s) * K + f] = sums[s * K + f];
  }
}

// ---- a: columns -------------------------------------------------------------------------------------

constexpr int kTile = K < 32 ? K : 32;

// Features [tile * 32, ...) of all rows. A thread per row of up to 32 edges, a warp for each longer one; rows above cut are left to the
// pieces, items [0, listed) of w, a warp each.
__global__ void __launch_bounds__(kThreads) columnsKernel(Work w, int tiles, const float* x, float* y, float* pieces, long pieceCount) {
  const int lane = threadIdx.x & 31;
  const long all = (static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  const long warpsPerTile = w.listed + (w.rows + 31) / 32;
  const int tile = static_cast<int>(all / warpsPerTile);
  if (tile >= tiles) return;
  const long warp = all % warpsPerTile;
  const size_t n = w.rows;
  const float* columns = x + static_cast<size_t>(tile) * kTile * n;
  const int width = K - tile * kTile < kTile ? K - tile * kTile : kTile;
  float acc[kTile];
  auto sum = [&](int begin, int end, int step) {
#pragma unroll
    for (int f = 0; f < kTile; f++) acc[f] = 0;
    for (int e = begin; e < end; e += step) {
      int u = loadId<0>(w.ids + e, true);
#pragma unroll
      for (int f = 0; f < kTile; f++) {
        Floats<1> value = {0.0f};
        loadIf<1, 0>(value, columns + f * n + u, f < width, 0);
        acc[f] += value.f[0];
      }
    }
  };
  auto together = [&](int begin, int end, float* to, size_t stride) {
    sum(begin + lane, end, 32);
    __syncwarp();
#pragma unroll
    for (int f = 0; f < kTile; f++) {
      for (int d = 16; d > 0; d /= 2) acc[f] += __shfl_xor_sync(kAll, acc[f], d);
      if (lane == 0 && f < width) to[f * stride] = acc[f];
    }
  };
  if (warp < w.listed) {
    together(w.begins[warp], w.ends[warp], pieces + ~w.targets[warp] + static_cast<size_t>(tile) * kTile * pieceCount, pieceCount);
    return;
  }
  const long v = (warp - w.listed) * 32 + lane;
  int begin = v < w.rows ? w.offsets[v] : 0;
  int end = v < w.rows ? w.offsets[v + 1] : 0;
  const int count = end - begin;
  float* out = y + static_cast<size_t>(tile) * kTile * n;
  if (v < w.rows && count <= 32) {
    sum(begin, end, 1);
#pragma unroll
    for (int f = 0; f < kTile; f++) {
      if (f < width) out[f * n + v] = acc[f];
    }
  }
  __syncwarp();
  for (int s = 0; s < 32; s++) {
    int there = __shfl_sync(kAll, count, s);
    int from = __shfl_sync(kAll, begin, s);
    if (there > 32 && there <= w.cut) together(from, from + there, out + (warp - w.listed) * 32 + s, n);
  }
}

// Merges pieces of columns: a thread per row and feature.
__global__ void finishColumnsKernel(int count, int n, const int* rows, const int* first, const int* last, const float* pieces,
                                    long pieceCount, float* y) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<long>(count) * K) return;
  const int row = static_cast<int>(i % count);
  const size_t f = i / count;
  float sum = 0;
  for (int j = first[row]; j <= last[row]; j++) sum += pieces[f * pieceCount + j];
  y[f * n + rows[row]] = sum;
}

// ---- bounds -----------------------------------------------------------------------------------------

// Random: ids are hashes below mask + 1. Else those of the edges, in their order.
template <bool Random, int G, int U, int V, int LD>
__global__ void __launch_bounds__(kThreads, blocksOf(U* V* vectorsOf(V, G))) flatKernel(long m, const int* ids, unsigned mask, const float* x, float* out,
                                                                                        long rows) {
  constexpr int R = ((K + V - 1) / V + G - 1) / G;
  constexpr int E = 32 / G;
  const int lane = threadIdx.x & 31;
  const long thread = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long warps = static_cast<long>(gridDim.x) * blockDim.x / 32;
  Floats<V> acc[R];
  reset<Sum>(acc);
  for (long base = thread / 32 * (E * U) + lane / G; base < m; base += warps * (E * U)) {
    int id[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
      long p = base + u * E;
      if (Random) {
        unsigned h = static_cast<unsigned>(p) * 2654435769u;
        h ^= h >> 15;
        h *= 2246822519u;
        h ^= h >> 13;
        id[u] = p < m ? static_cast<int>(h & mask) : -1;
      } else {
        id[u] = loadId<1>(ids + p, p < m);
      }
    }
    Floats<V> value[U][R];
#pragma unroll
    for (int u = 0; u < U; u++) gather<Sum, G, V, LD, 0>(value[u], x, id[u], lane % G, 1.0f, false, 0);
#pragma unroll
    for (int u = 0; u < U; u++) take<Sum>(acc, value[u]);
  }
  put<G, V, LD, 0>(out + static_cast<size_t>(thread / G) * LD, lane % G, acc);
  for (long row = thread / G; row < rows; row += warps * 32 / G) put<G, V, LD, 1>(out + static_cast<size_t>(row) * LD, lane % G, acc);
}

// ---- references -------------------------------------------------------------------------------------

// Exact in floats' 24 bits, between 0.5 and 1.5.
__host__ __device__ inline float valueOf(int v, int f) {
  unsigned h = (static_cast<unsigned>(v) * K + f) * 2654435769u;
  h ^= h >> 16;
  h *= 2246822519u;
  return 0.5f + (h >> 9) / 8388608.0f;
}
__host__ __device__ inline float weightOf(long e) { return 0.25f * (1 + (static_cast<unsigned>(e) * 2654435769u >> 30)); }

__global__ void fillKernel(long n, int ld, bool columns, float* x) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n * ld) return;
  int v = static_cast<int>(columns ? i % n : i / ld);
  int f = static_cast<int>(columns ? i / n : i % ld);
  x[i] = f < K ? valueOf(v, f) : 0;
}
// Kind: 0 sum, 1 max, 2 weighted sum.
__global__ void referenceKernel(int n, int kind, const int* offsets, const int* ids, double* y) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<long>(n) * K) return;
  const int v = static_cast<int>(i / K), f = static_cast<int>(i % K);
  double sum = kind == 1 ? -1e30f : 0;
  for (int e = offsets[v]; e < offsets[v + 1]; e++) {
    double value = valueOf(ids[e], f);
    if (kind == 1) sum = sum > value ? sum : value;
    else sum += kind == 2 ? value * weightOf(e) : value;
  }
  y[i] = sum;
}
__global__ void compareKernel(long n, int ld, bool columns, const float* y, const double* want, int* wrong) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n * K) return;
  const long v = i / K, f = i % K;
  double have = columns ? y[f * n + v] : y[v * ld + f];
  double error = have - want[i], size = want[i] < 0 ? -want[i] : want[i];
  if (error < 0) error = -error;
  if (!(error <= 1e-4 * size)) *wrong = static_cast<int>(v) + 1;
}

// ---- host -------------------------------------------------------------------------------------------

uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
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

struct Graph { int n; int m; std::vector<int> offsets, ids; };

// R-MAT, a = 0.57, b = c = 0.19, ids scrambled; the in-edges of each vertex in the order of their sources.
Graph generate(int scale, int factor) {
  Graph g;
  g.n = 1 << scale;
  g.m = g.n * factor;
  std::vector<uint32_t> from(g.m), to(g.m);
  inParallel(g.m, [&](long begin, long end) {
    for (long i = begin; i < end; i++) {
      uint32_t x = 0, y = 0;
      uint64_t h = mix(i * 2 + 1);
      for (int b = 0; b < scale; b++) {
        if (b % 3 == 0) h = mix(h);
        double r = (h >> (21 * (b % 3)) & 0x1fffff) / static_cast<double>(1 << 21);
        bool low = r >= 0.76, right = (r >= 0.57 && r < 0.76) || r >= 0.95;
        x |= static_cast<uint32_t>(low) << b;
        y |= static_cast<uint32_t>(right) << b;
      }
      from[i] = (x * 0x9E3779B1u + 12345) & (g.n - 1);
      to[i] = (y * 0x9E3779B1u + 12345) & (g.n - 1);
    }
  });
  g.offsets.assign(g.n + 1, 0);
  for (int i = 0; i < g.m; i++) g.offsets[to[i] + 1]++;
  for (int v = 0; v < g.n; v++) g.offsets[v + 1] += g.offsets[v];
  std::vector<int> next(g.offsets.begin(), g.offsets.end() - 1);
  g.ids.resize(g.m);
  for (int i = 0; i < g.m; i++) g.ids[next[to[i]]++] = from[i];
  inParallel(g.n, [&](long begin, long end) {
    for (long v = begin; v < end; v++) std::sort(g.ids.begin() + g.offsets[v], g.ids.begin() + g.offsets[v + 1]);
  });
  return g;
}
Graph obtain(int scale, int factor, const char* cache) {
  Graph g;
  if (cache != nullptr) {
    if (std::FILE* file = std::fopen(cache, "rb")) {
      int head[2];
      bool good = std::fread(head, 4, 2, file) == 2 && head[0] == 1 << scale && head[1] == head[0] * factor;
      if (good) {
        g.n = head[0];
        g.m = head[1];
        g.offsets.resize(g.n + 1);
        g.ids.resize(g.m);
        good = std::fread(g.offsets.data(), 4, g.n + 1, file) == size_t(g.n) + 1 && std::fread(g.ids.data(), 4, g.m, file) == size_t(g.m);
      }
      std::fclose(file);
      if (good) return g;
    }
  }
  g = generate(scale, factor);
  if (cache != nullptr) {
    if (std::FILE* file = std::fopen(cache, "wb")) {
      int head[2] = {g.n, g.m};
      std::fwrite(head, 4, 2, file);
      std::fwrite(g.offsets.data(), 4, g.n + 1, file);
      std::fwrite(g.ids.data(), 4, g.m, file);
      std::fclose(file);
    }
  }
  return g;
}

template <typename T> T* upload(const std::vector<T>& values) {
  T* device = nullptr;
  allocate(&device, values.size() * sizeof(T));
  copyBytes(device, values.data(), values.size() * sizeof(T));
  return device;
}

double medianMs(const std::function<void()>& work) {
#ifdef EMULATE
  work();
  return 1;
#else
  cudaEvent_t begin, end;
  CUDA(cudaEventCreate(&begin));
  CUDA(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < 13; i++) {
    CUDA(cudaEventRecord(begin));
    work();
    CUDA(cudaEventRecord(end));
    CUDA(cudaEventSynchronize(end));
    float ms = 0;
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    if (i >= 2) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
#endif
}

Graph graph;
int *offsets, *ids;
float *weights, *padded, *packed, *columns, *y, *pieces;
double* wants[3];
int* wrong;
size_t outputFloats, pieceFloats;
double flatMs = 0;
bool allRight = true;

long blocksFor(long threads, int size = kThreads) { return std::max(1L, (threads + size - 1) / size); }

void report(const std::string& name, int kind, int ld, bool soa, const std::function<void()>& work) {
  setBytes(y, 0xff, outputFloats * 4);
  setBytes(pieces, 0xff, pieceFloats * 4);
  setBytes(wrong, 0, 4);
  work();
  launch(blocksFor(static_cast<long>(graph.n) * K), kThreads, 0, compareKernel, static_cast<long>(graph.n), ld, soa,
         static_cast<const float*>(y), static_cast<const double*>(wants[kind]), wrong);
  int bad = 0;
  copyBytes(&bad, wrong, 4);
  double ms = medianMs(work);
  char check[48] = "ok";
  if (bad != 0) {
    allRight = false;
    std::snprintf(check, sizeof check, "WRONG row %d of %d edges", bad - 1, graph.offsets[bad] - graph.offsets[bad - 1]);
  }
  std::printf("k=%-3d %-46s %8.4f %7.0f %6.2f  %s\n", K, name.c_str(), ms, graph.m * (4.0 * K + 4) / ms / 1e6, flatMs / ms, check);
}

// Rows cut into pieces of at most `cut` edges; sorted: all rows listed by degree.
struct Cut {
  Work work;
  int pieceCount = 0, splitCount = 0;
  int *rows, *first, *last;
  std::vector<int*> owned;

  Cut(int cut, bool sorted, int pad = 0) {
    std::vector<int> begins, ends, targets, splitRows, splitFirst, splitLast;
    std::vector<int> order(graph.n);
    std::iota(order.begin(), order.end(), 0);
    auto degree = [&](int v) { return graph.offsets[v + 1] - graph.offsets[v]; };
    for (int v = 0; v < graph.n; v++) {
      if (degree(v) <= cut) continue;
      splitRows.push_back(v);
      splitFirst.push_back(pieceCount);
      int parts = (degree(v) + cut - 1) / cut;
      for (int p = 0; p < parts; p++) {
        begins.push_back(graph.offsets[v] + static_cast<int>(static_cast<long>(degree(v)) * p / parts));
        ends.push_back(graph.offsets[v] + static_cast<int>(static_cast<long>(degree(v)) * (p + 1) / parts));
        targets.push_back(~pieceCount++);
      }
      splitLast.push_back(pieceCount - 1);
    }
    if (sorted) {
      // Counting sort, largest first.
      std::vector<std::vector<int>> classes(cut + 1);
      for (int v : order) {
        if (degree(v) <= cut) classes[degree(v)].push_back(v);
      }
      for (int d = cut; d >= 0; d--) {
        for (int v : classes[d]) {
          begins.push_back(graph.offsets[v]);
          ends.push_back(graph.offsets[v + 1]);
          targets.push_back(v);
        }
      }
    }
    splitCount = static_cast<int>(splitRows.size());
    int listed = static_cast<int>(begins.size());
    owned = {upload(begins), upload(ends), upload(targets), upload(splitRows), upload(splitFirst), upload(splitLast)};
    work = Work{offsets, ids, weights, owned[0], owned[1], owned[2], listed, sorted ? 0 : graph.n, cut};
    rows = owned[3];
    first = owned[4];
    last = owned[5];
    (void)pad;
  }
  ~Cut() { for (int* p : owned) release(p); }
};

template <int T, int G, int U, int Ids, int V = kWide, int LD = kPadded, int H = 1, class Op = Sum, bool W = false,
          int B = blocksOf(U* V* vectorsOf(V, G))>
void rows(int cut, bool sorted, const char* note = "") {
  Cut c(cut, sorted);
  if (static_cast<size_t>(c.pieceCount) * LD > pieceFloats) return;
  const float* x = LD == kPadded ? padded : packed;
  std::string name = std::string("c T=") + std::to_string(T) + " G=" + std::to_string(G) + " V=" + std::to_string(V) + " U=" + std::to_string(U) +
                     " ids=" + "dcp"[Ids] + " h=" + std::to_string(H) + " B=" + std::to_string(B) + " C=" + std::to_string(cut) + (sorted ? " deg" : " nat") + note;
  report(name, Op::sum ? (W ? 2 : 0) : 1, LD, false, [&] {
    launch(blocksFor((static_cast<long>(c.work.listed) + c.work.rows) * T), kThreads, 0, rowsKernel<T, G, U, Ids, V, LD, H, Op, W, B>, c.work, x, y, pieces);
    if (c.splitCount > 0) {
      launch(blocksFor(32L * c.splitCount), kThreads, 0, finishKernel<G, V, LD, Op, 1>, c.splitCount, static_cast<const int*>(c.rows),
             static_cast<const int*>(c.first), static_cast<const int*>(c.last), static_cast<const float*>(pieces), y);
    }
  });
}

template <int T, int G, int U, int V = kWide, int LD = kPadded, int H = 1, class Op = Sum>
void warpRows(int cut) {
  Cut c(cut, false);
  if (static_cast<size_t>(c.pieceCount) * LD > pieceFloats) return;
  std::string name = std::string("d T=") + std::to_string(T) + " G=" + std::to_string(G) + " V=" + std::to_string(V) + " U=" + std::to_string(U) +
                     " ids=p h=" + std::to_string(H) + " C=" + std::to_string(cut) + " 32 rows a warp";
  report(name, 0, LD, false, [&] {
    if (c.splitCount > 0) {
      Work onlyPieces = c.work;
      onlyPieces.rows = 0;
      launch(blocksFor(32L * c.work.listed), kThreads, 0, rowsKernel<32, G, 4, 0, V, LD, H, Op, false>, onlyPieces,
             static_cast<const float*>(padded), y, pieces);
    }
    launch(blocksFor((graph.n + 31L) / 32 * 32), kThreads, size_t{kThreads} * 4, warpRowsKernel<T, G, U, V, LD, H, Op>, c.work,
           static_cast<const float*>(padded), y);
    if (c.splitCount > 0) {
      launch(blocksFor(32L * c.splitCount), kThreads, 0, finishKernel<G, V, LD, Op, 1>, c.splitCount, static_cast<const int*>(c.rows),
             static_cast<const int*>(c.first), static_cast<const int*>(c.last), static_cast<const float*>(pieces), y);
    }
  });
}

template <int G, int U, int V = kWide, int LD = kPadded, int H = 1>
void sections(int size) {
  long count = (static_cast<long>(graph.m) + size - 1) / size;
  if (static_cast<size_t>(2 * count) * LD > pieceFloats) return;
  std::vector<int> sectionRows(count), crossing, first, last;
  for (long s = 0; s < count; s++) {
    sectionRows[s] = s == 0 ? 0 : static_cast<int>(std::upper_bound(graph.offsets.begin(), graph.offsets.end(), static_cast<int>(s * size)) - graph.offsets.begin()) - 1;
  }
  for (int v = 0; v < graph.n; v++) {
    if (graph.offsets[v] == graph.offsets[v + 1]) continue;
    int a = graph.offsets[v] / size, b = (graph.offsets[v + 1] - 1) / size;
    if (a != b) {
      crossing.push_back(v);
      first.push_back(a);
      last.push_back(b);
    }
  }
  int *rowsOf = upload(sectionRows), *c = upload(crossing), *f = upload(first), *l = upload(last);
  const int crossings = static_cast<int>(crossing.size());
  const float* x = padded;
  std::string name = std::string("e G=") + std::to_string(G) + " V=" + std::to_string(V) + " U=" + std::to_string(U) + " h=" + std::to_string(H) + " S=" + std::to_string(size);
  report(name, 0, LD, false, [&] {
    launch(blocksFor(count * G), kThreads, 0, sectionsKernel<G, U, V, LD, H, Sum>, graph.n, graph.m, size, static_cast<const int*>(offsets),
           static_cast<const int*>(ids), static_cast<const int*>(rowsOf), x, y, pieces);
    if (crossings > 0) {
      launch(blocksFor(32L * crossings), kThreads, 0, finishKernel<G, V, LD, Sum, 2>, crossings, static_cast<const int*>(c),
             static_cast<const int*>(f), static_cast<const int*>(l), static_cast<const float*>(pieces), y);
    }
  });
  for (int* p : {rowsOf, c, f, l}) release(p);
}

void onyx(int cut) {
  Cut c(cut, false);
  if (static_cast<size_t>(c.pieceCount) * K > pieceFloats) return;
  constexpr int lanes = std::min(32, powerAbove(K));
  report("b onyx C=" + std::to_string(cut), 0, K, false, [&] {
    launch(blocksFor((graph.n + 31L) / 32 * 32, kOnyxThreads), kOnyxThreads, size_t{kOnyxThreads} * K * 4, onyxKernel, graph.n, cut,
           static_cast<const int*>(offsets), static_cast<const int*>(ids), static_cast<const float*>(packed), y);
    if (c.splitCount > 0) {
      Work onlyPieces = c.work;
      onlyPieces.rows = 0;
      launch(blocksFor(32L * c.work.listed), kThreads, 0, rowsKernel<32, lanes, 4, 0, 1, K, 1, Sum, false>, onlyPieces,
             static_cast<const float*>(packed), y, pieces);
      launch(blocksFor(32L * c.splitCount), kThreads, 0, finishKernel<lanes, 1, K, Sum, 1>, c.splitCount, static_cast<const int*>(c.rows),
             static_cast<const int*>(c.first), static_cast<const int*>(c.last), static_cast<const float*>(pieces), y);
    }
  });
}

void soa(int cut) {
  Cut c(cut, false);
  if (static_cast<size_t>(c.pieceCount) * K > pieceFloats) return;
  constexpr int tiles = (K + kTile - 1) / kTile;
  report("a soa C=" + std::to_string(cut), 0, K, true, [&] {
    launch(blocksFor(32L * tiles * (c.work.listed + (graph.n + 31) / 32)), kThreads, 0, columnsKernel, c.work, tiles,
           static_cast<const float*>(columns), y, pieces, static_cast<long>(c.pieceCount));
    if (c.splitCount > 0) {
      launch(blocksFor(static_cast<long>(c.splitCount) * K), kThreads, 0, finishColumnsKernel, c.splitCount, graph.n,
             static_cast<const int*>(c.rows), static_cast<const int*>(c.first), static_cast<const int*>(c.last),
             static_cast<const float*>(pieces), static_cast<long>(c.pieceCount), y);
    }
  });
}

void bounds() {
#ifdef EMULATE
  constexpr int grid = 2;
  const size_t large = 1 << 20, small = 1 << 16;
#else
  constexpr int grid = 132 * 16;
  const size_t large = size_t{1} << 31, small = size_t{1} << 24;
#endif
  constexpr int U = 8;
  float* out;
  allocate(&out, size_t{grid} * kThreads * kPadded * 4);
  flatMs = medianMs([&] {
    launch(grid, kThreads, 0, flatKernel<false, kLanes, U, kWide, kPadded>, static_cast<long>(graph.m), static_cast<const int*>(ids), 0u,
           static_cast<const float*>(padded), out, 0L);
  });
  std::printf("k=%-3d %-46s %8.4f %7.0f   1.00\n", K, "bound: flat, this graph's ids", flatMs, graph.m * (4.0 * K + 4) / flatMs / 1e6);
  double withRows = medianMs([&] {
    launch(grid, kThreads, 0, flatKernel<false, kLanes, U, kWide, kPadded>, static_cast<long>(graph.m), static_cast<const int*>(ids), 0u,
           static_cast<const float*>(padded), y, static_cast<long>(graph.n));
  });
  std::printf("k=%-3d %-46s %8.4f %7.0f %6.2f\n", K, "bound: flat + y", withRows, (graph.m * (4.0 * K + 4) + graph.n * 4.0 * K) / withRows / 1e6,
              flatMs / withRows);
  float* table;
  allocate(&table, large);
  setBytes(table, 0, large);
  for (size_t size : {small, size_t{0}, large}) {
    unsigned entries = size == 0 ? graph.n : 1;
    while (size_t{entries} * 2 * kPadded * 4 <= size) entries *= 2;
    double ms = medianMs([&] {
      launch(grid, kThreads, 0, flatKernel<true, kLanes, U, kWide, kPadded>, static_cast<long>(graph.m), static_cast<const int*>(nullptr), entries - 1,
             static_cast<const float*>(table), out, 0L);
    });
    std::printf("k=%-3d %-46s %8.4f %7.0f %6.2f\n", K, size == small ? "bound: random rows of 16 MiB (l2)" : size == 0 ? "bound: random rows, as many as x has" : "bound: random rows of 2 GiB (dram)", ms,
                graph.m * 4.0 * K / ms / 1e6, flatMs / ms);
  }
#ifndef EMULATE
  double ms = medianMs([&] { CUDA(cudaMemcpyAsync(table + (large / 8), table, large / 2, cudaMemcpyDeviceToDevice)); });
  std::printf("k=%-3d %-46s %8.4f %7.0f\n", K, "bound: copy of 1 GiB, read and written", ms, 1.0 * large / ms / 1e6);
#endif
  release(table);
  release(out);
}

// The processor's sums of some rows, the largest among them, against the plain kernel's.
void checkReference(int kind) {
  std::vector<int> samples;
  std::vector<int> order(graph.n);
  std::iota(order.begin(), order.end(), 0);
  auto degree = [&](int v) { return graph.offsets[v + 1] - graph.offsets[v]; };
  std::partial_sort(order.begin(), order.begin() + 4, order.end(), [&](int a, int b) { return degree(a) > degree(b); });
  samples.assign(order.begin(), order.begin() + 4);
  for (int i = 0; i < 500; i++) samples.push_back(static_cast<int>(mix(i) % graph.n));
  samples.push_back(0);
  samples.push_back(graph.n - 1);
  std::vector<double> row(K);
  for (int v : samples) {
    copyBytes(row.data(), wants[kind] + static_cast<size_t>(v) * K, 8 * K);
    for (int f = 0; f < K; f++) {
      double want = kind == 1 ? -1e30f : 0;
      for (int e = graph.offsets[v]; e < graph.offsets[v + 1]; e++) {
        double value = valueOf(graph.ids[e], f);
        want = kind == 1 ? std::max(want, value) : want + (kind == 2 ? value * weightOf(e) : value);
      }
      if (!(std::fabs(row[f] - want) <= 1e-9 * std::fabs(want))) {
        std::printf("WRONG: the reference of row %d, feature %d: %g, the processor has %g\n", v, f, row[f], want);
        allRight = false;
        return;
      }
    }
  }
}

void study() {
  constexpr int n = kLanes;                    // lanes that hold a row
  constexpr int t8 = n > 8 ? n : 8;
  constexpr int t16 = n > 16 ? n : 16;
  constexpr int half = n > 1 ? n / 2 : 1;
  constexpr int quarter = n > 3 ? n / 4 : 1;
  bounds();
  if (std::getenv("BOUNDS_ONLY") != nullptr) return;
  soa(512);
  onyx(512);
  rows<32, n, 1, 0>(512, false);
  rows<32, n, 2, 0>(512, false);
  rows<32, n, 4, 0>(512, false);
  rows<32, n, 8, 0>(512, false);
  for (int cut : {64, 128, 256, 1024, 4096}) rows<32, n, 4, 0>(cut, false);
  rows<32, n, 4, 0>(512, true);
  if constexpr (n >= 4) {
    rows<32, n, 4, 1>(512, false);
    rows<32, n, 4, 2>(512, false);
  }
  if constexpr (n >= 8) rows<32, n, 8, 2>(512, false);
  // Fewer lanes per row.
  if constexpr (n < 16) {
    for (int cut : {128, 256}) rows<16, n, 4, 0>(cut, false);
    rows<16, n, 4, 0>(256, true);
  }
  if constexpr (n < 8) {
    for (int cut : {64, 128}) rows<8, n, 4, 0>(cut, false);
    rows<8, n, 4, 0>(128, true);
  }
  if constexpr (n < 32) {
    for (int cut : {32, 64, 128, 256}) rows<n, n, 4, 0>(cut, false);
    for (int cut : {32, 64, 128, 256}) rows<n, n, 4, 0>(cut, true);
    rows<n, n, 8, 0>(128, true);
    if constexpr (n >= 4) rows<n, n, 4, 2>(128, true);
  }
  // A warp owns 32 rows.
  if constexpr (n >= 4) {
    for (int cut : {128, 256, 512}) warpRows<n, n, 4>(cut);
    for (int cut : {128, 512}) warpRows<t8, n, 4>(cut);
    for (int cut : {128, 512}) warpRows<t16, n, 4>(cut);
    warpRows<32, n, 4>(512);
    if constexpr (n >= 8) warpRows<n, n, 8>(256);
  }
  // Fewer lanes per edge, more words per lane.
  if constexpr (n >= 2) {
    rows<32, half, 4, 0>(512, false);
    rows<t16, half, 4, 0>(256, true);
    rows<half, half, 4, 0>(128, true);
  }
  if constexpr (n >= 4) {
    rows<t8, quarter, 2, 0>(256, true);
    rows<quarter, quarter, 2, 0>(128, true);
  }
  // As many registers as full occupancy leaves.
  rows<t16, n, 4, 0, kWide, kPadded, 1, Sum, false, 8>(256, true);
  rows<t16, n, 8, 0, kWide, kPadded, 1, Sum, false, 8>(256, true);
  rows<t16, n, 8, 0>(256, true);
  // Hints.
  rows<t16, n, 4, 0, kWide, kPadded, 0>(256, true);
  rows<t16, n, 4, 0, kWide, kPadded, 1>(256, true);
  rows<t16, n, 4, 0, kWide, kPadded, 2>(256, true);
  rows<t16, n, 4, 0, kWide, kPadded, 3>(256, true);
  // Not padded, a float per lane.
  if constexpr (K > 1) rows<32, std::min(32, powerAbove(K)), 4, 0, 1, K>(512, false, " packed");
  // Other merges.
  rows<t16, n, 4, 0, kWide, kPadded, 1, Max>(256, true, " max");
  rows<t16, n, 4, 0, kWide, kPadded, 1, Sum, true>(256, true, " weighted");
  for (int size : {32, 64, 128, 256}) sections<n, 4>(size);
  for (int size : {64, 128}) sections<n, 8>(size);
  if constexpr (n >= 2) sections<half, 4>(64);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef EMULATE
  const int scale = argc > 1 ? std::atoi(argv[1]) : 8;
#else
  const int scale = argc > 1 ? std::atoi(argv[1]) : 20;
#endif
  const int factor = argc > 2 ? std::atoi(argv[2]) : 16;
  graph = obtain(scale, factor, argc > 3 ? argv[3] : nullptr);
  int largest = 0, empty = 0;
  for (int v = 0; v < graph.n; v++) {
    largest = std::max(largest, graph.offsets[v + 1] - graph.offsets[v]);
    empty += graph.offsets[v + 1] == graph.offsets[v];
  }
  std::vector<int> paddedOffsets = graph.offsets;
  paddedOffsets.insert(paddedOffsets.end(), 4, graph.m);
  std::vector<int> paddedIds = graph.ids;
  paddedIds.insert(paddedIds.end(), 1024, 0);
  offsets = upload(paddedOffsets);
  ids = upload(paddedIds);
  std::vector<float> edgeWeights(graph.m);
  for (int e = 0; e < graph.m; e++) edgeWeights[e] = weightOf(e);
  weights = upload(edgeWeights);
  const size_t rowsOf = graph.n;
  outputFloats = rowsOf * kPadded;
  pieceFloats = std::max<size_t>(graph.m / 12, 4096) * kPadded;
  allocate(&padded, rowsOf * kPadded * 4);
  allocate(&columns, rowsOf * K * 4);
  allocate(&packed, rowsOf * K * 4);
  allocate(&y, outputFloats * 4);
  allocate(&pieces, pieceFloats * 4);
  allocate(&wrong, 4);
  launch(blocksFor(rowsOf * kPadded), kThreads, 0, fillKernel, static_cast<long>(rowsOf), kPadded, false, padded);
  launch(blocksFor(rowsOf * K), kThreads, 0, fillKernel, static_cast<long>(rowsOf), K, false, packed);
  launch(blocksFor(rowsOf * K), kThreads, 0, fillKernel, static_cast<long>(rowsOf), K, true, columns);
  for (int kind = 0; kind < 3; kind++) {
    allocate(&wants[kind], rowsOf * K * 8);
    launch(blocksFor(rowsOf * K), kThreads, 0, referenceKernel, graph.n, kind, static_cast<const int*>(offsets), static_cast<const int*>(ids), wants[kind]);
    checkReference(kind);
  }
  std::printf("# k=%d: %d vertices (%d without in-edges), %d edges, largest in-degree %d, x %.1f MiB\n", K, graph.n, empty, graph.m, largest,
              rowsOf * kPadded * 4 / 1048576.0);
  std::printf("%-5s %-46s %8s %7s %6s  check\n", "#", "shape", "ms", "GB/s", "flat/");
  study();
  std::printf("# k=%d %s\n", K, allRight ? "all right" : "SOMETHING IS WRONG");
  return allRight ? 0 : 1;
}
