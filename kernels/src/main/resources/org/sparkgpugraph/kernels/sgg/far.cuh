// Near and far (Davidson 2014): vertices whose value is not below a threshold are put off until no other is active, since most of what
// they would say now would be improved later. The values at the end do not depend on it, since the program is monotone. Who is put off
// stands in one of two lists, and has a bit in farBits; no vertex being near any more, the threshold is raised above the least of them, and
// those that are far still go to the other list.

#define SGG_INFINITY __longlong_as_double(0x7ff0000000000000LL)

SGG_DEVICE bool sgg_is_far(double value, double threshold) { return value >= threshold && threshold < SGG_INFINITY; }

// Puts vertices into a list of those put off. All lanes.
SGG_DEVICE void sgg_put_off(const Frame& f, int lane, bool far, int v, int list) {
  unsigned putOff = __ballot_sync(SGG_ALL_LANES, far);
  if (putOff == 0u) {
    return;
  }
  long long at = 0;
  if (lane == 0) {
    at = (long long)atomicAdd(&f.queueState[SGG_QUEUE_FAR + list], (unsigned long long)__popc(putOff));
  }
  at = sgg_shfl(at, 0) + __popc(putOff & sgg_lanes(0, lane));
  if (far) {
    (list == 0 ? f.far0 : f.far1)[at] = v;
  }
}

// Bits that are ordered as the numbers are, the least as the largest; never 0.
SGG_DEVICE unsigned long long sgg_least_first(double value) {
  unsigned long long bits = (unsigned long long)__double_as_longlong(value);
  return ~((bits >> 63) != 0ull ? ~bits : bits | 0x8000000000000000ull);
}
SGG_DEVICE double sgg_of_least_first(unsigned long long ordered) {
  unsigned long long bits = ~ordered;
  return __longlong_as_double((long long)((bits >> 63) != 0ull ? bits & 0x7fffffffffffffffull : ~bits));
}

// No vertex is near: raises the threshold above the least value of those put off, and makes those near that are below it now. Who was
// below the old one has been active since it was put off. All threads of all blocks.
SGG_DEVICE void sgg_push_bucket(const Frame& f, int lane, Round& round, long long count, unsigned long long* arrivals, unsigned& target,
                                RoundTally& tally) {
  const int* list = round.list == 0 ? f.far0 : f.far1;
  unsigned long long least = 0ull;
  for (long long first = sgg_warp() * SGG_WARP; first < count; first += sgg_warps() * SGG_WARP) {
    if (first + lane < count) {
      State value;
      sgg_load_state(f, list[first + lane], value);
      if (sgg_is_far(sgg_far_value(value), round.threshold)) {
        unsigned long long ordered = sgg_least_first(sgg_far_value(value));
        least = ordered > least ? ordered : least;
      }
    }
  }
  for (int d = SGG_WARP / 2; d > 0; d >>= 1) {
    unsigned long long other = (unsigned long long)sgg_shfl_down((long long)least, d);
    least = other > least ? other : least;
  }
  if (lane == 0 && least > sgg_fresh(&round.ring[SGG_RING_LEAST])) {
    atomicMax(&round.ring[SGG_RING_LEAST], least);
  }
  sgg_grid_sync(arrivals, target);
  least = sgg_fresh(&round.ring[SGG_RING_LEAST]);
  double threshold = SGG_INFINITY;
  if (least != 0ull) {
    double from = sgg_of_least_first(least);
    // Where the step is lost in the value's digits all are near.
    threshold = from + f.bucket > from ? from + f.bucket : SGG_INFINITY;
  }
  for (long long first = sgg_warp() * SGG_WARP; first < count; first += sgg_warps() * SGG_WARP) {
    bool exists = first + lane < count;
    int v = exists ? list[first + lane] : 0;
    bool near = false;
    bool far = false;
    if (exists) {
      State value;
      sgg_load_state(f, v, value);
      far = sgg_is_far(sgg_far_value(value), threshold);
      near = !far && sgg_is_far(sgg_far_value(value), round.threshold);
      if (!far) {
        sgg_clear_bit(f.farBits, v);
      }
      if (near) {
        atomicOr(&round.nextActive[v >> 5], 1u << (v & 31));
      }
    }
    sgg_put_off(f, lane, far, v, 1 - round.list);
    sgg_push_activate(f, lane, round, near, v, tally);
  }
  round.threshold = threshold;
  round.list = 1 - round.list;
}
