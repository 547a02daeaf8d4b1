package org.sparkgpugraph.engine.cpu.frame;

import java.util.Arrays;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * The items of one thread of a run that relaxes in order of priority (delta-stepping, Meyer and
 * Sanders 2003): vertices whose edges are to be walked because their values have improved, in
 * buckets by priority, the least first. The buckets are the equal parts of a window of priorities;
 * the last one has all that is behind the window, until it is dealt out over the next one.
 *
 * <p>An item is a vertex (low 32 bits) and the priority of the value for which it was added, as a
 * float (high 32 bits). Its vertex may have a better value when the item's turn comes, for which
 * there is another item then: it is {@linkplain #writeOvertaken overtaken}, and dropped. Rounding
 * to floats keeps the order of priorities, so no other items are ever dropped.
 *
 * <p>One thread adds items. Others may walk what {@link #take} has given, and ask for sizes, behind
 * a barrier.
 */
public final class ItemBuckets {
  /** Number of buckets. */
  public static final int COUNT = 64;

  /** The bucket of what is behind the window. */
  public static final int BEHIND = COUNT - 1;

  private static final long[] NONE = {};
  private static final int LEAST_CAPACITY = 64;

  private final long[][] buckets = new long[COUNT][];
  private final int[] sizes = new int[COUNT];
  private final long most;
  private final VertexBitmap spilled;

  /** Bit b: bucket b has items. */
  private long filled;

  /** Places of all buckets. */
  private long capacity;

  private double base = Double.NEGATIVE_INFINITY;
  private double inverse = 1;
  private int head;
  private double leastBehind = Double.POSITIVE_INFINITY;

  /** Items that were added, and those of them that went behind the window. */
  private long added;

  private long addedBehind;

  /** The items that this thread walks. */
  public long[] walked = NONE;

  /**
   * @param most items for which there is room
   * @param spilled takes the vertices for which there is none, of all threads
   */
  public ItemBuckets(long most, VertexBitmap spilled) {
    this.most = most;
    this.spilled = spilled;
    Arrays.fill(buckets, NONE);
  }

  // ---- what generated code calls --------------------------------------------------------------

  /** Pushes the priority of the value on the stack: as a double, negative if the largest wins. */
  public static void writePriority(CodeBuilder code, Kind kind, boolean largestWins) {
    code.invokeStatic(
        ItemBuckets.class,
        largestWins ? "largestFirst" : "leastFirst",
        double.class,
        kind.primitive());
  }

  public static double leastFirst(int value) {
    return value;
  }

  public static double leastFirst(long value) {
    return value;
  }

  public static double leastFirst(float value) {
    return value;
  }

  public static double leastFirst(double value) {
    return value;
  }

  public static double largestFirst(int value) {
    return -(double) value;
  }

  public static double largestFirst(long value) {
    return -(double) value;
  }

  public static double largestFirst(float value) {
    return -(double) value;
  }

  public static double largestFirst(double value) {
    return -value;
  }

  /**
   * Turns the priority on the stack, of the value that a vertex has now, into an int below 0 when
   * an item of the vertex is overtaken. Written here, not called: the JVM may compile the loop
   * while it walks the edges of the first item, and would not inline what it has hardly seen.
   *
   * @param item slot of the item
   */
  public static void writeOvertaken(CodeBuilder code, int item) {
    code.op(Opcodes.D2F).load(Kind.LONG, item).push(Integer.SIZE).op(Opcodes.LUSHR);
    code.op(Opcodes.L2I).invokeStatic(Float.class, "intBitsToFloat", float.class, int.class);
    code.op(Opcodes.FCMPG);
  }

  /** Adds a vertex for a value of this priority; NaN is better than any number, as in merges. */
  public void add(int vertex, double priority) {
    added++;
    double part = (priority - base) * inverse;
    long item = (long) Float.floatToRawIntBits((float) priority) << 32 | vertex;
    if (part >= BEHIND) {
      addedBehind++;
      if (priority < leastBehind) {
        leastBehind = priority;
      }
      put(BEHIND, item);
    } else {
      put(Math.max(head, (int) part), item);
    }
  }

  private void put(int bucket, long item) {
    long[] items = buckets[bucket];
    int size = sizes[bucket];
    if (size == items.length) {
      items = grow(bucket);
      if (items == null) {
        spilled.addShared((int) item);
        return;
      }
    }
    items[size] = item;
    sizes[bucket] = size + 1;
    filled |= 1L << bucket;
  }

  /** Makes room in a bucket; null: all the room is taken. */
  private long[] grow(int bucket) {
    long[] items = buckets[bucket];
    long length = Math.min(Integer.MAX_VALUE - 8, Math.max(LEAST_CAPACITY, 2L * items.length));
    if (capacity + length - items.length > most) {
      forgetEmpty(bucket);
    }
    if (length == items.length || capacity + length - items.length > most) {
      return null;
    }
    capacity += length - items.length;
    buckets[bucket] = Arrays.copyOf(items, (int) length);
    return buckets[bucket];
  }

  /** Gives back the room of buckets without items. */
  private void forgetEmpty(int but) {
    for (int b = 0; b < COUNT; b++) {
      if (sizes[b] == 0 && b != but) {
        capacity -= buckets[b].length;
        buckets[b] = NONE;
      }
    }
  }

  // ---- rounds ---------------------------------------------------------------------------------

  /** Bit b: bucket b has items. */
  public long filled() {
    return filled;
  }

  /** Items of a bucket. */
  public int size(int bucket) {
    return sizes[bucket];
  }

  /** Items of all buckets. */
  public long size() {
    long sum = 0;
    for (int size : sizes) {
      sum += size;
    }
    return sum;
  }

  /** At most the least priority behind the window; infinite when there is none. */
  public double leastBehind() {
    return leastBehind;
  }

  /** Items that were added so far. */
  public long added() {
    return added;
  }

  /** Those that went behind the window. */
  public long addedBehind() {
    return addedBehind;
  }

  /** From now on what is better than a bucket is put into it. */
  public void head(int bucket) {
    head = bucket;
  }

  /**
   * Takes all items of a bucket, whose size is asked for before.
   *
   * @param spare an array that was taken before and is not needed any more; the bucket's next one
   */
  public long[] take(int bucket, long[] spare) {
    long[] items = buckets[bucket];
    capacity += spare.length - items.length;
    buckets[bucket] = spare;
    sizes[bucket] = 0;
    filled &= ~(1L << bucket);
    return items;
  }

  /** Takes all items and spills their vertices. */
  public void spill() {
    for (long left = filled; left != 0; left &= left - 1) {
      int bucket = Long.numberOfTrailingZeros(left);
      int size = sizes[bucket];
      long[] items = take(bucket, NONE);
      for (int i = 0; i < size; i++) {
        spilled.addShared((int) items[i]);
      }
    }
  }

  /**
   * Moves the window and deals all items out over it.
   *
   * @param from its begin
   * @param width of a bucket
   */
  public void window(double from, double width) {
    base = from;
    inverse = 1 / width;
    head = 0;
    leastBehind = Double.POSITIVE_INFINITY;
    long old = filled;
    long[][] items = new long[COUNT][];
    int[] counts = sizes.clone();
    for (long left = old; left != 0; left &= left - 1) {
      int bucket = Long.numberOfTrailingZeros(left);
      items[bucket] = take(bucket, NONE);
    }
    long before = added;
    for (long left = old; left != 0; left &= left - 1) {
      int bucket = Long.numberOfTrailingZeros(left);
      for (int i = 0; i < counts[bucket]; i++) {
        long item = items[bucket][i];
        add((int) item, Float.intBitsToFloat((int) (item >>> 32)));
      }
      items[bucket] = null;
    }
    added = before;
  }
}
