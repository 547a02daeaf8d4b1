// How much there is to do in each section of neighbouring rows, from which the host decides where the borders between devices lie in
// the next superstep (permissive partitioning, Khorasani 2016, chapter 3).

// Rows of each section, of those that this device computes, whose bit is set in `counted`, which has a bit per 2^countedShift rows.
// Sections have sectionRows rows, a multiple of 32, and are counted from row 0. A thread per section.
SGG_KERNEL(count_sections) {
  long long threads = (long long)gridDim.x * blockDim.x;
  long long words = sgg_bitmap_words(sgg_end_row(f));
  long long wordsPerSection = f.sectionRows >> 5;
  int shift = (int)f.countedShift;
  long long first = (sgg_first_row(f) >> 5) / wordsPerSection;
  for (long long s = first + (long long)blockIdx.x * blockDim.x + threadIdx.x; s * wordsPerSection < words; s += threads) {
    int rows = 0;
    for (long long w = s * wordsPerSection; w < words && w < (s + 1) * wordsPerSection; w++) {
      int group = (int)((w << 5) >> shift);
      if (shift >= 5) {
        rows += sgg_bit(f.counted, group) ? SGG_WARP : 0;
      } else {
        unsigned bits = f.counted[group >> 5] & sgg_lanes(group & 31, (group & 31) + (SGG_WARP >> shift));
        rows += __popc(bits) << shift;
      }
    }
    f.sectionCounts[s] = rows;
  }
}
