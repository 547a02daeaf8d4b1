package org.sparkgpugraph.graphs.model;

/** Edges by their original ids. */
public final class GlobalEdgeBlock extends ArrayEdgeBlock {
  private static final long serialVersionUID = 1L;

  private final long[] sources;
  private final long[] destinations;

  /**
   * @param size number of edges
   * @param sources {@code long[≥ size]}: original ids of the sources
   * @param destinations {@code long[≥ size]}: original ids of the destinations
   * @param values see {@link EdgeBlock#values()}
   */
  public GlobalEdgeBlock(int size, long[] sources, long[] destinations, Object values) {
    super(size, sources, destinations, values);
    this.sources = sources;
    this.destinations = destinations;
  }

  /** Original ids of the sources, not a copy. */
  public long[] sources() {
    return sources;
  }

  /** Original ids of the destinations, not a copy. */
  public long[] destinations() {
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
  public long bytes() {
    return 8L * ((long) sources.length + destinations.length) + EdgeBlock.valueBytes(values());
  }
}
