package org.sparkgpugraph.examples.algorithms;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.lib.SVDPlusPlus;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/** SVD++: a column for every component of both vectors, the bias and the norm. */
final class SvdAlgorithm extends Algorithm {
  SvdAlgorithm() {
    super(
        "svd-plus-plus",
        "p_0",
        Kind.DOUBLE,
        Set.of(Takes.ITERATIONS, Takes.SEED, Takes.RATINGS, Takes.WEIGHTS, Takes.NEGATIVE_WEIGHTS),
        Merit.errors(SVDPlusPlus::error));
  }

  @Override
  public List<String> valueNames(Settings settings) {
    List<String> names = new ArrayList<>();
    int rank = settings.ratings().conf(settings).rank();
    for (String vector : List.of("p_", "u_")) {
      for (int i = 0; i < rank; i++) {
        names.add(vector + i);
      }
    }
    names.add("bias");
    names.add("norm");
    return names;
  }

  @Override
  public List<Kind> kinds(Settings settings) {
    return Collections.nCopies(valueNames(settings).size(), Kind.DOUBLE);
  }

  @Override
  public JavaRDD<VertexBlock> blocks(VertexResult<?> result, Settings settings) {
    ValueType type = result.type();
    int width = type.columns().stream().mapToInt(ColumnType::width).sum();
    return result.blocks().map(block -> LibraryAlgorithm.columns(block, type, width));
  }

  @Override
  public boolean hasStock() {
    return false;
  }

  @Override
  void checkMore(Settings settings) {
    settings.ratings().conf(settings);
  }

  @Override
  public VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    SVDPlusPlus.Conf conf = settings.ratings().conf(settings);
    return SVDPlusPlus.run(graph, conf, settings.seed(), options).vertices();
  }

  @Override
  public String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return SVDPlusPlus.explain(graph, settings.ratings().conf(settings), options);
  }
}
