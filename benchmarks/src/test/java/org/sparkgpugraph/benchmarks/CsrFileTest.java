package org.sparkgpugraph.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.program.ir.Kind;

class CsrFileTest {
  @TempDir private Path folder;

  /** A triangle with a doubled edge and a loop, and a vertex that has no edge. */
  private static List<EdgeBlock> edges() {
    return List.of(
        new IntEdgeBlock(3, new int[] {2, 0, 1}, new int[] {0, 1, 2}, new double[] {2.5, 1, 7}),
        new IntEdgeBlock(2, new int[] {0, 1}, new int[] {1, 1}, new double[] {4, 64}));
  }

  @Test
  void whatIsWrittenIsReadByRows() throws IOException {
    Path path = folder.resolve("graph.csr");
    CsrFile.write(path, 4, edges());
    assertThat(Files.size(path)).isEqualTo(4 * (3 + 5 + 5 + 5));
    CsrFile file = CsrFile.open(path);
    assertThat(file.vertices()).isEqualTo(4);
    assertThat(file.edges()).isEqualTo(5);
    IntEdgeBlock read = (IntEdgeBlock) file.read(Kind.FLOAT).get(0);
    assertThat(read.sources()).containsExactly(0, 0, 1, 1, 2);
    assertThat(read.destinations()).containsExactly(1, 1, 2, 1, 0);
    assertThat((float[]) read.values()).containsExactly(1, 4, 7, 64, 2.5f);
    assertThat(((IntEdgeBlock) file.read(null).get(0)).values()).isNull();
    assertThatThrownBy(() -> CsrFile.write(path, 4, edges()))
        .isInstanceOf(FileAlreadyExistsException.class);
    GraphSpec spec = GraphSpec.of("file:" + path, 1);
    assertThat(spec.vertices()).isEqualTo(4);
    assertThat(spec.edges(null)).hasSize(1);
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Path path = folder.resolve("other");
    Files.write(path, new byte[40]);
    assertThatThrownBy(() -> GraphSpec.of("file:" + path, 1))
        .hasMessageContaining("other is no graph: its header tells of 0 rows")
        .hasMessageContaining("16 bytes, not 40");
    assertThatThrownBy(() -> GraphSpec.of("file:" + folder.resolve("none"), 1))
        .hasMessageContaining("none' cannot be read: java.nio.file.NoSuchFileException");
    assertThatThrownBy(() -> GraphSpec.of("rmat-sym", 1))
        .hasMessageContaining("'rmat-sym' is not a graph; valid: ");
  }

  @Test
  void theUndirectedGraphIsSimple() {
    IntEdgeBlock both = (IntEdgeBlock) UndirectedEdges.of(edges(), Kind.INT).get(0);
    assertThat(both.sources()).containsExactly(0, 0, 1, 1, 2, 2);
    assertThat(both.destinations()).containsExactly(1, 2, 0, 2, 0, 1);
    int[] weights = (int[]) both.values();
    assertThat(weights[0]).isEqualTo(weights[2]);
    assertThat(weights[1]).isEqualTo(weights[4]);
    assertThat(weights[3]).isEqualTo(weights[5]);
    assertThat(Arrays.stream(weights)).allMatch(w -> w >= 1 && w <= 64);
  }
}
