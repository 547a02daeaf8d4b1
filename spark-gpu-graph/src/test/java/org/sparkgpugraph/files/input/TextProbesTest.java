package org.sparkgpugraph.files.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.files.EdgeLoader;
import org.sparkgpugraph.files.LocalSpark;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.shard.EdgeSample;
import org.sparkgpugraph.runtime.load.KnownEdges;

/** Pieces of files stand for all of them. */
class TextProbesTest {
  private static final int VERTICES = 20_000;

  @TempDir private Path folder;

  private final List<String> written = new ArrayList<>();

  /**
   * Sorted by source, as most lists of edges are; a tenth of the vertices has as many edges as all
   * others.
   *
   * @param format of a line, of two numbers
   */
  private void write(String name, int first, int end, String header, String format)
      throws IOException {
    Random random = new Random(first);
    StringBuilder text = new StringBuilder(header);
    for (int v = first; v < end; v++) {
      for (int degree = v < VERTICES / 10 ? 18 : 2; degree > 0; degree--) {
        int to = random.nextInt(VERTICES);
        text.append(format.formatted(v, to));
        written.add(v + ">" + to);
      }
    }
    Files.writeString(folder.resolve(name), text);
  }

  private KnownEdges.Probes probes(TextProbes probes, EdgeTextFormat format) {
    Configuration conf = new Configuration(LocalSpark.context().hadoopConfiguration());
    EdgeTextInputFormat.configure(conf, folder.toString(), format);
    return probes.of(LocalSpark.context(), conf, InputFiles.of(folder.toString(), conf));
  }

  private void check(TextProbes probes, EdgeTextFormat format) {
    KnownEdges.Probes found = probes(probes, format);
    assertThat(found.share()).isBetween(0.02, 0.5);
    List<String> edges = LocalSpark.edges(found.blocks());
    // AssertJ would look through all that was written for each.
    assertThat(new HashSet<>(written).containsAll(edges)).isTrue();
    assertThat(edges.size() / found.share())
        .isCloseTo(written.size(), within(0.05 * written.size()));
    IdRanges ranges =
        EdgeSample.of(found.blocks().collect().iterator(), 1).ofShare(found.share()).split(4, true);
    long[] ends = new long[4];
    for (String edge : written) {
      for (String end : edge.split(">")) {
        ends[ranges.shardOf(Long.parseLong(end))]++;
      }
    }
    for (long shard : ends) {
      assertThat(shard / (2.0 * written.size())).isCloseTo(0.25, within(0.02));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"%d\t%d\n", "%d %d\r\n", "%d  %d 17.25\n"})
  void piecesOfAListStandForIt(String line) throws IOException {
    write("a.txt", 0, VERTICES, "# sorted\n", line);
    check(new TextProbes(1, 64, 1 << 10), EdgeTextFormat.edgeList());
  }

  /** Many files, some shorter than the distance of pieces, one of them empty. */
  @Test
  void piecesOfManyFilesStandForThem() throws IOException {
    for (int file = 0; file < 40; file++) {
      int share = VERTICES / 40;
      write("%02d.txt".formatted(file), file * share, (file + 1) * share, "", "%d %d\n");
    }
    Files.writeString(folder.resolve("05b.txt"), "");
    check(new TextProbes(1, 64, 1 << 10), EdgeTextFormat.edgeList());
  }

  /** Each piece knows the header. */
  @Test
  void piecesOfCsvFilesKnowTheirColumns() throws IOException {
    write("a.csv", 0, VERTICES / 2, "weight,src,dst\n", "0.5,%d,%d\n");
    write("b.csv", VERTICES / 2, VERTICES, "weight,src,dst\n", "0.5,%d,%d\n");
    check(new TextProbes(1, 128, 1 << 10), EdgeTextFormat.csv());
  }

  /** Pieces that reach the next one are the whole file, each line once. */
  @Test
  void longPiecesAreAll() throws IOException {
    write("a.txt", 0, VERTICES, "", "%d %d\n");
    KnownEdges.Probes all = probes(new TextProbes(1, 100, 1 << 20), EdgeTextFormat.edgeList());
    assertThat(all.share()).isEqualTo(1);
    assertThat(LocalSpark.edges(all.blocks())).isEqualTo(written);
  }

  @Test
  void littleInputAndCompressedFilesAreReadWhole() throws IOException {
    write("a.txt", 0, VERTICES, "", "%d %d\n");
    long bytes = Files.size(folder.resolve("a.txt"));
    EdgeTextFormat format = EdgeTextFormat.edgeList();
    assertThat(probes(TextProbes.USUAL, format)).isNull();
    assertThat(probes(new TextProbes(bytes + 1, 64, 1 << 10), format)).isNull();
    assertThat(probes(new TextProbes(bytes, 64, 1 << 10), format)).isNotNull();
    Files.write(folder.resolve("b.txt.gz"), new byte[] {31, (byte) 139, 8, 0});
    assertThat(probes(new TextProbes(bytes, 64, 1 << 10), format)).isNull();
    Files.delete(folder.resolve("b.txt.gz"));
    JavaRDD<EdgeBlock> edges = EdgeLoader.text(LocalSpark.context(), folder.toString(), format, 2);
    assertThat(KnownEdges.probes(edges)).isEqualTo(new KnownEdges.Probes(edges, 1));
  }
}
