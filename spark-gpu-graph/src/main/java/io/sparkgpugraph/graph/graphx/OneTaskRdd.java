package io.sparkgpugraph.graph.graphx;

import io.sparkgpugraph.graph.Workers;
import java.io.Serializable;
import org.apache.spark.Dependency;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Range$;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * Computes all partitions of two RDDs in a single task that has several threads, and has no
 * elements: what is persisted of them is there then. For partitions that are made of what is in
 * memory, where a task of its own takes many times as long as its work.
 */
final class OneTaskRdd extends RDD<Object> {
  private static final long serialVersionUID = 1L;

  private final int threads;

  OneTaskRdd(RDD<?> first, RDD<?> second, int threads) {
    super(first.context(), dependencies(first, second), ClassTag$.MODULE$.Object());
    this.threads = threads;
  }

  /** Runs the task. */
  void run() {
    context().runJob(this, new Drain(), ClassTag$.MODULE$.Object());
  }

  /** Reads what has no elements. */
  private static final class Drain extends AbstractFunction2<TaskContext, Iterator<Object>, Object>
      implements Serializable {
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

  /** The only partition, with those of both RDDs: a task cannot always make them. */
  private record All(Partition[] first, Partition[] second) implements Partition {
    @Override
    public int index() {
      return 0;
    }

    @Override
    public int hashCode() {
      return 0;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof All;
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
    return new Partition[] {new All(parent(0).partitions(), parent(1).partitions())};
  }

  private RDD<Object> parent(int index) {
    ClassTag<Object> tag = ClassTag$.MODULE$.Object();
    return this.<Object>parent(index, tag);
  }

  @Override
  public Iterator<Object> compute(Partition split, TaskContext context) {
    All all = (All) split;
    RDD<Object> first = parent(0);
    RDD<Object> second = parent(1);
    int ofFirst = all.first().length;
    try (Workers workers = new Workers(threads)) {
      workers.run(
          ofFirst + all.second().length,
          i -> {
            if (i < ofFirst) {
              compute(first, all.first()[i], context);
            } else {
              compute(second, all.second()[i - ofFirst], context);
            }
          });
    }
    @SuppressWarnings("unchecked")
    Iterator<Object> none = (Iterator<Object>) (Object) scala.collection.Iterator$.MODULE$.empty();
    return none;
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
