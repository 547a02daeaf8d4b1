// Outboxes that are filled behind a superstep, from bitmaps of their home's held vertices (the gather fills others itself, see
// sgg_refine). Updates come in the order of the list, so that who reads them on the host need not sort: one launch counts what each warp
// will write, the next one writes behind what the warps before it have.

// What an outbox gets of the 32 vertices of a word: the list's vertices that changed since the bitmap `changed` was cleared, or that are
// active; all of them when `collectsAll` is set.
struct Collected {
  unsigned members;
  unsigned valued;
  unsigned active;
  unsigned update;
};

SGG_DEVICE Collected sgg_collected(const Frame& f, const Outbox& box, long long word) {
  Collected c;
  c.members = box.members[word];
  unsigned changed = f.changed != nullptr ? f.changed[word] : 0u;
  c.active = 0u;
  if (!SGG_EVERY_VERTEX && f.shipActivity != 0) {
    // In place active is what changed; the reader has not yet followed the changes of the supersteps before the last one.
    c.active = f.nextActive[word] | (SGG_IN_PLACE ? changed : 0u);
  }
  c.valued = c.members & (f.collectsAll != 0 ? SGG_ALL_LANES : changed);
  c.update = c.valued | (c.members & c.active);
  return c;
}

// Words [begin, end) of a bitmap of held vertices.
struct CollectedWords {
  long long begin;
  long long end;
};

// Those that this thread's warp has: whole groups of SGG_WARP but for the last one.
SGG_DEVICE CollectedWords sgg_collect_words(const Frame& f) {
  long long words = sgg_bitmap_words(f.stored);
  long long groups = sgg_bitmap_words(words);
  long long share = ((groups + sgg_warps() - 1) / sgg_warps()) << 5;
  long long begin = sgg_warp() * share;
  return CollectedWords{begin, begin + share < words ? begin + share : words};
}

// Counts by warp, the updates in the low half, those with a value in the high one. Both launches must have as many warps.
SGG_KERNEL(collect_count) {
  const Outbox& box = *f.collected;
  int lane = sgg_lane();
  CollectedWords words = sgg_collect_words(f);
  int updates = 0;
  int valued = 0;
  for (long long w = words.begin + lane; w < words.end; w += SGG_WARP) {
    Collected c = sgg_collected(f, box, w);
    updates += __popc(c.update);
    valued += __popc(c.valued);
  }
  long long counts = (long long)valued << 32 | (long long)updates;
  counts = sgg_warp_sum(counts);
  if (lane == 0) {
    f.collectCounts[sgg_warp()] = counts;
  }
}

SGG_KERNEL(collect) {
  const Outbox& box = *f.collected;
  int lane = sgg_lane();
  CollectedWords words = sgg_collect_words(f);
  long long before = 0;
  for (long long i = lane; i < sgg_warp(); i += SGG_WARP) {
    before += f.collectCounts[i];
  }
  before = sgg_warp_sum(before);
  if (sgg_warp() == sgg_warps() - 1 && lane == 0) {
    long long all = before + f.collectCounts[sgg_warp()];
    box.counts[0] = (int)all;
    box.counts[1] = (int)(all >> 32);
  }
  int slot = (int)sgg_shfl(before, 0);
  for (long long group = words.begin; group < words.end; group += SGG_WARP) {
    Collected own = {0u, 0u, 0u, 0u};
    if (group + lane < words.end) {
      own = sgg_collected(f, box, group + lane);
    }
    for (unsigned left = __ballot_sync(SGG_ALL_LANES, own.update != 0u); left != 0u; left &= left - 1u) {
      int which = __ffs((int)left) - 1;
      unsigned members = (unsigned)sgg_shfl((int)own.members, which);
      unsigned valued = (unsigned)sgg_shfl((int)own.valued, which);
      unsigned active = (unsigned)sgg_shfl((int)own.active, which);
      unsigned update = (unsigned)sgg_shfl((int)own.update, which);
      unsigned bit = 1u << lane;
      if (update & bit) {
        int to = slot + __popc(update & (bit - 1u));
        box.positions[to] = box.ranks[group + which] + __popc(members & (bit - 1u));
        box.flags[to] = (unsigned char)sgg_update_flags(valued & bit, active & bit);
        if (valued & bit) {
          State value;
          sgg_load_state(f, (int)((group + which) << 5) + lane, value);
          sgg_outbox_store(box, to, value);
        }
      }
      slot += __popc(update);
    }
  }
}
