// Delegated critical sections (Wang 2020, chapter 4): messages that no atomic operation merges - records of several numbers, lists of
// the best k, a merge function of any kind - are sent to the blocks that own their receivers, the servers, which call the program's
// merge function. Servers are the first blocks of the launch that pushes (push.cuh); all others walk edges, the clients. Vertex v
// belongs to server v mod servers. A merged record lies in its receiver's slot in global memory, which its server alone touches while
// messages come: within the server a lock in shared memory keeps warps apart, one of SGG_DELEGATE_LOCKS by a hash of the vertex. No lock
// word is in global memory, and a client sends a message once however many want the same receiver.
//
// A server has a ring of places in global memory, with a counter of what is `written` (reserved by clients), one of what is `read`, and
// a bit for every place: its message is there. A warp of a client collects messages in shared memory and sends them in bulk: it counts
// those for each server, reserves their places by one atomic, stores them side by side, and sets their bits a word at a time, with one
// release. Of a server warp 0 leads: its lanes look at 32 words of bits at a time, clear what is there without a gap, and hand the range
// to the other warps, which load it side by side, merge messages of one receiver by shuffles, and the rest into slots. The leader tells
// clients of free places when a range is done.
//
// Why nobody waits for ever. A server waits for nothing but messages. A message waits for the ring of its own server alone: it is stored
// and told as soon as its place is free, whatever other messages of its warp wait for (sgg_delegate_flush goes round over all servers).
// Take the first place of a ring that is not read. It is free, since all before it are read; so its client, which is resident like all
// blocks of a cooperative launch, stores it when it goes round next, and the server reads it. So every place is read in the end.
//
// The end of a superstep: a client's warp counts itself as finished behind its last message. A server that reads that all are finished
// and then that no more is reserved than it has read, has all. Who waits for ever so long gives up, and all with him, so that a mistake
// here is an error, not a launch that does not end.

// How many messages a warp collects: as many as fit, up to 128. At least a round of lanes has to (engine.device.settings.DelegateLayout).
SGG_DEVICE constexpr int sgg_delegate_room() {
  int bytes = (SGG_DELEGATE_SHARED_BYTES - 256) / SGG_BLOCK_WARPS - 8 * SGG_DELEGATE_MOST_SERVERS;
  int messages = bytes / (8 * SGG_SLOT_WORDS + 4) / SGG_WARP * SGG_WARP;
  return messages < 4 * SGG_WARP ? messages : 4 * SGG_WARP;
}
static_assert(sgg_delegate_room() >= SGG_WARP, "a message is too long to be delegated");

// Of a client's warp, in words: messages, a word of each behind each other; where a server's messages begin, and how many may be stored
// (32 bits each); receivers.
SGG_DEVICE constexpr int sgg_delegate_warp_words() {
  return SGG_SLOT_WORDS * sgg_delegate_room() + SGG_DELEGATE_MOST_SERVERS + sgg_delegate_room() / 2;
}

// Of a block: a server has its locks and two ranges there.
SGG_DEVICE constexpr int sgg_delegate_words() {
  int client = SGG_BLOCK_WARPS * sgg_delegate_warp_words();
  int server = SGG_DELEGATE_LOCKS / 2 + 2;
  return client > server ? client : server;
}

struct Outgoing {
  unsigned long long* words;
  unsigned* first;
  unsigned* limit;
  int* rows;
};

SGG_DEVICE Outgoing sgg_delegate_outgoing(unsigned long long* room) {
  Outgoing out;
  out.words = room + sgg_delegate_warp_words() * (int)(threadIdx.x >> 5);
  out.first = (unsigned*)(out.words + SGG_SLOT_WORDS * sgg_delegate_room());
  out.limit = out.first + SGG_DELEGATE_MOST_SERVERS;
  out.rows = (int*)(out.limit + SGG_DELEGATE_MOST_SERVERS);
  return out;
}

SGG_DEVICE unsigned long long* sgg_delegate_written(const Frame& f, int server) {
  return &f.delegateState[SGG_DELEGATE_WRITTEN_AT + server * SGG_DELEGATE_STRIDE];
}
SGG_DEVICE unsigned long long* sgg_delegate_read(const Frame& f, int server) {
  return &f.delegateState[SGG_DELEGATE_READ_AT + server * SGG_DELEGATE_STRIDE];
}
SGG_DEVICE unsigned* sgg_delegate_bits(const Frame& f, int server, unsigned slot) {
  return &f.delegateBits[((long long)server * f.delegateRing + (long long)slot) >> 5];
}

// A word of a place: words of neighbouring places lie side by side. Word 0 is the receiver.
SGG_DEVICE unsigned long long* sgg_delegate_word(const Frame& f, int server, int word, unsigned slot) {
  return &f.delegateMessages[((long long)server * (SGG_SLOT_WORDS + 1) + word) * f.delegateRing + (long long)slot];
}

// Says that places [from, to) have their messages.
SGG_DEVICE void sgg_delegate_tell(const Frame& f, int server, unsigned from, unsigned to) {
  while (from != to) {
    unsigned slot = from & (unsigned)(f.delegateRing - 1);
    int first = (int)(slot & 31u);
    int count = sgg_smaller(SGG_WARP - first, (int)(to - from));
    sgg_or_release(sgg_delegate_bits(f, server, slot), sgg_lanes(first, first + count));
    from += (unsigned)count;
  }
}

// Whether to give up, after so many rounds in which nothing happened: others did, or it was too long.
SGG_DEVICE bool sgg_delegate_stuck(const Frame& f, long long quiet) {
  if (quiet > f.delegatePatience) {
    sgg_store_release(&f.delegateState[SGG_DELEGATE_STUCK], 1ull);
    return true;
  }
  return quiet > 0 && sgg_load(&f.delegateState[SGG_DELEGATE_STUCK]) != 0ull;
}

// Sends what a warp has collected. All lanes.
SGG_DEVICE void sgg_delegate_flush(const Frame& f, int lane, const Round& round, RoundTally& tally) {
  constexpr int rounds = sgg_delegate_room() / SGG_WARP;
  constexpr int groups = SGG_DELEGATE_MOST_SERVERS / SGG_WARP;
  int staged = tally.staged;
  tally.staged = 0;
  if (staged == 0) {
    return;
  }
  Outgoing out = sgg_delegate_outgoing(round.room);
  int servers = (int)f.servers;
  for (int s = lane; s < servers; s += SGG_WARP) {
    out.limit[s] = 0u;
  }
  __syncwarp();
  // Each message's server, and its rank among those of that server; then its place in the ring.
  int server[rounds];
  unsigned place[rounds];
  unsigned waiting = 0u;
  SGG_UNROLL
  for (int k = 0; k < rounds; k++) {
    int at = k * SGG_WARP + lane;
    server[k] = 0;
    place[k] = 0u;
    if (at < staged) {
      server[k] = (int)((unsigned)out.rows[at] % (unsigned)servers);
      place[k] = atomicAdd(&out.limit[server[k]], 1u);
      waiting |= 1u << k;
    }
  }
  __syncwarp();
  unsigned from[groups];
  unsigned left[groups];
  SGG_UNROLL
  for (int g = 0; g < groups; g++) {
    int s = g * SGG_WARP + lane;
    from[g] = 0u;
    left[g] = s < servers ? out.limit[s] : 0u;
    if (left[g] != 0u) {
      from[g] = (unsigned)atomicAdd(sgg_delegate_written(f, s), (unsigned long long)left[g]);
      out.first[s] = from[g];
    }
  }
  __syncwarp();
  SGG_UNROLL
  for (int k = 0; k < rounds; k++) {
    if (((waiting >> k) & 1u) != 0u) {
      place[k] += out.first[server[k]];
    }
  }
  long long full = 0;
  for (;;) {
    SGG_UNROLL
    for (int g = 0; g < groups; g++) {
      if (left[g] != 0u) {
        int s = g * SGG_WARP + lane;
        int room = (int)((unsigned)sgg_load_acquire(sgg_delegate_read(f, s)) + (unsigned)f.delegateRing - from[g]);
        out.limit[s] = from[g] + (unsigned)sgg_smaller(sgg_larger(room, 0), (int)left[g]);
      }
    }
    __syncwarp();
    SGG_UNROLL
    for (int k = 0; k < rounds; k++) {
      if (((waiting >> k) & 1u) != 0u && (int)(place[k] - out.limit[server[k]]) < 0) {
        int at = k * SGG_WARP + lane;
        unsigned slot = place[k] & (unsigned)(f.delegateRing - 1);
        sgg_store(sgg_delegate_word(f, server[k], 0, slot), (unsigned long long)(unsigned)out.rows[at]);
        for (int w = 0; w < SGG_SLOT_WORDS; w++) {
          sgg_store(sgg_delegate_word(f, server[k], w + 1, slot), out.words[w * sgg_delegate_room() + at]);
        }
        waiting &= ~(1u << k);
      }
    }
    __syncwarp();
    unsigned rest = 0u;
    SGG_UNROLL
    for (int g = 0; g < groups; g++) {
      if (left[g] != 0u) {
        int s = g * SGG_WARP + lane;
        unsigned to = out.limit[s];
        sgg_delegate_tell(f, s, from[g], to);
        left[g] -= to - from[g];
        from[g] = to;
        rest |= left[g];
      }
    }
    if (!__any_sync(SGG_ALL_LANES, rest != 0u)) {
      break;
    }
    full++;
    sgg_relax();
    if (__any_sync(SGG_ALL_LANES, sgg_delegate_stuck(f, full))) {
      break;
    }
  }
  if (full != 0 && lane == 0) {
    atomicAdd(&f.delegateState[SGG_DELEGATE_FULL], (unsigned long long)full);
  }
}

// Merges the messages of lanes that have the same receiver: neighbours of ever larger distance, `next` being the lane so many ranks ahead.
// Returns whether this lane has one afterwards: the first of each receiver. All lanes.
SGG_DEVICE bool sgg_delegate_combine(const Frame& f, int lane, bool has, int row, Message& message) {
  unsigned same = __match_any_sync(SGG_ALL_LANES, has ? row : -1);
  int rank = __popc(same & sgg_lanes(0, lane));
  int size = has ? __popc(same) : 1;
  unsigned higher = same & sgg_lanes(lane + 1, SGG_WARP);
  int next = higher != 0u ? __ffs((int)higher) - 1 : lane;
  for (int d = 1; d < SGG_WARP && __any_sync(SGG_ALL_LANES, size > d); d <<= 1) {
    Message other = sgg_message_shfl(message, next);
    if ((rank & (2 * d - 1)) == 0 && rank + d < size) {
      sgg_merge(f, row, message, other);
    }
    next = sgg_shfl(next, next);
  }
  return has && rank == 0;
}

// Sends a message of each lane that has one, now or later. All lanes.
SGG_DEVICE void sgg_delegate(const Frame& f, int lane, const Round& round, bool sends, int row, Message& message, RoundTally& tally) {
  if (f.delegateCombines != 0) {
    sends = sgg_delegate_combine(f, lane, sends, row, message);
  }
  unsigned sending = __ballot_sync(SGG_ALL_LANES, sends);
  int count = __popc(sending);
  if (count == 0) {
    return;
  }
  if (tally.staged + count > (int)f.delegateStaged) {
    sgg_delegate_flush(f, lane, round, tally);
  }
  if (sends) {
    Outgoing out = sgg_delegate_outgoing(round.room);
    int at = tally.staged + __popc(sending & sgg_lanes(0, lane));
    SlotWords words;
    sgg_slot_words(message, words);
    for (int w = 0; w < SGG_SLOT_WORDS; w++) {
      out.words[w * sgg_delegate_room() + at] = words.at[w];
    }
    out.rows[at] = row;
  }
  tally.staged += count;
}

// Behind a warp's last edge of a superstep. All lanes.
SGG_DEVICE void sgg_delegate_finish(const Frame& f, int lane, const Round& round, RoundTally& tally) {
  sgg_delegate_flush(f, lane, round, tally);
  __syncwarp();
  if (lane == 0) {
    sgg_add_release(&f.delegateState[SGG_DELEGATE_FINISHED], 1ull);
  }
}

// How many messages there are from a place on without a gap, at most 32 words of bits; their bits are cleared. All lanes of a warp.
SGG_DEVICE unsigned sgg_delegate_take(const Frame& f, int lane, int server, unsigned from) {
  int words = sgg_smaller(SGG_WARP, (int)(f.delegateRing >> 5));
  int first = (int)(from & 31u);
  unsigned slot = ((from & ~31u) + (unsigned)lane * SGG_WARP) & (unsigned)(f.delegateRing - 1);
  // Bits before the first place are of the next lap.
  unsigned before = lane == 0 ? sgg_lanes(0, first) : 0u;
  unsigned bits = lane < words ? sgg_load_acquire(sgg_delegate_bits(f, server, slot)) | before : 0u;
  unsigned whole = __ballot_sync(SGG_ALL_LANES, bits == SGG_ALL_LANES);
  int wholes = whole == SGG_ALL_LANES ? SGG_WARP : __ffs((int)~whole) - 1;
  int partly = bits == SGG_ALL_LANES ? SGG_WARP : __ffs((int)~bits) - 1;
  int count = wholes == SGG_WARP ? SGG_WARP * SGG_WARP : wholes * SGG_WARP + sgg_shfl(partly, wholes & 31);
  unsigned taken = lane > wholes ? 0u : sgg_lanes(0, partly) & ~before;
  if (taken != 0u) {
    atomicAnd(sgg_delegate_bits(f, server, slot), ~taken);
  }
  return (unsigned)(count - first);
}

// Merges a message of each lane that has one into the slots, which are this server's. All lanes of a warp.
SGG_DEVICE void sgg_delegate_merge(const Frame& f, int lane, const Round& round, unsigned* locks, int server, unsigned place, bool has) {
  int row = -1;
  Message message;
  sgg_message_reset(message);
  if (has) {
    unsigned slot = place & (unsigned)(f.delegateRing - 1);
    row = (int)(unsigned)sgg_load(sgg_delegate_word(f, server, 0, slot));
    SlotWords words;
    for (int w = 0; w < SGG_SLOT_WORDS; w++) {
      words.at[w] = sgg_load(sgg_delegate_word(f, server, w + 1, slot));
    }
    sgg_slot_message(words, message);
  }
  bool waits = sgg_delegate_combine(f, lane, has, row, message);
  bool first = false;
  unsigned* lock = &locks[((unsigned)row / (unsigned)f.servers) & (SGG_DELEGATE_LOCKS - 1)];
  while (waits) {
    if (atomicCAS(lock, 0u, 1u) == 0u) {
      __threadfence_block();
      first = sgg_slot_put(f, row, f.slotState[row] != 0u, message);
      f.slotState[row] = 1u;
      __threadfence_block();
      atomicExch(lock, 0u);
      waits = false;
    }
  }
  __syncwarp();
  sgg_touch(f, lane, round, first, row);
}

// Serves until `finished` warps of clients are finished and all that they sent is merged; at `place` the ring is read on. All threads.
SGG_DEVICE void sgg_delegate_serve(const Frame& f, int lane, const Round& round, unsigned long long finished, unsigned& place) {
  unsigned* locks = (unsigned*)round.room;
  unsigned* ranges = locks + SGG_DELEGATE_LOCKS;
  int server = (int)blockIdx.x;
  int warp = (int)(threadIdx.x >> 5);
  unsigned from = place;
  unsigned to = place;
  unsigned long long seen = 0ull;
  long long quiet = 0;
  for (unsigned turn = 0u;; turn ^= 2u) {
    if (warp == 0) {
      // The next range, while the others merge this one.
      unsigned long long came = sgg_load_acquire(&f.delegateState[SGG_DELEGATE_FINISHED]);
      __syncwarp();
      unsigned written = (unsigned)sgg_load(sgg_delegate_written(f, server));
      unsigned next = to + sgg_delegate_take(f, lane, server, to);
      bool all = came >= finished && written == next;
      came += (unsigned long long)written;
      quiet = next == to && from == to && came == seen ? quiet + 1 : 0;
      seen = came;
      bool stuck = sgg_delegate_stuck(f, quiet);
      if (lane == 0) {
        ranges[turn] = next;
        ranges[turn + 1u] = all || stuck ? 1u : 0u;
      }
      if (quiet > 0) {
        sgg_relax();
      }
    } else {
      for (unsigned base = from + (unsigned)(warp - 1) * SGG_WARP; (int)(to - base) > 0; base += (SGG_BLOCK_WARPS - 1) * SGG_WARP) {
        sgg_delegate_merge(f, lane, round, locks, server, base + (unsigned)lane, (int)(to - base) > lane);
      }
    }
    __syncthreads();
    if (threadIdx.x == 0u && from != to) {
      sgg_store_release(sgg_delegate_read(f, server), (unsigned long long)to);
    }
    from = to;
    to = ranges[turn];
    if (from == to && ranges[turn + 1u] != 0u) {
      break;
    }
  }
  place = to;
}

// The locks of a server are free. All threads, once in a launch.
SGG_DEVICE void sgg_delegate_begin(const Frame& f, unsigned long long* room) {
  if (blockIdx.x < (unsigned)f.servers) {
    unsigned* locks = (unsigned*)room;
    for (int i = (int)threadIdx.x; i < SGG_DELEGATE_LOCKS; i += (int)blockDim.x) {
      locks[i] = 0u;
    }
  }
  __syncthreads();
}
