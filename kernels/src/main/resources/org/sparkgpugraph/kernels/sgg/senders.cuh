// Which vertices send anything in the first superstep: a message is sent only if it improves its receiver, so who sends nothing to the
// worst value of all sends nothing to anybody. One launch finds the worst value, the next makes the queue of those who send.

SGG_KERNEL(push_worst_start) {
  if (blockIdx.x == 0u && threadIdx.x == 0u) {
    sgg_best_value(*(ColumnValue*)&f.queueState[SGG_QUEUE_WORST]);
  }
}

// The worst value, NaN (which is never improved) aside: a thread per held vertex, to which alone something may be sent.
SGG_KERNEL(push_worst) {
  ColumnValue worst;
  sgg_best_value(worst);
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x; v < f.stored; v += threads) {
    if (sgg_present(f, (int)v)) {
      State value;
      sgg_load_state(f, (int)v, value);
      worst = sgg_is_worse(value.c0, worst) ? value.c0 : worst;
    }
  }
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    ColumnValue other = sgg_shfl_down(worst, d);
    worst = sgg_is_worse(other, worst) ? other : worst;
  }
  if (sgg_lane() == 0) {
    sgg_worst_into((ColumnValue*)&f.queueState[SGG_QUEUE_WORST], worst);
  }
}

// Makes the queue of the senders, and the bitmap of the active vertices: of two that send to each other one walks their edge. A warp per
// 32 vertices. The queue is empty before.
SGG_KERNEL(push_senders) {
  int lane = sgg_lane();
  State worst{};
  worst.c0 = *(const ColumnValue*)&f.queueState[SGG_QUEUE_WORST];
  long long work = 0;
  long long rows = sgg_push_rows(f);
  long long words = (rows + 31) >> 5;
  for (long long w = sgg_warp(); w < words; w += sgg_warps()) {
    int v = (int)(w << 5) + lane;
    bool sends = false;
    // A vertex that is missing has a value, too: its edges send in the first superstep, though it never hears anything.
    if (v < (int)rows) {
      State value;
      sgg_load_state(f, v, value);
      sends |= In::sends(f, v, value, worst);
      sends |= Out::sends(f, v, value, worst);
    }
    unsigned senders = __ballot_sync(SGG_ALL_LANES, sends);
    if (lane == 0) {
      const_cast<unsigned*>(f.active)[w] = senders;
    }
    work += (sends ? 1 : 0) + sgg_push_append(f, lane, sends, v, f.queue, &f.queueState[SGG_QUEUE_ITEMS]);
  }
  work = sgg_warp_sum(work);
  if (lane == 0 && work != 0) {
    atomicAdd(&f.queueState[SGG_QUEUE_WORK], (unsigned long long)work);
  }
}
