package org.sparkgpugraph.runtime.cluster;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Collections;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.sparkgpugraph.graphs.rdd.IndexedPartition;
import scala.collection.Iterator;
import scala.collection.immutable.List$;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * An RDD whose tasks ask to run where a graph is held, of what is done there, or of its own
 * partition numbers. The wish is Spark's to grant: a task that was given to another executor fails,
 * and {@link OwnerJob} submits the job again.
 */
public final class PinnedRdd<T> extends RDD<T> {
  private static final long serialVersionUID = 1L;
  private static final ClassTag<Integer> TAG = ClassTag$.MODULE$.apply(Integer.class);

  private final String[] locations;
  private final boolean strict;
  private final Work<T> work;

  /** What a task does. */
  @FunctionalInterface
  public interface Work<T> extends Serializable {
    /**
     * Does it.
     *
     * @param index of the partition
     */
    T at(int index);
  }

  private PinnedRdd(
      SparkContext sc, List<String> locations, boolean strict, Work<T> work, ClassTag<T> tag) {
    super(sc, noDependencies(), tag);
    this.locations = locations.toArray(new String[0]);
    this.strict = strict;
    this.work = work;
  }

  /**
   * Partitions at one place.
   *
   * @param count number of partitions
   * @param location {@code executor_<host>_<id>}, or null for anywhere
   */
  public static JavaRDD<Integer> of(SparkContext sc, int count, String location) {
    return of(sc, Collections.nCopies(count, location));
  }

  /**
   * A partition at each of some places.
   *
   * @param locations {@code executor_<host>_<id>}, or null for anywhere
   */
  public static JavaRDD<Integer> of(SparkContext sc, List<String> locations) {
    return new JavaRDD<>(new PinnedRdd<>(sc, locations, true, index -> index, TAG), TAG);
  }

  /**
   * What is done at each of some places. Unlike {@code of(…).map(…)} this has Spark look for
   * nothing that the work captures in vain, for which it reads classes again and again.
   *
   * @param locations {@code executor_<host>_<id>}, or null for anywhere
   */
  public static <T> JavaRDD<T> of(SparkContext sc, List<String> locations, Work<T> work) {
    @SuppressWarnings("unchecked")
    ClassTag<T> tag = (ClassTag<T>) ClassTag$.MODULE$.Object();
    return new JavaRDD<>(new PinnedRdd<>(sc, locations, true, work, tag), tag);
  }

  /** Runs the only task of an RDD, without such a search either. */
  static <T> T only(JavaRDD<T> rdd) {
    @SuppressWarnings("unchecked")
    T result =
        (T)
            Array.get(
                rdd.context().runJob(rdd.rdd(), new Next<T>(), ClassTag$.MODULE$.Object()), 0);
    return result;
  }

  /** The only element of a partition. */
  private static final class Next<T> extends AbstractFunction2<TaskContext, Iterator<T>, Object>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object apply(TaskContext context, Iterator<T> elements) {
      return elements.next();
    }
  }

  /** As above, but a task that runs elsewhere does no harm. */
  static JavaRDD<Integer> near(SparkContext sc, List<String> locations) {
    return new JavaRDD<>(new PinnedRdd<>(sc, locations, false, index -> index, TAG), TAG);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Seq<org.apache.spark.Dependency<?>> noDependencies() {
    return (Seq) Nil$.MODULE$;
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext context) {
    if (strict) {
      check(((Slot) split).location, context);
    }
    return scala.collection.Iterator$.MODULE$.single(work.at(split.index()));
  }

  @Override
  public Partition[] getPartitions() {
    return slots(locations);
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    return locations(((Slot) split).location);
  }

  /** Partitions that are nothing but their numbers, one for each location. */
  public static Partition[] slots(String[] locations) {
    Partition[] partitions = new Partition[locations.length];
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = new Slot(i, locations[i]);
    }
    return partitions;
  }

  /** What Spark is told of a location. */
  public static Seq<String> locations(String location) {
    @SuppressWarnings("unchecked")
    scala.collection.immutable.List<String> none =
        (scala.collection.immutable.List<String>) (Object) List$.MODULE$.empty();
    return location == null ? none : none.$colon$colon(location);
  }

  /** Fails in a task that does not run where it belongs. */
  static void check(String location, TaskContext context) {
    if (location != null && !location.equals(Executors.here())) {
      Misplaced.await(location, context);
      throw new MisplacedTaskException(location, Executors.here());
    }
  }

  /** Where it is. */
  private static final class Slot extends IndexedPartition {
    private static final long serialVersionUID = 1L;

    private final String location;

    Slot(int index, String location) {
      super(index);
      this.location = location;
    }
  }
}
