package org.sparkgpugraph.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sparkgpugraph.files.generate.GeneratedGraph;
import org.sparkgpugraph.files.generate.LatticeGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A benchmark graph by its name: {@code rmat22} (R-MAT of scale 22, 16 edges per id), {@code
 * twin22} (two of scale 21 side by side that share no edge: a search stays in the first half of the
 * vertices), {@code random22} (2^22 ids, 16 edges per id between any two), {@code lattice4096}
 * (4096 × 4096) or {@code holes4096} (the same without a fifth of its vertices, weights up to 10
 * 000).
 *
 * @param name as given
 * @param generated what makes it
 * @param lattice whether it is a lattice
 * @param copies how often what is generated is there
 * @param shape what becomes of what is generated
 */
public record GraphSpec(
    String name, GeneratedGraph generated, boolean lattice, int copies, Shape shape) {
  /** What becomes of generated edges; see {@link ReshapedEdges}. */
  enum Shape {
    /** They stay. */
    GENERATED,
    /** Their ends are drawn anew. */
    RANDOM,
    /** Some are left out. */
    HOLES
  }

  private static final Pattern FORM =
      Pattern.compile("(rmat|twin|random|lattice|holes)([0-9]{1,5})");
  private static final int EDGE_FACTOR = 16;
  private static final long SEED = 42;

  /**
   * Reads a name.
   *
   * @param partitions that the graph is cut into
   * @throws IllegalArgumentException when it is not of the form, or too large for them
   */
  public static GraphSpec of(String name, int partitions) {
    Matcher matcher = FORM.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not a graph; valid: rmatSCALE (rmat22), twinSCALE (twin22),"
              + " randomSCALE (random22), latticeSIDE (lattice4096), holesSIDE (holes4096)");
    }
    int size = Integer.parseInt(matcher.group(2));
    Shape shape =
        switch (matcher.group(1)) {
          case "random" -> Shape.RANDOM;
          case "holes" -> Shape.HOLES;
          default -> Shape.GENERATED;
        };
    boolean lattice = matcher.group(1).equals("lattice") || shape == Shape.HOLES;
    int copies = matcher.group(1).equals("twin") ? 2 : 1;
    GeneratedGraph generated =
        lattice
            ? new LatticeGraph(size, size, SEED)
            : new RmatGraph(size - copies + 1, EDGE_FACTOR, SEED);
    long edges = copies * generated.edges();
    if (edges / partitions > GraphPartition.MAX_EDGES) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' has "
              + edges
              + " edges; one partition holds "
              + GraphPartition.MAX_EDGES);
    }
    return new GraphSpec(name, generated, lattice, copies, shape);
  }

  /** Number of ids: 0 to one less. */
  public long vertices() {
    return copies * generated.vertices();
  }

  /**
   * The edges.
   *
   * @param weights see {@link BenchmarkGraphs#edges}
   */
  public List<EdgeBlock> edges(Kind weights) {
    List<EdgeBlock> edges = new ArrayList<>();
    for (int copy = 0; copy < copies; copy++) {
      int added = (int) (copy * generated.vertices());
      List<EdgeBlock> blocks = BenchmarkGraphs.edges(generated, weights);
      for (int i = 0; i < blocks.size(); i++) {
        edges.add(shaped(BenchmarkGraphs.shifted((IntEdgeBlock) blocks.get(i), added), i));
      }
    }
    return edges;
  }

  private IntEdgeBlock shaped(IntEdgeBlock block, int number) {
    return switch (shape) {
      case GENERATED -> block;
      case RANDOM -> ReshapedEdges.random(block, number, vertices(), SEED);
      case HOLES -> ReshapedEdges.holes(block, (int) Math.sqrt(vertices()), SEED);
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
