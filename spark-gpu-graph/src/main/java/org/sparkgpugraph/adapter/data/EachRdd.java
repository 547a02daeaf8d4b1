package org.sparkgpugraph.adapter.data;

import java.io.Serializable;
import org.apache.spark.Partition;
import org.apache.spark.Partitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.Option;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * What is made of each element of another RDD, in its partitions: {@code rdd.map(…)}, for functions
 * of this library, which need not be searched for what they capture in vain: for that Spark reads
 * classes again and again, which takes a millisecond.
 */
final class EachRdd<T, U> extends RDD<U> {
  private static final long serialVersionUID = 1L;

  private final Each<T, U> each;
  // Kept, since a checkpoint of the other leaves that without one.
  private final Option<Partitioner> partitioner;

  /** Makes an element of another. */
  @FunctionalInterface
  interface Each<T, U> extends Serializable {
    U of(T element);
  }

  EachRdd(RDD<T> parent, ClassTag<U> tag, Each<T, U> each) {
    super(parent, tag);
    this.each = each;
    partitioner = parent.partitioner();
  }

  private RDD<T> parent() {
    @SuppressWarnings("unchecked") // nobody asks for it
    ClassTag<T> tag = (ClassTag<T>) ClassTag$.MODULE$.Object();
    return this.firstParent(tag);
  }

  @Override
  public Iterator<U> compute(Partition split, TaskContext context) {
    return parent()
        .iterator(split, context)
        .map(
            new AbstractFunction1<T, U>() {
              @Override
              public U apply(T element) {
                return each.of(element);
              }
            });
  }

  @Override
  public Partition[] getPartitions() {
    return parent().partitions();
  }

  @Override
  public Option<Partitioner> partitioner() {
    return partitioner;
  }
}
