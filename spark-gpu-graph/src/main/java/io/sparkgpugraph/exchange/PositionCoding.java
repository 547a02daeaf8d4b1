package io.sparkgpugraph.exchange;

/**
 * How the positions of some updates are written: as a range, when there is no gap; else as the
 * differences or as a bitmap, whichever is smaller.
 */
enum PositionCoding {
  /** {@code first} as a varint; the others follow without a gap. */
  RANGE,
  /** {@code first} as a varint, then for each other the gap before it as a varint. */
  GAPS,
  /**
   * {@code first}, then {@code last − first} as varints; a bit for each of {@code (first, last]}.
   */
  BITMAP;

  /**
   * The coding of the fewest bytes.
   *
   * @param from first update
   * @param to behind the last; more than {@code from}
   */
  static PositionCoding of(RefinedUpdates updates, int from, int to) {
    int first = updates.position(from);
    int last = updates.position(to - 1);
    if (last - first == to - 1 - from) {
      return RANGE;
    }
    return GAPS.bytes(updates, from, to) <= BITMAP.bytes(updates, from, to) ? GAPS : BITMAP;
  }

  /** Bytes that it takes. */
  long bytes(RefinedUpdates updates, int from, int to) {
    int first = updates.position(from);
    long bytes = RecordWriter.varintBytes(first);
    switch (this) {
      case RANGE -> {}
      case GAPS -> {
        int before = first;
        for (int i = from + 1; i < to; i++) {
          int position = updates.position(i);
          bytes += RecordWriter.varintBytes(position - before - 1);
          before = position;
        }
      }
      case BITMAP -> {
        int span = updates.position(to - 1) - first;
        bytes += RecordWriter.varintBytes(span) + RecordWriter.bitBytes(span, 1);
      }
    }
    return bytes;
  }

  /** Writes them. */
  void write(RefinedUpdates updates, int from, int to, RecordWriter out) {
    int first = updates.position(from);
    out.varint(first);
    switch (this) {
      case RANGE -> {}
      case GAPS -> {
        int before = first;
        for (int i = from + 1; i < to; i++) {
          int position = updates.position(i);
          out.varint(position - before - 1);
          before = position;
        }
      }
      case BITMAP -> {
        int span = updates.position(to - 1) - first;
        out.varint(span);
        int size = (int) RecordWriter.bitBytes(span, 1);
        int i = from + 1;
        for (int b = 0; b < size; b++) {
          int end = first + 1 + 8 * (b + 1);
          int bits = 0;
          while (i < to && updates.position(i) - end < 0) {
            bits |= 1 << (updates.position(i) - end + 8);
            i++;
          }
          out.u8(bits);
        }
      }
    }
  }

  /** Reads the positions of {@code count} updates. */
  int[] read(RecordReader in, int count) {
    int first = in.varint("first position", 0, Integer.MAX_VALUE);
    // Every coding but a range has a bit or more for each, so a wrong count cannot allocate much.
    if (this != RANGE && count - 1 > 8L * in.remaining()) {
      throw in.wrong(count + " positions in " + in.remaining() + " bytes");
    }
    if (first + (count - 1L) > Integer.MAX_VALUE) {
      throw in.wrong(count + " positions behind " + first);
    }
    int[] positions = new int[count];
    positions[0] = first;
    switch (this) {
      case RANGE -> {
        for (int i = 1; i < count; i++) {
          positions[i] = first + i;
        }
      }
      case GAPS -> {
        for (int i = 1; i < count; i++) {
          int before = positions[i - 1];
          positions[i] = before + 1 + in.varint("gap", 0, Integer.MAX_VALUE - 1L - before);
        }
      }
      case BITMAP -> {
        int span = in.varint("span of positions", count - 1, Integer.MAX_VALUE - (long) first);
        int i = 1;
        int size = (int) RecordWriter.bitBytes(span, 1);
        for (int b = 0; b < size; b++) {
          for (int bits = in.u8(); bits != 0; bits &= bits - 1) {
            int offset = 8 * b + Integer.numberOfTrailingZeros(bits);
            if (i == count || offset >= span) {
              throw in.wrong("a bitmap of more than " + count + " positions");
            }
            positions[i++] = first + 1 + offset;
          }
        }
        if (i != count) {
          throw in.wrong("a bitmap of " + i + " positions, not " + count);
        }
      }
    }
    return positions;
  }
}
