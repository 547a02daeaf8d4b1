package org.sparkgpugraph.runtime.cluster;

import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/**
 * The elements of another RDD, read on the executors that hold a graph. Zipping with a {@link
 * PinnedRdd} would not do: Spark then follows the blocks of either side.
 */
public final class PinnedInput<T> extends RDD<T> {
  private static final long serialVersionUID = 1L;

  private final String[] locations;
  private final ClassTag<T> tag;

  private PinnedInput(RDD<T> parent, String[] locations, ClassTag<T> tag) {
    super(parent, tag);
    this.locations = locations;
    this.tag = tag;
  }

  /**
   * Reads partition i at place i.
   *
   * @param locations {@code executor_<host>_<id>} for each partition, or null for anywhere
   */
  public static <T> JavaRDD<T> of(JavaRDD<T> input, List<String> locations) {
    if (input.getNumPartitions() != locations.size()) {
      throw new IllegalArgumentException(
          input.getNumPartitions() + " partitions for " + locations.size() + " places");
    }
    return new JavaRDD<>(
        new PinnedInput<>(input.rdd(), locations.toArray(new String[0]), input.classTag()),
        input.classTag());
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext context) {
    PinnedRdd.check(locations[split.index()], context);
    return this.<T>firstParent(tag).iterator(split, context);
  }

  @Override
  public Partition[] getPartitions() {
    return this.<T>firstParent(tag).partitions();
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    return PinnedRdd.locations(locations[split.index()]);
  }
}
