package org.sparkgpugraph.frame.algorithm;

import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.Louvain.Conf;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.run.RunOptions;

/**
 * Communities by modularity (Louvain, with Leiden's refinement if asked for): {@code community}, a
 * long that vertices of one have in common.
 */
public final class Louvain extends SingleRun<Long> {
  private Conf conf = Conf.DEFAULT;
  private String weight;

  /** For {@code PropertyGraph}, by whose methods users make algorithms. */
  public Louvain(GraphTables graph) {
    super(graph, new StructType().add("community", DataTypes.LongType, false), FrameResult.one());
  }

  /** The resolution γ, above 0; larger: smaller communities. */
  public Louvain resolution(double gamma) {
    conf = conf.withGamma(gamma);
    return this;
  }

  /** Most levels, at least 1. */
  public Louvain maxLevels(int value) {
    conf = conf.withMaxLevels(value);
    return this;
  }

  /** Whether communities are refined, so that each is connected. */
  public Louvain refine(boolean value) {
    conf = conf.withRefine(value);
    return this;
  }

  /** Column of the edges; without it each counts 1. */
  public Louvain weight(String column) {
    weight = column;
    return this;
  }

  @Override
  String weight() {
    return weight;
  }

  @Override
  VertexResult<Long> result(LoadedGraph on, RunOptions options) {
    return weight == null
        ? org.sparkgpugraph.algorithm.Louvain.run(on.graph(), conf, options)
        : org.sparkgpugraph.algorithm.Louvain.runWeighted(on.weighted(), conf, options);
  }
}
