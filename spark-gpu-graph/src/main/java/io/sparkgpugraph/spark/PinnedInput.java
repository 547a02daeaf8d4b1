package io.sparkgpugraph.spark;

import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/**
 * The elements of another RDD, read on the executor that holds a graph. Zipping with a {@link
 * PinnedRdd} would not do: Spark then follows the blocks of either side.
 */
final class PinnedInput<T> extends RDD<T> {
  private static final long serialVersionUID = 1L;

  private final String location;
  private final ClassTag<T> tag;

  private PinnedInput(RDD<T> parent, String location, ClassTag<T> tag) {
    super(parent, tag);
    this.location = location;
    this.tag = tag;
  }

  /**
   * @param location {@code executor_<host>_<id>}, or null for anywhere
   */
  static <T> JavaRDD<T> of(JavaRDD<T> input, String location) {
    return new JavaRDD<>(
        new PinnedInput<>(input.rdd(), location, input.classTag()), input.classTag());
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext context) {
    PinnedRdd.check(location);
    return this.<T>firstParent(tag).iterator(split, context);
  }

  @Override
  public Partition[] getPartitions() {
    return this.<T>firstParent(tag).partitions();
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    return PinnedRdd.locations(location);
  }
}
