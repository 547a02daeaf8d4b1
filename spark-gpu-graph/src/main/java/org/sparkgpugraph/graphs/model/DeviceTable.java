package org.sparkgpugraph.graphs.model;

/**
 * Edges in columns on a device of this process, which another library made there. It belongs to
 * whoever got it, and is closed once. Thread-safe.
 */
public interface DeviceTable extends AutoCloseable {
  /** Number of edges. */
  int size();

  /** Where the original ids of the sources are on the device, {@code long[size]}. */
  long sources();

  /** Where the original ids of the destinations are, {@code long[size]}. */
  long destinations();

  /** Where the edges' values are, {@code double[size]}; 0: they have none. */
  long values();

  /**
   * Copies the original ids of ends to the host.
   *
   * @param ofSources whether of the sources or of the destinations
   */
  long[] copyEnds(boolean ofSources);

  /** Copies the values to the host; null: there are none. */
  double[] copyValues();

  /** Frees the columns; twice is harmless. */
  @Override
  void close();
}
