// Vertex programs whose arrays have several lengths, such as those that solve equations: a team of SGG_TEAM lanes runs a vertex, with the
// arrays that it makes in SGG_TEAM_BYTES of its warp's room and all others where they are. All lanes run all of the program, but the
// rounds of loops that have nothing to do with each other are divided among them (program.lanes, TeamForm), so that each number is
// computed as one thread would. Messages come by way of gathered0[v] …

#if SGG_TEAM
// The lanes of this lane's team.
SGG_DEVICE unsigned sgg_team_lanes() {
  constexpr unsigned first = SGG_TEAM == SGG_WARP ? SGG_ALL_LANES : (1u << (SGG_TEAM & 31)) - 1u;
  return first << (sgg_lane() & ~(SGG_TEAM - 1));
}

// All lanes of the team have come here, and see what the others have written.
SGG_DEVICE void sgg_team_sync() { __syncwarp(sgg_team_lanes()); }

// The least of the lanes' values.
SGG_DEVICE int sgg_team_least(int value) {
  SGG_UNROLL
  for (int d = 1; d < SGG_TEAM; d *= 2) {
    value = sgg_smaller(value, __shfl_xor_sync(sgg_team_lanes(), value, d));
  }
  return value;
}
#endif
