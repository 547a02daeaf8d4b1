package org.sparkgpugraph.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Writes {@link RefinedUpdates} for the shuffle and reads them again: format 2. All numbers are
 * little-endian; <i>varint</i> is an unsigned number of 7 bits per byte, lowest first, the highest
 * bit set in all bytes but the last; <i>zigzag</i> is {@code n << 1 ^ n >> 63}; bits fill bytes
 * from the lowest one, and the last byte with zeros.
 *
 * <table>
 * <caption>A record</caption>
 * <tr><th>bytes</th><th>field</th></tr>
 * <tr><td>4</td><td>magic {@code 53 47 47 58} ("SGGX"); of {@linkplain Content#PARTIAL_MESSAGES
 * partial messages} {@code 53 47 47 50} ("SGGP")</td></tr>
 * <tr><td>1</td><td>version, 2</td></tr>
 * <tr><td>8</td><td>number of the run</td></tr>
 * <tr><td>4</td><td>epoch</td></tr>
 * <tr><td>4</td><td>sender</td></tr>
 * <tr><td>4</td><td>reader</td></tr>
 * <tr><td>1 + …</td><td>number of columns, and the type of each: its kind's place in {@link Kind};
 * of arrays 128 more, and their length as 4 bytes</td></tr>
 * <tr><td>…</td><td>sections, one after the other</td></tr>
 * <tr><td>4</td><td>CRC32C of all bytes before</td></tr>
 * </table>
 *
 * <table>
 * <caption>A section: updates of one boundary list</caption>
 * <tr><th>bytes</th><th>field</th></tr>
 * <tr><td>varint</td><td>number of the list among those of the pair</td></tr>
 * <tr><td>varint</td><td>n, number of updates, at least 1</td></tr>
 * <tr><td>1</td><td>layout: bits 0–1 {@link PositionCoding}; bits 2–3 which carry a value (0 none,
 * 1 all, 2 by bits below); bits 4–5 which are active, likewise; bit 6: a {@link ColumnCoding} is
 * named for each column, otherwise all are RAW; bit 7: 0</td></tr>
 * <tr><td>…</td><td>positions, ascending, by their coding; a range (a list told in full) has none
 * but the first</td></tr>
 * <tr><td>⌈n/8⌉ or 0</td><td>a bit for each: carries a value</td></tr>
 * <tr><td>⌈n/8⌉ or 0</td><td>a bit for each: is active</td></tr>
 * <tr><td>…</td><td>unless none carries a value, for each column: with bit 6 a byte, its coding;
 * then its values, of those that carry one, by that coding: of arrays all numbers of the first
 * row, of the next, …; or some of these numbers, see below</td></tr>
 * </table>
 *
 * <table>
 * <caption>A column of arrays of which some elements travel: those that {@link RefinedUpdates}
 * names, where that takes fewer bytes than all</caption>
 * <tr><th>bytes</th><th>field</th></tr>
 * <tr><td>1</td><td>bits 0–1 the {@link ColumnCoding} of the values; bit 2: 1 (0: all elements, and
 * nothing but the values follows); bits 3–4 the {@link PositionCoding} of the places; bits 5–7:
 * 0</td></tr>
 * <tr><td>varint</td><td>m, number of elements, 0 to r · k for r rows of k numbers</td></tr>
 * <tr><td>…, if m > 0</td><td>places, ascending, by their coding: {@code row · k + i} for element
 * i of a row, whose rows are counted in this section</td></tr>
 * <tr><td>…, if m > 0</td><td>the m values, by their coding</td></tr>
 * </table>
 *
 * <p>{@link UpdateEncoding#RAW} has all columns RAW; {@link UpdateEncoding#PACKED} takes for each
 * column the coding of the fewest bytes. The header says which kinds travel, not which encoding, so
 * records of either are read. A record stays below {@value #LIMIT} bytes and has 65 536 updates or
 * 64 MiB of values at most, which also bounds what reading it allocates: those of a large list are
 * cut into sections of several records, which different cores pack and unpack. One that says more
 * is refused.
 *
 * <p>Thread-safe.
 */
public final class UpdateCodec {
  /** Most bytes of a record; a shuffle block is read in memory. */
  public static final int LIMIT = 512 << 20;

  /** Most updates of a record: some hundred microseconds of work. */
  private static final int PART = 1 << 16;

  /** Most bytes of values of a record, unless it has one update. */
  private static final int PART_BYTES = 64 << 20;

  private static final int ARRAY = 1 << 7;

  private static final int VERSION = 2;

  /** Where a record names its sender, in bytes from its begin. */
  public static final int SENDER_OFFSET = 4 + 1 + 8 + 4;

  private static final int HEADER_BYTES = SENDER_OFFSET + 4 + 4 + 1;
  private static final int CHECKSUM_BYTES = 4;

  /**
   * Where a record belongs; a record with another header than the expected one is refused.
   *
   * @param run number of the run
   * @param epoch number of the exchange within the run
   * @param sender executor graph whose vertices changed
   * @param reader executor graph that has ghosts of them
   */
  public record Header(long run, int epoch, int sender, int reader) {
    @Override
    public String toString() {
      return "run %s, epoch %s, executor graph %s to %s"
          .formatted(Long.toHexString(run), epoch, sender, reader);
    }
  }

  /** What the rows of updates are, which the first bytes of a record say. */
  public enum Content {
    /** Values of the vertices of boundary lists. */
    VALUES(0x58474753),
    /** Messages to the hubs of partial lists, merged where they come from. */
    PARTIAL_MESSAGES(0x50474753);

    private final int magic;

    Content(int magic) {
      this.magic = magic;
    }

    /** What a record begins like: {@link UpdateCodec#decode} checks it. */
    public static Content of(byte[] record) {
      return record.length > 3 && record[3] == PARTIAL_MESSAGES.magic >>> 24
          ? PARTIAL_MESSAGES
          : VALUES;
    }
  }

  private final Content content;
  private final List<ColumnType> kinds;
  private final int rowBytes;
  private final UpdateEncoding encoding;
  private final int limit;
  private final int part;

  /**
   * @param shippedKinds kinds of the columns that travel, at most 255
   * @param encoding how values are written; records of either encoding are read
   */
  public UpdateCodec(List<ColumnType> shippedKinds, UpdateEncoding encoding) {
    this(shippedKinds, encoding, LIMIT);
  }

  /** A codec of partial messages, of messages of these kinds. */
  public static UpdateCodec ofPartialMessages(List<ColumnType> kinds, UpdateEncoding encoding) {
    return new UpdateCodec(Content.PARTIAL_MESSAGES, kinds, encoding, LIMIT);
  }

  /**
   * @param limit most bytes of a record
   */
  UpdateCodec(List<ColumnType> shippedKinds, UpdateEncoding encoding, int limit) {
    this(Content.VALUES, shippedKinds, encoding, limit);
  }

  private UpdateCodec(
      Content content, List<ColumnType> shippedKinds, UpdateEncoding encoding, int limit) {
    this.content = content;
    kinds = List.copyOf(shippedKinds);
    rowBytes = kinds.stream().mapToInt(ColumnType::bytes).sum();
    this.encoding = encoding;
    this.limit = limit;
    part = Math.max(1, Math.min(PART, PART_BYTES / Math.max(1, rowBytes)));
    if (kinds.size() > 255) {
      throw new IllegalArgumentException(
          "the send function reads " + kinds.size() + " columns of a value; 255 can travel");
    }
    if (fixedBytes() + UpdateSection.mostBytes(1, rowBytes) > limit) {
      throw new IllegalArgumentException("no update fits a record of " + limit + " bytes");
    }
  }

  private int fixedBytes() {
    int types = kinds.stream().mapToInt(type -> type.isArray() ? 5 : 1).sum();
    return HEADER_BYTES + types + CHECKSUM_BYTES;
  }

  /**
   * Updates of one list that stand together in a record.
   *
   * @param list its number among those of the pair
   * @param from first update
   * @param to behind the last
   * @param row number of valued updates before {@code from}
   */
  private record Slice(int list, RefinedUpdates updates, int from, int to, int row) {}

  /** What becomes one record. */
  public static final class Part {
    private final List<Slice> slices = new ArrayList<>();
    private int count;
    private long mostBytes;

    private Part() {}
  }

  /**
   * Cuts what one executor graph says to another into parts that may be packed at the same time: so
   * that a few large lists keep many cores busy, here and where they are read.
   *
   * @param lists entry k for the k-th boundary list of the pair; null or without updates: nothing
   *     to say
   * @return the same whoever packs; none when there is nothing to say at all
   */
  public List<Part> cut(List<RefinedUpdates> lists) {
    List<Part> parts = new ArrayList<>();
    Part part = new Part();
    long room = limit - fixedBytes();
    long most = Math.min(this.part, UpdateSection.fitting(room, rowBytes));
    for (int list = 0; list < lists.size(); list++) {
      RefinedUpdates updates = lists.get(list);
      int count = updates == null ? 0 : updates.count();
      int length = length(count, most);
      int row = 0;
      for (int from = 0; from < count; from += length) {
        int to = Math.min(count, from + length);
        long bytes = UpdateSection.mostBytes(to - from, rowBytes);
        if (part.count > 0
            && (part.count + to - from > this.part || part.mostBytes + bytes > room)) {
          parts.add(part);
          part = new Part();
        }
        part.slices.add(new Slice(list, updates, from, to, row));
        part.count += to - from;
        part.mostBytes += bytes;
        row += to == count ? 0 : FlagBits.count(updates.valuedWords(), from, to);
      }
    }
    if (part.count > 0) {
      parts.add(part);
    }
    return parts;
  }

  /** Updates of a slice: as many in each, whole words of flags where that is possible. */
  private static int length(int count, long most) {
    if (count <= most) {
      return Math.max(1, count);
    }
    long slices = (count + most - 1) / most;
    long even = (count + slices - 1) / slices;
    return (int) Math.min(most, (even + 63) & ~63L);
  }

  /** Writes a part of what one executor graph says to another. */
  public byte[] encode(Header header, Part part) {
    List<UpdateSection> sections = new ArrayList<>();
    for (Slice slice : part.slices) {
      sections.add(
          new UpdateSection(
              slice.list(), slice.updates(), slice.from(), slice.to(), slice.row(), encoding));
    }
    return write(header, sections);
  }

  /**
   * Writes what one executor graph says to another.
   *
   * @param lists see {@link #cut}
   * @return the records, in any order; none when there is nothing to say at all
   */
  public List<byte[]> encode(Header header, List<RefinedUpdates> lists) {
    return cut(lists).stream().map(part -> encode(header, part)).toList();
  }

  private byte[] write(Header header, List<UpdateSection> sections) {
    long size = fixedBytes();
    for (UpdateSection section : sections) {
      size += section.bytes();
    }
    RecordWriter out = new RecordWriter(Math.toIntExact(size));
    out.i32(content.magic);
    out.u8(VERSION);
    out.i64(header.run());
    out.i32(header.epoch());
    out.i32(header.sender());
    out.i32(header.reader());
    out.u8(kinds.size());
    for (ColumnType type : kinds) {
      out.u8(type.kind().ordinal() | (type.isArray() ? ARRAY : 0));
      if (type.isArray()) {
        out.i32(type.width());
      }
    }
    sections.forEach(section -> section.write(out));
    return out.finish();
  }

  /**
   * Reads a record. The updates of a list may be spread over several records, so a list may come
   * more than once, with other positions each time.
   *
   * @param lists takes the number of a boundary list of the pair and its updates, which are the
   *     taker's to keep; called only when all of the record is right
   * @throws ExchangeFormatException when the record is damaged or its header is not the expected
   *     one
   */
  public void decode(byte[] record, Header expected, BiConsumer<Integer, RefinedUpdates> lists) {
    List<UpdateSection.Read> sections = new ArrayList<>();
    try {
      RecordReader in = new RecordReader(record, record.length - CHECKSUM_BYTES);
      checkHeader(in, record, expected);
      int room = part;
      while (in.remaining() > 0) {
        UpdateSection.Read section = UpdateSection.read(kinds, in, room);
        sections.add(section);
        room -= section.updates().count();
      }
    } catch (ExchangeFormatException e) {
      throw new ExchangeFormatException(
          "record of " + record.length + " bytes (" + expected + "): " + e.getMessage());
    }
    sections.forEach(section -> lists.accept(section.list(), section.updates()));
  }

  private void checkHeader(RecordReader in, byte[] record, Header expected) {
    if (record.length < fixedBytes()) {
      throw new ExchangeFormatException("shorter than its header");
    }
    int magic = in.i32();
    if (magic != content.magic) {
      throw in.wrong("no record of an exchange: it begins with " + Integer.toHexString(magic));
    }
    int version = in.u8();
    if (version != VERSION) {
      throw in.wrong("version " + version + " of the format, not " + VERSION);
    }
    CRC32C checksum = new CRC32C();
    checksum.update(record, 0, record.length - CHECKSUM_BYTES);
    RecordReader last = new RecordReader(record, record.length);
    last.take(record.length - CHECKSUM_BYTES);
    int written = last.i32();
    if (written != (int) checksum.getValue()) {
      throw new ExchangeFormatException(
          "damaged: its checksum is "
              + Integer.toHexString((int) checksum.getValue())
              + ", it says "
              + Integer.toHexString(written));
    }
    Header header = new Header(in.i64(), in.i32(), in.i32(), in.i32());
    if (!header.equals(expected)) {
      throw in.wrong("it is of " + header);
    }
    checkKinds(in);
  }

  private static String written(ColumnType type) {
    return type.kind().ordinal() + (type.isArray() ? "[" + type.width() + "]" : "");
  }

  private void checkKinds(RecordReader in) {
    int width = in.u8();
    List<String> written = new ArrayList<>();
    for (int c = 0; c < width; c++) {
      int said = in.u8();
      written.add((said & ~ARRAY) + ((said & ARRAY) == 0 ? "" : "[" + in.i32() + "]"));
    }
    if (!written.equals(kinds.stream().map(UpdateCodec::written).toList())) {
      throw in.wrong("columns of the kinds " + written + ", not " + kinds);
    }
  }
}
