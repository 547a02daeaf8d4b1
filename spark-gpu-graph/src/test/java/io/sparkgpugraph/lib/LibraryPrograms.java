package io.sparkgpugraph.lib;

import io.sparkgpugraph.Builders;
import io.sparkgpugraph.PregelBuilder;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.spark.GraphSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

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
  public record Entry(String name, GraphSource source, PregelBuilder<?, ?, ?, ?, ?> builder) {}

  private LibraryPrograms() {}

  /**
   * All of them, for graphs without attributes ({@code GpuPregel.on(graph, Object.class,
   * Object.class)}, as the algorithms do) and with weights (what the loaders make).
   */
  public static List<Entry> all() {
    List<Entry> all = new ArrayList<>();
    addUnweighted(all, Object.class);
    addUnweighted(all, Double.class);
    all.add(
        new Entry(
            "Sssp",
            Builders.source(Object.class, Double.class),
            Sssp.program(
                Builders.on(Object.class, Double.class),
                SOURCE,
                Integer.MAX_VALUE,
                RunOptions.DEFAULT)));
    return all;
  }

  private static void addUnweighted(List<Entry> all, Class<?> edge) {
    GraphSource source = Builders.source(Object.class, edge);
    for (OptionalLong personal : List.of(OptionalLong.empty(), OptionalLong.of(SOURCE))) {
      String variant = personal.isPresent() ? ", personalised" : "";
      for (boolean normalized : new boolean[] {true, false}) {
        all.add(
            new Entry(
                "PageRank" + variant + (normalized ? "" : ", not normalised"),
                source,
                PageRank.fixed(
                    Builders.on(Object.class, edge),
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
                Builders.on(Object.class, edge),
                0.0,
                PageRank.RESET_PROBABILITY,
                OptionalLong.empty(),
                RunOptions.DEFAULT)));
    all.add(
        new Entry(
            "ConnectedComponents",
            source,
            ConnectedComponents.program(
                Builders.on(Object.class, edge), Integer.MAX_VALUE, RunOptions.DEFAULT)));
    all.add(
        new Entry(
            "Bfs",
            source,
            Bfs.program(
                Builders.on(Object.class, edge), SOURCE, Integer.MAX_VALUE, RunOptions.DEFAULT)));
  }
}
