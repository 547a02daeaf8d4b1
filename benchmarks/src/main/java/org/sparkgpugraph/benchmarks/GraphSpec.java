package org.sparkgpugraph.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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
 * 000). With {@code -sym} behind it is the simple undirected graph of these edges, each both ways
 * ({@link UndirectedEdges}). {@code file:PATH} is a graph that another code has written, or reads
 * as well ({@link CsrFile}).
 *
 * @param name as given
 * @param vertices number of ids: 0 to one less
 * @param lattice whether it is a lattice
 * @param maker makes the edges; see {@link #edges}
 */
public record GraphSpec(
    String name, long vertices, boolean lattice, Function<Kind, List<EdgeBlock>> maker) {
  /** What becomes of generated edges; see {@link ReshapedEdges}. */
  private enum Shape {
    /** They stay. */
    GENERATED,
    /** Their ends are drawn anew. */
    RANDOM,
    /** Some are left out. */
    HOLES
  }

  private static final Pattern FORM =
      Pattern.compile("(rmat|twin|random|lattice|holes)([0-9]{1,5})(-sym)?");
  private static final String FILE = "file:";
  private static final int EDGE_FACTOR = 16;
  private static final long SEED = 42;

  /**
   * Reads a name.
   *
   * @param partitions that the graph is cut into
   * @throws IllegalArgumentException when it is not of the form, or too large for them, or names a
   *     file that is no graph
   */
  public static GraphSpec of(String name, int partitions) {
    return name.startsWith(FILE) ? ofFile(name, partitions) : ofGenerated(name, partitions);
  }

  private static GraphSpec ofFile(String name, int partitions) {
    try {
      CsrFile file = CsrFile.open(Path.of(name.substring(FILE.length())));
      check(name, file.edges(), partitions);
      return new GraphSpec(
          name,
          file.vertices(),
          false,
          weights -> {
            try {
              return file.read(weights);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (IOException e) {
      throw new IllegalArgumentException("'" + name + "' cannot be read: " + e, e);
    }
  }

  private static GraphSpec ofGenerated(String name, int partitions) {
    Matcher matcher = FORM.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not a graph; valid: rmatSCALE (rmat22), twinSCALE (twin22),"
              + " randomSCALE (random22), latticeSIDE (lattice4096), holesSIDE (holes4096),"
              + " each with -sym behind (rmat22-sym), and file:PATH");
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
    boolean undirected = matcher.group(3) != null;
    GeneratedGraph generated =
        lattice
            ? new LatticeGraph(size, size, SEED)
            : new RmatGraph(size - copies + 1, EDGE_FACTOR, SEED);
    check(name, copies * generated.edges() * (undirected ? 2 : 1), partitions);
    return new GraphSpec(
        name,
        copies * generated.vertices(),
        lattice,
        weights ->
            undirected
                ? UndirectedEdges.of(edges(generated, copies, shape, null), weights)
                : edges(generated, copies, shape, weights));
  }

  private static void check(String name, long edges, int partitions) {
    if (edges / partitions > GraphPartition.MAX_EDGES) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' has "
              + edges
              + " edges; one partition holds "
              + GraphPartition.MAX_EDGES);
    }
  }

  /**
   * The edges.
   *
   * @param weights see {@link BenchmarkGraphs#edges}
   */
  public List<EdgeBlock> edges(Kind weights) {
    return maker.apply(weights);
  }

  private static List<EdgeBlock> edges(
      GeneratedGraph generated, int copies, Shape shape, Kind weights) {
    List<EdgeBlock> edges = new ArrayList<>();
    long vertices = copies * generated.vertices();
    for (int copy = 0; copy < copies; copy++) {
      int added = (int) (copy * generated.vertices());
      List<EdgeBlock> blocks = BenchmarkGraphs.edges(generated, weights);
      for (int i = 0; i < blocks.size(); i++) {
        IntEdgeBlock block = BenchmarkGraphs.shifted((IntEdgeBlock) blocks.get(i), added);
        edges.add(
            switch (shape) {
              case GENERATED -> block;
              case RANDOM -> ReshapedEdges.random(block, i, vertices, SEED);
              case HOLES -> ReshapedEdges.holes(block, (int) Math.sqrt(vertices), SEED);
            });
      }
    }
    return edges;
  }

  @Override
  public String toString() {
    return name;
  }
}
