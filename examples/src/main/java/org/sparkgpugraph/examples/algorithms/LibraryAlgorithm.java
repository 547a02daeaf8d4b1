package org.sparkgpugraph.examples.algorithms;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.RunOptions;

/** An algorithm that runs on resident graphs alone. */
class LibraryAlgorithm extends Algorithm {
  /** Runs it. */
  interface Run {
    VertexResult<?> on(ResidentGraph<?, Double> graph, Settings settings, RunOptions options);
  }

  /** Explains it. */
  interface Explain {
    String on(ResidentGraph<?, Double> graph, Settings settings, RunOptions options);
  }

  private final List<String> valueNames;
  private final boolean columnPerSource;
  private final List<Kind> kinds;
  private final Run run;
  private final Explain explain;

  private LibraryAlgorithm(
      String name,
      List<String> valueNames,
      boolean columnPerSource,
      List<Kind> kinds,
      Set<Takes> takes,
      Merit merit,
      Run run,
      Explain explain) {
    super(name, valueNames.get(0), kinds.get(0), takes, merit);
    this.valueNames = valueNames;
    this.columnPerSource = columnPerSource;
    this.kinds = kinds;
    this.run = run;
    this.explain = explain;
  }

  /** An algorithm with one value per vertex. */
  LibraryAlgorithm(
      String name,
      String valueName,
      Kind kind,
      Set<Takes> takes,
      Merit merit,
      Run run,
      Explain explain) {
    this(name, List.of(valueName), kind, takes, merit, run, explain);
  }

  /** An algorithm with several columns of one kind. */
  LibraryAlgorithm(
      String name,
      List<String> valueNames,
      Kind kind,
      Set<Takes> takes,
      Merit merit,
      Run run,
      Explain explain) {
    this(name, valueNames, same(valueNames, kind), takes, merit, run, explain);
  }

  /** An algorithm with several columns, each of a kind of its own. */
  LibraryAlgorithm(
      String name,
      List<String> valueNames,
      List<Kind> kinds,
      Set<Takes> takes,
      Merit merit,
      Run run,
      Explain explain) {
    this(name, valueNames, false, kinds, takes, merit, run, explain);
  }

  private static List<Kind> same(List<String> names, Kind kind) {
    return Collections.nCopies(names.size(), kind);
  }

  /**
   * An algorithm with a column for each of --sources.
   *
   * @param prefix of the columns' names
   * @param width number of columns of its records
   */
  static LibraryAlgorithm perSource(
      String name,
      String prefix,
      int width,
      Kind kind,
      Set<Takes> takes,
      Merit merit,
      Run run,
      Explain explain) {
    List<String> names = IntStream.range(0, width).mapToObj(i -> prefix + i).toList();
    return new LibraryAlgorithm(name, names, true, same(names, kind), takes, merit, run, explain);
  }

  @Override
  public boolean hasStock() {
    return false;
  }

  @Override
  public List<String> valueNames(Settings settings) {
    return columnPerSource
        ? valueNames.subList(0, Math.min(valueNames.size(), settings.sources().size()))
        : valueNames;
  }

  @Override
  public List<Kind> kinds(Settings settings) {
    return kinds.subList(0, valueNames(settings).size());
  }

  @Override
  public JavaRDD<VertexBlock> blocks(VertexResult<?> result, Settings settings) {
    if (valueNames.size() == 1) {
      return result.blocks();
    }
    ValueType type = result.type();
    int width = valueNames(settings).size();
    return result.blocks().map(block -> columns(block, type, width));
  }

  /** A block of records or arrays as columns of numbers, the first of them. */
  static VertexBlock columns(VertexBlock block, ValueType type, int width) {
    ValueCodec codec = ValueCodec.of(type);
    Columns all = Columns.allocate(codec.kinds(), block.size());
    for (int i = 0; i < block.size(); i++) {
      codec.put(Array.get(block.values(), block.slot(i)), all, i);
    }
    List<Object> numbers = new ArrayList<>();
    List<Kind> kinds = new ArrayList<>();
    for (int c = 0; c < all.width(); c++) {
      ColumnType column = codec.kinds().get(c);
      for (int element = 0; element < column.width(); element++) {
        numbers.add(element(all.array(c), column, element, block.size()));
        kinds.add(column.kind());
      }
    }
    Object[] some = numbers.subList(0, width).toArray();
    return new VertexBlock(
        block.size(),
        block.ids(),
        null,
        block.size(),
        new Columns(List.copyOf(kinds.subList(0, width)), some, block.size()));
  }

  /** An element of each row. */
  private static Object element(Object rows, ColumnType column, int element, int size) {
    if (!column.isArray()) {
      return rows;
    }
    Object numbers = Columns.newArray(column.kind(), size);
    for (int i = 0; i < size; i++) {
      Array.set(numbers, i, Array.get(rows, i * column.width() + element));
    }
    return numbers;
  }

  @Override
  public VertexResult<?> run(
      ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return run.on(graph, settings, options);
  }

  @Override
  public String explain(ResidentGraph<?, Double> graph, Settings settings, RunOptions options) {
    return explain.on(graph, settings, options);
  }
}
