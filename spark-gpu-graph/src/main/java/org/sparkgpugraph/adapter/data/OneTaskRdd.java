package org.sparkgpugraph.adapter.data;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockId;
import org.sparkgpugraph.graphs.memory.Workers;
import scala.collection.Iterator;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Range$;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * Computes all partitions of two RDDs in a single task that has several threads: what is persisted
 * of them is there then. For partitions that are made of what is in the memory of this JVM, where a
 * task of its own takes many times as long as its work.
 *
 * <p>The task holds all blocks that it reads, since to put others there may evict them, and several
 * threads of one task would compute them again: that is for tasks of their own. Where a block is
 * missing when it begins it does nothing.
 */
final class OneTaskRdd extends RDD<Object> {
  private static final long serialVersionUID = 1L;

  private static final AtomicLong KEYS = new AtomicLong();

  /** What is done at present: partitions may hold all data of a graph, so none are sent. */
  private static final Map<Long, Work> WORK = new ConcurrentHashMap<>();

  private final long key = KEYS.incrementAndGet();
  private final int threads;
  private final transient List<BlockId> input;

  /**
   * The work of a task in this JVM.
   *
   * @param first partitions of the first RDD
   * @param second partitions of the second RDD
   * @param input the blocks that they are made of
   */
  private record Work(Partition[] first, Partition[] second, List<BlockId> input) {}

  /**
   * Of two RDDs of a context whose tasks run in this JVM.
   *
   * @param input the blocks that all partitions are made of
   */
  OneTaskRdd(RDD<?> first, RDD<?> second, List<BlockId> input, int threads) {
    super(first.context(), dependencies(first, second), ClassTag$.MODULE$.Object());
    this.input = input;
    this.threads = threads;
  }

  /**
   * Runs the task.
   *
   * @return whether all partitions were computed; otherwise, when a block of the input was not
   *     there, none
   */
  boolean run() {
    WORK.put(key, new Work(parent(0).partitions(), parent(1).partitions(), input));
    try {
      Object done = context().runJob(this, new HasElements(), ClassTag$.MODULE$.Object());
      return (Boolean) Array.get(done, 0);
    } finally {
      WORK.remove(key);
    }
  }

  /** Whether the task has done its work. */
  private static final class HasElements
      extends AbstractFunction2<TaskContext, Iterator<Object>, Object> implements Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object apply(TaskContext context, Iterator<Object> elements) {
      return elements.hasNext();
    }
  }

  /** On all partitions of an RDD. */
  private static final class OnAll extends NarrowDependency<Object> {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unchecked")
    OnAll(RDD<?> rdd) {
      super((RDD<Object>) rdd);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Seq<Object> getParents(int partition) {
      return (Seq<Object>) (Object) Range$.MODULE$.apply(0, rdd().getNumPartitions());
    }
  }

  private static Seq<Dependency<?>> dependencies(RDD<?> first, RDD<?> second) {
    @SuppressWarnings("unchecked")
    scala.collection.immutable.List<Dependency<?>> none =
        (scala.collection.immutable.List<Dependency<?>>) (Object) Nil$.MODULE$;
    return none.$colon$colon(new OnAll(second)).$colon$colon(new OnAll(first));
  }

  @Override
  public Partition[] getPartitions() {
    return new Partition[] {new OnlyPartition()};
  }

  private RDD<Object> parent(int index) {
    ClassTag<Object> tag = ClassTag$.MODULE$.Object();
    return this.<Object>parent(index, tag);
  }

  /** One element when all was computed. */
  @Override
  public Iterator<Object> compute(Partition split, TaskContext context) {
    // None where the class was loaded once more, for executors only.
    Work work = WORK.get(key);
    try (CachedPartitions.Held held = work == null ? null : CachedPartitions.hold(work.input())) {
      if (held == null) {
        @SuppressWarnings("unchecked")
        Iterator<Object> none =
            (Iterator<Object>) (Object) scala.collection.Iterator$.MODULE$.empty();
        return none;
      }
      compute(work, context);
      return scala.collection.Iterator$.MODULE$.single(true);
    }
  }

  private void compute(Work work, TaskContext context) {
    RDD<Object> first = parent(0);
    RDD<Object> second = parent(1);
    int ofFirst = work.first().length;
    try (Workers workers = new Workers(threads)) {
      workers.run(
          ofFirst + work.second().length,
          i -> {
            if (i < ofFirst) {
              compute(first, work.first()[i], context);
            } else {
              compute(second, work.second()[i - ofFirst], context);
            }
          });
    }
  }

  /** In the name of the task, whose locks of blocks are freed with it. */
  private static void compute(RDD<Object> rdd, Partition partition, TaskContext context) {
    TaskContext before = TaskContext.get();
    TaskContext$.MODULE$.setTaskContext(context);
    try {
      new JavaIterator<>(rdd.iterator(partition, context)).forEachRemaining(element -> {});
    } finally {
      if (before == null) {
        TaskContext$.MODULE$.unset();
      } else {
        TaskContext$.MODULE$.setTaskContext(before);
      }
    }
  }
}
