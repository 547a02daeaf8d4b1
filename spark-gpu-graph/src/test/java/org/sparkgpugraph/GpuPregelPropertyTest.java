package org.sparkgpugraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.PartitionStrategy;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.function.AggregateFunction;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.WholeMerge;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * The public API from a GraphX graph to a GraphX graph gives what {@link PregelOracle} gives, and
 * the edges come back as they were.
 */
@ExtendWith(SharedSpark.class)
class GpuPregelPropertyTest {
  private final JavaSparkContext spark;

  GpuPregelPropertyTest(JavaSparkContext spark) {
    this.spark = spark;
  }

  static LongStream seeds() {
    return LongStream.range(1000, 1000 + Integer.getInteger("propertyRuns", 60));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesWhatTheReferenceGives(long seed) {
    check(RandomPrograms.any(seed), seed);
  }

  private <VD, ED, S, A, R> void check(TestProgram<VD, ED, S, A, R> program, long seed) {
    TestGraph<VD, ED> test = program.on(RandomGraphs.any(seed), seed);
    PregelOracle.Run<R> expected = PregelOracle.run(test, program);
    Random random = new Random(seed);
    Graph<VD, ED> graph =
        test.toGraphx(spark, 1 + random.nextInt(3), program.attribute, program.edge);
    if (random.nextInt(3) == 0) {
      graph = graph.partitionBy(PartitionStrategy.EdgePartition2D$.MODULE$, 3);
    }
    graph.cache();
    RunOptions options =
        RunOptions.DEFAULT
            .withEngine(EngineChoice.CPU)
            .withFallback(RunOptions.Fallback.NEVER)
            .withPartitions(1 + random.nextInt(4))
            .withExecutors(Math.max(0, random.nextInt(8) - 3))
            .withKernel(KernelChoice.values()[random.nextInt(3)]);
    Graph<R, ED> result = builder(graph, program).options(options).run();
    String how = "seed " + seed + ", " + options;
    Compare.assertSame(expected.result(), Compare.vertices(result), test, program, how);
    assertThat(edges(result)).as(how).isEqualTo(edges(graph));
    result.unpersist(false);
    graph.unpersist(false);
  }

  /** Edges by partition, in their order. */
  private static <ED> List<List<String>> edges(Graph<?, ED> graph) {
    List<List<String>> partitions = new ArrayList<>();
    for (List<Edge<ED>> partition : graph.edges().toJavaRDD().glom().collect()) {
      partitions.add(partition.stream().map(Edge::toString).toList());
    }
    return partitions;
  }

  @SuppressWarnings("unchecked") // a test program holds functions of its own types
  private static <VD, ED, S, A, R> PregelBuilder<VD, ED, S, A, R> builder(
      Graph<VD, ED> graph, TestProgram<VD, ED, S, A, R> program) {
    PregelBuilder<VD, ED, ?, ?, ?> start =
        GpuPregel.on(graph, program.attribute, program.edge)
            .maxIterations(program.maxIterations)
            .activeDirection(direction(program.direction))
            .gather(program.gather);
    PregelBuilder<VD, ED, S, A, R> builder = (PregelBuilder<VD, ED, S, A, R>) start;
    if (program.initialMessage != null) {
      builder = (PregelBuilder<VD, ED, S, A, R>) builder.initialMessage(program.initialMessage);
    }
    if (program.emptyMessage != null) {
      builder = (PregelBuilder<VD, ED, S, A, R>) builder.everyVertex(program.emptyMessage);
    }
    if (program.state != null) {
      PregelBuilder<VD, ED, ?, ?, ?> retyped = builder.state(program.state);
      builder = (PregelBuilder<VD, ED, S, A, R>) retyped;
    }
    if (program.vertexProgram instanceof VertexProgram<?, ?> function) {
      builder.vertexProgram((VertexProgram<S, A>) function);
    } else {
      builder.vertexProgram((VertexProgram.WithContext<S, A>) program.vertexProgram);
    }
    if (program.send instanceof SendMessage<?, ?, ?> function) {
      builder.sendMessage((SendMessage<S, ED, A>) function);
    } else {
      builder.sendMessage((SendMessage.WithContext<S, ED, A>) program.send);
    }
    if (program.merge == WholeMerge.MODE) {
      builder.mergeMode();
    } else {
      builder.mergeMessage((MergeMessage<A>) program.merge);
    }
    if (program.activeWhen != null) {
      builder.activeWhen(program.activeWhen);
    }
    for (ProgramSource.AggregateSource aggregate : program.aggregates) {
      builder.aggregate(
          aggregate.name(), aggregate.operation(), (AggregateFunction<S>) aggregate.function());
    }
    for (ProgramSource.AggregateSource aggregate : program.finalAggregates) {
      builder.finalAggregate(
          aggregate.name(), aggregate.operation(), (AggregateFunction<S>) aggregate.function());
    }
    if (program.result instanceof ResultFunction<?, ?, ?> function) {
      builder = builder.result((ResultFunction<VD, S, R>) function);
    } else if (program.result != null) {
      builder = builder.result((ResultFunction.WithContext<VD, S, R>) program.result);
    }
    if (program.stopWhen != null) {
      builder.stopWhen(program.stopWhen);
    }
    return builder;
  }

  private static EdgeDirection direction(ActiveDirection direction) {
    return switch (direction) {
      case OUT -> EdgeDirection.Out();
      case IN -> EdgeDirection.In();
      case EITHER -> EdgeDirection.Either();
      case BOTH -> EdgeDirection.Both();
    };
  }
}
