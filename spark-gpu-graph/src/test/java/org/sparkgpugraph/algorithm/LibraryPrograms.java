package org.sparkgpugraph.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.sparkgpugraph.GraphlessPrograms;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphSource;

/** The programs of the library's algorithms, with whatever decides their code. */
public final class LibraryPrograms {
  private static final long SOURCE = 1;

  /**
   * One program.
   *
   * @param name algorithm and variant
   * @param source types of the graph that it is for
   * @param builder the program
   */
  public record Entry(String name, GraphSource source, ProgramBuilder<?, ?, ?, ?, ?> builder) {}

  private LibraryPrograms() {}

  /**
   * All of them. Kernels know of a graph's values only what they read, so those made for a graph
   * without attributes do for all graphs.
   *
   * @param vertex class of the vertex attributes
   * @param edge class of the edge attributes where they are no weights
   */
  public static List<Entry> all(Class<?> vertex, Class<?> edge) {
    List<Entry> all = new ArrayList<>();
    GraphSource source = GraphlessPrograms.source(vertex, edge);
    for (OptionalLong personal : List.of(OptionalLong.empty(), OptionalLong.of(SOURCE))) {
      String variant = personal.isPresent() ? ", personalised" : "";
      for (boolean normalized : new boolean[] {true, false}) {
        all.add(
            new Entry(
                "PageRank" + variant + (normalized ? "" : ", not normalised"),
                source,
                PageRank.fixed(
                    GraphlessPrograms.on(vertex, edge),
                    1,
                    PageRank.RESET_PROBABILITY,
                    personal,
                    normalized,
                    RunOptions.DEFAULT)));
      }
    }
    // Personalised or not is a captured value here, no other code.
    all.add(
        new Entry(
            "PageRank until convergence",
            source,
            PageRank.converging(
                GraphlessPrograms.on(vertex, edge),
                0.0,
                PageRank.RESET_PROBABILITY,
                OptionalLong.empty(),
                RunOptions.DEFAULT)));
    all.add(
        new Entry(
            "ConnectedComponents",
            source,
            ConnectedComponents.program(
                GraphlessPrograms.on(vertex, edge), Integer.MAX_VALUE, RunOptions.DEFAULT)));
    all.add(
        new Entry(
            "LabelPropagation",
            source,
            LabelPropagation.program(GraphlessPrograms.on(vertex, edge), 1, RunOptions.DEFAULT)));
    all.add(
        new Entry(
            "Bfs",
            source,
            Bfs.program(
                GraphlessPrograms.on(vertex, edge),
                SOURCE,
                Integer.MAX_VALUE,
                RunOptions.DEFAULT)));
    all.add(
        new Entry(
            "Sssp",
            GraphlessPrograms.source(vertex, Double.class),
            Sssp.program(
                GraphlessPrograms.on(vertex, Double.class),
                SOURCE,
                Integer.MAX_VALUE,
                RunOptions.DEFAULT)));
    return all;
  }

  /** The same programs as the algorithms make them for a graph that is held. */
  public static List<ProgramBuilder<?, ?, ?, ?, ?>> on(ResidentGraph<Integer, Double> graph) {
    double reset = PageRank.RESET_PROBABILITY;
    OptionalLong all = OptionalLong.empty();
    OptionalLong one = OptionalLong.of(SOURCE);
    RunOptions options = RunOptions.DEFAULT;
    return List.of(
        PageRank.fixed(ProgramBuilder.on(graph), 10, reset, all, true, options),
        PageRank.fixed(ProgramBuilder.on(graph), 10, reset, one, false, options),
        PageRank.converging(ProgramBuilder.on(graph), 1e-3, reset, one, options),
        ConnectedComponents.program(ProgramBuilder.on(graph), Integer.MAX_VALUE, options),
        ConnectedComponents.program(ProgramBuilder.on(graph), 10, options),
        LabelPropagation.program(ProgramBuilder.on(graph), 10, options),
        Bfs.program(ProgramBuilder.on(graph), SOURCE, Integer.MAX_VALUE, options),
        Bfs.program(ProgramBuilder.on(graph), SOURCE, 10, options),
        Sssp.program(ProgramBuilder.on(graph), SOURCE, Integer.MAX_VALUE, options),
        Sssp.program(ProgramBuilder.on(graph), SOURCE, 10, options));
  }
}
