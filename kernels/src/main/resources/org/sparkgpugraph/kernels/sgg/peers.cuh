// Supersteps that push on several devices at once, a part of the graph on each, in one launch on each (push.cuh). Who changed is written
// to where the devices that know it as a ghost have their inboxes, as a gather does it (refine.cuh); then the devices meet by words in each
// other's memory, tell what they counted, so that all decide the same, and take what came. Words and inboxes are there twice, since one
// device may be a superstep ahead of another, but never two. Who is put off (far.cuh) is told of when it is near; what is left of those the
// host tells behind the launch.

// What the table says of another device.
SGG_DEVICE const unsigned long long* sgg_peer(const Frame& f, int peer) { return f.peers + SGG_PEER_OTHERS + peer * SGG_PEER_ENTRIES; }

// The words of a meeting.
SGG_DEVICE unsigned long long* sgg_peer_words(unsigned long long address, unsigned long long meeting) {
  return (unsigned long long*)address + (meeting & 1ull) * SGG_PEER_STRIDE;
}

// What devices counted in a superstep.
struct Met {
  unsigned long long items;  // of next queues; ghosts that are told of among them
  unsigned long long work;
  bool faulty;
};

// Lets readers elsewhere have the values of who is active next and has changed since they last had them. All threads of all blocks.
SGG_DEVICE void sgg_peers_tell(const Frame& f, const Outbox* boxes, int lane, const Round& round, long long items) {
  for (long long first = sgg_warp() * SGG_WARP; first < items; first += sgg_warps() * SGG_WARP) {
    bool exists = first + lane < items;
    long long item = exists ? round.nextQueue[first + lane] : 0;
    int v = (int)(unsigned)item;
    unsigned bit = 1u << (v & 31);
    // A vertex may have several items.
    bool says = exists && (item >> 32) == 0 && (atomicAnd(&f.changed[v >> 5], ~bit) & bit) != 0u;
    if (__any_sync(SGG_ALL_LANES, says)) {
      State after{};
      if (says) {
        sgg_load_state(f, v, after);
      }
      sgg_refine_compact(boxes, (int)f.outboxCount, lane, v, says, true, true, after);
    }
  }
}

// Tells each other device what this one counted, and waits until it has told its own: a lane for each, of one warp.
SGG_DEVICE void sgg_peers_meet(const Frame& f, const Outbox* boxes, const Round& round, unsigned long long meeting, const Met& own) {
  int lane = (int)threadIdx.x;
  if (blockIdx.x != 0u || lane >= SGG_WARP) {
    return;
  }
  bool meets = lane < (int)f.peerCount;
  const unsigned long long* peer = sgg_peer(f, meets ? lane : 0);
  long long box = meets ? (long long)peer[SGG_PEER_OUTBOX] : -1;
  unsigned told = 0u;
  if (box >= 0) {
    unsigned long long* counts = (unsigned long long*)boxes[box].counts;
    told = (unsigned)sgg_fresh(counts);
    *counts = 0ull;
  }
  unsigned all = sgg_warp_add(told);
  if (lane == 0) {
    round.ring[SGG_RING_TOLD] = all;
  }
  if (!meets) {
    return;
  }
  unsigned long long* words = sgg_peer_words(peer[SGG_PEER_THERE], meeting);
  sgg_store(&words[SGG_PEER_TOLD], told);
  sgg_store(&words[SGG_PEER_ITEMS], own.items + all);
  sgg_store(&words[SGG_PEER_WORK], own.work);
  sgg_store(&words[SGG_PEER_FAULTS], own.faulty ? 1ull : 0ull);
  sgg_store_release_system(&words[SGG_PEER_MEETING], meeting);
  const unsigned long long* heard = sgg_peer_words(peer[SGG_PEER_HERE], meeting);
  unsigned long long began = sgg_nanos();
  while (sgg_load_acquire_system(&heard[SGG_PEER_MEETING]) != meeting) {
    if (sgg_nanos() - began > (unsigned long long)f.peerPatience) {
      atomicExch(&f.queueState[SGG_QUEUE_ALONE], 1ull);
      return;
    }
    sgg_relax();
  }
}

// Takes what the others told, and puts their vertices, which are ghosts here, into the next queue. All threads of all blocks.
SGG_DEVICE void sgg_peers_hear(const Frame& f, int lane, const Round& round, unsigned long long meeting, int odd, Met& met) {
  met.items += sgg_fresh(&round.ring[SGG_RING_TOLD]);
  for (int i = 0; i < (int)f.peerCount; i++) {
    const unsigned long long* peer = sgg_peer(f, i);
    const unsigned long long* heard = sgg_peer_words(peer[SGG_PEER_HERE], meeting);
    met.items += sgg_load(&heard[SGG_PEER_ITEMS]);
    met.work += sgg_load(&heard[SGG_PEER_WORK]);
    met.faulty = met.faulty || sgg_load(&heard[SGG_PEER_FAULTS]) != 0ull;
    long long count = (long long)sgg_load(&heard[SGG_PEER_TOLD]);
    const Outbox* box = (const Outbox*)peer[SGG_PEER_INBOX + odd];
    const int* ghostOf = (const int*)peer[SGG_PEER_GHOST_OF];
    for (long long first = sgg_warp() * SGG_WARP; first < count; first += sgg_warps() * SGG_WARP) {
      int v = -1;
      if (first + lane < count) {
        int position = box->positions[first + lane];
        v = ghostOf != nullptr ? ghostOf[position] : (int)peer[SGG_PEER_FIRST_GHOST] + position;
        if (v >= 0) {
          sgg_outbox_load(f, *box, (int)first + lane, v);
#if SGG_STOPS
          // A superstep that gathers may come next, which asks who is active among the ghosts, too.
          atomicOr(&round.nextActive[v >> 5], 1u << (v & 31));
#endif
        }
      }
      sgg_push_append(f, lane, v >= 0, v, round.nextQueue, &round.ring[SGG_RING_ITEMS]);
    }
  }
}

// Lets the devices meet behind a superstep, the so-many-th of the launch: behind a barrier of the grid, and ends with one. All threads of all
// blocks. Returns what all devices counted.
SGG_DEVICE Met sgg_peers(const Frame& f, int lane, const Round& round, int done, unsigned long long* arrivals, unsigned& target) {
  unsigned long long meeting = (unsigned long long)(f.peerMeetings + done);
  int odd = (int)(f.superstep + done - 1) & 1;
  const Outbox* boxes = (const Outbox*)f.peers[odd];
  Met met{sgg_fresh(&round.ring[SGG_RING_ITEMS]), sgg_fresh(&round.ring[SGG_RING_ACTIVATED]) + sgg_fresh(&round.ring[SGG_RING_ACTIVE_EDGES]),
          SGG_FAULTS && sgg_fresh(&round.ring[SGG_RING_FAULTS]) != 0ull};
  sgg_peers_tell(f, boxes, lane, round, (long long)met.items);
  sgg_grid_sync(arrivals, target);
  sgg_peers_meet(f, boxes, round, meeting, met);
  sgg_grid_sync(arrivals, target);
  if (sgg_fresh(&f.queueState[SGG_QUEUE_ALONE]) != 0ull) {
    met.faulty = true;
    return met;
  }
  sgg_peers_hear(f, lane, round, meeting, odd, met);
  sgg_grid_sync(arrivals, target);
  return met;
}
