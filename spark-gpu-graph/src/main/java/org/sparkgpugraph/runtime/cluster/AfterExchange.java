package org.sparkgpugraph.runtime.cluster;

import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.sparkgpugraph.graphs.graphx.OnlyPartition;
import scala.collection.Iterator;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Nothing, behind an exchange: a job over it writes the exchange where no map stage can. */
public final class AfterExchange extends RDD<Integer> {
  private static final long serialVersionUID = 1L;
  private static final ClassTag<Integer> TAG = ClassTag$.MODULE$.apply(Integer.class);

  private AfterExchange(SparkContext sc, ShuffleDependency<?, ?, ?> exchange) {
    super(sc, parents(exchange), TAG);
  }

  @SuppressWarnings("unchecked")
  private static Seq<Dependency<?>> parents(Dependency<?> exchange) {
    return ((scala.collection.immutable.List<Dependency<?>>) (Object) Nil$.MODULE$)
        .$colon$colon(exchange);
  }

  /** Starts a job that writes an exchange. */
  public static JavaFutureAction<Long> count(SparkContext sc, ShuffleDependency<?, ?, ?> exchange) {
    return new JavaRDD<>(new AfterExchange(sc, exchange), TAG).countAsync();
  }

  @Override
  @SuppressWarnings("unchecked") // there are no elements
  public Iterator<Integer> compute(Partition split, TaskContext context) {
    return (Iterator<Integer>) (Object) scala.collection.Iterator$.MODULE$.empty();
  }

  @Override
  public Partition[] getPartitions() {
    return new Partition[] {new OnlyPartition()};
  }
}
