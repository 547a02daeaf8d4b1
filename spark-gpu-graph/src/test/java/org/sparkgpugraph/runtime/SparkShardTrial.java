package org.sparkgpugraph.runtime;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.engine.PartialMessageRules;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.exchange.UpdateFormat;
import org.sparkgpugraph.graphs.LocalShards;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.observe.RunOutcome;
import org.sparkgpugraph.runtime.run.DistributedRun;
import org.sparkgpugraph.runtime.run.ProgramComputation;
import org.sparkgpugraph.runtime.stage.Computation;
import org.sparkgpugraph.runtime.stage.FencedStages;
import org.sparkgpugraph.runtime.stage.Lanes;
import org.sparkgpugraph.runtime.stage.RunTask;
import org.sparkgpugraph.runtime.stage.ShardStages;
import org.sparkgpugraph.runtime.stage.StandingTimes;
import org.sparkgpugraph.testing.ShardGraphs;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * Runs a test program on shards in one JVM, through Spark, without loading: the shards are put
 * where a load job would put them.
 */
public final class SparkShardTrial<VD, ED, S, A, R> implements AutoCloseable {
  final SparkContext sc;
  public final TestGraph<VD, ED> graph;
  public final TestProgram<VD, ED, S, A, R> program;
  final int shards;
  public GraphHandle handle;
  KernelChoice kernel = KernelChoice.AUTO;
  public EngineChoice engine = EngineChoice.CPU;
  public UpdateFormat format = UpdateFormat.exact(UpdateEncoding.PACKED);
  public boolean compress;
  public Lanes lanes = new Lanes(2, 1);
  public StandingTimes times = StandingTimes.of(2_000);
  public UnaryOperator<Computation> computation = itself -> itself;
  public boolean inPlace = true;

  /** Vertices with more in-edges are told partial messages, where the program can; 0: none. */
  public int hubs;

  public int localSupersteps = 1;
  public int checkpointInterval;
  public FencedStages.Recovery recovery;
  public ProgressListener listener = stats -> {};
  public String resultKey;
  private RunSummary summary;
  private RunOutcome ran;

  /**
   * @param each partitions in a shard
   */
  public SparkShardTrial(
      SparkContext sc,
      TestGraph<VD, ED> graph,
      TestProgram<VD, ED, S, A, R> program,
      int shards,
      int each) {
    this.sc = sc;
    this.graph = graph;
    this.program = program;
    this.shards = shards;
    EngineTrial trial = new EngineTrial(shards * each, KernelChoice.AUTO, 1, true);
    ExecutorGraph whole = trial.build(graph, program);
    int[] cuts = IntStream.range(1, shards).map(shard -> shard * each).toArray();
    // Where vertices are fewer than partitions a loader makes shards that hold none.
    List<ExecutorGraph> split =
        whole.partitions().size() == shards * each
            ? ShardGraphs.split(whole, cuts)
            : LocalShards.of(
                EngineTrial.blocks(graph),
                List.of(new VertexBlock(graph.ids(), null)),
                shards,
                each,
                ValueType.of(program.edge),
                true,
                shards);
    String key = RegistryKey.of(sc, "graph");
    ProgramInstance lifted = ProgramLifter.lift(program.source());
    for (int shard = 0; shard < shards; shard++) {
      ExecutorRegistry.putGraph(
          GraphHandle.shardKey(key, shard),
          new HeldGraph(
              split.get(shard), List.of(), attributes(split.get(shard), lifted), true, 0));
    }
    handle =
        new GraphHandle(
            key,
            Collections.nCopies(shards, null),
            null,
            whole.vertexCount(),
            whole.edgeCount(),
            whole.bytes(),
            split.stream().mapToInt(shard -> shard.partitions().size()).sum(),
            0,
            new Needs(true, true, true),
            null);
    recovery = (lost, again) -> handle;
    resultKey = RegistryKey.of(sc, "result");
  }

  /** Those of the vertices that the shard knows. */
  private Columns attributes(ExecutorGraph split, ProgramInstance lifted) {
    ValueCodec codec = ValueCodec.of(lifted.program().attribute());
    Columns attributes = Columns.allocate(codec.kinds(), (int) split.ids().size());
    for (int i = 0; i < graph.ids().length; i++) {
      int known = (int) split.ids().dense(graph.ids()[i]);
      if (known >= 0) {
        codec.put(graph.attributes().get(i), attributes, known);
      }
    }
    return attributes;
  }

  /** Runs it; the result by id. */
  public Map<Long, R> run() {
    RunTask task = task();
    DistributedRun run =
        new DistributedRun(
            sc,
            handle,
            task,
            new DistributedRun.Options(program.name, localSupersteps, checkpointInterval),
            recovery,
            listener,
            new ShardStages(sc, engine, resultKey, compress, lanes, times));
    ran = run.run().outcome();
    summary = ran.summary();
    return result();
  }

  /** What a task is given. */
  public RunTask task() {
    ProgramInstance lifted = ProgramLifter.lift(program.source());
    RunSettings settings =
        new EngineTrial(1, kernel, 1, inPlace).settings(lifted.program(), program);
    if (hubs > 0 && PartialMessageRules.whyNot(lifted.program(), settings, true).isEmpty()) {
      settings = settings.withHubs(hubs);
    }
    return new RunTask(
        handle.key(),
        resultKey,
        false,
        shards,
        engine,
        DeviceConf.of(GpuGraphConf.of(sc)),
        computation.apply(new ProgramComputation(program.name, lifted, settings, format)));
  }

  /** The result by id, taken out of the registry. */
  public Map<Long, R> result() {
    Map<Long, R> result = new TreeMap<>();
    for (int shard = 0; shard < shards; shard++) {
      collect(ExecutorRegistry.result(GraphHandle.shardKey(resultKey, shard)).range(0, 1), result);
      ExecutorRegistry.remove(GraphHandle.shardKey(resultKey, shard));
    }
    return result;
  }

  @SuppressWarnings("unchecked") // the result has the program's own result type
  private void collect(VertexBlock block, Map<Long, R> into) {
    for (int i = 0; i < block.size(); i++) {
      into.put(block.ids()[i], (R) java.lang.reflect.Array.get(block.values(), i));
    }
  }

  /** What the last run did. */
  public RunSummary summary() {
    return summary;
  }

  /** What the last run did. */
  public RunOutcome ran() {
    return ran;
  }

  @Override
  public void close() {
    for (int shard = 0; shard < shards; shard++) {
      ExecutorRegistry.remove(GraphHandle.shardKey(handle.key(), shard));
    }
  }
}
