package org.sparkgpugraph.examples.algorithms;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.lib.learning.AlternatingLeastSquares;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/** Alternating least squares: a column for every factor. */
final class AlsAlgorithm extends Algorithm {
  AlsAlgorithm() {
    super(
        "als",
        "factor_0",
        Kind.DOUBLE,
        Set.of(Takes.ITERATIONS, Takes.SEED, Takes.RATINGS, Takes.WEIGHTS, Takes.NEGATIVE_WEIGHTS),
        Merit.errors(AlternatingLeastSquares::error));
  }

  @Override
  public List<String> valueNames(Settings settings) {
    int rank = settings.ratings().als(settings).rank();
    return IntStream.range(0, rank).mapToObj(i -> "factor_" + i).toList();
  }

  @Override
  public List<Kind> kinds(Settings settings) {
    return Collections.nCopies(valueNames(settings).size(), Kind.DOUBLE);
  }

  @Override
  public JavaRDD<VertexBlock> blocks(VertexResult<?> result, Settings settings) {
    ValueType type = result.type();
    int width = valueNames(settings).size();
    return result.blocks().map(block -> LibraryAlgorithm.columns(block, type, width));
  }

  @Override
  public boolean hasStock() {
    return false;
  }

  @Override
  void checkMore(Settings settings) {
    settings.ratings().als(settings);
  }

  @Override
  public VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    AlternatingLeastSquares.Conf conf = settings.ratings().als(settings);
    return AlternatingLeastSquares.run(graph, conf, settings.seed(), options).factors();
  }

  @Override
  public String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return AlternatingLeastSquares.explain(graph, settings.ratings().als(settings), options);
  }
}
