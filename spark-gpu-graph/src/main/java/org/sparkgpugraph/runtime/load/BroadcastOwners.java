package org.sparkgpugraph.runtime.load;

import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.placement.OwnerTable;
import scala.reflect.ClassTag$;

/**
 * A table of owners that an executor fetches once, however many tasks need it. The driver keeps
 * nothing of it but what Spark keeps of a broadcast. Spark frees it when the driver has let go of
 * all graphs with it.
 */
final class BroadcastOwners implements VertexOwners {
  private static final long serialVersionUID = 1L;

  private final long first;
  // Arrays of primitives, which serializers know without being told.
  private final Broadcast<long[]> ids;
  private final Broadcast<long[]> words;
  private final int entries;
  private final int bits;
  private final long bytes;
  private final VertexOwners others;

  private transient volatile OwnerTable table;

  private BroadcastOwners(OwnerTable table, Broadcast<long[]> ids, Broadcast<long[]> words) {
    first = table.first();
    entries = table.entries();
    bits = table.bits();
    bytes = table.bytes();
    others = table.others();
    this.ids = ids;
    this.words = words;
  }

  static BroadcastOwners of(SparkContext sc, OwnerTable table) {
    Broadcast<long[]> ids = table.ids() == null ? null : broadcast(sc, table.ids());
    return new BroadcastOwners(table, ids, broadcast(sc, table.words()));
  }

  private static Broadcast<long[]> broadcast(SparkContext sc, long[] array) {
    return sc.broadcast(array, ClassTag$.MODULE$.apply(long[].class));
  }

  private OwnerTable table() {
    OwnerTable known = table;
    if (known == null) {
      long[] all = ids == null ? null : ids.value();
      known = new OwnerTable(first, all, entries, bits, words.value(), others);
      table = known;
    }
    return known;
  }

  @Override
  public int shards() {
    return others.shards();
  }

  @Override
  public int shardOf(long id) {
    return table().shardOf(id);
  }

  @Override
  public boolean ascending() {
    return false;
  }

  /** Those of the table, fetched or not. */
  @Override
  public long bytes() {
    return bytes;
  }

  /** Whether they are of one broadcast: nobody makes the same table twice. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BroadcastOwners owners && words.id() == owners.words.id();
  }

  @Override
  public int hashCode() {
    return Long.hashCode(words.id());
  }

  /** For messages. */
  @Override
  public String toString() {
    return table().toString();
  }
}
