package org.sparkgpugraph.graphs.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.ColdCode;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Builds compressed sparse rows: the neighbours of a row ascend, equal ones keep the order of the
 * edges.
 *
 * <p>Rows are cut into ranges with about as many edges each as a core's cache holds. First every
 * thread deals a piece of the edges into such buckets, an edge being a {@code long}; then every
 * bucket is sorted inside the cache, by neighbour and then by row, and written to where its rows
 * are. So memory is walked in a few streams only, and all threads have work in both steps. The
 * result does not depend on where buckets or pieces are cut, nor on the number of threads.
 *
 * <p>Edges may {@linkplain Carried carry} something with them: their values, or their numbers to
 * tell their places.
 *
 * <p>It takes 8 bytes an edge while it runs, and 8 for each long that is carried, beside the
 * result, which may be off the heap; where memory is short it does some buckets at a time, and
 * reads the edges once more for each such pass. Where the edges come in blocks whose sources
 * ascend, {@link AscendingRows} is faster.
 */
public final class RowSort {
  /** Edges of a piece, at least. */
  private static final int LEAST_PIECE = 1 << 18;

  /**
   * Edges of a piece, at least, where every thread has some. An array of that many longs is too
   * large for the young generation of a large heap as well (regions of at most 32 MB), so that
   * nothing ever copies it.
   */
  private static final int GOOD_PIECE = (1 << 21) + 1024;

  /** Edges of a bucket: with a copy and the result a core's second cache holds them. */
  private static final int BUCKET = 1 << 16;

  /** With more a thread would write to too many places at a time. */
  private static final int MOST_BUCKETS = 1 << 11;

  /** Rows are counted in cells before they are gathered into buckets. */
  private static final int MOST_CELLS = 1 << 14;

  /** Edges that are looked at to learn how many each cell has. */
  private static final int SAMPLE = 1 << 20;

  private static final int DIGIT_BITS = 11;

  /** With more passes it would read edges for longer than it sorts them. */
  private static final int MOST_PASSES = 16;

  private final EdgeSequence edges;
  private final int first;
  private final int rows;
  private final int neighbourBits;
  private final boolean some;

  /** What edges carry; null: nothing. */
  private final Carried carried;

  /** Longs of it. */
  private final int width;

  private final Workers workers;

  private int cellShift;
  private int[] bucketOfCell;
  private int[] firstRow;
  private Piece[] pieces;
  private int[] base;

  /** The buckets of a pass, {@code [firstBucket, endBucket)}. */
  private int firstBucket;

  private int endBucket;

  /** Their rows, {@code [firstOfPass, endOfPass)}. */
  private int firstOfPass;

  private int endOfPass;

  /**
   * @param first what becomes row 0
   * @param rows number of rows
   * @param known neighbours are below it
   * @param some whether edges of other rows are left out; otherwise there must be none
   * @param carried what edges carry; null: nothing
   */
  private RowSort(
      EdgeSequence edges,
      int first,
      int rows,
      int known,
      boolean some,
      Carried carried,
      Workers workers) {
    this.edges = edges;
    this.first = first;
    this.rows = rows;
    this.some = some;
    this.carried = carried;
    width = carried == null ? 0 : carried.longs();
    this.workers = workers;
    neighbourBits = 32 - Integer.numberOfLeadingZeros(Math.max(0, known - 1));
  }

  /** See {@link RowBuilder#build}: of any edges. */
  static RowBuilder.Made of(
      List<DenseBlock> blocks, int first, int rows, int known, boolean places, Workers workers) {
    EdgePlaces told = places ? new EdgePlaces(blocks, workers) : null;
    Csr csr = carrying(blocks, first, rows, known, told, workers);
    return new RowBuilder.Made(csr, null, places ? told.byBlock() : null);
  }

  /**
   * The rows of blocks, as {@link RowBuilder#build}.
   *
   * @param carried what edges carry; null: nothing
   */
  static Csr carrying(
      List<DenseBlock> blocks, int first, int rows, int known, Carried carried, Workers workers) {
    return new RowSort(EdgeSequence.of(blocks), first, rows, known, false, carried, workers)
        .sort(null);
  }

  /**
   * The rows of all edges, of which an array can have as many.
   *
   * @param first what becomes row 0
   * @param known neighbours are below it
   * @throws IllegalArgumentException when an edge has no row
   */
  static Csr all(EdgeSequence edges, int first, int rows, int known, Workers workers) {
    return all(edges, first, rows, known, null, workers);
  }

  /**
   * The same.
   *
   * @param carried what edges carry; null: nothing
   */
  static Csr all(
      EdgeSequence edges, int first, int rows, int known, Carried carried, Workers workers) {
    return new RowSort(edges, first, rows, known, false, carried, workers).sort(null);
  }

  /**
   * The rows of those edges that have one.
   *
   * @param first what becomes row 0
   * @param known neighbours are below it
   * @param refusal of so many edges, when they are more than {@link GraphPartition#MAX_EDGES}
   */
  public static Csr some(
      EdgeSequence edges,
      int first,
      int rows,
      int known,
      LongFunction<RuntimeException> refusal,
      Workers workers) {
    return some(edges, first, rows, known, refusal, null, workers);
  }

  /**
   * The same.
   *
   * @param carried what edges carry; null: nothing
   */
  static Csr some(
      EdgeSequence edges,
      int first,
      int rows,
      int known,
      LongFunction<RuntimeException> refusal,
      Carried carried,
      Workers workers) {
    return new RowSort(edges, first, rows, known, true, carried, workers).sort(refusal);
  }

  /**
   * Transposes: row r of the result lists the rows of {@code csr} that have r as a neighbour.
   *
   * @param rows number of rows of the result
   */
  public static Csr transpose(Csr csr, int rows, Workers workers) {
    return all(EdgeSequence.of(csr), 0, rows, csr.rows(), workers);
  }

  private Csr sort(LongFunction<RuntimeException> refusal) {
    if (rows == 0 || edges.size() == 0) {
      if (rows == 0 && !some && edges.size() > 0) {
        throw strangers(0);
      }
      if (carried != null) {
        carried.makeRoom(0);
      }
      return onHeap()
          ? new Csr(new int[rows + 1], new int[0])
          : new Csr(new int[rows + 1], workers.edges().allocate(Kind.INT, 0));
    }
    long kept = edges.size();
    if (kept > GraphPartition.MAX_EDGES) {
      // Before anything is taken for them.
      kept = count();
      if (kept > GraphPartition.MAX_EDGES) {
        throw refusal.apply(kept);
      }
    }
    long start = System.nanoTime();
    cut();
    PhaseTimes.ended("rows: sample", start);
    workers.acquire(4L * (rows + 1));
    int[] offsets = new int[rows + 1];
    int passes = passes(kept);
    if (some && passes > 1) {
      // Where one pass would do it counts as it deals.
      kept = kept < edges.size() ? kept : count();
      passes = passes(kept);
    }
    Result result = new Result();
    base = new int[firstRow.length];
    int buckets = base.length - 1;
    for (int pass = 0; pass < passes; pass++) {
      firstBucket = (int) ((long) buckets * pass / passes);
      endBucket = (int) ((long) buckets * (pass + 1) / passes);
      firstOfPass = firstRow[firstBucket];
      endOfPass = firstRow[endBucket];
      try (BuildMemory.Reservation dealt = workers.temporary()) {
        sortPass(passes == 1, kept, offsets, result, dealt);
      }
    }
    if (!some && base[buckets] != edges.size()) {
      throw strangers(base[buckets]);
    }
    return result.away == null ? new Csr(offsets, result.heap) : new Csr(offsets, result.away);
  }

  /** Where the neighbours go, on the heap or off it; made by the first pass. */
  private static final class Result {
    private int[] heap;
    private OffHeapArray away;

    boolean isMade() {
      return heap != null || away != null;
    }
  }

  /** Whether the neighbours go to the heap, along with what is carried. */
  private boolean onHeap() {
    return workers.edges() == null || carried != null && carried.onHeap();
  }

  /** Bytes of an edge that has been dealt out. */
  private long dealtBytes() {
    return Long.BYTES * (1L + width);
  }

  /**
   * How many passes it takes with the memory there is.
   *
   * @param kept most edges that have a row
   */
  private int passes(long kept) {
    long size = edges.size();
    int most = Math.min(MOST_PASSES, firstRow.length - 1);
    // The result, what the threads deal with, and what each sorts a bucket in.
    long buckets = 2 * dealtBytes() * workers.threads() * Math.min(kept, BUCKET + BUCKET / 2);
    long always =
        onHeap()
            ? Integer.BYTES * kept + size + buckets
            : (long) Integer.BYTES * workers.threads() * pieceOffHeap(size) + buckets;
    // What is dealt out for rows off the heap are arrays of some megabytes, of which the collector
    // leaves much room unused behind each.
    long each = onHeap() ? dealtBytes() : 2 * dealtBytes();
    int passes = 1;
    try (BuildMemory.Reservation room = workers.temporary()) {
      while (passes < most && !room.hasRoom(always + each * (kept / passes))) {
        passes *= 2;
      }
    }
    return Math.min(passes, most);
  }

  /**
   * Deals the edges of some buckets out, and sorts these.
   *
   * @param all whether these are all buckets
   * @param kept number of edges that have a row; of {@code some} in one pass at most so many
   * @param result receives the array in the first pass
   */
  private void sortPass(
      boolean all, long kept, int[] offsets, Result result, BuildMemory.Reservation dealt) {
    long start = System.nanoTime();
    boolean later = some && all;
    boolean onHeap = onHeap();
    boolean first = !result.isMade() && !later;
    if (first && onHeap) {
      workers.acquire(Integer.BYTES * kept);
    } else if (first) {
      makeRoomAway(result, (int) kept);
    }
    deal(first && onHeap ? result : null, (int) kept, dealt);
    long count = bases();
    if (later && onHeap) {
      workers.acquire(Integer.BYTES * count);
      result.heap = new int[(int) count];
      if (carried != null) {
        carried.makeRoom((int) count);
      }
    } else if (later) {
      makeRoomAway(result, (int) count);
    } else if (count > kept || !some && all && count != kept) {
      throw strangers(count);
    }
    start = PhaseTimes.ended("rows: deal into buckets", start);
    sortBuckets(offsets, result, dealt);
    pieces = null;
    PhaseTimes.ended("rows: sort buckets", start);
  }

  private void sortBuckets(int[] offsets, Result result, BuildMemory.Reservation dealt) {
    AtomicInteger next = new AtomicInteger(firstBucket);
    Bucket first = new Bucket(dealt);
    ColdCode.of(Bucket.class).begin(next, endBucket, b -> first.sort(b, offsets, result));
    workers.run(
        workers.threads(),
        t -> {
          Bucket bucket = t == 0 ? first : new Bucket(dealt);
          for (int b = next.getAndIncrement(); b < endBucket; b = next.getAndIncrement()) {
            bucket.sort(b, offsets, result);
          }
        });
  }

  private void makeRoomAway(Result result, int edges) {
    result.away = workers.edges().allocate(Kind.INT, edges);
    if (carried != null) {
      carried.makeRoom(edges);
    }
  }

  /** Number of edges that have a row. */
  private long count() {
    LongAdder all = new LongAdder();
    int tasks = 4 * workers.threads();
    workers.run(
        tasks,
        t -> {
          int[] ends = new int[EdgeSequence.CHUNK];
          long last = edges.size() * (t + 1) / tasks;
          for (long from = edges.size() * t / tasks; from < last; from += EdgeSequence.CHUNK) {
            int part = (int) Math.min(EdgeSequence.CHUNK, last - from);
            edges.rows(from, part, first, first + rows, ends, 0);
            all.add(count(ends, part));
          }
        });
    return all.sum();
  }

  private int count(int[] ends, int size) {
    int count = 0;
    for (int e = 0; e < size; e++) {
      int row = ends[e] - first;
      count += row >= 0 && row < rows ? 1 : 0;
    }
    return count;
  }

  private IllegalArgumentException strangers(long count) {
    return new IllegalArgumentException(
        "%s of %s edges belong to none of %s rows"
            .formatted(edges.size() - count, edges.size(), rows));
  }

  // ---- buckets --------------------------------------------------------------------------------

  /** Cuts the rows into buckets, by a sample of the edges. */
  private void cut() {
    while (rows - 1 >>> cellShift >= MOST_CELLS) {
      cellShift++;
    }
    int cells = (rows - 1 >>> cellShift) + 1;
    long chunks = (edges.size() + EdgeSequence.CHUNK - 1) / EdgeSequence.CHUNK;
    long taken = Math.min(chunks, SAMPLE / EdgeSequence.CHUNK);
    int[] counts = new int[cells];
    int[] sample = new int[EdgeSequence.CHUNK];
    long sampled = 0;
    long found = 0;
    for (long i = 0; i < taken; i++) {
      long from = chunks * i / taken * EdgeSequence.CHUNK;
      int size = (int) Math.min(EdgeSequence.CHUNK, edges.size() - from);
      edges.rows(from, size, sample, 0);
      sampled += size;
      for (int e = 0; e < size; e++) {
        int row = sample[e] - first;
        if (row >= 0 && row < rows) {
          counts[row >>> cellShift]++;
          found++;
        }
      }
    }
    double expected = (double) edges.size() * found / sampled;
    double buckets = Math.max(1, Math.min(MOST_BUCKETS, expected / BUCKET));
    bucketOfCell = new int[cells];
    int[] starts = new int[cells + 1];
    int bucket = 0;
    long held = 0;
    for (int c = 0; c < cells; c++) {
      if (held > 0 && held + counts[c] / 2 >= found / buckets) {
        starts[++bucket] = c << cellShift;
        held = 0;
      }
      bucketOfCell[c] = bucket;
      held += counts[c];
    }
    starts[bucket + 1] = rows;
    firstRow = Arrays.copyOf(starts, bucket + 2);
  }

  /**
   * A piece of the edges, dealt into buckets.
   *
   * @param carried by the edges; null: nothing
   */
  private record Piece(long[] edges, long[] carried, int[] starts) {}

  /**
   * Deals the edges out.
   *
   * @param room receives an array for all edges, made meanwhile, as is room for what they carry: to
   *     clear it takes one thread as long as the others deal; null: not wanted
   * @param length of that array
   */
  private void deal(Result room, int length, BuildMemory.Reservation dealt) {
    long size = edges.size();
    long step = onHeap() ? pieceSize(size, workers.threads()) : pieceOffHeap(size);
    pieces = new Piece[(int) ((size + step - 1) / step)];
    List<Runnable> rooms = new ArrayList<>();
    if (room != null) {
      rooms.add(() -> room.heap = new int[length]);
    }
    if (room != null && carried != null) {
      rooms.add(() -> carried.makeRoom(length));
    }
    AtomicInteger next = new AtomicInteger(-rooms.size());
    workers.run(
        Math.min(workers.threads(), pieces.length + rooms.size()),
        t -> {
          Dealer dealer = null;
          for (int p = next.getAndIncrement(); p < pieces.length; p = next.getAndIncrement()) {
            if (p < 0) {
              rooms.get(-1 - p).run();
              continue;
            }
            if (dealer == null) {
              dealer = new Dealer((int) Math.min(step, size), dealt);
            }
            pieces[p] = dealer.deal(p * step, (int) Math.min(step, size - p * step));
          }
          if (dealer != null) {
            dealer.release();
          }
        });
  }

  private static long pieceSize(long edges, int threads) {
    // Two for each thread: one of them makes room for the result meanwhile.
    long two = Math.max(LEAST_PIECE, edges / (2L * threads) + 1);
    long piece = Math.max(Math.min(GOOD_PIECE, two), edges / (4L * threads) + 1);
    return Math.min(piece, Integer.MAX_VALUE - 64);
  }

  /** Small ones, of which there are not too many: the heap is short. */
  private long pieceOffHeap(long edges) {
    long piece = Math.max(LEAST_PIECE, edges >>> 10);
    return Math.min(edges, Math.max(EdgeSequence.CHUNK, piece / Math.max(1, width)));
  }

  /** What one thread deals with. */
  private final class Dealer {
    private final int[] rowOf;
    private final int[] neighbour = new int[EdgeSequence.CHUNK];
    private final int[] places = new int[EdgeSequence.CHUNK];

    private final BuildMemory.Reservation dealt;

    Dealer(int piece, BuildMemory.Reservation dealt) {
      this.dealt = dealt;
      dealt.acquire(4L * piece);
      rowOf = new int[piece];
    }

    void release() {
      dealt.release(4L * rowOf.length);
    }

    Piece deal(long from, int size) {
      int[] starts = new int[firstRow.length];
      for (int at = 0; at < size; at += EdgeSequence.CHUNK) {
        int count = Math.min(EdgeSequence.CHUNK, size - at);
        edges.rows(from + at, count, first + firstOfPass, first + endOfPass, rowOf, at);
        count(at, at + count, starts);
      }
      int all = 0;
      for (int b = 0; b < starts.length; b++) {
        int count = starts[b];
        starts[b] = all;
        all += count;
      }
      dealt.acquire(dealtBytes() * all);
      long[] made = new long[all];
      long[] luggage = carried == null ? null : new long[luggage(all)];
      long[] some = carried == null ? null : new long[EdgeSequence.CHUNK * width];
      for (int at = 0; at < size; at += EdgeSequence.CHUNK) {
        int count = Math.min(EdgeSequence.CHUNK, size - at);
        int kept = kept(at, count);
        if (kept == count) {
          edges.neighbours(from + at, count, neighbour);
        } else if (kept > 0) {
          edges.neighbours(from + at, count, places, kept, neighbour);
        } else {
          continue;
        }
        if (carried == null) {
          put(at, kept, starts, made);
        } else {
          carried.read(from + at, count, some);
          put(at, kept, starts, made, some, luggage);
        }
      }
      // Every cursor stands where the next bucket starts.
      System.arraycopy(starts, 0, starts, 1, starts.length - 1);
      starts[0] = 0;
      return new Piece(made, luggage, starts);
    }

    private void count(int from, int to, int[] counts) {
      for (int e = from; e < to; e++) {
        int row = rowOf[e] - first;
        if (row >= firstOfPass && row < endOfPass) {
          counts[bucketOfCell[row >>> cellShift]]++;
        }
      }
    }

    /** Finds the places of the edges of the pass; how many they are. */
    private int kept(int from, int count) {
      int kept = 0;
      for (int e = 0; e < count; e++) {
        int row = rowOf[from + e] - first;
        places[kept] = e;
        kept += row >= firstOfPass && row < endOfPass ? 1 : 0;
      }
      return kept;
    }

    private void put(int from, int kept, int[] cursors, long[] into) {
      for (int e = 0; e < kept; e++) {
        int row = rowOf[from + places[e]] - first;
        into[cursors[bucketOfCell[row >>> cellShift]]++] = (long) neighbour[e] << 32 | row;
      }
    }

    private void put(int from, int kept, int[] cursors, long[] into, long[] some, long[] luggage) {
      for (int e = 0; e < kept; e++) {
        int row = rowOf[from + places[e]] - first;
        int at = cursors[bucketOfCell[row >>> cellShift]]++;
        into[at] = (long) neighbour[e] << 32 | row;
        move(some, places[e], luggage, at);
      }
    }
  }

  /** Longs that so many edges carry. */
  private int luggage(int count) {
    long longs = (long) width * count;
    if (longs > Integer.MAX_VALUE - 64) {
      throw new IllegalArgumentException(
          "%s edges with %s numbers each are more than is sorted at a time: use more executors"
              .formatted(count, width));
    }
    return (int) longs;
  }

  /** Moves what an edge carries. */
  private void move(long[] from, int edge, long[] to, int place) {
    if (width == 1) {
      to[place] = from[edge];
      return;
    }
    int source = edge * width;
    int target = place * width;
    for (int i = 0; i < width; i++) {
      to[target + i] = from[source + i];
    }
  }

  /** Finds where the edges of each bucket of this pass go; returns where the last ones end. */
  private long bases() {
    long all = base[firstBucket];
    for (int b = firstBucket; b < endBucket; b++) {
      for (Piece piece : pieces) {
        all += piece.starts[b + 1] - piece.starts[b];
      }
      base[b + 1] = (int) all;
    }
    return all;
  }

  /** Sorts one bucket after the other. */
  private final class Bucket {
    private long[] from = new long[0];
    private long[] to = new long[0];
    private int[] sorted = new int[0];

    // The same of what they carry.
    private long[] carriedFrom = new long[0];
    private long[] carriedTo = new long[0];

    private final int[] counts = new int[1 << DIGIT_BITS];
    private final BuildMemory.Reservation memory;

    Bucket(BuildMemory.Reservation memory) {
      this.memory = memory;
    }

    void sort(int bucket, int[] offsets, Result result) {
      int size = base[bucket + 1] - base[bucket];
      if (from.length < size) {
        int room = size + size / 4;
        memory.acquire(2 * dealtBytes() * room);
        memory.release(2 * dealtBytes() * from.length);
        from = new long[room];
        to = new long[room];
        if (carried != null) {
          carriedFrom = new long[luggage(room)];
          carriedTo = new long[luggage(room)];
        }
      }
      collect(bucket);
      if (!ascends(size)) {
        for (int shift = 0; shift < neighbourBits; shift += DIGIT_BITS) {
          pass(size, 32 + shift);
        }
      }
      if (result.away == null) {
        place(bucket, size, offsets, result.heap, 0);
        return;
      }
      if (sorted.length < size) {
        memory.acquire((long) Integer.BYTES * (from.length - sorted.length));
        sorted = new int[from.length];
      }
      place(bucket, size, offsets, sorted, base[bucket]);
      result.away.put(base[bucket], sorted, 0, size);
    }

    private void collect(int bucket) {
      int at = 0;
      for (Piece piece : pieces) {
        int start = piece.starts[bucket];
        int count = piece.starts[bucket + 1] - start;
        System.arraycopy(piece.edges, start, from, at, count);
        if (carried != null) {
          System.arraycopy(piece.carried, start * width, carriedFrom, at * width, count * width);
        }
        at += count;
      }
    }

    /** Whether the neighbours ascend already: those of a transpose, or of a single sorted block. */
    private boolean ascends(int size) {
      long before = 0;
      for (int e = 0; e < size; e++) {
        if (from[e] >>> 32 < before) {
          return false;
        }
        before = from[e] >>> 32;
      }
      return true;
    }

    private void swapCarried() {
      long[] swap = carriedFrom;
      carriedFrom = carriedTo;
      carriedTo = swap;
    }

    /** A stable pass over one digit. */
    private void pass(int size, int shift) {
      Arrays.fill(counts, 0);
      int mask = counts.length - 1;
      for (int e = 0; e < size; e++) {
        counts[(int) (from[e] >>> shift) & mask]++;
      }
      int next = 0;
      for (int d = 0; d < counts.length; d++) {
        int count = counts[d];
        counts[d] = next;
        next += count;
      }
      if (carried == null) {
        for (int e = 0; e < size; e++) {
          long edge = from[e];
          to[counts[(int) (edge >>> shift) & mask]++] = edge;
        }
      } else {
        for (int e = 0; e < size; e++) {
          long edge = from[e];
          int at = counts[(int) (edge >>> shift) & mask]++;
          to[at] = edge;
          move(carriedFrom, e, carriedTo, at);
        }
        swapCarried();
      }
      long[] swap = from;
      from = to;
      to = swap;
    }

    /**
     * Puts the edges into their rows. A row's cursor is where its end will be: no bucket touches
     * the offsets of another.
     *
     * @param first the edge that goes to the start of the array
     */
    private void place(int bucket, int size, int[] offsets, int[] neighbours, int first) {
      for (int e = 0; e < size; e++) {
        offsets[(int) from[e] + 1]++;
      }
      int next = base[bucket];
      for (int r = firstRow[bucket] + 1; r <= firstRow[bucket + 1]; r++) {
        int count = offsets[r];
        offsets[r] = next;
        next += count;
      }
      for (int e = 0; e < size; e++) {
        long edge = from[e];
        int at = offsets[(int) edge + 1]++;
        neighbours[at - first] = (int) (edge >>> 32);
        if (carried != null) {
          move(carriedFrom, e, carriedTo, at - base[bucket]);
        }
      }
      if (carried != null) {
        carried.put(base[bucket], carriedTo, size);
      }
    }
  }
}
