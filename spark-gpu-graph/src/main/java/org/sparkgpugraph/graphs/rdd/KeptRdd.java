package org.sparkgpugraph.graphs.rdd;

import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListenerUnpersistRDD;
import org.apache.spark.storage.StorageLevel;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/**
 * What a run made, which nothing can compute again: its blocks are its only source. They stay as
 * long as the driver has an RDD that is made of this one, also after {@code unpersist()}, so that
 * graphs that were derived from a result may be computed when that is unpersisted. Then Spark's
 * cleaner frees them, as it does with shuffles that nobody refers to.
 *
 * <p>The blocks are Spark's, in memory or on disk. Over several executors each is kept twice, so
 * that the loss of one executor loses none.
 *
 * <p>Once they are there it depends on no other RDD: a chain of results, each made of the one
 * before, would never be freed.
 */
public final class KeptRdd<T> extends RDD<T> {
  private static final long serialVersionUID = 1L;

  // Kept, since a checkpoint of the source leaves that without one.
  private final Option<Partitioner> partitioner;

  /** Null once all blocks are there. */
  private RDD<T> source;

  /** What users see: not the level of the blocks. */
  private StorageLevel level = StorageLevel.NONE();

  /**
   * An RDD whose blocks are kept from its first job on.
   *
   * @param source what they are made of, until {@link #cut}
   */
  public KeptRdd(RDD<T> source, ClassTag<T> tag) {
    super(source.context(), none(), tag);
    this.source = source;
    partitioner = source.partitioner();
  }

  /** Computes what a source gives, once, and keeps it: the source may go then. */
  public static <T> KeptRdd<T> of(RDD<T> source, ClassTag<T> tag) {
    KeptRdd<T> kept = new KeptRdd<>(source, tag);
    kept.persist(StorageLevel.MEMORY_AND_DISK());
    try {
      kept.count();
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      kept.free();
      throw e;
    }
    kept.cut();
    return kept;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Seq<Dependency<?>> none() {
    return (Seq) Nil$.MODULE$;
  }

  /** A partition, with that of the source as long as there is one. */
  private static final class Part extends IndexedPartition {
    private static final long serialVersionUID = 1L;
    private Partition source;

    Part(int index, Partition source) {
      super(index);
      this.source = source;
    }
  }

  @Override
  public Partition[] getPartitions() {
    Partition[] parts = source.partitions().clone();
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Part(i, parts[i]);
    }
    return parts;
  }

  @Override
  public Seq<Dependency<?>> getDependencies() {
    if (source == null) {
      return none();
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    scala.collection.immutable.List<Dependency<?>> empty =
        (scala.collection.immutable.List) Nil$.MODULE$;
    return empty.$colon$colon(new OneToOneDependency<>(source));
  }

  @Override
  public Option<Partitioner> partitioner() {
    return partitioner;
  }

  @Override
  public Iterator<T> compute(Partition split, TaskContext context) {
    if (source == null) {
      throw new IllegalStateException(
          ("block %s of the result of a run is lost, and nothing can compute it again: run the"
                  + " program again; a checkpoint of a graph that is made of it would survive")
              .formatted(split.index()));
    }
    return source.iterator(((Part) split).source, context);
  }

  /** All blocks are there: what they were made of may go. */
  public void cut() {
    for (Partition part : partitions()) {
      ((Part) part).source = null;
    }
    source = null;
    clearDependencies();
  }

  /** Gives the blocks back at once: nobody has seen this RDD. */
  public void free() {
    super.unpersist(false);
  }

  @Override
  public RDD<T> persist(StorageLevel asked) {
    StorageLevel kept = super.getStorageLevel();
    if (kept.equals(StorageLevel.NONE())) {
      super.persist(
          context().isLocal() ? StorageLevel.MEMORY_AND_DISK() : StorageLevel.MEMORY_AND_DISK_2());
    } else if (level.equals(StorageLevel.NONE())) {
      context().persistentRdds().put(id(), this);
    }
    level = asked;
    return this;
  }

  /**
   * {@inheritDoc} The blocks stay until nobody refers to them, unless Spark cleans up nothing
   * ({@code spark.cleaner.referenceTracking = false}).
   */
  @Override
  public RDD<T> unpersist(boolean blocking) {
    level = StorageLevel.NONE();
    SparkContext sc = context();
    if (sc.cleaner().isEmpty()) {
      return super.unpersist(blocking);
    }
    // For Spark's lists of what is persisted it is so no more.
    sc.persistentRdds().remove(id());
    sc.listenerBus().post(new SparkListenerUnpersistRDD(id()));
    Released.add(this);
    return this;
  }

  @Override
  public StorageLevel getStorageLevel() {
    return level;
  }
}
