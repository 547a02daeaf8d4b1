// Loops of as many rounds as data say, shared by all lanes of a warp (collaborative task engagement, Khorasani 2016, section 4.2). A lane's
// loop is its task; rounds of all tasks stand in one list without gaps, and the lanes walk it 32 places at a time, each finding the
// task that owns its place by a search over the lanes (packing.cuh) and what a round reads by shuffles. So a warp takes as long as all of its
// rounds together, not as long as its longest task. A segmented reduction joins what the rounds of a task found, in their order.
//
// The paper's library falls back to a loop for each lane where not all lanes come. Here all come, with loops without rounds if need be:
// whoever evaluates edges calls with all lanes and says which have one (sgg_send).

// Rounds of a lane that are listed at a time: those of a warp are numbers of 31 bits.
#define SGG_TASK_ROUNDS (1 << 24)

// Calls Task::round for each index from `first` on before `end`, of every lane, and returns what Task::joined makes of the results of
// this lane's, beginning with Task::start. Task::Context is what a round reads of the lane whose round it is. All lanes.
template <class Task>
SGG_DEVICE typename Task::Sums sgg_for_each_index(const Frame& f, int lane, int row, const typename Task::Context& context, int first,
                                                  int end) {
  typename Task::Sums sums = Task::start(context);
  unsigned left = end > first ? (unsigned)end - (unsigned)first : 0u;
  unsigned next = (unsigned)first;
  while (__any_sync(SGG_ALL_LANES, left > 0u)) {
    int count = left < (unsigned)SGG_TASK_ROUNDS ? (int)left : SGG_TASK_ROUNDS;
    PackedRows tasks = sgg_pack(0, count, false, lane);
    for (int base = 0; base < tasks.total; base += SGG_WARP) {
      int place = base + lane;
      int owner = sgg_owner(tasks, place);
      int start = sgg_shfl(tasks.start, owner);
      int tail = sgg_smaller(SGG_WARP, sgg_shfl(tasks.start + tasks.count, owner) - base);
      int index = (int)((unsigned)sgg_shfl((int)next, owner) + (unsigned)(place - start));
      int ownersRow = sgg_shfl(row, owner);
      typename Task::Context theirs = Task::shfl(context, owner);
      typename Task::Sums part = Task::start(theirs);
      if (place < tasks.total) {
        Task::round(f, ownersRow, theirs, index, part);
      }
      for (int d = 1; d < SGG_WARP; d <<= 1) {
        typename Task::Sums other = Task::shfl_down(part, d);
        if (lane + d < tail) {
          part = Task::joined(part, other);
        }
      }
      // The first lane with a round of this lane's task, if there is any here.
      typename Task::Sums joined = Task::shfl(part, sgg_larger(tasks.start - base, 0) & 31);
      if (tasks.count > 0 && tasks.start < base + SGG_WARP && tasks.start + tasks.count > base) {
        sums = Task::joined(sums, joined);
      }
    }
    next += (unsigned)count;
    left -= (unsigned)count;
  }
  return sums;
}

// Evaluates an edge in each lane that has one; their loops are shared where the send function was cut for that (TaskForm). All lanes.
template <class Side>
SGG_DEVICE void sgg_send(const Frame& f, int lane, bool evaluates, int row, const typename Side::Row& own, const typename Side::Edge& edge,
                         Message& message, bool& sends) {
  if constexpr (Side::TASKS) {
    typename Side::Before before{};
    if (evaluates) {
      Side::before(f, row, own, edge, before);
    }
    bool loops = evaluates && before.c0 == 0;
    typename Side::Sums sums =
        sgg_for_each_index<Side>(f, lane, row, Side::context(before), loops ? before.c1 : 0, loops ? before.c2 : 0);
    if (evaluates) {
      Side::after(f, row, own, edge, before, sums, message, sends);
    }
  } else {
    (void)lane;
    if (evaluates) {
      Side::send(f, row, own, edge, message, sends);
    }
  }
}
