// Gathering and applying rows whose vertices teams run (team.cuh).

#if SGG_TEAM
static_assert(SGG_WARP / SGG_TEAM * SGG_TEAM_BYTES <= Policy::SELECTED_BYTES, "the arrays of a vertex need more room than a warp has");

// This lane's team's memory.
SGG_DEVICE char* sgg_team_memory(int lane, Stage* room) { return reinterpret_cast<char*>(room) + lane / SGG_TEAM * SGG_TEAM_BYTES; }
// Looks at what teams have made of a row per lane. `ran`: of this lane's. All lanes.
template <int Mode, int Bits>
SGG_DEVICE void sgg_team_applied(const Frame& f, int lane, int v, bool isRow, bool ran, Tally& tally) {
  bool active = false;
  bool changed = false;
  State after{};
  if (ran) {
    State before;
    sgg_load_state(f, v, before);
    sgg_load_next(f, v, after);
    tally.ran++;
    sgg_aggregate(f, v, before, after, tally.aggregates);
    active = sgg_active_when(f, v, before, after);
    changed = SGG_TRACKS_CHANGES && sgg_shipped_differs(before, after);
  } else if (isRow && Mode != SGG_TAKE_SPARSE) {
    sgg_copy_unchanged(f, v);
  }
  sgg_applied<Mode, Bits>(f, lane, v, isRow, ran, active, changed, after, tally);
}

// Gathers and applies the 32 rows of a bitmap word, as sgg_gather_word does. All lanes.
template <int Mode, int Bits>
SGG_DEVICE void sgg_team_word(const Frame& f, int lane, int v, bool isRow, bool rowActive, const RowEdges& edgesOf, Stage* room,
                              Tally& tally) {
  unsigned sent = sgg_selected_word_rows<Mode>(f, lane, v, isRow, rowActive, edgesOf, room, tally);
  unsigned rows = __ballot_sync(SGG_ALL_LANES, isRow) & (SGG_EVERY_VERTEX ? SGG_ALL_LANES : sent);
  int total = __popc(rows);
  for (int base = lane / SGG_TEAM; base < total; base += SGG_WARP / SGG_TEAM) {
    int row = sgg_nth_bit(rows, base);
    sgg_team_vertex_program(f, (v & ~31) + row, lane % SGG_TEAM, ((sent >> row) & 1u) != 0u, sgg_team_memory(lane, room));
    // What is in the memory has been read.
    sgg_team_sync();
  }
  __syncwarp();
  sgg_team_applied<Mode, Bits>(f, lane, v, isRow, ((rows >> lane) & 1u) != 0u, tally);
  __syncwarp();
}

// Applies a hub with a warp's first team, as sgg_hub_apply does. `has`: there is a message.
template <int Mode>
SGG_DEVICE void sgg_team_hub(const Frame& f, int lane, int h, int v, bool takesPart, bool has, Stage* room, Tally& tally) {
  Tally own;
  sgg_tally_reset(own);
  if (takesPart) {
    bool runs = has || SGG_EVERY_VERTEX;
    if (runs && lane < SGG_TEAM) {
      sgg_team_vertex_program(f, v, lane, has, sgg_team_memory(lane, room));
    }
    __syncwarp();
    sgg_team_applied<Mode, SGG_BITS_SINGLE>(f, lane, v, lane == 0, runs && lane == 0, own);
  }
  tally.ran += own.ran;
  tally.activated += own.activated;
  tally.activeEdges += own.activeEdges;
  if (lane == 0) {
    sgg_hub_aggregates(f, h, own.aggregates);
  }
  __syncwarp();
}
#endif
