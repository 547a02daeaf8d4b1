package org.sparkgpugraph.runtime.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.sparkgpugraph.graphs.rdd.IndexedPartition;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The elements of another RDD, read on the executors that hold a graph by all their cores: place i
 * has several partitions of it, its lanes, and its only task several threads that read them. A task
 * for each lane would take turns with others for the executor's slots, and what they read would
 * have to meet in one place anyway.
 *
 * @param <T> elements of the other RDD
 */
public final class PinnedLanes<T> extends RDD<PinnedLanes.Reading<T>> {
  private static final long serialVersionUID = 1L;

  private final String[] locations;
  private final int lanes;
  private final ClassTag<T> tag;

  private PinnedLanes(RDD<T> parent, String[] locations, int lanes, ClassTag<T> tag) {
    super(parent.context(), lanesOf(parent, lanes), PinnedLanes.<T>readingTag());
    this.locations = locations;
    this.lanes = lanes;
    this.tag = tag;
  }

  /**
   * How many lanes each of some places gets: one for each thread, as long as Spark writes a file
   * for each and none of them has to be sorted.
   *
   * @param threads of an executor, at least 1
   */
  public static int lanes(SparkConf conf, int places, int threads) {
    return Math.max(1, Math.min(threads, mostPartitions(conf) / places));
  }

  /** Partitions up to which Spark takes its writer of few partitions. */
  public static int mostPartitions(SparkConf conf) {
    return conf.getInt("spark.shuffle.sort.bypassMergeThreshold", 200);
  }

  /**
   * Reads partitions {@code i · lanes} to {@code (i + 1) · lanes − 1} at place i.
   *
   * @param input whose partitions are so many for each place
   * @param locations {@code executor_<host>_<id>} of each place, or null for anywhere
   * @param lanes of each place, at least 1
   */
  public static <T> JavaRDD<Reading<T>> of(JavaRDD<T> input, List<String> locations, int lanes) {
    if (input.getNumPartitions() != locations.size() * lanes) {
      throw new IllegalArgumentException(
          "%d partitions for %d places of %d lanes"
              .formatted(input.getNumPartitions(), locations.size(), lanes));
    }
    return new JavaRDD<>(
        new PinnedLanes<>(input.rdd(), locations.toArray(new String[0]), lanes, input.classTag()),
        PinnedLanes.<T>readingTag());
  }

  @SuppressWarnings("unchecked")
  private static <T> ClassTag<Reading<T>> readingTag() {
    return (ClassTag<Reading<T>>) (Object) ClassTag$.MODULE$.apply(Reading.class);
  }

  private static Seq<Dependency<?>> lanesOf(RDD<?> parent, int lanes) {
    List<Dependency<?>> only = List.of(new OfPlace<>(parent, lanes));
    return ScalaCompat.asScala(only.iterator()).toList();
  }

  /** Lanes that have not been read yet. */
  public static final class Reading<T> {
    private final List<Callable<Iterator<T>>> lanes;

    private Reading(List<Callable<Iterator<T>>> lanes) {
      this.lanes = lanes;
    }

    /**
     * Reads everything; called once, by the task.
     *
     * @param threads that read, at most; at least 1
     * @param each is given each element, in no order, by several threads at once
     * @throws Exception what was thrown first, by Spark or by {@code each}
     */
    public void forEach(int threads, Consumer<? super T> each) throws Exception {
      AtomicInteger next = new AtomicInteger();
      Callable<Void> reader =
          () -> {
            for (int lane; (lane = next.getAndIncrement()) < lanes.size(); ) {
              Iterator<T> elements = lanes.get(lane).call();
              while (elements.hasNext()) {
                each.accept(elements.next());
              }
            }
            return null;
          };
      TaskThreads.call(Collections.nCopies(Math.min(threads, lanes.size()), reader));
    }
  }

  @Override
  public Iterator<Reading<T>> compute(Partition split, TaskContext context) {
    PinnedRdd.check(locations[split.index()], context);
    RDD<T> parent = this.<T>firstParent(tag);
    List<Callable<Iterator<T>>> reading = new ArrayList<>();
    for (Partition lane : ((Place) split).lanes) {
      reading.add(() -> parent.iterator(lane, context));
    }
    return scala.collection.Iterator$.MODULE$.single(new Reading<>(reading));
  }

  @Override
  public Partition[] getPartitions() {
    Partition[] all = this.<T>firstParent(tag).partitions();
    Partition[] places = new Partition[locations.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = new Place(i, Arrays.copyOfRange(all, i * lanes, (i + 1) * lanes));
    }
    return places;
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    return PinnedRdd.locations(locations[split.index()]);
  }

  /** What it reads. */
  private static final class Place extends IndexedPartition {
    private static final long serialVersionUID = 1L;

    private final Partition[] lanes;

    Place(int index, Partition[] lanes) {
      super(index);
      this.lanes = lanes;
    }
  }

  /** Which partitions a place reads. */
  private static final class OfPlace<T> extends NarrowDependency<T> {
    private static final long serialVersionUID = 1L;

    private final int lanes;

    OfPlace(RDD<T> parent, int lanes) {
      super(parent);
      this.lanes = lanes;
    }

    @Override
    public Seq<Object> getParents(int place) {
      Iterator<Object> parents =
          ScalaCompat.asScala(
              IntStream.range(place * lanes, (place + 1) * lanes)
                  .<Object>mapToObj(lane -> lane)
                  .iterator());
      return parents.toList();
    }
  }
}
