package org.sparkgpugraph.exchange;

import org.sparkgpugraph.graphs.memory.Varint;

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

  /** Gaps whose bytes are added up in an int. */
  private static final int BLOCK = 1 << 16;

  /**
   * A coding of some positions.
   *
   * @param bytes bytes that it takes
   */
  record Plan(PositionCoding coding, long bytes) {}

  /**
   * The coding of the fewest bytes.
   *
   * @param positions ascending
   * @param from first of them
   * @param to behind the last; more than {@code from}
   */
  static Plan of(int[] positions, int from, int to) {
    int first = positions[from];
    int span = positions[to - 1] - first;
    int more = to - 1 - from;
    long start = Varint.bytes(first);
    if (span == more) {
      return new Plan(RANGE, start);
    }
    long bitmap = Varint.bytes(span) + RecordWriter.bitBytes(span, 1);
    // A gap is a byte or more.
    long gaps = more > bitmap ? more : gapBytes(positions, from, to);
    return gaps <= bitmap ? new Plan(GAPS, start + gaps) : new Plan(BITMAP, start + bitmap);
  }

  private static long gapBytes(int[] positions, int from, int to) {
    long bytes = 0;
    for (int block = from + 1; block < to; block += BLOCK) {
      int end = Math.min(to, block + BLOCK);
      int sum = end - block;
      for (int i = block; i < end; i++) {
        // A byte more for each of these that the gap is not below.
        int gap = positions[i] - positions[i - 1] - 1;
        sum += (0x7f - gap >>> 31) + (0x3fff - gap >>> 31);
        sum += (0x1fffff - gap >>> 31) + (0xfffffff - gap >>> 31);
      }
      bytes += sum;
    }
    return bytes;
  }

  /** Writes them. */
  void write(int[] positions, int from, int to, RecordWriter out) {
    int first = positions[from];
    out.varint(first);
    switch (this) {
      case RANGE -> {}
      case GAPS -> {
        for (int i = from + 1; i < to; i++) {
          out.varint(positions[i] - positions[i - 1] - 1);
        }
      }
      case BITMAP -> writeBitmap(positions, from, to, out);
    }
  }

  private static void writeBitmap(int[] positions, int from, int to, RecordWriter out) {
    int first = positions[from] + 1;
    int span = positions[to - 1] + 1 - first;
    out.varint(span);
    int size = (int) RecordWriter.bitBytes(span, 1);
    int start = out.skip(size);
    long word = 0;
    int number = 0;
    for (int i = from + 1; i < to; i++) {
      int offset = positions[i] - first;
      if (offset >>> 6 != number) {
        out.setWord(start + 8 * number, word, start + size);
        number = offset >>> 6;
        word = 0;
      }
      word |= 1L << offset;
    }
    out.setWord(start + 8 * number, word, start + size);
  }

  /** Reads the positions of {@code count} updates. */
  int[] read(RecordReader in, int count) {
    int first = in.varint("first position", 0, Integer.MAX_VALUE);
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
        int before = first;
        for (int i = 1; i < count; i++) {
          before += 1 + in.varint("gap", 0, Integer.MAX_VALUE - 1L - before);
          positions[i] = before;
        }
      }
      case BITMAP -> readBitmap(in, positions);
    }
    return positions;
  }

  private static void readBitmap(RecordReader in, int[] positions) {
    int count = positions.length;
    int first = positions[0] + 1;
    int span = in.varint("span of positions", count - 1, Integer.MAX_VALUE - (first - 1L));
    int start = in.take(RecordWriter.bitBytes(span, 1));
    int i = 1;
    for (int offset = 0; span - offset > 0; offset += 64) {
      long bits = in.word(start + (offset >>> 3));
      if (span - offset < 64) {
        // What lies behind the bitmap is another field, but for the zeros that fill its last byte.
        int rest = span - offset;
        long filling = rest + 7 >= 64 ? 0 : -1L << ((rest + 7) & ~7);
        bits &= ~filling;
        if (bits >>> rest != 0) {
          throw in.wrong("a bitmap of more than " + count + " positions");
        }
      }
      if (Long.bitCount(bits) > count - i) {
        throw in.wrong("a bitmap of more than " + count + " positions");
      }
      int base = first + offset;
      if (bits == -1) {
        for (int b = 0; b < 64; b++) {
          positions[i++] = base + b;
        }
      } else {
        for (; bits != 0; bits &= bits - 1) {
          positions[i++] = base + Long.numberOfTrailingZeros(bits);
        }
      }
    }
    if (i != count) {
      throw in.wrong("a bitmap of " + i + " positions, not " + count);
    }
  }
}
