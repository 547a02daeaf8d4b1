package org.sparkgpugraph.graphs.model;

/**
 * Edges by their original ids where all of them fit 32 bits: half the memory of {@link
 * GlobalEdgeBlock}. What generators and loaders of ordinary graphs make.
 */
public final class IntEdgeBlock extends ArrayEdgeBlock {
  private static final long serialVersionUID = 1L;

  private final int[] sources;
  private final int[] destinations;

  /**
   * @param size number of edges
   * @param sources {@code int[≥ size]}: original ids of the sources
   * @param destinations {@code int[≥ size]}: original ids of the destinations
   * @param values see {@link EdgeBlock#values()}
   */
  public IntEdgeBlock(int size, int[] sources, int[] destinations, Object values) {
    super(size, sources, destinations, values);
    this.sources = sources;
    this.destinations = destinations;
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
  public long bytes() {
    return 4L * ((long) sources.length + destinations.length) + EdgeBlock.valueBytes(values());
  }
}
