package org.sparkgpugraph.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.EdgeTextFormat;
import org.sparkgpugraph.files.input.NumberParser;
import org.sparkgpugraph.graphs.memory.Columns;

/** Edge lists and CSV from files. */
@Tag("any-spark")
class EdgeLoaderTextTest {
  @TempDir Path folder;

  private String file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return file.toString();
  }

  private static List<String> load(String path, EdgeTextFormat format) {
    return LocalSpark.edges(EdgeLoader.text(LocalSpark.context(), path, format, 1));
  }

  private static String failure(String path, EdgeTextFormat format) {
    return LocalSpark.badInput(catchThrowable(() -> load(path, format))).getMessage();
  }

  @Test
  void readsBlanksTabsAndComments() throws IOException {
    String path = file("a.txt", "# from SNAP\n1 2\n\n  3\t4  \n% konect\n5 \t 6 7.5 1999\n");
    assertThat(load(path, EdgeTextFormat.edgeList())).containsExactly("1>2", "3>4", "5>6");
  }

  @Test
  void readsWeights() throws IOException {
    String path =
        file("a.txt", "1 2 0.25\n3 4 -1e3\n5 6 Infinity\n7 8 3\n9 10 1.7976931348623157e308");
    assertThat(load(path, EdgeTextFormat.edgeList().withWeights(true)))
        .containsExactly(
            "1>2:0.25", "3>4:-1000.0", "5>6:Infinity", "7>8:3.0", "9>10:1.7976931348623157E308");
  }

  @Test
  void readsArraysOfWeights() throws IOException {
    StringBuilder text = new StringBuilder("# a comment\n");
    List<String> expected = new ArrayList<>();
    // More than a block of any length has.
    for (int e = 0; e < 20_000; e++) {
      text.append(e).append('\t').append(-e).append("  ").append(e).append(".5 ").append(2 * e);
      text.append(e % 2 == 0 ? " 7\n" : "\n");
      expected.add(e + ">" + -e + ":[" + e + ".5, " + 2.0 * e + "]");
      expected.add(-e + ">" + e + ":[" + e + ".5, " + 2.0 * e + "]");
    }
    String path = file("a.txt", text.toString());
    EdgeTextFormat pairs = EdgeTextFormat.edgeList().withWeights(2).withBothDirections(true);
    assertThat(arrays(path, pairs)).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(arrays(file("b.txt", "1 2 3\n"), EdgeTextFormat.edgeList().withWeights(1)))
        .containsExactly("1>2:[3.0]");
    String csv = file("c.csv", "dst,p,q,src\n2,0.5,0.25,1\n");
    assertThat(arrays(csv, EdgeTextFormat.csv().withWeights(2).withColumns(null, null, "p")))
        .containsExactly("1>2:[0.5, 0.25]");
    assertThat(failure(csv, EdgeTextFormat.csv().withWeights(3).withColumns(null, null, "p")))
        .contains("source and weight are both column 4 ('src')");
    assertThat(failure(file("d.txt", "1 2 3 4\n1 2 3\n"), EdgeTextFormat.edgeList().withWeights(2)))
        .contains("d.txt, line 2: it has 1 weights, not 2; the line is \"1 2 3\"");
    assertThatThrownBy(() -> EdgeTextFormat.matrixMarket().withWeights(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("single numbers");
    assertThatThrownBy(() -> EdgeTextFormat.edgeList().withWeights(1025))
        .hasMessageContaining("an array of 1025 weights: arrays have 1 to 1024 numbers");
  }

  private static List<String> arrays(String path, EdgeTextFormat format) {
    return EdgeLoader.text(LocalSpark.context(), path, format, 2).collect().stream()
        .flatMap(
            block -> {
              Columns values = (Columns) block.values();
              int length = values.kinds().get(0).width();
              return IntStream.range(0, block.size())
                  .mapToObj(
                      e ->
                          block.source(e)
                              + ">"
                              + block.destination(e)
                              + ":"
                              + Arrays.toString(
                                  Arrays.copyOfRange(
                                      values.doubles(0), e * length, (e + 1) * length)));
            })
        .toList();
  }

  @Test
  void readsArraysOfVertices() throws IOException {
    String path = file("v.txt", "% ids\n7 1 2 3\n\n-8\t4 5\n");
    Map<Long, double[]> arrays =
        VertexLoader.arrays(LocalSpark.context(), path, 2, 2).collectAsMap();
    assertThat(arrays).containsOnlyKeys(7L, -8L);
    assertThat(arrays.get(7L)).containsExactly(1, 2);
    assertThat(arrays.get(-8L)).containsExactly(4, 5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void readsEveryLineEndWithAndWithoutTheLastOne(String end) throws IOException {
    for (String last : List.of("", end)) {
      String path =
          file("a" + last.length() + ".txt", "1 2" + end + "3 4" + end + end + "5 6" + last);
      assertThat(load(path, EdgeTextFormat.edgeList())).containsExactly("1>2", "3>4", "5>6");
    }
  }

  @Test
  void readsHugeAndNegativeIds() throws IOException {
    String path =
        file(
            "a.txt",
            "9223372036854775807 -9223372036854775808\n-1 +1\n000000000000000000000007 0\n");
    assertThat(load(path, EdgeTextFormat.edgeList()))
        .containsExactly("9223372036854775807>-9223372036854775808", "-1>1", "7>0");
  }

  @Test
  void skipsAByteOrderMark() throws IOException {
    String path = file("a.txt", "\uFEFF1 2\n");
    assertThat(load(path, EdgeTextFormat.edgeList())).containsExactly("1>2");
    assertThat(load(file("a.csv", "\uFEFFdst,src\n1,2\n"), EdgeTextFormat.csv()))
        .containsExactly("2>1");
  }

  @Test
  void emptyFileHasNoEdges() throws IOException {
    assertThat(load(file("a.txt", ""), EdgeTextFormat.edgeList())).isEmpty();
    assertThat(load(file("a.csv", ""), EdgeTextFormat.csv())).isEmpty();
    assertThat(load(file("b.txt", "# nothing\n\n"), EdgeTextFormat.edgeList())).isEmpty();
  }

  @Test
  void undirectedGivesEveryEdgeTwice() throws IOException {
    String path = file("a.txt", "1 2 5\n3 3 6\n");
    assertThat(load(path, EdgeTextFormat.edgeList().withWeights(true).withBothDirections(true)))
        .containsExactly("1>2:5.0", "2>1:5.0", "3>3:6.0", "3>3:6.0");
  }

  @Test
  void readsGzip() throws IOException {
    Path file = folder.resolve("a.txt.gz");
    // Two members: what cat a.gz b.gz makes.
    for (String part : List.of("1 2\n3", " 4\n5 6\n")) {
      try (OutputStream out =
          new GZIPOutputStream(
              Files.newOutputStream(
                  file,
                  java.nio.file.StandardOpenOption.CREATE,
                  java.nio.file.StandardOpenOption.APPEND))) {
        out.write(part.getBytes(StandardCharsets.US_ASCII));
      }
    }
    assertThat(load(file.toString(), EdgeTextFormat.edgeList()))
        .containsExactly("1>2", "3>4", "5>6");
  }

  @Test
  void namesTheLineInGzip() throws IOException {
    Path file = folder.resolve("a.txt.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("1 2\n3 x\n".getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(failure(file.toString(), EdgeTextFormat.edgeList()))
        .contains("a.txt.gz, line 2: the destination id 'x' is not an integer");
  }

  @Test
  void readsDirectoriesGlobsAndLists() throws IOException {
    file("in/a.txt", "1 2\n");
    file("in/deep/b.txt", "3 4\n");
    file("in/_hidden", "no edge\n");
    assertThat(load(folder.resolve("in").toString(), EdgeTextFormat.edgeList()))
        .containsExactlyInAnyOrder("1>2", "3>4");
    assertThat(load(folder + "/in/*.txt", EdgeTextFormat.edgeList())).containsExactly("1>2");
    assertThat(load(folder + "/in/{a,x}.txt", EdgeTextFormat.edgeList())).containsExactly("1>2");
    assertThat(load(folder + "/in/a.txt," + folder + "/in/deep/b.txt", EdgeTextFormat.edgeList()))
        .containsExactlyInAnyOrder("1>2", "3>4");
    assertThat(load("file:" + folder + "/in/a.txt", EdgeTextFormat.edgeList()))
        .containsExactly("1>2");
  }

  @Test
  void missingFilesAreNamedAtOnce() {
    for (String path : List.of(folder + "/none.txt", folder + "/*.none")) {
      assertThatThrownBy(
              () -> EdgeLoader.text(LocalSpark.context(), path, EdgeTextFormat.edgeList(), 1))
          .isInstanceOf(BadInputException.class)
          .hasMessage("no file matches file:" + path + ": check the path");
    }
    assertThatThrownBy(
            () ->
                EdgeLoader.text(
                    LocalSpark.context(), folder.toString(), EdgeTextFormat.edgeList(), 1))
        .hasMessage("there are no files in file:" + folder + ": check the path");
    assertThatThrownBy(
            () -> EdgeLoader.text(LocalSpark.context(), "nofs://x/y", EdgeTextFormat.edgeList(), 1))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("nofs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 x|the destination id 'x' is not an integer",
        "1.0 2|the source id '1.0' is not an integer",
        "1,2|the source id '1,2' is not an integer",
        "- 2|the source id '-' is not an integer",
        "7|it has one column; write 'source destination'",
        "9223372036854775808 1|the source id '9223372036854775808' does not fit into 64 bits (-9223372036854775808 to 9223372036854775807)",
        "1 -9223372036854775809|the destination id '-9223372036854775809' does not fit into 64 bits (-9223372036854775808 to 9223372036854775807)",
        "99999999999999999999999 1|the source id '99999999999999999999999' does not fit into 64 bits (-9223372036854775808 to 9223372036854775807)",
      })
  void unreadableLinesAreNamed(String line, String reason) throws IOException {
    String path = file("a.txt", "# c\r\n1 2\r\n\r\n" + line + "\r\n5 6\r\n");
    assertThat(failure(path, EdgeTextFormat.edgeList()))
        .isEqualTo("file:" + path + ", line 4: " + reason + "; the line is \"" + line + "\"");
  }

  /** What a line holds must not speak to the terminal that shows the message. */
  @Test
  void controlCharactersOfALineAndOfAPathAreEscaped() throws IOException {
    String escape = Character.toString(0x1b) + "[31m";
    String path = file("a" + escape.charAt(0) + ".txt", "1\t2\n3\t" + escape + "x\u0085\n");
    assertThat(failure(path, EdgeTextFormat.edgeList()))
        .isEqualTo(
            "file:"
                + folder
                + "/a\\u001b.txt, line 2: the destination id '\\u001b[31mx\\u0085' is not an"
                + " integer; the line is \"3\\t\\u001b[31mx\\u0085\"");
    String csv = file("a.csv", "src\u0007,b\u202e\n1,2\n");
    assertThat(failure(csv, EdgeTextFormat.csv().withColumns("c\u0007", null, null)))
        .contains("the header has no column 'c\\u0007', only [src\\u0007, b\\u202e]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 2|it has no third column, the weight",
        "1 2 x|the weight 'x' is not a number",
        "1 2 1d|the weight '1d' is not a number",
        "1 2 0x1p3|the weight '0x1p3' is not a number",
        "1 2 1.2.3|the weight '1.2.3' is not a number",
        "1 2 .|the weight '.' is not a number",
        "1 2 -|the weight '-' is not a number",
        "1 2 1e999|the weight '1e999' is too large for a double (at most 1.7976931348623157E308); write Infinity if that is meant",
        "1 2 -2e308|the weight '-2e308' is too large for a double (at most 1.7976931348623157E308); write Infinity if that is meant",
      })
  void unreadableWeightsAreNamed(String line, String reason) throws IOException {
    String path = file("a.txt", line);
    assertThat(failure(path, EdgeTextFormat.edgeList().withWeights(true)))
        .isEqualTo("file:" + path + ", line 1: " + reason + "; the line is \"" + line + "\"");
  }

  @Test
  void aFileThatIsNoTextIsNamed() throws IOException {
    Path file = folder.resolve("a.bin");
    byte[] bytes = new byte[3 << 20];
    java.util.Arrays.fill(bytes, (byte) 'x');
    Files.write(file, bytes);
    assertThat(failure(file.toString(), EdgeTextFormat.edgeList()))
        .contains("a.bin, line 1: the line is longer than 1048576 bytes; is this a text file?")
        .hasSizeLessThan(400);
  }

  @Test
  void anySplitReadsEveryLineOnce() throws IOException {
    long seed = 20261120;
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    List<String> expected = new ArrayList<>();
    while (text.length() < 1 << 20) {
      switch (random.nextInt(12)) {
        case 0 -> text.append("# comment ").append("x".repeat(random.nextInt(50)));
        case 1 -> {}
        default -> {
          long source = random.nextLong() >> random.nextInt(64);
          long destination = random.nextLong() >> random.nextInt(64);
          text.append(source).append(' ').append(destination);
          expected.add(source + ">" + destination);
        }
      }
      text.append(random.nextInt(3) == 0 ? "\r\n" : "\n");
    }
    String path = file("a.txt", text.toString());
    var edges = EdgeLoader.text(LocalSpark.context(), path, EdgeTextFormat.edgeList(), 100);
    assertThat(edges.getNumPartitions()).as("splits of 64 KB").isBetween(15, 17);
    assertThat(LocalSpark.edges(edges)).as("seed " + seed).isEqualTo(expected);
  }

  @Test
  void theLineNumberIsThatOfTheFileInLaterSplitsToo() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i < 50_000; i++) {
      text.append(i).append(' ').append(i + 1).append(i % 2 == 0 ? "\r\n" : "\n");
    }
    text.append("50000 bad\n1 2\n");
    String path = file("a.txt", text.toString());
    Throwable error =
        catchThrowable(
            () ->
                LocalSpark.edges(
                    EdgeLoader.text(LocalSpark.context(), path, EdgeTextFormat.edgeList(), 100)));
    assertThat(LocalSpark.badInput(error))
        .hasMessageContaining("a.txt, line 50000: the destination id 'bad' is not an integer");
  }

  @Test
  void csvWithoutHeaderUsesPositions() throws IOException {
    String path = file("a.csv", "1,2,3.5\n 4 , \"5\" ,\"6\"\n");
    assertThat(load(path, EdgeTextFormat.csv())).containsExactly("1>2", "4>5");
    assertThat(load(path, EdgeTextFormat.csv().withWeights(true)))
        .containsExactly("1>2:3.5", "4>5:6.0");
    assertThat(load(path, EdgeTextFormat.csv().withColumns("2", "1", null)))
        .containsExactly("2>1", "5>4");
  }

  @Test
  void csvColumnsAreFoundByName() throws IOException {
    String path =
        file("a.csv", "weight,name,\"dst\",SRC\r\n0.5,\"a, \"\"b\"\"\",2,1\r\n1.5,,4,3\r\n");
    assertThat(load(path, EdgeTextFormat.csv().withWeights(true)))
        .containsExactly("1>2:0.5", "3>4:1.5");
    assertThat(load(path, EdgeTextFormat.csv().withColumns("dst", "src", null)))
        .containsExactly("2>1", "4>3");
    assertThat(failure(path, EdgeTextFormat.csv().withColumns("from", null, null)))
        .contains("line 1: the header has no column 'from', only [weight, name, dst, SRC]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "src,src,dst|||the header names 'src' twice, as columns 1 and 2; give columns by position",
        "src,dst,DST|||the header names 'dst' twice, as columns 2 and 3; give columns by position",
        "dst,x|||source and destination are both column 1 ('dst'); name each column",
        "a,b|b|b|source and destination are both column 2 ('b'); name each column",
        "a,b|a|1|source and destination are both column 1 ('a'); name each column",
        "1,2|2|2|source and destination are both column 2; name each column",
      })
  void doubledCsvColumnsAreNamed(String first, String source, String destination, String message)
      throws IOException {
    String path = file("a.csv", first + "\n1,2,3\n");
    assertThat(failure(path, EdgeTextFormat.csv().withColumns(source, destination, null)))
        .startsWith("file:" + path + ", line 1: " + message);
  }

  @Test
  void aDoubledColumnThatNobodyReadsDoesNoHarm() throws IOException {
    String path = file("a.csv", "x,src,x,dst\n0,1,0,2\n");
    assertThat(load(path, EdgeTextFormat.csv())).containsExactly("1>2");
    String twice = file("b.csv", "src,src,dst\n1,2,3\n");
    assertThat(load(twice, EdgeTextFormat.csv().withColumns("2", "3", null)))
        .containsExactly("2>3");
    assertThat(failure(path, EdgeTextFormat.csv().withWeights(true).withColumns(null, null, "dst")))
        .contains("destination and weight are both column 4 ('dst')");
  }

  @Test
  void csvHeaderWithOtherNamesUsesPositions() throws IOException {
    assertThat(
            load(
                file("a.csv", "follower;followed\n1;2\n"), EdgeTextFormat.csv().withDelimiter(';')))
        .containsExactly("1>2");
  }

  @Test
  void csvHeaderCanBeForcedOrForbidden() throws IOException {
    String path = file("a.csv", "1,2\n3,4\n");
    assertThat(load(path, EdgeTextFormat.csv().withHeader(EdgeTextFormat.Header.YES)))
        .containsExactly("3>4");
    String named = file("b.csv", "src,dst\n3,4\n");
    assertThat(failure(named, EdgeTextFormat.csv().withHeader(EdgeTextFormat.Header.NO)))
        .contains("line 1: the source id 'src' is not an integer");
    assertThat(
            failure(
                path,
                EdgeTextFormat.csv()
                    .withHeader(EdgeTextFormat.Header.NO)
                    .withColumns("src", null, null)))
        .contains("column 'src' is asked for by name, but the file has no header");
  }

  @Test
  void csvErrorsAreNamed() throws IOException {
    String path = file("a.csv", "src,dst\n1,2\n3\n");
    assertThat(failure(path, EdgeTextFormat.csv()))
        .contains("line 3: it has 1 column, not 2; the line is \"3\"");
    assertThat(failure(file("b.csv", "1,2\n1,\"2\n"), EdgeTextFormat.csv()))
        .contains("line 2: a quoted field does not end on the line");
    assertThat(failure(file("c.csv", "1,2\n1,\n"), EdgeTextFormat.csv()))
        .contains("line 2: the destination id '' is not an integer");
  }

  @Test
  void everySplitOfACsvFileKnowsTheHeader() throws IOException {
    StringBuilder text = new StringBuilder("dst,src\n");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      text.append(i).append(',').append(i + 1).append('\n');
      expected.add(i + 1 + ">" + i);
    }
    String path = file("a.csv", text.toString());
    var edges = EdgeLoader.text(LocalSpark.context(), path, EdgeTextFormat.csv(), 100);
    assertThat(edges.getNumPartitions()).isGreaterThan(3);
    assertThat(LocalSpark.edges(edges)).isEqualTo(expected);
  }

  @Test
  void weightsParseAsJavaDoes() throws Exception {
    long seed = 7;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      String text =
          switch (random.nextInt(4)) {
            case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
            case 1 -> Float.toString(random.nextFloat() * 1000);
            case 2 -> Long.toString(random.nextLong() >> random.nextInt(64));
            default -> String.format("%.9f", random.nextGaussian() * 100);
          };
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      assertThat(NumberParser.parseWeight(bytes, 0, bytes.length))
          .as("%s, seed %d", text, seed)
          .isEqualTo(Double.valueOf(text));
    }
  }
}
