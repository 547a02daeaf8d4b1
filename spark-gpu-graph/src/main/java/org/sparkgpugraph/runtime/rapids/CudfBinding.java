package org.sparkgpugraph.runtime.rapids;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Tables of cudf, by its Java classes: where columns are on the GPU, and copies of them. */
final class CudfBinding {
  /** Looked up once for the tables of a plugin, and as long there as their class. */
  private static final ClassValue<CudfBinding> OF_TABLES =
      new ClassValue<>() {
        @Override
        protected CudfBinding computeValue(Class<?> table) {
          return Calls.of(() -> new CudfBinding(table.getClassLoader()));
        }
      };

  private final MethodHandle rows;
  private final MethodHandle column;
  private final MethodHandle closeTable;
  private final MethodHandle nulls;
  private final MethodHandle data;
  private final MethodHandle address;
  private final MethodHandle toHost;
  private final MethodHandle hostData;
  private final MethodHandle longs;
  private final MethodHandle ints;
  private final MethodHandle rowsOfColumn;
  private final MethodHandle synchronizeStream;

  CudfBinding(ClassLoader loader) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    Class<?> table = Class.forName("ai.rapids.cudf.Table", true, loader);
    Class<?> vector = Class.forName("ai.rapids.cudf.ColumnVector", true, loader);
    Class<?> onGpu = Class.forName("ai.rapids.cudf.BaseDeviceMemoryBuffer", true, loader);
    Class<?> copy = Class.forName("ai.rapids.cudf.HostColumnVector", true, loader);
    Class<?> onHost = Class.forName("ai.rapids.cudf.HostMemoryBuffer", true, loader);
    rows = lookup.findVirtual(table, "getRowCount", type(long.class));
    column = lookup.findVirtual(table, "getColumn", type(vector, int.class));
    closeTable = lookup.findVirtual(table, "close", type(void.class));
    nulls = lookup.findVirtual(vector, "hasNulls", type(boolean.class));
    data = lookup.findVirtual(vector, "getData", type(onGpu));
    address = lookup.findVirtual(onGpu, "getAddress", type(long.class));
    toHost = lookup.findVirtual(vector, "copyToHost", type(copy));
    hostData = lookup.findVirtual(copy, "getData", type(onHost));
    longs =
        lookup.findVirtual(
            onHost, "getLongs", type(void.class, long[].class, long.class, long.class, int.class));
    ints =
        lookup.findVirtual(
            onHost, "getInts", type(void.class, int[].class, long.class, long.class, int.class));
    rowsOfColumn = lookup.findVirtual(vector, "getRowCount", type(long.class));
    Class<?> cuda = Class.forName("ai.rapids.cudf.Cuda", true, loader);
    synchronizeStream =
        lookup
            .findVirtual(
                Class.forName("ai.rapids.cudf.Cuda$Stream", true, loader), "sync", type(void.class))
            .bindTo(cuda.getField("DEFAULT_STREAM").get(null));
  }

  /**
   * What is called of a table, looked up when the first one comes.
   *
   * @throws IllegalStateException when its classes are other than known
   */
  static CudfBinding of(Object table) {
    return OF_TABLES.get(table.getClass());
  }

  private static MethodType type(Class<?> result, Class<?>... parameters) {
    return MethodType.methodType(result, parameters);
  }

  /** Waits until what the running thread has asked for is done. */
  void synchronizeStream() {
    Calls.run(() -> synchronizeStream.invoke());
  }

  long rows(Object table) {
    return Calls.of(() -> (long) rows.invoke(table));
  }

  /** A column, which stays the table's. */
  Object column(Object table, int number) {
    return Calls.of(() -> (Object) column.invoke(table, number));
  }

  void close(Object table) {
    Calls.run(() -> closeTable.invoke(table));
  }

  boolean hasNulls(Object vector) {
    return Calls.of(() -> (boolean) nulls.invoke(vector));
  }

  /** Where the numbers of a column are on the GPU; 0 where it has no rows. */
  long address(Object vector) {
    return Calls.of(
        () -> {
          Object buffer = (Object) data.invoke(vector);
          return buffer == null ? Long.valueOf(0) : (Long) (long) address.invoke(buffer);
        });
  }

  /** Copies the numbers of a column, of 8 bytes each, as they are. */
  long[] copy(Object vector, int count) {
    long[] copied = new long[count];
    copy(vector, longs, copied, count);
    return copied;
  }

  /** Copies a column of ints. */
  int[] copyInts(Object vector) {
    int[] copied = new int[Calls.of(() -> Math.toIntExact((long) rowsOfColumn.invoke(vector)))];
    copy(vector, ints, copied, copied.length);
    return copied;
  }

  private void copy(Object vector, MethodHandle elements, Object into, int count) {
    if (count > 0) {
      Calls.run(
          () -> {
            try (AutoCloseable host = (AutoCloseable) toHost.invoke(vector)) {
              elements.invoke((Object) hostData.invoke((Object) host), into, 0L, 0L, count);
            }
          });
    }
  }
}
