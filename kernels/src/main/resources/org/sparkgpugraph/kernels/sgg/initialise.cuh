// Superstep 0: state from attributes, then the vertex program with the initial message, on held vertices and ghosts. Vertices
// that do not exist get zeros, and hidden columns what follows from zeros. A thread per vertex.
SGG_KERNEL(initialise) {
  Tally tally;
  sgg_tally_reset(tally);
  long long threads = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < f.locals; i += threads) {
    int v = (int)i;
    State after{};
    if (sgg_present(f, v)) {
      bool held = i >= sgg_first_row(f) && i < sgg_end_row(f);
      State value;
      sgg_initial_state(f, v, value);
      after = value;
      if constexpr (SGG_STARTS_WITH_MESSAGE) {
        Message message;
        sgg_initial_message(f, message);
        sgg_vertex_program(f, v, value, message, after);
        if (held) {
          tally.ran++;
          sgg_aggregate(f, v, value, after, tally.aggregates);
        }
      }
      if (held) {
        tally.activated++;
      }
    } else {
      sgg_missing_state(f, v, after);
    }
    sgg_write_state(f, v, after);
  }
  sgg_tally_store(f, tally);
}
