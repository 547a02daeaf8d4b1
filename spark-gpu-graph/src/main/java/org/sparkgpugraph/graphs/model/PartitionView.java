package org.sparkgpugraph.graphs.model;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.run.EdgeBytes;

/**
 * A partition seen in another way: what a view does not say otherwise is as in the partition. Those
 * of a {@link GraphView} that leaves vertices and ghosts where they are.
 */
public abstract class PartitionView implements GraphPartition {
  private final GraphPartition whole;

  protected PartitionView(GraphPartition whole) {
    this.whole = whole;
  }

  /** The partition that this is a view of. */
  public final GraphPartition whole() {
    return whole;
  }

  @Override
  public int index() {
    return whole.index();
  }

  @Override
  public long firstVertex() {
    return whole.firstVertex();
  }

  @Override
  public int stored() {
    return whole.stored();
  }

  @Override
  public int ghosts() {
    return whole.ghosts();
  }

  @Override
  public long[] ghostIds() {
    return whole.ghostIds();
  }

  @Override
  public long originalId(int local) {
    return whole.originalId(local);
  }

  @Override
  public long[] originalIds() {
    return whole.originalIds();
  }

  @Override
  public void originalIds(int first, int count, long[] into) {
    whole.originalIds(first, count, into);
  }

  @Override
  public long[] present() {
    return whole.present();
  }

  @Override
  public Csr edges(boolean in) {
    return whole.edges(in);
  }

  @Override
  public Columns edgeValues(boolean in) {
    return whole.edgeValues(in);
  }

  @Override
  public Csr transpose(boolean in) {
    return whole.transpose(in);
  }

  @Override
  public boolean hasTranspose(boolean in) {
    return whole.hasTranspose(in);
  }

  @Override
  public int degree(int local, boolean in) {
    return whole.degree(local, in);
  }

  @Override
  public int[] degrees(boolean in) {
    return whole.degrees(in);
  }

  @Override
  public long bytes() {
    return whole.bytes();
  }

  @Override
  public EdgeBytes edgeBytes() {
    return whole.edgeBytes();
  }
}
