// The result function, on the final values: a thread per held vertex. Rows of vertices that do not exist are zero.
SGG_KERNEL(result) {
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = sgg_first_row(f) + (long long)blockIdx.x * blockDim.x + threadIdx.x; v < sgg_end_row(f); v += threads) {
    Result value{};
    if (sgg_present(f, (int)v)) {
      sgg_result(f, (int)v, value);
    }
    sgg_result_store(f, (int)v, value);
  }
}
