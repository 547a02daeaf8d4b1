package org.sparkgpugraph.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Of arrays only the elements travel that the reader does not have: ghosts are at every exchange
 * what their homes are, to the bit, and elements that travelled are those that had changed.
 */
@Tag("any-spark")
class LastSentTest {
  private static final UpdateCodec.Header HEADER = new UpdateCodec.Header(1, 2, 3, 4);
  private static final int[] SHIPPED = {0, 2, 3};

  /** How many numbers of a row change. */
  private enum Changes {
    NONE,
    ONE,
    FEW,
    HALF,
    ALL
  }

  /** A home, its reader, and what is between them. */
  private static final class Pair {
    private final Random random;
    private final List<ColumnType> state;
    private final BoundaryList list;
    private final Columns home;
    private final Columns reader;
    private final UpdateCollector collector;
    private final LastSent sent;
    private final UpdateCodec codec;
    private final BoundaryInbox inbox;
    private final VertexBitmap changed;
    private final VertexBitmap woken;

    Pair(Random random, List<ColumnType> state, UpdateEncoding encoding, int limit) {
      this.random = random;
      this.state = state;
      int stored = 1 + random.nextInt(150);
      int[] members =
          random.ints(0, stored).limit(1 + random.nextInt(stored)).distinct().sorted().toArray();
      list = new BoundaryList(0, 1, members, random.nextInt(10));
      home = Columns.allocate(state, stored);
      reader = Columns.allocate(state, list.firstGhost() + members.length);
      collector = new UpdateCollector(list, stored, SHIPPED, state, ExchangeMode.REFINED);
      List<ColumnType> kinds = Arrays.stream(SHIPPED).mapToObj(state::get).toList();
      sent = new LastSent(kinds, list.size());
      codec = new UpdateCodec(kinds, encoding, limit);
      inbox = new BoundaryInbox(list, SHIPPED, ExchangeMode.REFINED);
      changed = new VertexBitmap(stored);
      woken = new VertexBitmap(reader.length());
    }

    /** Both compute the first values. */
    void begin() {
      for (int v = 0; v < home.length(); v++) {
        change(v, Changes.HALF);
      }
      for (int i = 0; i < list.size(); i++) {
        reader.copyFrom(home, list.homeVertices()[i], list.firstGhost() + i, 1);
      }
      sent.start(collector.collect(null, null, home.arrays()));
      changed.clear();
    }

    private void change(int vertex, Changes changes) {
      boolean differs = false;
      for (int c = 0; c < state.size(); c++) {
        int width = state.get(c).width();
        int one = random.nextInt(width);
        for (int e = 0; e < width; e++) {
          boolean isOther =
              switch (changes) {
                case NONE -> false;
                case ONE -> e == one;
                case FEW -> random.nextInt(10) == 0;
                case HALF -> random.nextBoolean();
                case ALL -> true;
              };
          if (isOther) {
            int at = vertex * width + e;
            Object before = bits(Array.get(home.array(c), at));
            Array.set(home.array(c), at, number(state.get(c).kind()));
            boolean here = Arrays.stream(SHIPPED).anyMatch(Integer.valueOf(c)::equals);
            differs |= here && !before.equals(bits(Array.get(home.array(c), at)));
          }
        }
      }
      if (differs) {
        changed.add(vertex);
      }
    }

    /** Numbers, among them some that are equal but for their bits. */
    private Object number(Kind kind) {
      int style = random.nextInt(6);
      return switch (kind) {
        case BOOLEAN -> random.nextBoolean();
        case INT -> style < 3 ? random.nextInt(5) : random.nextInt();
        case LONG -> style < 3 ? (Object) (long) random.nextInt(5) : (Object) random.nextLong();
        case FLOAT ->
            switch (style) {
              case 0 -> Float.intBitsToFloat(0x7fc00000 + random.nextInt(3));
              case 1 -> -0f;
              case 2 -> 0f;
              default -> random.nextFloat();
            };
        case DOUBLE ->
            switch (style) {
              case 0 -> Double.longBitsToDouble(0x7ff0000000000001L + random.nextInt(3));
              case 1 -> -0.0;
              case 2 -> 0.0;
              default -> random.nextDouble();
            };
      };
    }

    /** What changed since the last exchange travels, and is delivered once or twice. */
    void exchange(String what, boolean all) {
      VertexBitmap active = new VertexBitmap(home.length());
      for (int v = 0; v < home.length(); v++) {
        if (random.nextInt(4) == 0) {
          // Also vertices whose values are what they were.
          active.add(v);
        }
      }
      Columns before = copy(reader);
      RefinedUpdates updates = collector.collect(all ? null : changed, active, home.arrays());
      if (all) {
        sent.start(updates);
      } else {
        sent.refine(updates);
        checkElements(what, updates, before);
      }
      changed.clear();
      List<byte[]> records = codec.encode(HEADER, List.of(updates));
      int times = random.nextInt(3) == 0 ? 2 : 1;
      woken.clear();
      for (int time = 0; time < times; time++) {
        for (byte[] record : records) {
          codec.decode(record, HEADER, (number, read) -> inbox.apply(read, reader.arrays(), woken));
        }
      }
      for (int i = 0; i < list.size(); i++) {
        int vertex = list.homeVertices()[i];
        int ghost = list.firstGhost() + i;
        for (int c : SHIPPED) {
          assertThat(row(reader, c, ghost)).as(what).isEqualTo(row(home, c, vertex));
        }
        assertThat(woken.contains(ghost)).as(what).isEqualTo(active.contains(vertex));
      }
      for (int ghost = 0; ghost < list.firstGhost(); ghost++) {
        assertThat(row(reader, 0, ghost)).as(what).isEqualTo(row(before, 0, ghost));
      }
    }

    /** Bits are set where the ghost has other bits. */
    private void checkElements(String what, RefinedUpdates updates, Columns before) {
      int row = 0;
      for (int i = 0; i < updates.count(); i++) {
        if (!updates.isValued(i)) {
          continue;
        }
        int ghost = list.firstGhost() + updates.position(i);
        for (int s = 0; s < SHIPPED.length; s++) {
          int width = state.get(SHIPPED[s]).width();
          if (width == 1) {
            assertThat(updates.elements(s)).as(what).isNull();
            continue;
          }
          List<Object> has = row(before, SHIPPED[s], ghost);
          List<Object> gets = row(home, SHIPPED[s], list.homeVertices()[updates.position(i)]);
          for (int e = 0; e < width; e++) {
            int bit = row * width + e;
            boolean travels = (updates.elements(s)[bit >> 6] >>> bit & 1) != 0;
            assertThat(travels).as(what).isEqualTo(!has.get(e).equals(gets.get(e)));
            assertThat(updates.elements(s, row, e >> 5) >>> e & 1).isEqualTo(travels ? 1 : 0);
          }
        }
        row++;
      }
    }

    void scramble() {
      for (int c = 0; c < state.size(); c++) {
        for (int i = 0; i < Array.getLength(reader.array(c)); i++) {
          Array.set(reader.array(c), i, number(state.get(c).kind()));
        }
      }
    }
  }

  private static Columns copy(Columns columns) {
    Columns copy = Columns.allocate(columns.kinds(), columns.length());
    copy.copyFrom(columns, 0, 0, columns.length());
    return copy;
  }

  private static List<Object> row(Columns columns, int c, int row) {
    int width = columns.kinds().get(c).width();
    List<Object> numbers = new ArrayList<>();
    for (int e = 0; e < width; e++) {
      numbers.add(bits(Array.get(columns.array(c), row * width + e)));
    }
    return numbers;
  }

  private static Object bits(Object value) {
    return value instanceof Double d
        ? (Object) Double.doubleToRawLongBits(d)
        : value instanceof Float f ? Float.floatToRawIntBits(f) : value;
  }

  // ---- ghosts -----------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 31, 32, 33, 64, 128, 1024})
  void ghostsAreWhatTheirHomesAre(int length) {
    for (int seed = 0; seed < (length > 100 ? 3 : 15); seed++) {
      Random random = new Random(1000L * length + seed);
      Kind kind = Kind.values()[(seed + length) % Kind.values().length];
      // An array that does not travel, a number, arrays of two lengths.
      List<ColumnType> state =
          List.of(
              new ArrayType(kind, length),
              new ArrayType(Kind.INT, 3),
              Kind.values()[random.nextInt(Kind.values().length)],
              new ArrayType(Kind.DOUBLE, 1 + random.nextInt(40)));
      UpdateEncoding encoding = random.nextInt(4) == 0 ? UpdateEncoding.RAW : UpdateEncoding.PACKED;
      int row = 8 * (length + 41);
      int limit = random.nextBoolean() ? UpdateCodec.LIMIT : 3 * row + random.nextInt(20 * row);
      Pair pair = new Pair(random, state, encoding, limit);
      pair.begin();
      for (int exchange = 0; exchange < 12; exchange++) {
        Changes changes = Changes.values()[random.nextInt(Changes.values().length)];
        String what =
            "length %s, seed %s, %s, exchange %s: %s"
                .formatted(length, seed, encoding, exchange, changes);
        // In place several supersteps may pass.
        for (int superstep = 0; superstep <= random.nextInt(3); superstep++) {
          int share = 1 + random.nextInt(8);
          for (int v = 0; v < pair.home.length(); v++) {
            if (random.nextInt(share) == 0) {
              pair.change(v, changes);
            }
          }
        }
        boolean restored = random.nextInt(6) == 0;
        if (restored) {
          // The ghosts of a restored run are of any superstep, or of none.
          pair.scramble();
        }
        pair.exchange(what, restored);
      }
    }
  }

  @Test
  void aValueThatWentAndCameBackSendsNoElement() {
    Pair pair =
        new Pair(
            new Random(1),
            List.of(new ArrayType(Kind.FLOAT, 8), Kind.INT, Kind.INT, new ArrayType(Kind.INT, 2)),
            UpdateEncoding.PACKED,
            UpdateCodec.LIMIT);
    pair.begin();
    int vertex = pair.list.homeVertices()[0];
    pair.home.ints(2)[vertex] = 0x40000001;
    pair.changed.add(vertex);
    RefinedUpdates updates = pair.collector.collect(pair.changed, null, pair.home.arrays());
    pair.sent.refine(updates);
    assertThat(updates.valuedCount()).isEqualTo(1);
    assertThat(updates.elements(0)[0]).isZero();
    // List, count, layout, position; the coding and no element; a number; the coding and none.
    assertThat(bytes(updates)).isEqualTo(4 + 2 + (1 + 4) + 2);
    pair.exchange("nothing changed", false);
  }

  // ---- sizes ------------------------------------------------------------------------------------

  /** Bytes of the section of updates. */
  private static int bytes(RefinedUpdates updates) {
    UpdateCodec codec = new UpdateCodec(updates.kinds(), UpdateEncoding.PACKED);
    List<byte[]> records = codec.encode(HEADER, List.of(updates));
    assertThat(records).hasSize(1);
    int types = updates.kinds().stream().mapToInt(type -> type.isArray() ? 5 : 1).sum();
    return records.get(0).length - (4 + 1 + 20 + 1 + 4) - types;
  }

  /** A list told in full of arrays of 64 of which some elements have changed to random numbers. */
  private static RefinedUpdates changed(int rows, int length, int changed) {
    Random random = new Random(changed);
    List<ColumnType> kinds = List.of(new ArrayType(Kind.FLOAT, length));
    RefinedUpdates updates = new RefinedUpdates(kinds);
    for (int i = 0; i < rows; i++) {
      updates.add(i, true, false);
    }
    float[] values = updates.values().floats(0);
    for (int i = 0; i < rows * length; i++) {
      values[i] = Float.intBitsToFloat(random.nextInt());
    }
    LastSent sent = new LastSent(kinds, rows);
    sent.start(updates);
    for (int row = 0; row < rows; row++) {
      int first = random.nextInt(length);
      for (int e = 0; e < changed; e++) {
        int at = row * length + (first + e) % length;
        values[at] =
            Float.intBitsToFloat(Float.floatToRawIntBits(values[at]) + random.nextInt(1 << 30) + 1);
      }
    }
    sent.refine(updates);
    return updates;
  }

  @Test
  void elementsTakeTheirPlacesAndTheirValues() {
    // List, count (1000), layout, first position.
    int rest = 1 + 2 + 1 + 1;
    // None: a byte for the coding, a zero.
    assertThat(bytes(changed(1000, 64, 0))).isEqualTo(rest + 2);
    // One of 64: the number of them (2 bytes), gaps of a byte or, from 128 on, two; 4 bytes each.
    int one = bytes(changed(1000, 64, 1));
    assertThat(one).isBetween(rest + 1 + 2 + 1000 + 4000, rest + 1 + 2 + 1200 + 4000);
    // 16 of 64: a bit for each of the 64 is less than 16 gaps.
    int many = bytes(changed(1000, 64, 16));
    assertThat(many).isBetween(rest + 1 + 3 + 7990 + 64_000, rest + 1 + 3 + 8010 + 64_000);
    // 62 of 64, more than fifteen sixteenths: whole rows, and no byte for a coding.
    assertThat(bytes(changed(1000, 64, 62))).isEqualTo(rest + 256_000);
    assertThat(bytes(changed(1000, 64, 64))).isEqualTo(rest + 256_000);
  }

  /** Rows of many chunks, and of no whole number of words of bits. */
  @Test
  void severalThreadsFindTheSameElements() {
    int rows = 200_003;
    int width = 5;
    List<ColumnType> kinds = List.of(new ArrayType(Kind.INT, width));
    List<long[]> found = new ArrayList<>();
    try (Workers workers = new Workers(4)) {
      for (boolean together : new boolean[] {false, true}) {
        Random random = new Random(7);
        RefinedUpdates updates = new RefinedUpdates(kinds);
        for (int i = 0; i < rows; i++) {
          updates.add(i, true, false);
        }
        LastSent sent = new LastSent(kinds, rows);
        sent.start(updates);
        for (int exchange = 0; exchange < 2; exchange++) {
          int[] values = updates.values().ints(0);
          for (int i = 0; i < rows; i++) {
            values[random.nextInt(rows * width)]++;
          }
          if (together) {
            sent.refine(updates, workers);
          } else {
            sent.refine(updates);
          }
          found.add(Arrays.copyOf(updates.elements(0), (rows * width + 63) / 64));
        }
      }
    }
    assertThat(Arrays.stream(found.get(1)).map(Long::bitCount).sum()).isGreaterThan(rows / 2);
    assertThat(found.get(2)).isEqualTo(found.get(0));
    assertThat(found.get(3)).isEqualTo(found.get(1));
  }

  @Test
  void wholeRowsTravelWhereTheyAreSmaller() {
    // All elements of all rows are 3 now; half of them were.
    List<ColumnType> kinds = List.of(new ArrayType(Kind.INT, 10));
    RefinedUpdates updates = new RefinedUpdates(kinds);
    for (int i = 0; i < 100; i++) {
      updates.add(i, true, false);
    }
    for (int i = 0; i < 1000; i += 2) {
      updates.values().ints(0)[i] = 3;
    }
    LastSent sent = new LastSent(kinds, 100);
    sent.start(updates);
    Arrays.fill(updates.values().ints(0), 0, 1000, 3);
    sent.refine(updates);
    // List, count, layout, first position; coding, width, shift, base.
    assertThat(bytes(updates)).isEqualTo(1 + 1 + 1 + 1 + 4);
  }

  // ---- refusals ---------------------------------------------------------------------------------

  private static final List<ColumnType> SMALL = List.of(new ArrayType(Kind.INT, 4), Kind.INT);

  /** A record with one update and, from a byte on, what is given. */
  private static byte[] record(int... columns) {
    RefinedUpdates updates = new RefinedUpdates(SMALL);
    updates.add(0, true, true);
    byte[] whole =
        new UpdateCodec(SMALL, UpdateEncoding.RAW).encode(HEADER, List.of(updates)).get(0);
    // Behind the header: list, count, layout, first position.
    int sections = 4 + 1 + 20 + 1 + 5 + 1;
    byte[] record = Arrays.copyOf(whole, sections + 4 + columns.length + 4);
    record[sections + 2] |= 1 << 6;
    for (int i = 0; i < columns.length; i++) {
      record[sections + 4 + i] = (byte) columns[i];
    }
    CRC32C crc = new CRC32C();
    crc.update(record, 0, record.length - 4);
    for (int i = 0; i < 4; i++) {
      record[record.length - 4 + i] = (byte) (crc.getValue() >>> 8 * i);
    }
    return record;
  }

  private static RefinedUpdates read(byte[] record) {
    List<RefinedUpdates> read = new ArrayList<>();
    new UpdateCodec(SMALL, UpdateEncoding.PACKED)
        .decode(record, HEADER, (list, updates) -> read.add(updates));
    return read.get(0);
  }

  private static void refused(byte[] record, String why) {
    assertThatThrownBy(() -> read(record))
        .isInstanceOf(ExchangeFormatException.class)
        .hasMessageContaining(why);
  }

  /** By hand from the comment of {@link UpdateCodec}. */
  @Test
  void elementsAreWhatTheFormatSays() {
    // RAW values of some elements (4), their places gaps (1 << 3): two, 1 and 1 + 1 + 1; then the
    // values; a number, RAW.
    byte[] record = record(4 | 1 << 3, 2, 1, 1, 5, 0, 0, 0, 6, 0, 0, 0, 0, 7, 0, 0, 0);
    RefinedUpdates read = read(record);
    assertThat(read.elements(0)).containsExactly(0b1010);
    assertThat(read.values().ints(0)).containsExactly(0, 5, 0, 6);
    assertThat(read.values().ints(1)).containsExactly(7);
    Columns ghosts = Columns.allocate(SMALL, 1);
    Arrays.fill(ghosts.ints(0), 9);
    read.apply(ghosts.arrays(), new int[] {0, 1}, 0, null);
    assertThat(ghosts.ints(0)).containsExactly(9, 5, 9, 6);
    assertThat(ghosts.ints(1)).containsExactly(7);
    assertThat(read.hasWholeRows()).isFalse();
    assertThatThrownBy(() -> read.of(new int[] {0}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("some elements");
  }

  @Test
  void nonsenseIsRefused() {
    // Five elements of four; places behind the last; a number of which elements are told.
    refused(record(4 | 1 << 3, 5, 0, 0, 0, 0, 0), "number of elements is 5, not in 0 … 4");
    refused(record(4 | 1 << 3, 2, 1, 2, 5, 0, 0, 0, 6, 0, 0, 0), "element 4 of 4");
    refused(record(4, 2, 3, 5, 0, 0, 0, 6, 0, 0, 0), "element 4 of 4");
    refused(record(4, 0, 4, 0), "coding 4 of column 1");
    // Bits that mean nothing.
    refused(record(1 << 3, 0), "coding 8 of column 0");
    refused(record(4 | 3 << 3, 0), "coding 28 of column 0");
    refused(record(4 | 1 << 5, 0), "coding 36 of column 0");
    refused(record(128, 0), "coding 128 of column 0");
  }
}
