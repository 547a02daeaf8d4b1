// The order of edges in sorted rows: by classes of their values, the best first, in any order within a class. Edges are compared by keys
// (order_keys.cuh) of which the least is the best one's. A class is a range of keys: of integers all have the same width, of floating point
// an octave has the same number of classes everywhere. SGG_EDGE_FALLS, in kernels that sort a member of the frame: the largest value is the
// best.

// Bits of a class's number.
#define SGG_EDGE_CLASS_BITS 8
#define SGG_EDGE_CLASSES (1 << SGG_EDGE_CLASS_BITS)

// Words of what is known of all edges: the first key of class 1 less a class's width; the width's logarithm; the keys of the best edge and of
// the worst one.
#define SGG_EDGE_RANGE_FIRST 0
#define SGG_EDGE_RANGE_SHIFT 1
#define SGG_EDGE_RANGE_BEST 2
#define SGG_EDGE_RANGE_WORST 3

SGG_DEVICE int sgg_edge_class(const unsigned long long* range, unsigned long long key) {
  unsigned long long first = range[SGG_EDGE_RANGE_FIRST];
  if (key <= first) {
    return 0;
  }
  unsigned long long number = (key - first) >> range[SGG_EDGE_RANGE_SHIFT];
  return number < SGG_EDGE_CLASSES ? (int)number : SGG_EDGE_CLASSES - 1;
}

// The least key that an edge of a class may have.
SGG_DEVICE unsigned long long sgg_edge_class_key(const unsigned long long* range, int number) {
  return number == 0 ? range[SGG_EDGE_RANGE_BEST]
                     : range[SGG_EDGE_RANGE_FIRST] + ((unsigned long long)number << range[SGG_EDGE_RANGE_SHIFT]);
}
