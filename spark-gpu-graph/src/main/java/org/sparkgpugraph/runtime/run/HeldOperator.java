package org.sparkgpugraph.runtime.run;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graph.model.ExecutorGraph;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.HeldResult;
import org.sparkgpugraph.runtime.observe.EngineSeconds;
import org.sparkgpugraph.runtime.stage.FencedShard;
import org.sparkgpugraph.runtime.stage.ShardReport;
import org.sparkgpugraph.runtime.stage.ShardWork;

/** One shard of an operator between its tasks: a round is done once ({@link FencedShard}). */
public final class HeldOperator extends FencedShard {
  /** Generation, epoch, sender, number among the parcels of the sender. */
  private static final int HEADER = 4 * Integer.BYTES;

  private OperatorTask task;
  private int shard;
  private HeldGraph held;
  private ExecutorGraph graph;
  private OperatorRun run;
  private long nanos;

  /**
   * What {@link #begin} did.
   *
   * @param round of round 0
   * @param engine name of the engine
   * @param reason why this one
   */
  record Begun(Stepped round, String engine, String reason) implements Serializable {}

  /**
   * What a round did.
   *
   * @param stats with what other shards are told
   * @param more whether the shard wants another one
   */
  record Stepped(SuperstepStats stats, boolean more) implements Serializable {}

  @Override
  public String key() {
    return GraphHandle.shardKey(task.resultKey(), shard);
  }

  @Override
  public EngineChoice choice() {
    return task.engine();
  }

  /** Opens the operator and does round 0; what it was before is dropped. */
  ShardWork.Answer begin(OperatorWork.Begin work, int ofShard) throws Exception {
    return begin(
        work,
        () -> {
          reset(work);
          task = work.task();
          shard = ofShard;
          try {
            held = ExecutorRegistry.graph(GraphHandle.shardKey(task.graphKey(), ofShard));
            graph = task.graph(held);
          } catch (RuntimeException e) {
            return ShardWork.Answer.failed(e);
          }
          return begun(work, () -> opened(work));
        });
  }

  private ShardWork.Answer opened(OperatorWork.Begin work) {
    ShardWork.Answer first =
        opened(
            task.device(),
            graph.partitions().size(),
            selection -> {
              nanos = 0;
              OperatorInput input = task.input(held, selection, shard);
              reserveHeap(task.operator().heapBytes(input));
              run = task.operator().open(input);
              return round(work, List.of());
            });
    Begun begun =
        new Begun((Stepped) first.data(), selection().engine().name(), selection().reason());
    return new ShardWork.Answer(first.outcome(), begun, first.messages());
  }

  /** Takes what other shards say and does a round. */
  ShardWork.Answer step(OperatorWork.Step work, ShardWork.Inbox inbox) throws Exception {
    return advance(work, inbox, records -> round(work, records));
  }

  private ShardWork.Answer round(ShardWork work, List<byte[]> records) {
    long start = System.nanoTime();
    GraphOperator.Round round = run.round(work.epoch(), arrived(work, records));
    List<ShardWork.Message> messages = new ArrayList<>();
    long bytes = 0;
    for (GraphOperator.Parcel parcel : round.parcels()) {
      if (parcel.peer() == shard || parcel.peer() < 0 || parcel.peer() >= task.shards()) {
        throw new IllegalStateException(
            task.operator().name() + " on shard " + shard + " says something to " + parcel.peer());
      }
      bytes += parcel.bytes().length;
      messages.add(new ShardWork.Message(parcel.peer(), record(work, messages.size(), parcel)));
    }
    long took = System.nanoTime() - start;
    nanos += took;
    SuperstepStats stats =
        OperatorRunning.stats(graph, work.epoch(), round, messages.size(), bytes, took);
    counted().superstep(stats, 0, took);
    return new ShardWork.Answer(
        ShardReport.Outcome.DONE, new Stepped(stats, round.more()), messages);
  }

  private byte[] record(ShardWork work, int number, GraphOperator.Parcel parcel) {
    return ByteBuffer.allocate(HEADER + parcel.bytes().length)
        .putInt(work.generation())
        .putInt(work.epoch())
        .putInt(shard)
        .putInt(number)
        .put(parcel.bytes())
        .array();
  }

  /** What has come, by sender and in the sender's order. */
  private List<GraphOperator.Parcel> arrived(ShardWork work, List<byte[]> records) {
    List<ByteBuffer> sorted =
        records.stream()
            .map(ByteBuffer::wrap)
            .sorted(
                Comparator.<ByteBuffer>comparingInt(record -> record.getInt(2 * Integer.BYTES))
                    .thenComparingInt(record -> record.getInt(3 * Integer.BYTES)))
            .toList();
    List<GraphOperator.Parcel> parcels = new ArrayList<>();
    for (ByteBuffer record : sorted) {
      int generation = record.getInt();
      int epoch = record.getInt();
      if (generation != work.generation() || epoch != work.epoch() - 1) {
        throw new IllegalStateException(
            "a parcel of generation "
                + generation
                + " and round "
                + epoch
                + " arrived in generation "
                + work.generation()
                + " and round "
                + work.epoch());
      }
      int sender = record.getInt();
      byte[] bytes = new byte[record.capacity() - HEADER];
      record.getInt();
      record.get(bytes);
      parcels.add(new GraphOperator.Parcel(sender, bytes));
    }
    return parcels;
  }

  /** Puts the result where it is collected from, and frees the rest. */
  public ShardWork.Answer finish(OperatorWork.Finish work) throws Exception {
    return finish(
        work,
        () -> {
          reserveResult(task.resultBytes(graph));
          ExecutorRegistry.putResult(
              key(), HeldResult.of(held, graph, run.results(), task.operator().result()));
          OperatorRun.DeviceNanos device = run.deviceNanos();
          boolean onDevice = selection().device() != null;
          return ShardWork.Answer.done(
              new EngineSeconds(
                  device.transfers() / 1e9, (onDevice ? device.kernels() : nanos) / 1e9, 0));
        });
  }

  @Override
  public void freeRun() {
    if (run != null) {
      run.close();
      run = null;
    }
  }

  @Override
  public void freeGraph() {
    held = null;
    graph = null;
  }
}
