package org.sparkgpugraph.engine.cpu.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * Merges a message into a value that other threads merge into at the same time. Most messages
 * improve nothing, so the value is read first; what is read may be old, but only values that were
 * improved before stand in its place, and such a message would not improve those either.
 *
 * <p>A method for each kind and operation, alike as they are: nothing in Java stands for a
 * primitive, and a call through an interface for each message would take longer than the merge.
 */
public final class SharedMerge {
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle FLOATS = MethodHandles.arrayElementVarHandle(float[].class);
  private static final VarHandle DOUBLES = MethodHandles.arrayElementVarHandle(double[].class);

  private SharedMerge() {}

  /**
   * Pushes whether the message on the stack changed a value: {@code column, index, message} become
   * a boolean.
   */
  public static void write(CodeBuilder code, MergeAlgebra merge, Kind kind) {
    write(code, merge, kind, "");
  }

  /** The same where no other thread merges; merge is MIN or MAX. */
  public static void writeAlone(CodeBuilder code, MergeAlgebra merge, Kind kind) {
    write(code, merge, kind, "Alone");
  }

  private static void write(CodeBuilder code, MergeAlgebra merge, Kind kind, String how) {
    Class<?> array = kind.primitive().arrayType();
    String name = merge.name().toLowerCase(Locale.ROOT) + how;
    code.invokeStatic(SharedMerge.class, name, boolean.class, array, int.class, kind.primitive());
  }

  /**
   * Pushes a value as it is after all merges whose threads have made the vertex active: {@code
   * column, index} become the value. A thread that {@linkplain
   * org.sparkgpugraph.exchange.VertexBitmap#removeShared takes a vertex out} of those active next
   * and then reads this misses no improvement: a thread that improved it before and found the
   * vertex active did so earlier in the total order of volatile accesses.
   */
  public static void writeRead(CodeBuilder code, Kind kind) {
    code.invokeStatic(
        SharedMerge.class, "read", kind.primitive(), kind.primitive().arrayType(), int.class);
  }

  public static int read(int[] column, int at) {
    return (int) INTS.getVolatile(column, at);
  }

  public static long read(long[] column, int at) {
    return (long) LONGS.getVolatile(column, at);
  }

  public static float read(float[] column, int at) {
    return (float) FLOATS.getVolatile(column, at);
  }

  public static double read(double[] column, int at) {
    return (double) DOUBLES.getVolatile(column, at);
  }

  public static boolean min(int[] column, int at, int message) {
    int old = (int) INTS.getOpaque(column, at);
    while (message < old && !INTS.compareAndSet(column, at, old, message)) {
      old = (int) INTS.getOpaque(column, at);
    }
    return message < old;
  }

  public static boolean max(int[] column, int at, int message) {
    int old = (int) INTS.getOpaque(column, at);
    while (message > old && !INTS.compareAndSet(column, at, old, message)) {
      old = (int) INTS.getOpaque(column, at);
    }
    return message > old;
  }

  public static boolean or(int[] column, int at, int message) {
    return (message & ~(int) INTS.getOpaque(column, at)) != 0
        && (message & ~(int) INTS.getAndBitwiseOr(column, at, message)) != 0;
  }

  public static boolean and(int[] column, int at, int message) {
    return (~message & (int) INTS.getOpaque(column, at)) != 0
        && (~message & (int) INTS.getAndBitwiseAnd(column, at, message)) != 0;
  }

  public static boolean min(long[] column, int at, long message) {
    long old = (long) LONGS.getOpaque(column, at);
    while (message < old && !LONGS.compareAndSet(column, at, old, message)) {
      old = (long) LONGS.getOpaque(column, at);
    }
    return message < old;
  }

  public static boolean max(long[] column, int at, long message) {
    long old = (long) LONGS.getOpaque(column, at);
    while (message > old && !LONGS.compareAndSet(column, at, old, message)) {
      old = (long) LONGS.getOpaque(column, at);
    }
    return message > old;
  }

  public static boolean or(long[] column, int at, long message) {
    return (message & ~(long) LONGS.getOpaque(column, at)) != 0
        && (message & ~(long) LONGS.getAndBitwiseOr(column, at, message)) != 0;
  }

  public static boolean and(long[] column, int at, long message) {
    return (~message & (long) LONGS.getOpaque(column, at)) != 0
        && (~message & (long) LONGS.getAndBitwiseAnd(column, at, message)) != 0;
  }

  // Floating point as Math.min and Math.max have it: NaN wins, and −0.0 is below 0.0. A value
  // has changed when its bits have.

  public static boolean min(float[] column, int at, float message) {
    float old = (float) FLOATS.getOpaque(column, at);
    float merged = message > old ? old : Math.min(old, message);
    while (bits(merged) != bits(old) && !FLOATS.compareAndSet(column, at, old, merged)) {
      old = (float) FLOATS.getOpaque(column, at);
      merged = Math.min(old, message);
    }
    return bits(merged) != bits(old);
  }

  public static boolean max(float[] column, int at, float message) {
    float old = (float) FLOATS.getOpaque(column, at);
    float merged = message < old ? old : Math.max(old, message);
    while (bits(merged) != bits(old) && !FLOATS.compareAndSet(column, at, old, merged)) {
      old = (float) FLOATS.getOpaque(column, at);
      merged = Math.max(old, message);
    }
    return bits(merged) != bits(old);
  }

  public static boolean min(double[] column, int at, double message) {
    double old = (double) DOUBLES.getOpaque(column, at);
    double merged = message > old ? old : Math.min(old, message);
    while (bits(merged) != bits(old) && !DOUBLES.compareAndSet(column, at, old, merged)) {
      old = (double) DOUBLES.getOpaque(column, at);
      merged = Math.min(old, message);
    }
    return bits(merged) != bits(old);
  }

  public static boolean max(double[] column, int at, double message) {
    double old = (double) DOUBLES.getOpaque(column, at);
    double merged = message < old ? old : Math.max(old, message);
    while (bits(merged) != bits(old) && !DOUBLES.compareAndSet(column, at, old, merged)) {
      old = (double) DOUBLES.getOpaque(column, at);
      merged = Math.max(old, message);
    }
    return bits(merged) != bits(old);
  }

  public static boolean minAlone(int[] column, int at, int message) {
    boolean improves = message < column[at];
    if (improves) {
      column[at] = message;
    }
    return improves;
  }

  public static boolean maxAlone(int[] column, int at, int message) {
    boolean improves = message > column[at];
    if (improves) {
      column[at] = message;
    }
    return improves;
  }

  public static boolean minAlone(long[] column, int at, long message) {
    boolean improves = message < column[at];
    if (improves) {
      column[at] = message;
    }
    return improves;
  }

  public static boolean maxAlone(long[] column, int at, long message) {
    boolean improves = message > column[at];
    if (improves) {
      column[at] = message;
    }
    return improves;
  }

  public static boolean minAlone(float[] column, int at, float message) {
    float old = column[at];
    float merged = message > old ? old : Math.min(old, message);
    boolean improves = bits(merged) != bits(old);
    if (improves) {
      column[at] = merged;
    }
    return improves;
  }

  public static boolean maxAlone(float[] column, int at, float message) {
    float old = column[at];
    float merged = message < old ? old : Math.max(old, message);
    boolean improves = bits(merged) != bits(old);
    if (improves) {
      column[at] = merged;
    }
    return improves;
  }

  public static boolean minAlone(double[] column, int at, double message) {
    double old = column[at];
    double merged = message > old ? old : Math.min(old, message);
    boolean improves = bits(merged) != bits(old);
    if (improves) {
      column[at] = merged;
    }
    return improves;
  }

  public static boolean maxAlone(double[] column, int at, double message) {
    double old = column[at];
    double merged = message < old ? old : Math.max(old, message);
    boolean improves = bits(merged) != bits(old);
    if (improves) {
      column[at] = merged;
    }
    return improves;
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }
}
