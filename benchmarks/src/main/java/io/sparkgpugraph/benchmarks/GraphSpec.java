package io.sparkgpugraph.benchmarks;

import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.io.GeneratedGraph;
import io.sparkgpugraph.io.LatticeGraph;
import io.sparkgpugraph.io.RmatGraph;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A benchmark graph by its name: {@code rmat22} (R-MAT of scale 22, 16 edges per id) or {@code
 * lattice4096} (4096 × 4096).
 *
 * @param name as given
 * @param generated what makes it
 * @param lattice whether it is a lattice
 */
record GraphSpec(String name, GeneratedGraph generated, boolean lattice) {
  private static final Pattern FORM = Pattern.compile("(rmat|lattice)([0-9]{1,5})");
  private static final int EDGE_FACTOR = 16;
  private static final long SEED = 42;

  /**
   * Reads a name.
   *
   * @param partitions that the graph is cut into
   * @throws IllegalArgumentException when it is not of the form, or too large for them
   */
  static GraphSpec of(String name, int partitions) {
    Matcher matcher = FORM.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a graph; valid: rmatSCALE (rmat22), latticeSIDE (lattice4096)");
    }
    int size = Integer.parseInt(matcher.group(2));
    boolean lattice = matcher.group(1).equals("lattice");
    GeneratedGraph generated =
        lattice ? new LatticeGraph(size, size, SEED) : new RmatGraph(size, EDGE_FACTOR, SEED);
    if (generated.edges() / partitions > GraphPartition.MAX_EDGES) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' has "
              + generated.edges()
              + " edges; one partition holds "
              + GraphPartition.MAX_EDGES);
    }
    return new GraphSpec(name, generated, lattice);
  }

  @Override
  public String toString() {
    return name;
  }
}
