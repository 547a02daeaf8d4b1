package org.sparkgpugraph.runtime.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.run.ExchangeVolume;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.LaneUse;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.run.SuperstepTimes;
import org.sparkgpugraph.runtime.held.HeldResult;
import org.sparkgpugraph.runtime.observe.EngineSeconds;
import org.sparkgpugraph.runtime.stage.ShardComputation;
import org.sparkgpugraph.runtime.stage.ShardInput;
import org.sparkgpugraph.runtime.stage.ShardWork;

/** An operator at work on one executor graph. */
final class OperatorShard implements ShardComputation {
  /** Generation, epoch, sender, number among the parcels of the sender. */
  private static final int HEADER = 4 * Integer.BYTES;

  private final GraphOperator operator;
  private final OperatorRun run;
  private final ShardInput input;
  private long nanos;

  OperatorShard(GraphOperator operator, OperatorRun run, ShardInput input) {
    this.operator = operator;
    this.run = run;
    this.input = input;
  }

  @Override
  public Step begin(ShardWork.Begin work) {
    return round(work, List.of());
  }

  @Override
  public Step step(ShardWork.Step work, List<byte[]> records) {
    return round(work, records);
  }

  private Step round(ShardWork work, List<byte[]> records) {
    long start = System.nanoTime();
    GraphOperator.Round round = run.round(work.epoch(), arrived(work, records));
    List<ShardWork.Message> messages = new ArrayList<>();
    long bytes = 0;
    for (GraphOperator.Parcel parcel : round.parcels()) {
      int peer = parcel.peer();
      if (peer == input.shard() || peer < 0 || peer >= input.shards()) {
        throw new IllegalStateException(
            operator.name() + " on shard " + input.shard() + " says something to " + peer);
      }
      bytes += parcel.bytes().length;
      messages.add(new ShardWork.Message(peer, record(work, messages.size(), parcel)));
    }
    SuperstepStats stats =
        ended(work.epoch(), round, messages.size(), bytes, System.nanoTime() - start);
    return new Step(new Progress(stats, 1, messages.size(), round.more()), messages);
  }

  @Override
  public RunSummary toEnd(String engine, ProgressListener listener) {
    long start = System.nanoTime();
    List<SuperstepStats> rounds = new ArrayList<>();
    boolean more = true;
    while (more) {
      long begun = System.nanoTime();
      GraphOperator.Round round = run.round(rounds.size(), List.of());
      if (!round.parcels().isEmpty()) {
        throw new IllegalStateException(
            operator.name() + " says something where there is no other shard");
      }
      more = round.more();
      SuperstepStats stats = ended(rounds.size(), round, 0, 0, System.nanoTime() - begun);
      rounds.add(stats);
      listener.superstepEnded(stats);
    }
    return new RunSummary(engine, rounds, RunSummary.Stopped.CONVERGED, System.nanoTime() - start);
  }

  /** A round as a superstep: every vertex runs, what is said counts as updates. */
  private SuperstepStats ended(
      int number, GraphOperator.Round round, long parcels, long bytes, long took) {
    long vertices = input.graph().heldVertices();
    SuperstepStats stats =
        new SuperstepStats(
            number,
            KernelChoice.DENSE,
            vertices,
            parcels > 0 || round.more() ? vertices : 0,
            round.edges(),
            parcels,
            bytes,
            ExchangeVolume.NONE,
            took,
            SuperstepTimes.computing(took),
            LaneUse.NONE,
            round.aggregates());
    nanos += took;
    input.meter().get().superstep(stats, 0, took);
    return stats;
  }

  // ---- messages -------------------------------------------------------------------------------

  private byte[] record(ShardWork work, int number, GraphOperator.Parcel parcel) {
    return ByteBuffer.allocate(HEADER + parcel.bytes().length)
        .putInt(work.generation())
        .putInt(work.epoch())
        .putInt(input.shard())
        .putInt(number)
        .put(parcel.bytes())
        .array();
  }

  /** What has come, by sender and in the sender's order. */
  private static List<GraphOperator.Parcel> arrived(ShardWork work, List<byte[]> records) {
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
            "a parcel of generation %s and round %s arrived in generation %s and round %s"
                .formatted(generation, epoch, work.generation(), work.epoch()));
      }
      int sender = record.getInt();
      byte[] bytes = new byte[record.capacity() - HEADER];
      record.getInt();
      record.get(bytes);
      parcels.add(new GraphOperator.Parcel(sender, bytes));
    }
    return parcels;
  }

  // ---- the end --------------------------------------------------------------------------------

  @Override
  public HeldResult result(double[] finalAggregates) {
    return HeldResult.of(input.held(), input.graph(), run.results(), operator.result());
  }

  @Override
  public EngineSeconds seconds() {
    OperatorRun.DeviceNanos device = run.deviceNanos();
    return new EngineSeconds(
        device.transfers() / 1e9, (input.isOnDevice() ? device.kernels() : nanos) / 1e9, 0);
  }

  @Override
  public void close() {
    run.close();
  }
}
