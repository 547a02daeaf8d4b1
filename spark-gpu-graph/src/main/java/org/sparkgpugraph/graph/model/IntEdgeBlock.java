package org.sparkgpugraph.graph.model;

/**
 * Edges by their original ids where all of them fit 32 bits: half the memory of {@link
 * GlobalEdgeBlock}. What generators and loaders of ordinary graphs make.
 */
public final class IntEdgeBlock implements EdgeBlock {
  private static final long serialVersionUID = 1L;

  private final int size;
  private final int[] sources;
  private final int[] destinations;
  private final Object values;

  /**
   * @param size number of edges
   * @param sources {@code int[≥ size]}: original ids of the sources
   * @param destinations {@code int[≥ size]}: original ids of the destinations
   * @param values see {@link EdgeBlock#values()}
   */
  public IntEdgeBlock(int size, int[] sources, int[] destinations, Object values) {
    if (sources.length < size || destinations.length < size) {
      throw new IllegalArgumentException(
          size
              + " edges, but "
              + sources.length
              + " sources and "
              + destinations.length
              + " destinations");
    }
    this.size = size;
    this.sources = sources;
    this.destinations = destinations;
    this.values = values;
  }

  @Override
  public int size() {
    return size;
  }

  /** Original ids of the sources, not a copy. */
  public int[] sources() {
    return sources;
  }

  /** Original ids of the destinations, not a copy. */
  public int[] destinations() {
    return destinations;
  }

  @Override
  public long source(int position) {
    return sources[position];
  }

  @Override
  public long destination(int position) {
    return destinations[position];
  }

  @Override
  public Object values() {
    return values;
  }

  @Override
  public long bytes() {
    return 4L * ((long) sources.length + destinations.length) + EdgeBlock.valueBytes(values);
  }
}
