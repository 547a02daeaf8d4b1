// Superstep 0: state from attributes, then the vertex program with the initial message, on held vertices and ghosts. Vertices
// that do not exist get zeros, and hidden columns what follows from zeros.

// A vertex whose state is loaded, where it exists.
SGG_DEVICE void sgg_initialise_vertex(const Frame& f, int v, const State& value, Tally& tally) {
  State after{};
  if (sgg_present(f, v)) {
    bool held = v >= sgg_first_row(f) && v < sgg_end_row(f);
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

#if SGG_SEARCHES
// Words that a search which begins with all vertices needs to be 0 (search.cuh): a launch for that would take as long as a superstep.
SGG_DEVICE void sgg_clear_for_search(const Frame& f) {
  if (f.searchRing != nullptr) {
    for (long long i = sgg_thread(); i < SGG_SEARCH_ALL; i += sgg_threads()) {
      f.searchRing[i] = 0ull;
    }
    for (long long i = sgg_thread(); i < SGG_QUEUE_WORDS; i += sgg_threads()) {
      f.queueState[i] = 0ull;
    }
  }
}
#endif

// A thread per vertex, in rounds; of small states it loads several together.
SGG_KERNEL(initialise) {
  constexpr int depth = sizeof(State) <= Policy::INITIAL_BYTES ? Policy::INITIAL_DEPTH : 1;
#if SGG_SEARCHES
  sgg_clear_for_search(f);
#endif
  Tally tally;
  sgg_tally_begin(tally);
  for (long long first = sgg_thread(); first < f.locals; first += depth * sgg_threads()) {
    State value[depth];
    SGG_UNROLL
    for (int i = 0; i < depth; i++) {
      long long v = first + i * sgg_threads();
      value[i] = State{};
      if (v < f.locals && sgg_present(f, (int)v)) {
        sgg_initial_state(f, (int)v, value[i]);
      }
    }
    SGG_UNROLL
    for (int i = 0; i < depth; i++) {
      long long v = first + i * sgg_threads();
      if (v < f.locals) {
        sgg_initialise_vertex(f, (int)v, value[i], tally);
      }
    }
  }
  sgg_tally_store(f, tally);
}
