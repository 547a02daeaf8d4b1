// What a hand-tuned library needs to sum the neighbours' vectors: cuSPARSE's SpMM in floats, C = A B, A
// the in-edge matrix in CSR (A[v][u] = 1 for every edge u -> v, an R-MAT graph as in feature_sum.cu), B and C
// dense and row-major, a row of k floats per vertex. The baseline that feature_sum.cu's shapes are compared with.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o spmm_baseline spmm_baseline.cu -lcusparse
//   ./spmm_baseline [SCALE [EDGE_FACTOR]]
//
// Columns: ms = median of 11; GB/s = edges * (4 k + 4) / ms, the bytes asked for but for A's values, as feature_sum.cu
// counts them; check = sampled rows, the largest among them, against the processor's sums in doubles.

#include <cuda_runtime.h>
#include <cusparse.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

namespace {

[[noreturn]] void fail(const char* what, const char* why) {
  std::printf("spmm_baseline: %s: %s\n", what, why);
  std::exit(1);
}

#define CUDA(call)                                                              \
  do {                                                                          \
    cudaError_t status_ = (call);                                               \
    if (status_ != cudaSuccess) fail(#call, cudaGetErrorString(status_));       \
  } while (0)

#define CUSPARSE(call)                                                          \
  do {                                                                          \
    cusparseStatus_t status_ = (call);                                          \
    if (status_ != CUSPARSE_STATUS_SUCCESS) fail(#call, cusparseGetErrorString(status_)); \
  } while (0)

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

struct Graph {
  int n;
  int m;
  std::vector<int> offsets, ids;
};

// As feature_sum.cu makes it.
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

template <typename T>
T* upload(const std::vector<T>& values) {
  T* device = nullptr;
  CUDA(cudaMalloc(&device, values.size() * sizeof(T)));
  CUDA(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

double medianMs(const std::function<void()>& work) {
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
  CUDA(cudaEventDestroy(begin));
  CUDA(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

__host__ __device__ float valueOf(long i) {
  unsigned h = static_cast<unsigned>(i) * 2654435769u;
  h ^= h >> 16;
  h *= 2246822519u;
  return 0.5f + (h >> 9) / 8388608.0f;
}

__global__ void fill(long count, float* x) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) x[i] = valueOf(i);
}

bool multiply(const char* name, cusparseSpMMAlg_t algorithm, const Graph& graph, int* offsets, int* ids, float* ones, int k, float* b, float* c) {
  CUDA(cudaMemset(c, 0xff, static_cast<size_t>(graph.n) * k * 4));
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnMatDescr_t matB, matC;
  CUSPARSE(cusparseCreate(&handle));
  CUSPARSE(cusparseCreateCsr(&a, graph.n, graph.n, graph.m, offsets, ids, ones, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CUSPARSE(cusparseCreateDnMat(&matB, graph.n, k, k, b, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CUSPARSE(cusparseCreateDnMat(&matC, graph.n, k, k, c, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  const float one = 1;
  const float zero = 0;
  const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 0;
  CUSPARSE(cusparseSpMM_bufferSize(handle, plain, plain, &one, a, matB, &zero, matC, CUDA_R_32F, algorithm, &bytes));
  void* buffer = nullptr;
  CUDA(cudaMalloc(&buffer, std::max<size_t>(bytes, 1)));
  CUSPARSE(cusparseSpMM_preprocess(handle, plain, plain, &one, a, matB, &zero, matC, CUDA_R_32F, algorithm, buffer));
  double ms = medianMs([&] { CUSPARSE(cusparseSpMM(handle, plain, plain, &one, a, matB, &zero, matC, CUDA_R_32F, algorithm, buffer)); });
  std::vector<int> order(graph.n);
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + 4, order.end(), [&](int p, int q) {
    return graph.offsets[p + 1] - graph.offsets[p] > graph.offsets[q + 1] - graph.offsets[q];
  });
  std::vector<int> samples(order.begin(), order.begin() + 4);
  for (int i = 0; i < 500; i++) samples.push_back(static_cast<int>(mix(i) % graph.n));
  std::vector<float> row(k);
  double worst = 0;
  for (int v : samples) {
    CUDA(cudaMemcpy(row.data(), c + static_cast<size_t>(v) * k, 4 * k, cudaMemcpyDeviceToHost));
    for (int f = 0; f < k; f++) {
      double want = 0;
      for (int e = graph.offsets[v]; e < graph.offsets[v + 1]; e++) want += valueOf(static_cast<long>(graph.ids[e]) * k + f);
      double error = std::fabs(row[f] - want) / std::max(want, 1e-9);
      worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
  }
  std::printf("k=%-3d cusparse-spmm-%-39s %8.4f %7.0f  %s\n", k, name, ms, graph.m * (4.0 * k + 4) / ms / 1e6, worst < 1e-4 ? "ok" : "WRONG");
  CUDA(cudaFree(buffer));
  CUSPARSE(cusparseDestroyDnMat(matB));
  CUSPARSE(cusparseDestroyDnMat(matC));
  CUSPARSE(cusparseDestroySpMat(a));
  CUSPARSE(cusparseDestroy(handle));
  return worst < 1e-4;
}

}  // namespace

int main(int argc, char** argv) {
  const int scale = argc > 1 ? std::atoi(argv[1]) : 20;
  const int factor = argc > 2 ? std::atoi(argv[2]) : 16;
  Graph graph = generate(scale, factor);
  int* offsets = upload(graph.offsets);
  int* ids = upload(graph.ids);
  float* ones = upload(std::vector<float>(graph.m, 1.0f));
  bool right = true;
  for (int k : {16, 32, 64, 128}) {
    const long count = static_cast<long>(graph.n) * k;
    float *b, *c;
    CUDA(cudaMalloc(&b, count * 4));
    CUDA(cudaMalloc(&c, count * 4));
    fill<<<static_cast<unsigned>((count + 255) / 256), 256>>>(count, b);
    CUDA(cudaGetLastError());
    right &= multiply("default", CUSPARSE_SPMM_ALG_DEFAULT, graph, offsets, ids, ones, k, b, c);
    right &= multiply("csr-alg2", CUSPARSE_SPMM_CSR_ALG2, graph, offsets, ids, ones, k, b, c);
    right &= multiply("csr-alg3", CUSPARSE_SPMM_CSR_ALG3, graph, offsets, ids, ones, k, b, c);
    CUDA(cudaFree(b));
    CUDA(cudaFree(c));
  }
  return right ? 0 : 1;
}
