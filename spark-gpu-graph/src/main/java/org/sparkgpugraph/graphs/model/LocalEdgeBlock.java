package org.sparkgpugraph.graphs.model;

/**
 * Edges over a dictionary of vertex ids: the layout of GraphX's {@code EdgePartition}, whose arrays
 * it references.
 */
public final class LocalEdgeBlock extends ArrayEdgeBlock {
  private static final long serialVersionUID = 1L;

  private final int[] localSources;
  private final int[] localDestinations;
  private final long[] localToGlobal;

  /**
   * @param size number of edges
   * @param localSources {@code int[≥ size]}: index of the source in {@code localToGlobal}
   * @param localDestinations {@code int[≥ size]}: index of the destination
   * @param localToGlobal original ids, distinct; entries that no edge uses are legal (GraphX leaves
   *     them after a filter)
   * @param values see {@link EdgeBlock#values()}
   */
  public LocalEdgeBlock(
      int size, int[] localSources, int[] localDestinations, long[] localToGlobal, Object values) {
    super(size, localSources, localDestinations, values);
    this.localSources = localSources;
    this.localDestinations = localDestinations;
    this.localToGlobal = localToGlobal;
  }

  /** Dictionary indexes of the sources, not a copy. */
  public int[] localSources() {
    return localSources;
  }

  /** Dictionary indexes of the destinations, not a copy. */
  public int[] localDestinations() {
    return localDestinations;
  }

  /** The dictionary, not a copy. */
  public long[] localToGlobal() {
    return localToGlobal;
  }

  @Override
  public long source(int position) {
    return localToGlobal[localSources[position]];
  }

  @Override
  public long destination(int position) {
    return localToGlobal[localDestinations[position]];
  }

  @Override
  public long bytes() {
    return 4L * ((long) localSources.length + localDestinations.length)
        + 8L * localToGlobal.length
        + EdgeBlock.valueBytes(values());
  }
}
