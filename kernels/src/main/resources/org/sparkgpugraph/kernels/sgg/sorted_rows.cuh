// Rows whose edges are sorted by a value on which messages depend, those that say the best first (edge_order.cuh; made by sort_edges.cuh):
// shortest paths, whose light edges come first. No sender says more over an edge than the best sender does, and nobody more over later edges
// than over the best that may be left: when that is no improvement a row is done. Of most rows a few edges are walked.

#if SGG_IN_ROWS
typedef In Gathered;
#else
typedef Out Gathered;
#endif

template <class Value>
SGG_DEVICE Value sgg_edge_of_key(unsigned long long key) {
  Value value;
  sgg_key_value(SGG_EDGE_FALLS ? ~key : key, value);
  return value;
}

// The best edge value of all.
template <class Side>
SGG_DEVICE typename Side::SentEdge sgg_first_edge(const Frame& f) {
  return sgg_edge_of_key<typename Side::SentEdge>(f.sortedRange[SGG_EDGE_RANGE_BEST]);
}

// The worst one.
template <class Side>
SGG_DEVICE typename Side::SentEdge sgg_last_edge(const Frame& f) {
  return sgg_edge_of_key<typename Side::SentEdge>(f.sortedRange[SGG_EDGE_RANGE_WORST]);
}

// The best value that an edge of a sorted row may have, or one behind it.
template <class Side>
SGG_DEVICE typename Side::SentEdge sgg_least_behind(const Frame& f, int edge) {
  unsigned long long key = sgg_key(Side::sortedValue(f, edge));
  int number = sgg_edge_class(f.sortedRange, SGG_EDGE_FALLS ? ~key : key);
  return sgg_edge_of_key<typename Side::SentEdge>(sgg_edge_class_key(f.sortedRange, number));
}
