// Merging: what lanes have of the same row.
//
// The reduction merges neighbours first (strides 1, 2, 4, 8, 16), so messages are merged in the order of the edges: a merge
// function has to be associative, as GraphX demands, but need not be commutative to give the same result as on the processor.

SGG_DEVICE void sgg_inbox_take(const Frame& f, int row, Inbox& inbox, const Message& message) {
  if (inbox.has) {
    sgg_merge(f, row, inbox.message, message);
  } else {
    inbox.message = message;
    inbox.has = true;
  }
}

// Merges the messages of each segment of lanes into its first lane, in lane order. A segment is what lies between its first lane
// and `end` (the same for all of its lanes); `sent` has a bit for every lane whose message counts; `span`, at most Span, is a power of
// two that no segment exceeds. All lanes of the warp take part.
template <int Span>
SGG_DEVICE void sgg_reduce_segments(const Frame& f, int row, Message& message, unsigned sent, int lane, int end, int span = Span) {
  if (sent == SGG_ALL_LANES) {
    // The common case: nobody has to ask who sent.
    for (int d = 1; d < Span && d < span; d <<= 1) {
      Message other = sgg_message_shfl_down(message, d);
      if (lane + d < end) {
        sgg_merge(f, row, message, other);
      }
    }
    return;
  }
  for (int d = 1; d < Span && d < span; d <<= 1) {
    Message other = sgg_message_shfl_down(message, d);
    unsigned theirs = sent & sgg_lanes(lane + d, sgg_smaller(lane + 2 * d, end));
    if (theirs != 0u) {
      if ((sent & sgg_lanes(lane, sgg_smaller(lane + d, end))) != 0u) {
        sgg_merge(f, row, message, other);
      } else {
        message = other;
      }
    }
  }
}

// Merges messages of one row, in the order of the lanes, into lane 0's inbox, or where the order does not matter to the merge function
// each lane's own into its inbox. `sent` has a bit for every lane whose message counts. All lanes.
SGG_DEVICE void sgg_take_row(const Frame& f, int lane, int v, Message& message, unsigned sent, Inbox& inbox) {
  if constexpr (SGG_COMMUTATIVE) {
    if ((sent >> lane) & 1u) {
      sgg_inbox_take(f, v, inbox, message);
    }
  } else if (sent != 0u) {
    sgg_reduce_segments<SGG_WARP>(f, v, message, sent, lane, SGG_WARP);
    if (lane == 0) {
      sgg_inbox_take(f, v, inbox, message);
    }
  }
}
