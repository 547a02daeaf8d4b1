// What a hand-tuned library needs for one PageRank sweep: cuSPARSE's CSR SpMV in floats over the
// in-edge matrix A, A[v][u] = 1 / outDegree(u) for every edge u -> v, and the speed at which the
// device copies memory. DeviceBenchmark --baseline builds and runs this; by hand:
//
//   nvcc -O3 -arch=native -o spmv_baseline spmv_baseline.cu -lcusparse
//   ./spmv_baseline GRAPH [REPETITIONS]
//
// GRAPH is little-endian: int64 "SGGCSR1\0", int64 rows, int64 edges, int32 offsets[rows + 1],
// int32 outDegrees[rows], int32 sources[edges]. Output: a line per measurement, "result" and fields
// name=value.

#include <cuda_runtime.h>
#include <cusparse.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace {

constexpr int kWarmUps = 5;

[[noreturn]] void fail(const char* what, const char* why) {
  std::fprintf(stderr, "spmv_baseline: %s: %s\n", what, why);
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

struct Matrix {
  int64_t rows = 0;
  int64_t edges = 0;
  std::vector<int32_t> offsets;
  std::vector<int32_t> outDegrees;
  std::vector<int32_t> sources;
};

void read(std::FILE* file, void* into, size_t bytes) {
  if (std::fread(into, 1, bytes, file) != bytes) fail("reading the graph", "the file is too short");
}

Matrix load(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) fail(path, std::strerror(errno));
  char magic[8];
  Matrix matrix;
  read(file, magic, sizeof magic);
  if (std::memcmp(magic, "SGGCSR1", 8) != 0) fail(path, "not a graph written by DeviceBenchmark");
  read(file, &matrix.rows, 8);
  read(file, &matrix.edges, 8);
  matrix.offsets.resize(matrix.rows + 1);
  matrix.outDegrees.resize(matrix.rows);
  matrix.sources.resize(matrix.edges);
  read(file, matrix.offsets.data(), 4 * matrix.offsets.size());
  read(file, matrix.outDegrees.data(), 4 * matrix.outDegrees.size());
  read(file, matrix.sources.data(), 4 * matrix.sources.size());
  std::fclose(file);
  return matrix;
}

// Cuts [0, size) into ranges and runs work(from, to) on each, by all cores.
void inParallel(int64_t size, const std::function<void(int64_t, int64_t)>& work) {
  constexpr int64_t kRange = 1 << 14;
  std::atomic<int64_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); t++) {
    threads.emplace_back([&] {
      for (int64_t from; (from = next.fetch_add(kRange)) < size;) {
        work(from, std::min(size, from + kRange));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

template <typename T>
T* upload(const std::vector<T>& values) {
  T* device = nullptr;
  CUDA(cudaMalloc(&device, values.size() * sizeof(T)));
  CUDA(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

// Median milliseconds of a piece of work, by events.
double medianMs(int repetitions, const std::function<void()>& work) {
  cudaEvent_t begin, end;
  CUDA(cudaEventCreate(&begin));
  CUDA(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < kWarmUps + repetitions; i++) {
    CUDA(cudaEventRecord(begin));
    work();
    CUDA(cudaEventRecord(end));
    CUDA(cudaEventSynchronize(end));
    float ms = 0;
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    if (i >= kWarmUps) times.push_back(ms);
  }
  CUDA(cudaEventDestroy(begin));
  CUDA(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// One float4 per thread, grid-stride: the copy of the STREAM benchmark.
__global__ void streamCopy(const float4* from, float4* to, size_t count) {
  size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    to[i] = from[i];
  }
}

void copies(int repetitions, const cudaDeviceProp& device) {
  const size_t bytes = size_t{1} << 31;
  void* from = nullptr;
  void* to = nullptr;
  CUDA(cudaMalloc(&from, bytes));
  CUDA(cudaMalloc(&to, bytes));
  CUDA(cudaMemset(from, 0x5a, bytes));
  double memcpyMs = medianMs(
      repetitions, [&] { CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); });
  double kernelMs = medianMs(repetitions, [&] {
    streamCopy<<<device.multiProcessorCount * 16, 256>>>(
        static_cast<const float4*>(from), static_cast<float4*>(to), bytes / sizeof(float4));
    CUDA(cudaGetLastError());
  });
  // Read and written bytes both count, as STREAM counts them.
  std::printf("result name=copy-memcpy ms=%.6f gbs=%.1f\n", memcpyMs, 2.0 * bytes / memcpyMs / 1e6);
  std::printf("result name=copy-kernel ms=%.6f gbs=%.1f\n", kernelMs, 2.0 * bytes / kernelMs / 1e6);
  CUDA(cudaFree(from));
  CUDA(cudaFree(to));
}

// Multiplies with one algorithm of cuSPARSE and compares with sums in doubles.
void multiply(
    const char* name, cusparseSpMVAlg_t algorithm, int repetitions, const Matrix& matrix,
    int32_t* offsets, int32_t* sources, float* values, float* x,
    const std::vector<double>& expected) {
  std::vector<float> y(matrix.rows, NAN);
  float* deviceY = upload(y);
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t vecX, vecY;
  CUSPARSE(cusparseCreate(&handle));
  CUSPARSE(cusparseCreateCsr(
      &a, matrix.rows, matrix.rows, matrix.edges, offsets, sources, values, CUSPARSE_INDEX_32I,
      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CUSPARSE(cusparseCreateDnVec(&vecX, matrix.rows, x, CUDA_R_32F));
  CUSPARSE(cusparseCreateDnVec(&vecY, matrix.rows, deviceY, CUDA_R_32F));
  const float one = 1;
  const float zero = 0;
  size_t bytes = 0;
  CUSPARSE(cusparseSpMV_bufferSize(
      handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vecX, &zero, vecY, CUDA_R_32F, algorithm,
      &bytes));
  void* buffer = nullptr;
  CUDA(cudaMalloc(&buffer, std::max<size_t>(bytes, 1)));
#if CUSPARSE_VERSION >= 12400
  CUSPARSE(cusparseSpMV_preprocess(
      handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vecX, &zero, vecY, CUDA_R_32F, algorithm,
      buffer));
#endif
  double ms = medianMs(repetitions, [&] {
    CUSPARSE(cusparseSpMV(
        handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vecX, &zero, vecY, CUDA_R_32F,
        algorithm, buffer));
  });
  CUDA(cudaMemcpy(y.data(), deviceY, 4 * y.size(), cudaMemcpyDeviceToHost));
  double worst = 0;
  double sum = 0;
  for (int64_t v = 0; v < matrix.rows; v++) {
    double difference = std::fabs(y[v] - expected[v]) / std::max(std::fabs(expected[v]), 1e-30);
    worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
    sum += y[v];
  }
  std::printf(
      "result name=%s ms=%.6f gteps=%.3f sum=%.6f difference=%.3g check=%s\n", name, ms,
      matrix.edges / ms / 1e6, sum, worst, worst < 1e-3 ? "ok" : "DIFFERS");
  CUDA(cudaFree(buffer));
  CUDA(cudaFree(deviceY));
  CUSPARSE(cusparseDestroySpMat(a));
  CUSPARSE(cusparseDestroyDnVec(vecX));
  CUSPARSE(cusparseDestroyDnVec(vecY));
  CUSPARSE(cusparseDestroy(handle));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) fail("usage", "spmv_baseline GRAPH [REPETITIONS]");
  const int repetitions = argc > 2 ? std::max(1, std::atoi(argv[2])) : 20;
  Matrix matrix = load(argv[1]);
  // Values between 0.5 and 1.5 that differ from vertex to vertex.
  std::vector<float> x(matrix.rows);
  for (int64_t v = 0; v < matrix.rows; v++) {
    x[v] = 0.5f + (static_cast<uint32_t>(v) * 2654435769u >> 8) / 16777216.0f;
  }
  std::vector<float> values(matrix.edges);
  std::vector<double> expected(matrix.rows, 0);
  inParallel(matrix.rows, [&](int64_t from, int64_t to) {
    for (int64_t v = from; v < to; v++) {
      for (int32_t e = matrix.offsets[v]; e < matrix.offsets[v + 1]; e++) {
        values[e] = 1.0f / matrix.outDegrees[matrix.sources[e]];
        expected[v] += static_cast<double>(values[e]) * x[matrix.sources[e]];
      }
    }
  });
  cudaDeviceProp device;
  CUDA(cudaGetDeviceProperties(&device, 0));
  copies(repetitions, device);
  int32_t* offsets = upload(matrix.offsets);
  int32_t* sources = upload(matrix.sources);
  float* deviceValues = upload(values);
  float* deviceX = upload(x);
  multiply(
      "cusparse-csr-alg1", CUSPARSE_SPMV_CSR_ALG1, repetitions, matrix, offsets, sources,
      deviceValues, deviceX, expected);
  multiply(
      "cusparse-csr-alg2", CUSPARSE_SPMV_CSR_ALG2, repetitions, matrix, offsets, sources,
      deviceValues, deviceX, expected);
  return 0;
}
