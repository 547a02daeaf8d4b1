package org.sparkgpugraph.benchmarks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.benchmarks.JsonLine;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/** What is printed and handed over. */
@Tag("any-spark")
class ReportTest {
  private static List<SuperstepStats> supersteps(String kernels) {
    List<SuperstepStats> all = new ArrayList<>();
    for (char kernel : ("D" + kernels).toCharArray()) {
      all.add(
          new SuperstepStats(
              all.size(),
              kernel == 'D' ? KernelChoice.DENSE : KernelChoice.SPARSE,
              0,
              0,
              0,
              0,
              new double[0]));
    }
    return all;
  }

  @Test
  void kernelTrailLeavesSuperstepZeroOut() {
    assertThat(KernelTrail.of(supersteps("SSDDDS"))).isEqualTo("2S 3D 1S");
    assertThat(KernelTrail.of(supersteps(""))).isEmpty();
    assertThat(KernelTrail.of(supersteps("SDSDSDSDSDDD")))
        .isEqualTo("1S 1D 1S 1D 1S 1D 1S 1D 1S ... 3 more");
  }

  @Test
  void jsonIsEscapedAndFinite() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("text", "a \"b\" \\ \n");
    fields.put("count", 3L);
    fields.put("ms", 0.25);
    fields.put("none", Double.NaN);
    fields.put("absent", null);
    assertThat(JsonLine.of(fields))
        .isEqualTo(
            "{\"text\": \"a \\\"b\\\" \\\\ \\u000a\", \"count\": 3, \"ms\": 0.250000, \"none\": null,"
                + " \"absent\": null}");
  }

  @Test
  void tableAlignsNumbersRight() {
    TextTable table = new TextTable("graph", "ms");
    table.add(List.of("a", "1.5"));
    table.addOnce(List.of("longer", "10.25"));
    table.addOnce(List.of("a", "1.5"));
    assertThat(table).hasToString("graph   ms\na         1.5\nlonger  10.25\n");
  }

  @Test
  void mediansOfOddAndEvenCounts() {
    assertThat(Medians.median(List.of(9, 1, 5))).isEqualTo(5);
    assertThat(Medians.median(List.of(9, 1, 5, 6))).isEqualTo(5.5);
  }

  @Test
  void baselineGraphHasItsDocumentedForm(@TempDir Path folder) throws Exception {
    int edges = (1 << 20) + 3; // more than a chunk
    int[] sources = new int[edges];
    for (int e = 0; e < edges; e++) {
      sources[e] = e % 2;
    }
    Path file = folder.resolve("graph");
    SpmvBaseline.write(new Csr(new int[] {0, 2, edges}, sources), new int[] {7, 8}, file);

    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(bytes.remaining()).isEqualTo(24 + 4 * 3 + 4 * 2 + 4 * edges);
    byte[] magic = new byte[8];
    bytes.get(magic);
    assertThat(new String(magic, "US-ASCII")).isEqualTo("SGGCSR1\0");
    assertThat(bytes.getLong()).isEqualTo(2);
    assertThat(bytes.getLong()).isEqualTo(edges);
    assertThat(List.of(bytes.getInt(), bytes.getInt(), bytes.getInt()))
        .containsExactly(0, 2, edges);
    assertThat(List.of(bytes.getInt(), bytes.getInt())).containsExactly(7, 8);
    for (int e = 0; e < edges; e++) {
      if (bytes.getInt() != e % 2) {
        throw new AssertionError("edge " + e);
      }
    }
  }
}
