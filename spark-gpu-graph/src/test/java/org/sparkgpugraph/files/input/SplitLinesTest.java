package org.sparkgpugraph.files.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are cut in three anywhere: within heads, comments and line ends, too. */
@Tag("any-spark")
class SplitLinesTest {
  private static final Configuration CONF = new Configuration();

  @TempDir Path folder;

  private static List<String> edges(FileSplit split, EdgeTextFormat format) throws Exception {
    List<String> edges = new ArrayList<>();
    try (SplitLines lines = new SplitLines(CONF, split, format)) {
      EdgeLineParser parser = lines.parser();
      while (lines.next()) {
        TextLines text = lines.lines();
        if (parser.parse(text.bytes(), text.from(), text.to())) {
          edges.add(parser.source + ">" + parser.destination);
        }
      }
    }
    return edges;
  }

  /** Line ends are written as {@code /}, byte order marks as {@code ^}. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MATRIX_MARKET|%%MatrixMarket matrix coordinate pattern general/%%/%1 2//9 9 4/1 2//% 7 7/2 3/9 9/8 1/|1>2 2>3 9>9 8>1",
        "MATRIX_MARKET|^%%MatrixMarket matrix coordinate pattern general/9 9 1//// 1 2|1>2",
        "CSV|^src,dst/1,2//2,3/9,9|1>2 2>3 9>9",
        "CSV|//1,2/2,3/9,9//|1>2 2>3 9>9",
        "EDGE_LIST|^# head/1 2//% 3 3/2 3/9 9|1>2 2>3 9>9",
      })
  void everyLineIsReadOnce(EdgeTextFormat.Style style, String body, String edges) throws Exception {
    EdgeTextFormat format =
        style == EdgeTextFormat.Style.CSV
            ? EdgeTextFormat.csv()
            : EdgeTextFormat.edgeList().withStyle(style);
    for (String end : List.of("\n", "\r\n", "\r")) {
      byte[] bytes = body.replace("/", end).replace("^", "\ufeff").getBytes(StandardCharsets.UTF_8);
      org.apache.hadoop.fs.Path file =
          new org.apache.hadoop.fs.Path(Files.write(folder.resolve("a.txt"), bytes).toUri());
      for (int first = 1; first < bytes.length; first++) {
        for (int second : new int[] {first + 1, first + 2, (first + bytes.length) / 2}) {
          if (second <= first || second >= bytes.length) {
            continue;
          }
          List<String> all = new ArrayList<>();
          all.addAll(edges(new FileSplit(file, 0, first, null), format));
          all.addAll(edges(new FileSplit(file, first, second - first, null), format));
          all.addAll(edges(new FileSplit(file, second, bytes.length - second, null), format));
          assertThat(all).as("cut at %d and %d", first, second).containsExactly(edges.split(" "));
        }
      }
    }
  }
}
