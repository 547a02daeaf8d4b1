package org.sparkgpugraph.runtime.stage;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.sparkgpugraph.runtime.cluster.Executors;
import org.sparkgpugraph.runtime.cluster.Misplaced;
import org.sparkgpugraph.runtime.cluster.MisplacedTaskException;
import org.sparkgpugraph.runtime.cluster.PinnedRdd;
import org.sparkgpugraph.runtime.cluster.ScalaCompat;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import scala.Product2;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * One piece of work on every shard, as the map side of a shuffle: partition i is shard i, its
 * elements are what it says to other shards. Its tasks ask to run where their shards are held; one
 * that was started elsewhere changes nothing, says nothing, and reports so. The only parent is the
 * previous exchange, which is dropped as soon as the next step stands on this one: so a lost output
 * makes Spark run this again and nothing before it, which the fence of {@link FencedShard} answers
 * by saying the same again.
 */
final class StepRdd extends RDD<Product2<Integer, byte[]>> {
  private static final long serialVersionUID = 1L;
  private static final ClassTag<Product2<Integer, byte[]>> TAG = tag();

  private final String[] locations;
  private final ShardReports reports;

  /** What tasks are to do; in one place, since Spark packs it while the driver changes it. */
  private final AtomicReference<Orders> orders;

  /**
   * What tasks are to do.
   *
   * @param work null: nothing
   * @param standing name of the {@link StandingStage} that tells them; null: the work, and no more
   * @param written what this writes; known where tasks stay
   * @param parent the previous exchange; null: none, or it is read no more
   */
  private record Orders(
      ShardWork work,
      String standing,
      ShuffleDependency<Integer, byte[], byte[]> written,
      ShuffleDependency<Integer, byte[], byte[]> parent)
      implements Serializable {}

  /**
   * @param locations {@code executor_<host>_<id>} of each shard's owner; null for anywhere
   * @param parent the previous exchange; null: nothing was said
   * @param reports takes what became of each shard's task; registered
   */
  StepRdd(
      SparkContext sc,
      List<String> locations,
      ShuffleDependency<Integer, byte[], byte[]> parent,
      ShardWork work,
      ShardReports reports) {
    super(sc, none(), TAG);
    this.locations = locations.toArray(new String[0]);
    orders = new AtomicReference<>(new Orders(work, null, null, parent));
    this.reports = reports;
  }

  @SuppressWarnings("unchecked")
  private static ClassTag<Product2<Integer, byte[]>> tag() {
    return (ClassTag<Product2<Integer, byte[]>>) (Object) ClassTag$.MODULE$.apply(Product2.class);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Seq<Dependency<?>> none() {
    return (Seq) Nil$.MODULE$;
  }

  /** Reports of the tasks that have ended. */
  ShardReports reports() {
    return reports;
  }

  /**
   * Has tasks stay for what follows the work.
   *
   * @param stage name of the {@link StandingStage}
   * @param exchange what this writes
   */
  void stand(String stage, ShuffleDependency<Integer, byte[], byte[]> exchange) {
    orders.updateAndGet(now -> new Orders(now.work(), stage, exchange, now.parent()));
  }

  /**
   * Has tasks that are sent from now on do something, and no more.
   *
   * @param last null: nothing
   * @param begun whether the work that this was made for was done
   */
  void settle(ShardWork last, boolean begun) {
    orders.updateAndGet(now -> new Orders(last, null, null, begun ? null : now.parent()));
    if (begun) {
      clearDependencies();
    }
  }

  /** Forgets the previous exchange: a task that runs again from now on reads nothing. */
  void dropParent() {
    orders.updateAndGet(now -> new Orders(now.work(), now.standing(), now.written(), null));
    clearDependencies();
  }

  @Override
  public Seq<Dependency<?>> getDependencies() {
    ShuffleDependency<Integer, byte[], byte[]> exchange = orders.get().parent();
    return exchange == null ? none() : StepRdd.<Dependency<?>>one(exchange);
  }

  @SuppressWarnings("unchecked")
  private static <T> Seq<T> one(T element) {
    return ((scala.collection.immutable.List<T>) (Object) Nil$.MODULE$).$colon$colon(element);
  }

  @Override
  public Partition[] getPartitions() {
    return PinnedRdd.slots(locations);
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    return PinnedRdd.locations(locations[split.index()]);
  }

  @Override
  public Iterator<Product2<Integer, byte[]>> compute(Partition split, TaskContext context) {
    int shard = split.index();
    StandingTask.Ended ended;
    try {
      ended = ended(shard, context);
    } catch (Exception e) {
      // Such as a FetchFailedException, which is checked, though Spark's own methods do not say so.
      throw SparkFailures.undeclared(e);
    }
    ShardWork done = ended.work();
    ShardWork.Answer answer = ended.answer();
    if (done != null) {
      reports.add(
          new ShardReport(done.generation(), done.epoch(), shard, answer.outcome(), answer.data()));
    }
    List<Product2<Integer, byte[]>> said = new ArrayList<>();
    for (ShardWork.Message message : answer.messages()) {
      said.add(new Tuple2<>(message.reader(), message.record()));
    }
    return ScalaCompat.asScala(said.iterator());
  }

  private StandingTask.Ended ended(int shard, TaskContext context) throws Exception {
    Orders all = orders.get();
    if (all.work() == null) {
      return StandingTask.Ended.of(null, shard, StepRdd::gone);
    }
    String wanted = locations[shard];
    if (wanted != null && !wanted.equals(Executors.here())) {
      Misplaced.await(wanted, context);
      return new StandingTask.Ended(
          all.work(),
          new ShardWork.Answer(
              ShardReport.Outcome.MISPLACED,
              new MisplacedTaskException(wanted, Executors.here()).getMessage(),
              Collections.emptyList()));
    }
    ShuffleDependency<Integer, byte[], byte[]> exchange = all.parent();
    ShardWork.Inbox inbox = exchange == null ? StepRdd::gone : () -> read(exchange, shard, context);
    return all.standing() == null
        ? StandingTask.Ended.of(all.work(), shard, inbox)
        : new StandingTask(all.standing(), all.written(), shard, context).run(inbox);
  }

  /** Of work that stands on no exchange, or on one that is read no more. */
  static List<byte[]> gone() throws ExchangeGoneException {
    throw new ExchangeGoneException();
  }

  private static List<byte[]> read(
      ShuffleDependency<Integer, byte[], byte[]> exchange, int shard, TaskContext context)
      throws Exception {
    if (exchange.shuffleWriterProcessor() instanceof PlainShuffle plain) {
      return plain.read(exchange, shard, context);
    }
    Iterator<Product2<Integer, byte[]>> records =
        SparkEnv.get()
            .shuffleManager()
            .<Integer, byte[]>getReader(
                exchange.shuffleHandle(),
                shard,
                shard + 1,
                context,
                context.taskMetrics().createTempShuffleReadMetrics())
            .read();
    return all(records);
  }

  /** The records of an exchange, without the number of their reader. */
  static List<byte[]> all(Iterator<Product2<Integer, byte[]>> records) {
    List<byte[]> all = new ArrayList<>();
    while (records.hasNext()) {
      all.add(records.next()._2());
    }
    return all;
  }
}
