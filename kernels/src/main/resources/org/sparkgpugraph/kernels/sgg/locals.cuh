// Vertices of a partition, whose rows an operator walks: `stored` of its own, from dense id `first` on, then ghosts.

// Whether there is such a vertex: an edge may name one that is not.
SGG_DEVICE bool sgg_exists(const Frame& f, int local) { return f.present == nullptr || sgg_bit(f.present, local); }

// The dense id of a vertex of the partition.
SGG_DEVICE int sgg_dense(const Frame& f, int local) {
  return local < (int)f.stored ? (int)f.first + local : f.ghosts[local - (int)f.stored];
}
