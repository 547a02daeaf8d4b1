package org.sparkgpugraph.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkgpugraph.files.input.EdgeTextFormat;
import org.sparkgpugraph.files.input.MatrixMarketFiles;
import org.sparkgpugraph.graphs.model.VertexBlock;

/** Sparse matrices as graphs. */
@Tag("any-spark")
class MatrixMarketTest {
  private static final EdgeTextFormat MATRIX = EdgeTextFormat.matrixMarket();

  @TempDir Path folder;

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private static List<String> load(String path, EdgeTextFormat format, int tasks) {
    return LocalSpark.edges(EdgeLoader.text(LocalSpark.context(), path, format, tasks));
  }

  private static String failure(String path, EdgeTextFormat format, int tasks) {
    return LocalSpark.badInput(catchThrowable(() -> load(path, format, tasks))).getMessage();
  }

  private static List<Long> vertices(String path) {
    List<Long> ids = new ArrayList<>();
    for (VertexBlock block :
        MatrixMarketFiles.of(LocalSpark.context(), path, EdgeTextFormat.edgeList())
            .get()
            .vertices(LocalSpark.context(), 3)
            .collect()) {
      for (int i = 0; i < block.size(); i++) {
        ids.add(block.ids()[i]);
      }
    }
    return ids;
  }

  /** Line ends are written as {@code /}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pattern general|3 3 2/1 2/3 3|1>2 3>3|",
        "pattern symmetric|3 3 2/2 1/3 3|2>1 1>2 3>3|",
        "real general|3 3 2/1 2 0.5/3 3 -1e3|1>2 3>3|1>2:0.5 3>3:-1000.0",
        "integer general|3 3 1/1 2 7|1>2|1>2:7.0",
        "real symmetric|3 3 2/2 1 0.5/3 3 4|2>1 1>2 3>3|2>1:0.5 1>2:0.5 3>3:4.0",
        "real skew-symmetric|3 3 1/2 1 0.5|2>1 1>2|2>1:0.5 1>2:-0.5",
        "real general|% more/%/ 3  3 1 /% and more//1 2 0.5/|1>2|1>2:0.5",
        "pattern general|2 3 1/2 3|2>3|",
      })
  void readsEveryKind(String kind, String body, String edges, String weighted) throws IOException {
    for (String banner :
        List.of("%%MatrixMarket matrix coordinate ", "%%matrixmarket MATRIX Coordinate ")) {
      String path = file("a.mtx", (banner + kind + "/% comment/" + body).replace('/', '\n'));
      assertThat(load(path, MATRIX, 1)).containsExactly(edges.split(" "));
      // By its banner alone.
      assertThat(load(path, EdgeTextFormat.edgeList(), 1)).containsExactly(edges.split(" "));
      if (weighted != null) {
        assertThat(load(path, MATRIX.withWeights(true), 1)).containsExactly(weighted.split(" "));
      }
    }
    String crlf =
        file(
            "b.mtx",
            ("%%MatrixMarket matrix coordinate " + kind + "/" + body).replace("/", "\r\n"));
    assertThat(load(crlf, EdgeTextFormat.edgeList(), 1)).containsExactly(edges.split(" "));
  }

  @Test
  void undirectedTakesASymmetricMatrixForWhatItIs() throws IOException {
    String path =
        file("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n");
    assertThat(load(path, MATRIX.withBothDirections(true), 1))
        .containsExactly("2>1", "1>2", "3>3", "3>3");
  }

  @Test
  void everyRowIsAVertex() throws IOException {
    String path = file("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 1\n2 1\n");
    assertThat(vertices(path)).containsExactly(1L, 2L, 3L, 4L, 5L);
    String wide =
        file("b.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 70000 1\n2 1\n");
    assertThat(vertices(wide)).isEqualTo(LongStream.rangeClosed(1, 70_000).boxed().toList());
    assertThat(vertices(folder.toString())).hasSize(70_000);
    String list = file("c.txt", "1 2\n");
    assertThat(MatrixMarketFiles.of(LocalSpark.context(), list, EdgeTextFormat.edgeList()))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "%%MatrixMarket matrix coordinate complex general/1 1 1/1 1 2 3|line 1: complex values are no weights",
        "%%MatrixMarket matrix coordinate complex hermitian/1 1 1/1 1 2 3|line 1: complex values are no weights",
        "%%MatrixMarket matrix coordinate real hermitian/1 1 1/1 1 2|line 1: hermitian matrices have complex values",
        "%%MatrixMarket matrix array real general/1 1/1|line 1: 'array' is a dense matrix",
        "%%MatrixMarket vector coordinate real general/1 1/1|line 1: the banner is not '%%MatrixMarket matrix",
        "%%MatrixMarket matrix coordinate|line 1: the banner is not",
        "%%MatrixMarket matrix coordinate text general/1 1 0|line 1: the field 'text' is none of",
        "%%MatrixMarket matrix coordinate real odd/1 1 0|line 1: the symmetry 'odd' is none of",
        "%%MatrixMarket matrix coordinate pattern skew-symmetric/1 1 0|line 1: a skew-symmetric matrix has values",
        "%%MatrixMarket matrix coordinate pattern general/% c|the file ends before its size line",
        "%%MatrixMarket matrix coordinate pattern general/3 3/1 2|line 2: the size line is not 'ROWS COLUMNS ENTRIES'",
        "%%MatrixMarket matrix coordinate pattern general/3 x 1/1 2|line 2: 'x' in the size line is no number",
        "%%MatrixMarket matrix coordinate pattern symmetric/3 4 1/1 2|line 2: a symmetric matrix has as many rows",
        "%%MatrixMarket matrix coordinate pattern general/3 99999999999999999 1/1 2|line 2: more than 68719476736 rows",
        "%%MatrixMarket matrix coordinate pattern general/3 3 2/1 2/0 1|line 4: row 0 is not in the matrix: rows are 1 to 3",
        "%%MatrixMarket matrix coordinate pattern general/3 4 2/1 2/1 5|line 4: column 5 is not in the matrix: columns are 1 to 4",
        "%%MatrixMarket matrix coordinate pattern general/3 3 2/1 2/1|line 4: the column id '' is not an integer",
        "%%MatrixMarket matrix coordinate real general/3 3 2/1 2 1/1 2|line 4: it has no value, though the matrix is no pattern",
        "%%MatrixMarket matrix coordinate pattern general/3 3 3/1 2/2 3|a.mtx: the size line says 3 entries, but there are 2; the file may be cut off",
        "%%MatrixMarket matrix coordinate pattern general/3 3 1/1 2/2 3|a.mtx: the size line says 1 entries, but there are 2; correct the size line",
      })
  void whatIsNoSuchMatrixIsNamed(String text, String message) throws IOException {
    String path = file("a.mtx", text.replace('/', '\n') + "\n");
    for (EdgeTextFormat format : List.of(MATRIX, EdgeTextFormat.edgeList())) {
      assertThat(failure(path, format, 1)).startsWith("file:" + path).contains(message);
    }
  }

  @Test
  void aPatternHasNoWeights() throws IOException {
    String path = file("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n");
    assertThat(failure(path, MATRIX.withWeights(true), 1))
        .startsWith("file:" + path + ", line 1: a pattern has no values to read as weights");
    String large =
        file("b.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1e999\n");
    assertThat(failure(large, MATRIX.withWeights(true), 1))
        .contains("b.mtx, line 3: the weight '1e999' is too large for a double");
  }

  @Test
  void whatIsNoMatrixIsNamed() throws IOException {
    String list = file("a.txt", "1 2\n");
    assertThat(failure(list, MATRIX, 1))
        .startsWith("file:" + list + ", line 1: a Matrix Market file begins with");
    assertThat(failure(file("empty.mtx", ""), MATRIX, 1)).contains("the file is empty");
    String matrix = file("b.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n");
    assertThat(failure(list + "," + matrix, EdgeTextFormat.edgeList(), 1))
        .isEqualTo(
            "file:"
                + matrix
                + ": it is a Matrix Market file, but the first file of the input is none: use"
                + " --format mtx, or give it alone");
    assertThat(failure(matrix, EdgeTextFormat.csv(), 1))
        .isEqualTo("file:" + matrix + ": it is a Matrix Market file: use --format mtx");
    // There is no such option for vertices.
    assertThat(failure(matrix, EdgeTextFormat.vertexList(), 1))
        .isEqualTo(
            "file:"
                + matrix
                + ": it is a Matrix Market file, no list of vertices: its rows are vertices as"
                + " --input");
  }

  /** A head longer than a split, so that splits begin before, in and behind it. */
  @ParameterizedTest
  @CsvSource({"0,general", "3000,general", "3000,symmetric"})
  void anySplitReadsEveryEntryOnce(int comments, String symmetry) throws IOException {
    List<String> expected = new ArrayList<>();
    String text = matrix(60_000, comments, symmetry, expected);
    String path = file("a.mtx", text);
    var edges = EdgeLoader.text(LocalSpark.context(), path, MATRIX.withWeights(true), 100);
    assertThat(edges.getNumPartitions()).isGreaterThan(8);
    assertThat(LocalSpark.edges(edges)).isEqualTo(expected);

    // Read by one task, whose result should fit what Spark sends directly (1 MB).
    expected.clear();
    Path packed = folder.resolve("a.mtx.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(matrix(15_000, comments, symmetry, expected).getBytes());
    }
    assertThat(load(packed.toString(), EdgeTextFormat.edgeList().withWeights(true), 100))
        .isEqualTo(expected);

    String cut = text.substring(0, text.length() - 200_000);
    String last = cut.substring(0, cut.lastIndexOf('\n') + 1);
    assertThat(failure(file("a.mtx", last), MATRIX, 100))
        .matches("file:\\S+a.mtx: the size line says 60000 entries, but there are \\d+; .*");
  }

  /** A matrix with entries below its diagonal, and the edges that it gives. */
  private static String matrix(int entries, int comments, String symmetry, List<String> expected) {
    StringBuilder text =
        new StringBuilder("%%MatrixMarket matrix coordinate integer " + symmetry + "\n");
    for (int i = 0; i < comments; i++) {
      text.append("% comment ").append("x".repeat(i % 80)).append('\n');
    }
    text.append("100000 100000 ").append(entries).append('\n');
    for (int i = 1; i <= entries; i++) {
      text.append(i + 1).append(' ').append(i).append(' ').append(i % 7).append('\n');
      expected.add(i + 1 + ">" + i + ":" + i % 7 + ".0");
      if (symmetry.equals("symmetric")) {
        expected.add(i + ">" + (i + 1) + ":" + i % 7 + ".0");
      }
    }
    return text.toString();
  }

  private static String pattern(int entries, int missing) {
    StringBuilder text = new StringBuilder("%%MatrixMarket matrix coordinate pattern general\n");
    text.append("100000 100000 ").append(entries).append('\n');
    for (int i = 1; i <= entries - missing; i++) {
      text.append(i + 1).append(' ').append(i).append('\n');
    }
    return text.toString();
  }

  /** One task may have several blocks of the file system to read. */
  @Test
  void aFileThatIsCutOffIsNamedWhereBlocksAreSmallerThanSplits() throws IOException {
    Configuration conf = LocalSpark.context().hadoopConfiguration();
    conf.set("fs.local.block.size", "32768");
    conf.set("fs.file.impl.disable.cache", "true");
    try {
      String path = file("a.mtx", pattern(9_000, 10));
      String whole = file("b.mtx", pattern(9_000, 0));
      assertThat(EdgeLoader.text(LocalSpark.context(), whole, MATRIX, 1).getNumPartitions())
          .isEqualTo(3);
      assertThat(failure(path, MATRIX, 1))
          .contains("a.mtx: the size line says 9000 entries, but there are 8990; the file may be");
    } finally {
      conf.unset("fs.local.block.size");
      conf.unset("fs.file.impl.disable.cache");
    }
  }

  @Test
  void aLargeFileThatIsNamedTwiceIsReadTwice() throws IOException {
    String path = file("a.mtx", pattern(20_000, 0));
    assertThat(load(path + "," + path, MATRIX, 8)).hasSize(40_000);
    String cut = file("b.mtx", pattern(20_000, 5));
    assertThat(failure(cut + "," + cut, MATRIX, 8))
        .contains("b.mtx: the size line says 20000 entries, but there are 19995");
  }
}
