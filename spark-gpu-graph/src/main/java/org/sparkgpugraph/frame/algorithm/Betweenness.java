package org.sparkgpugraph.frame.algorithm;

import java.util.stream.Stream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Betweenness centrality by Brandes' algorithm: {@code betweenness}, a double, over the shortest
 * paths from all or some vertices.
 */
public final class Betweenness extends SingleRun<Double> {
  private Object[] sources;
  private int samples;
  private long seed = 1;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public Betweenness(GraphTables graph) {
    super(
        graph, new StructType().add("betweenness", DataTypes.DoubleType, false), FrameResult.one());
  }

  /** Ids of the vertices from which paths are taken. */
  public Betweenness sources(Object... ids) {
    sources = ids.clone();
    return this;
  }

  /** Takes paths from so many vertices, drawn by chance, and scales what they give to all. */
  public Betweenness samples(int count) {
    samples = count;
    return this;
  }

  /** Of the draw; 1 unless it is given. */
  public Betweenness seed(long value) {
    seed = value;
    return this;
  }

  @Override
  void check() {
    if ((sources == null) == (samples == 0)) {
      throw new IllegalArgumentException(
          sources == null
              ? "neither sources nor samples are set: give one of them"
              : "sources and samples are both set: give one of them");
    }
  }

  @Override
  VertexResult<Double> result(LoadedGraph on, RunOptions options) {
    if (sources == null) {
      return org.sparkgpugraph.algorithm.Betweenness.sampled(on.graph(), samples, seed, options);
    }
    long[] keys = Stream.of(sources).mapToLong(id -> on.keyOf(id, "source")).toArray();
    return org.sparkgpugraph.algorithm.Betweenness.run(on.graph(), keys, options);
  }
}
