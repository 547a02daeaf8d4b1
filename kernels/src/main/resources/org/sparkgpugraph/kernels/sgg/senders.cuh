// Which vertices send anything in the first superstep: a message is sent only if it improves its receiver, so who sends nothing to the
// worst value of all sends nothing to anybody. One launch finds the worst value, the next makes the queue of those who send. Where messages
// depend on an edge value, monotonically, who sends nothing over the least one and over the largest of all sends nothing over any: these are
// found once for a graph's values.

#if SGG_SENDERS_READ_EDGES
template <class Side>
SGG_DEVICE void sgg_start_edges(const Frame& f) {
  typedef typename Side::SentEdge Value;
  Value least = 0, most = 0;
  if (Side::noEdges(least, most)) {
    *(Value*)&f.queueState[SGG_QUEUE_LEAST_EDGE] = least;
    *(Value*)&f.queueState[SGG_QUEUE_MOST_EDGE] = most;
  }
}

SGG_KERNEL(push_edges_start) {
  if (blockIdx.x == 0u && threadIdx.x == 0u) {
    sgg_start_edges<In>(f);
    sgg_start_edges<Out>(f);
  }
}

// NaN, which makes no message that improves anything, aside.
template <class Side, class Walk>
SGG_DEVICE void sgg_bound_edges(const Frame& f) {
  typedef typename Side::SentEdge Value;
  Value least = 0, most = 0;
  if (!Side::noEdges(least, most)) {
    return;
  }
  long long edges = Walk::begin(f, (int)sgg_push_rows(f));
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += threads) {
    Value value = (Value)Side::sentEdges(f)[e];
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    Value less = sgg_shfl_down(least, d);
    Value more = sgg_shfl_down(most, d);
    least = less < least ? less : least;
    most = more > most ? more : most;
  }
  if (sgg_lane() == 0) {
    sgg_min_into((Value*)&f.queueState[SGG_QUEUE_LEAST_EDGE], least);
    sgg_max_into((Value*)&f.queueState[SGG_QUEUE_MOST_EDGE], most);
  }
}

// A thread an edge, in rounds.
SGG_KERNEL(push_edges) {
  sgg_bound_edges<In, WalkOut>(f);
  sgg_bound_edges<Out, WalkIn>(f);
}
#endif

SGG_KERNEL(push_worst_start) {
  if (blockIdx.x == 0u && threadIdx.x == 0u) {
    sgg_best_value(*(ColumnValue*)&f.queueState[SGG_QUEUE_WORST]);
  }
}

// The worst of a warp's values, in all lanes. All lanes.
SGG_DEVICE ColumnValue sgg_worst_of_lanes(ColumnValue worst) {
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    ColumnValue other = sgg_shfl(worst, sgg_lane() ^ d);
    worst = sgg_is_worse(other, worst) ? other : worst;
  }
  return worst;
}

// The worst value of a warp's vertices, in all lanes; NaN (which is never improved) aside. A thread per held vertex, to which alone something
// may be sent. All lanes.
SGG_DEVICE ColumnValue sgg_worst_of_warp(const Frame& f) {
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
  return sgg_worst_of_lanes(worst);
}

SGG_KERNEL(push_worst) {
  ColumnValue worst = sgg_worst_of_warp(f);
  if (sgg_lane() == 0) {
    sgg_worst_into((ColumnValue*)&f.queueState[SGG_QUEUE_WORST], worst);
  }
}

// Makes the queue of the senders, and the bitmap of the active vertices: of two that send to each other one walks their edge. A warp per
// 32 vertices, of which it loads Policy::SENDER_WORDS together. The queue is empty before. Where they have more work than f.mostWork, which
// is too much for pushing, it ends when that is seen, and leaves as much in SGG_QUEUE_WORK as it saw. All threads of all blocks.
SGG_DEVICE void sgg_push_senders(const Frame& f, const State& worst) {
  int lane = sgg_lane();
  long long rows = sgg_push_rows(f);
  long long words = sgg_bitmap_words(rows);
  long long seen = 0;
  for (long long first = sgg_warp(); first < words && seen <= f.mostWork; first += sgg_warps() * Policy::SENDER_WORDS) {
    State value[Policy::SENDER_WORDS];
    SGG_UNROLL
    for (int i = 0; i < Policy::SENDER_WORDS; i++) {
      long long v = ((first + i * sgg_warps()) << 5) + lane;
      sgg_load_state(f, v < rows ? (int)v : 0, value[i]);
    }
    long long work = 0;
    SGG_UNROLL
    for (int i = 0; i < Policy::SENDER_WORDS; i++) {
      long long w = first + i * sgg_warps();
      int v = (int)(w << 5) + lane;
      // A vertex that is missing has a value, too: its edges send in the first superstep, though it never hears anything.
      bool exists = w < words && v < (int)rows;
      bool sends = exists && (In::sends(f, v, value[i], worst) || Out::sends(f, v, value[i], worst));
      unsigned senders = __ballot_sync(SGG_ALL_LANES, sends);
      if (lane == 0 && w < words) {
        const_cast<unsigned*>(f.active)[w] = senders;
      }
      work += (sends ? 1 : 0) + sgg_push_append(f, lane, sends, v, f.queue, &f.queueState[SGG_QUEUE_ITEMS]);
    }
    work = sgg_warp_sum(work);
    if (sgg_shfl(work, 0) != 0) {
      if (lane == 0) {
        seen = work + (long long)atomicAdd(&f.queueState[SGG_QUEUE_WORK], (unsigned long long)work);
      }
      seen = sgg_shfl(seen, 0);
    }
  }
}

SGG_KERNEL(push_senders) {
  State worst{};
  worst.c0 = *(const ColumnValue*)&f.queueState[SGG_QUEUE_WORST];
  sgg_push_senders(f, worst);
}
