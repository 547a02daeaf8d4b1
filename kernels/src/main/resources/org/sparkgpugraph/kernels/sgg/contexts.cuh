// Costly branches that some edges take and others do not (collaborative context collection, Khorasani 2016, section 4.1). A lane whose
// edge takes it does not run it now, while the lanes of other edges wait: it keeps what the branch reads (its context) in shared
// memory and goes on. As soon as SGG_CONTEXTS of them are there (32: a warp), lanes take up one each, whoever kept it, and run the
// costly side; what that sends is merged into the rows of their edges. What is left at the end of a warp's rows is run as it is.
//
// The paper keeps contexts on a stack and leaves those of a lane that runs at once in its registers. Here they stand in a queue, and all
// go through it: those that are run together then come in the order of the edges, and so of the rows, so that a segmented reduction
// merges them (segments.cuh), in this order. At most SGG_CONTEXTS - 1 wait, and 32 may come at once: SGG_CONTEXT_PLACES, a power of two,
// hold them.
//
// ContextForm cuts the send function: before the branch, costly side, and the way without that.

// The contexts of a warp that wait: the oldest one's place, and how many there are. The same for all lanes.
struct Waiting {
  int first;
  int count;
};

template <class Side>
SGG_DEVICE constexpr int sgg_context_bytes() {
  if constexpr (Side::CONTEXTS) {
    return (int)sizeof(typename Side::Contexts);
  }
  return 0;
}

// Words of a warp's room: one in which it counts, one for alignment, and the queue.
SGG_DEVICE constexpr int sgg_context_words() {
  return 2 + (sgg_larger(sgg_context_bytes<In>(), sgg_context_bytes<Out>()) + 7) / 8;
}

// The warp's room; the same one wherever it is asked for.
SGG_DEVICE unsigned long long* sgg_context_room() {
  SGG_SHARED(unsigned long long, contexts, SGG_BLOCK_WARPS * sgg_context_words());
  return contexts + (threadIdx.x >> 5) * sgg_context_words();
}

SGG_DEVICE constexpr bool sgg_collects() { return In::CONTEXTS || Out::CONTEXTS; }

// Before a warp gathers anything.
SGG_DEVICE void sgg_contexts_begin(int lane) {
  if constexpr (sgg_collects()) {
    if (lane == 0) {
      sgg_context_room()[0] = 0ull;
    }
  }
}

// Behind all that it gathers: counts the costly sides that were run, as evaluations of edges that count already.
SGG_DEVICE void sgg_contexts_end(int lane, int& again) {
  if constexpr (sgg_collects()) {
    if (lane == 0) {
      again += (int)sgg_context_room()[0];
    }
  }
}

// Runs the costly side for the oldest contexts, 32 at most, and merges what they send into the inboxes of their rows: of the row v of this
// lane or, where all are of one row, as sgg_gather_range has it. `own` is this lane's row. All lanes.
template <class Side, bool OneRow>
SGG_DEVICE void sgg_run_contexts(const Frame& f, int lane, int v, const typename Side::Row& own, Waiting& waiting, Inbox& inbox,
                                 int& rounds) {
  int count = sgg_smaller(waiting.count, SGG_WARP);
  unsigned long long* room = sgg_context_room();
  typename Side::Contexts& queue = *reinterpret_cast<typename Side::Contexts*>(room + 2);
  bool runs = lane < count;
  typename Side::Context context{};
  // Behind the last one: a row that there is none of.
  int owner = SGG_WARP;
  __syncwarp();
  if (runs) {
    int place = (waiting.first + lane) & (SGG_CONTEXT_PLACES - 1);
    context = Side::kept(queue, place);
    owner = queue.owner[place];
  }
  // Places are free again when all have read.
  __syncwarp();
  waiting.first = (waiting.first + count) & (SGG_CONTEXT_PLACES - 1);
  waiting.count -= count;
  rounds++;
  if (lane == 0) {
    room[0] += (unsigned long long)count;
  }
  typename Side::Row ownersRow = OneRow ? own : Side::shfl(own, owner & 31);
  int row = OneRow ? v : (v & ~31) + (owner & 31);
  Message message;
  sgg_message_reset(message);
  bool sends = false;
  if (runs) {
    Side::costly(f, row, ownersRow, context, message, sends);
  }
  unsigned sent = __ballot_sync(SGG_ALL_LANES, sends);
  if constexpr (OneRow) {
    sgg_take_row(f, lane, v, message, sent, inbox);
  } else if (sent != 0u) {
    // Contexts of a row stand side by side.
    int before = __shfl_up_sync(SGG_ALL_LANES, owner, 1);
    unsigned heads = __ballot_sync(SGG_ALL_LANES, lane == 0 || before != owner);
    unsigned behind = heads & sgg_lanes(lane + 1, SGG_WARP);
    int end = behind == 0u ? SGG_WARP : __ffs((int)behind) - 1;
    sgg_reduce_segments<SGG_WARP>(f, row, message, sent, lane, end);
    // The first context of this lane's row: all before it are of earlier rows.
    int head = 0;
    for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
      if (sgg_shfl(owner, head + d - 1) < lane) {
        head += d;
      }
    }
    bool isThere = sgg_shfl(owner, head) == lane;
    int tail = sgg_shfl(end, head);
    Message merged = sgg_message_shfl(message, head);
    if (isThere && (sent & sgg_lanes(head, tail)) != 0u) {
      sgg_inbox_take(f, v, inbox, merged);
    }
  }
}

// Evaluates an edge in each lane that has one, whose row is that of lane `owner`, or keeps its context; runs those that wait when there
// are enough, and behind the last edges of a warp's rows all that are left. All lanes.
template <class Side, bool OneRow>
SGG_DEVICE void sgg_send_or_keep(const Frame& f, int lane, int v, const typename Side::Row& own, bool evaluates, int owner, int row,
                                 const typename Side::Row& ownersRow, const typename Side::Edge& edge, Message& message, bool& sends,
                                 bool last, Waiting& waiting, Inbox& inbox, int& rounds) {
  if constexpr (Side::CONTEXTS) {
    typename Side::Before before{};
    if (evaluates) {
      Side::before(f, row, ownersRow, edge, before);
      if (before.c0 > 0) {
        Side::otherwise(f, row, ownersRow, edge, before, message, sends);
      }
    }
    bool waits = before.c0 < 0;
    unsigned more = __ballot_sync(SGG_ALL_LANES, waits);
    if (waits) {
      typename Side::Contexts& queue = *reinterpret_cast<typename Side::Contexts*>(sgg_context_room() + 2);
      int place = (waiting.first + waiting.count + __popc(more & sgg_lanes(0, lane))) & (SGG_CONTEXT_PLACES - 1);
      Side::keep(queue, place, before);
      queue.owner[place] = owner;
    }
    waiting.count += __popc(more);
    // In one place, since the costly side is long.
    SGG_KEEP_LOOP
    while (waiting.count >= (last ? 1 : SGG_CONTEXTS)) {
      sgg_run_contexts<Side, OneRow>(f, lane, v, own, waiting, inbox, rounds);
    }
  } else {
    (void)last;
    sgg_send<Side>(f, lane, evaluates, row, ownersRow, edge, message, sends);
  }
}
