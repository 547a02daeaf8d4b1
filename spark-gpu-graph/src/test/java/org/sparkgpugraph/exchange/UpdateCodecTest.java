package org.sparkgpugraph.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.exchange.UpdateCodec.Header;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Varint;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/** What is read is what was written, in no more bytes than it needs; nothing else is taken. */
@Tag("any-spark")
class UpdateCodecTest {
  private static final Header HEADER = new Header(0x123456789abcdefL, 17, 2, 3);

  /** Magic, version, header, number of columns, checksum. */
  private static final int FIXED = 4 + 1 + 20 + 1 + 4;

  /** Where the sections of a record of {@link #SMALL} begin. */
  private static final int SECTIONS = FIXED - 4 + 2;

  private static final List<ColumnType> ALL_KINDS = List.of(Kind.values());

  // ---- round trips ----------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(UpdateEncoding.class)
  void whatIsReadIsWhatWasWritten(UpdateEncoding encoding) {
    for (int seed = 0; seed < 1500; seed++) {
      Random random = new Random(seed);
      List<ColumnType> kinds = new ArrayList<>();
      for (int c = random.nextInt(4); c > 0; c--) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        kinds.add(random.nextInt(3) == 0 ? new ArrayType(kind, 1 + random.nextInt(5)) : kind);
      }
      List<RefinedUpdates> lists = new ArrayList<>();
      for (int list = random.nextInt(5); list > 0; list--) {
        lists.add(random.nextInt(5) == 0 ? null : random(random, kinds, 1 + random.nextInt(400)));
      }
      check("seed " + seed, kinds, encoding, UpdateCodec.LIMIT, lists);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 63, 64, 65, 100_000, 1 << 20})
  void listsOfAnySizeAreTold(int size) {
    for (UpdateEncoding encoding : UpdateEncoding.values()) {
      List<ColumnType> kinds = List.of(Kind.INT, Kind.DOUBLE);
      Random random = new Random(size);
      // In full, every second one, a few, the last one alone.
      List<IntPredicate> said =
          List.of(p -> true, p -> p % 2 == 1, p -> random.nextInt(100) == 0, p -> p == size - 1);
      for (IntPredicate which : said) {
        RefinedUpdates updates = new RefinedUpdates(kinds);
        for (int position = 0; position < size; position++) {
          if (which.test(position)) {
            updates.add(position, position % 3 != 0, position % 5 == 0);
          }
        }
        fill(random, updates);
        check("size " + size, kinds, encoding, UpdateCodec.LIMIT, List.of(updates));
      }
    }
  }

  @Test
  void positionsUpToTheLargestAreTold() {
    RefinedUpdates updates = new RefinedUpdates(List.of());
    for (int position : new int[] {0, 1, 1 << 28, (1 << 29) + 1, Integer.MAX_VALUE - 1}) {
      updates.add(position, false, true);
    }
    updates.add(Integer.MAX_VALUE, true, true);
    for (UpdateEncoding encoding : UpdateEncoding.values()) {
      check("large positions", List.of(), encoding, UpdateCodec.LIMIT, List.of(updates));
    }
  }

  /** Extremes, whose differences overflow, and bits of NaNs that are not the canonical one. */
  @Test
  void valuesKeepTheirBits() {
    RefinedUpdates updates = new RefinedUpdates(List.of(Kind.LONG, Kind.DOUBLE, Kind.FLOAT));
    long[] longs = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, Long.MIN_VALUE + 1};
    double[] doubles = {
      Double.longBitsToDouble(0x7ff0000000000001L), -0.0, 0.0, Double.NEGATIVE_INFINITY, 1e-310
    };
    float[] floats = {
      Float.intBitsToFloat(0x7fc00001), -0f, 0f, Float.intBitsToFloat(0xffc12345), 1e-40f
    };
    for (int from = 0; from < longs.length; from++) {
      updates.clear();
      for (int i = from; i < longs.length; i++) {
        updates.add(10 * i, true, false);
      }
      for (int i = from; i < longs.length; i++) {
        updates.values().longs(0)[i - from] = longs[i];
        updates.values().doubles(1)[i - from] = doubles[i];
        updates.values().floats(2)[i - from] = floats[i];
      }
      check("from " + from, updates.kinds(), UpdateEncoding.PACKED, 1 << 20, List.of(updates));
    }
  }

  @Test
  void largeListsAreCutOverSeveralRecords() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<ColumnType> kinds = List.of(Kind.LONG, Kind.BOOLEAN);
      List<RefinedUpdates> lists = new ArrayList<>();
      for (int list = 0; list < 3; list++) {
        lists.add(random(random, kinds, 1 + random.nextInt(2000)));
      }
      int limit = 80 + random.nextInt(3000);
      for (UpdateEncoding encoding : UpdateEncoding.values()) {
        check("seed " + seed + ", limit " + limit, kinds, encoding, limit, lists);
      }
    }
  }

  /** Encodes, decodes, compares; and the layout in memory is never smaller. */
  private static void check(
      String what,
      List<ColumnType> kinds,
      UpdateEncoding encoding,
      int limit,
      List<RefinedUpdates> lists) {
    UpdateCodec codec = new UpdateCodec(kinds, encoding, limit);
    List<byte[]> records = codec.encode(HEADER, lists);
    Map<Integer, Map<Integer, List<Object>>> read = new HashMap<>();
    long sections = 0;
    for (byte[] record : records) {
      assertThat(record.length).as(what).isLessThanOrEqualTo(limit);
      List<Integer> told = new ArrayList<>();
      codec.decode(
          record,
          HEADER,
          (list, updates) -> {
            told.add(list);
            Map<Integer, List<Object>> rows = read.computeIfAbsent(list, l -> new TreeMap<>());
            rows(updates)
                .forEach(
                    (position, row) ->
                        assertThat(rows.put(position, row)).as(what + ": twice").isNull());
          });
      assertThat(told).as(what).isNotEmpty();
      sections += told.size();
    }
    Map<Integer, Map<Integer, List<Object>>> expected = new HashMap<>();
    long inMemory = 0;
    for (int list = 0; list < lists.size(); list++) {
      if (lists.get(list) != null && lists.get(list).count() > 0) {
        expected.put(list, rows(lists.get(list)));
        inMemory += lists.get(list).bytes();
      }
    }
    assertThat(read).as(what).isEqualTo(expected);
    int types = kinds.stream().mapToInt(type -> type.isArray() ? 5 : 1).sum();
    long written = records.stream().mapToLong(r -> r.length - FIXED - types).sum();
    if (sections == expected.size()) {
      assertThat(written).as(what).isLessThanOrEqualTo(inMemory);
    }
  }

  /** Position → flags and value. */
  private static Map<Integer, List<Object>> rows(RefinedUpdates updates) {
    Map<Integer, List<Object>> rows = new TreeMap<>();
    int row = 0;
    int before = -1;
    for (int i = 0; i < updates.count(); i++) {
      assertThat(updates.position(i)).isGreaterThan(before);
      before = updates.position(i);
      List<Object> said = new ArrayList<>(List.of(updates.isValued(i), updates.isActive(i)));
      if (updates.isValued(i)) {
        for (int c = 0; c < updates.kinds().size(); c++) {
          int width = updates.kinds().get(c).width();
          for (int n = row * width; n < (row + 1) * width; n++) {
            said.add(bits(Array.get(updates.values().array(c), n)));
          }
        }
        row++;
      }
      rows.put(before, said);
    }
    assertThat(row).isEqualTo(updates.valuedCount());
    return rows;
  }

  private static Object bits(Object value) {
    return value instanceof Double d
        ? (Object) Double.doubleToRawLongBits(d)
        : value instanceof Float f ? Float.floatToRawIntBits(f) : value;
  }

  /** Updates of a list of a given size, with values of every style. */
  private static RefinedUpdates random(Random random, List<ColumnType> kinds, int size) {
    RefinedUpdates updates = new RefinedUpdates(kinds);
    double density = random.nextInt(3) == 0 ? 1 : Math.pow(random.nextDouble(), 3);
    int valued = random.nextInt(3);
    int active = random.nextInt(3);
    for (int position = 0; position < size; position++) {
      if (random.nextDouble() < density) {
        updates.add(
            position,
            valued == 1 || valued == 2 && random.nextBoolean(),
            active == 1 || active == 2 && random.nextBoolean());
      }
    }
    fill(random, updates);
    return updates;
  }

  private static void fill(Random random, RefinedUpdates updates) {
    Columns values = updates.values();
    for (int c = 0; c < updates.kinds().size(); c++) {
      int style = random.nextInt(6);
      long base = random.nextLong();
      int numbers = updates.valuedCount() * updates.kinds().get(c).width();
      for (int row = 0; row < numbers; row++) {
        long number =
            switch (style) {
              case 0 -> base;
              case 1 -> random.nextInt(1 + (int) (base & 0xffff));
              case 2 -> base + random.nextInt(300);
              case 3 -> (base >> 20) + 3L * row;
              case 4 -> random.nextInt(50) == 0 ? random.nextInt(100_000) : 7;
              default -> random.nextLong();
            };
        switch (updates.kinds().get(c).kind()) {
          case BOOLEAN -> values.booleans(c)[row] = (number & 1) != 0;
          case INT -> values.ints(c)[row] = (int) number;
          case LONG -> values.longs(c)[row] = number;
          case FLOAT -> values.floats(c)[row] = style < 3 ? number : (float) random.nextDouble();
          case DOUBLE -> values.doubles(c)[row] = style < 3 ? number : random.nextDouble();
        }
      }
    }
  }

  // ---- sizes ----------------------------------------------------------------------------------

  private static int size(List<ColumnType> kinds, UpdateEncoding encoding, RefinedUpdates updates) {
    List<byte[]> records = new UpdateCodec(kinds, encoding).encode(HEADER, List.of(updates));
    assertThat(records).hasSize(1);
    return records.get(0).length - FIXED - kinds.size();
  }

  @Test
  void nothingToSayTakesNoRecord() {
    UpdateCodec codec = new UpdateCodec(List.of(Kind.INT), UpdateEncoding.PACKED);
    assertThat(codec.encode(HEADER, List.of())).isEmpty();
    assertThat(codec.encode(HEADER, Arrays.asList(null, new RefinedUpdates(List.of(Kind.INT)))))
        .isEmpty();
  }

  /** The format to the byte, worked out by hand from the comment of the class. */
  @Test
  void aRecordIsWhatTheFormatSays() {
    List<ColumnType> kinds = List.of(Kind.INT, Kind.BOOLEAN);
    RefinedUpdates updates = new RefinedUpdates(kinds);
    updates.add(5, true, true);
    updates.add(8, false, true);
    updates.add(300, true, false);
    updates.values().ints(0)[0] = -2;
    updates.values().ints(0)[1] = 0x01020304;
    updates.values().booleans(1)[0] = true;
    byte[] record =
        new UpdateCodec(kinds, UpdateEncoding.RAW)
            .encode(HEADER, Arrays.asList(null, updates))
            .get(0);
    String header = "53474758" + "02" + "efcdab8967452301" + "11000000" + "02000000" + "03000000";
    // List 1, three updates, gaps (1) | valued said by bits (2 << 2) | active by bits (2 << 4).
    // Gaps: 5, 2 between 5 and 8, 291 between 8 and 300. Bits 101 and 011.
    String section =
        "01" + "03" + "29" + "05" + "02" + "a302" + "05" + "03" + "feffffff04030201" + "0100";
    String all = HexFormat.of().formatHex(record);
    assertThat(all.substring(0, all.length() - 8)).isEqualTo(header + "02" + "0100" + section);
  }

  @Test
  void aListToldInFullHasNoPositions() {
    RefinedUpdates updates = new RefinedUpdates(List.of(Kind.DOUBLE));
    for (int position = 0; position < 60_000; position++) {
      updates.add(position, true, false);
    }
    Random random = new Random(1);
    Arrays.setAll(updates.values().doubles(0), i -> random.nextGaussian());
    // List 1, count 3, layout 1, first position 1.
    assertThat(size(updates.kinds(), UpdateEncoding.RAW, updates)).isEqualTo(6 + 480_000);
  }

  @Test
  void positionsAreGapsWhenFewAndABitmapWhenMany() {
    RefinedUpdates few = new RefinedUpdates(List.of());
    for (int i = 0; i < 1000; i++) {
      few.add(100 * i, false, true);
    }
    // List, count 2, layout; first 0 and 999 gaps of 99: a byte each.
    assertThat(size(List.of(), UpdateEncoding.RAW, few)).isEqualTo(1 + 2 + 1 + 1000);
    RefinedUpdates many = new RefinedUpdates(List.of());
    for (int i = 0; i < 1000; i++) {
      many.add(3 * i, false, true);
    }
    // First 0, span 2997 in 2 bytes, a bit each.
    assertThat(size(List.of(), UpdateEncoding.RAW, many)).isEqualTo(1 + 2 + 1 + 1 + 2 + 375);
  }

  @Test
  void valuesTakeAsFewBytesAsTheyNeed() {
    // Equal: coding, width, shift, base.
    assertThat(column(Kind.INT, 1000, i -> 123_456)).isEqualTo(1 + 1 + 1 + 3);
    assertThat(column(Kind.DOUBLE, 1000, i -> 0.15)).isEqualTo(1 + 1 + 1 + 8);
    // Labels below 2^18 at random: 18 bits each.
    Random random = new Random(3);
    assertThat(
            column(
                Kind.LONG,
                1000,
                i -> i == 0 ? 0 : i == 1 ? (1 << 18) - 1 : random.nextInt(1 << 18)))
        .isEqualTo(1 + 1 + 1 + 1 + 2250);
    // Mostly one small label, some large: a byte each and three for the large ones.
    assertThat(column(Kind.LONG, 1000, i -> i % 100 == 50 ? 200_000 : 5))
        .isEqualTo(1 + 1 + 1 + 990 + 30);
    // Ascending: differences of a byte.
    assertThat(column(Kind.LONG, 1000, i -> 60L * i)).isEqualTo(1 + 1000);
    // Small whole numbers as DOUBLE, 1 … 16: three bits of the mantissa are used, 1.0 is 3ff 000
    // and 16.0 is 403 000, so differences are at most 4 << 3: 6 bits.
    assertThat(column(Kind.DOUBLE, 1000, i -> 1.0 + i % 16)).isEqualTo(1 + 1 + 1 + 8 + 750);
    // A bit each.
    assertThat(column(Kind.BOOLEAN, 1000, i -> i % 2)).isEqualTo(1 + 1 + 1 + 1 + 125);
    // Nothing to gain: no byte for the coding either.
    assertThat(column(Kind.DOUBLE, 1000, i -> Double.longBitsToDouble(random.nextLong())))
        .isEqualTo(8000);
    assertThat(column(Kind.INT, 1, i -> 1 << 30)).isEqualTo(4);
  }

  private interface Value {
    Number of(int i);
  }

  /** Bytes of a column of a list told in full, packed. */
  private static int column(Kind kind, int count, Value value) {
    RefinedUpdates updates = new RefinedUpdates(List.of(kind));
    for (int i = 0; i < count; i++) {
      updates.add(i, true, true);
    }
    Columns values = updates.values();
    for (int i = 0; i < count; i++) {
      Number number = value.of(i);
      switch (kind) {
        case BOOLEAN -> values.booleans(0)[i] = number.intValue() != 0;
        case INT -> values.ints(0)[i] = number.intValue();
        case LONG -> values.longs(0)[i] = number.longValue();
        case FLOAT -> values.floats(0)[i] = number.floatValue();
        case DOUBLE -> values.doubles(0)[i] = number.doubleValue();
      }
    }
    int rest = 1 + (count < 128 ? 1 : 2) + 1 + 1;
    return size(List.of(kind), UpdateEncoding.PACKED, updates) - rest;
  }

  // ---- refusals -------------------------------------------------------------------------------

  private static byte[] small() {
    RefinedUpdates updates = new RefinedUpdates(List.of(Kind.INT, Kind.DOUBLE));
    for (int i = 0; i < 40; i++) {
      updates.add(i * i, i % 3 != 0, i % 4 == 0);
    }
    Random random = new Random(5);
    Arrays.setAll(updates.values().ints(0), i -> random.nextInt(900));
    Arrays.setAll(updates.values().doubles(1), i -> 1.0 + random.nextInt(900));
    UpdateCodec codec = new UpdateCodec(updates.kinds(), UpdateEncoding.PACKED);
    return codec.encode(HEADER, List.of(updates)).get(0);
  }

  private static final UpdateCodec SMALL =
      new UpdateCodec(List.of(Kind.INT, Kind.DOUBLE), UpdateEncoding.RAW);

  private static void refused(byte[] record, Header expected, String why) {
    assertThatThrownBy(
            () ->
                SMALL.decode(
                    record,
                    expected,
                    (list, updates) -> {
                      throw new AssertionError("delivered");
                    }))
        .isInstanceOf(ExchangeFormatException.class)
        .hasMessageContaining(expected.toString())
        .hasMessageContaining(why);
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] record = small();
    for (int bit = 0; bit < 8 * record.length; bit++) {
      byte[] flipped = record.clone();
      flipped[bit >> 3] ^= (byte) (1 << (bit & 7));
      refused(flipped, HEADER, "");
    }
  }

  @Test
  void everyTruncationIsFound() {
    byte[] record = small();
    for (int length = 0; length < record.length; length++) {
      refused(Arrays.copyOf(record, length), HEADER, "record of " + length + " bytes");
    }
    refused(Arrays.copyOf(record, record.length + 1), HEADER, "damaged");
  }

  @Test
  void recordsOfSomethingElseAreRefused() {
    byte[] record = small();
    Header h = HEADER;
    String is = "it is of run 123456789abcdef, epoch 17, executor graph 2 to 3";
    refused(record, new Header(h.run() + 1, h.epoch(), h.sender(), h.reader()), is);
    refused(record, new Header(h.run(), h.epoch() - 1, h.sender(), h.reader()), is);
    refused(record, new Header(h.run(), h.epoch(), h.reader(), h.reader()), is);
    refused(record, new Header(h.run(), h.epoch(), h.sender(), h.sender()), is);
    UpdateCodec other = new UpdateCodec(List.of(Kind.LONG), UpdateEncoding.RAW);
    assertThatThrownBy(() -> other.decode(record, HEADER, (list, updates) -> {}))
        .isInstanceOf(ExchangeFormatException.class)
        .hasMessageContaining("columns of the kinds [1, 4], not [LONG]");
    refused(new byte[100], HEADER, "no record of an exchange: it begins with 0");
    byte[] later = record.clone();
    later[4] = 3;
    refused(later, HEADER, "version 3 of the format, not 2");
  }

  /** With a right checksum around it, nonsense must still not be taken for updates. */
  @Test
  void nonsenseUnderARightChecksumIsRefusedOrHarmless() {
    byte[] record = small();
    int refused = 0;
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = record.clone();
      int from = SECTIONS;
      for (int i = 0; i <= random.nextInt(3); i++) {
        // Often in the fields that say how many there are.
        int fields = random.nextBoolean() ? 8 : bytes.length - 4 - from;
        bytes[from + random.nextInt(fields)] = (byte) random.nextInt();
      }
      sign(bytes);
      try {
        SMALL.decode(bytes, HEADER, (list, updates) -> rows(updates));
      } catch (ExchangeFormatException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  private static void sign(byte[] record) {
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(record, 0, record.length - 4);
    for (int i = 0; i < 4; i++) {
      record[record.length - 4 + i] = (byte) (crc.getValue() >>> 8 * i);
    }
  }

  /** A record of ranges of active vertices without values: some bytes each, whatever they name. */
  private static byte[] ranges(int... counts) {
    int bytes = Arrays.stream(counts).map(n -> 3 + Varint.bytes(n)).sum();
    RecordWriter out = new RecordWriter(SECTIONS + bytes + 4);
    byte[] header = Arrays.copyOf(small(), SECTIONS);
    for (byte b : header) {
      out.u8(b);
    }
    for (int list = 0; list < counts.length; list++) {
      out.varint(list);
      out.varint(counts[list]);
      out.u8(1 << 4);
      out.varint(0);
    }
    return out.finish();
  }

  @Test
  void moreUpdatesThanARecordMayHaveAreRefusedBeforeTheyAllocate() {
    List<Integer> read = new ArrayList<>();
    SMALL.decode(ranges(1 << 15, 1 << 15), HEADER, (list, updates) -> read.add(updates.count()));
    assertThat(read).containsExactly(1 << 15, 1 << 15);
    String why = " updates of boundary list 0, but no more than 65536 may follow at byte ";
    refused(ranges(Integer.MAX_VALUE - 8), HEADER, Integer.MAX_VALUE - 8 + why);
    refused(ranges((1 << 16) + 1), HEADER, (1 << 16) + 1 + why);
    refused(
        ranges(1 << 15, 1 << 15, 1),
        HEADER,
        "1 updates of boundary list 2, but no more than 0 may follow");
  }

  @Test
  void limitsThatNoUpdateFitsAreRefused() {
    assertThatThrownBy(() -> new UpdateCodec(List.of(Kind.INT), UpdateEncoding.RAW, 40))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no update fits a record of 40 bytes");
  }
}
