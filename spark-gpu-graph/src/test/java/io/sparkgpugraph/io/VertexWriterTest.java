package io.sparkgpugraph.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.VertexBlock;
import io.sparkgpugraph.program.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results in files. */
class VertexWriterTest {
  @TempDir Path folder;

  private VertexWriter writer(String name, VertexWriter.Format format) {
    return new VertexWriter(
        LocalSpark.context().hadoopConfiguration(),
        folder.resolve(name).toString(),
        format,
        List.of("distance"));
  }

  private static VertexBlock block(double[] values, long... ids) {
    return new VertexBlock(ids, values);
  }

  private static JavaRDD<VertexBlock> blocks() {
    return LocalSpark.context()
        .parallelize(
            List.of(
                // As GraphX partitions are: values in the slots of a hash index.
                new VertexBlock(
                    2,
                    new long[] {-7, Long.MAX_VALUE},
                    new int[] {2, 0},
                    4,
                    new double[] {Double.POSITIVE_INFINITY, 9, 1.5, 9}),
                block(new double[] {0.1}, 3)),
            2);
  }

  private static List<String> lines(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("part-"))
          .sorted()
          .flatMap(
              file -> {
                try {
                  return Files.readAllLines(file).stream();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              })
          .collect(Collectors.toList());
    }
  }

  @Test
  void writesText() throws IOException {
    writer("out", VertexWriter.Format.TEXT)
        .write(LocalSpark.session(), List.of(Kind.DOUBLE), blocks());
    assertThat(lines(folder.resolve("out")))
        .containsExactly("-7\t1.5", "9223372036854775807\tInfinity", "3\t0.1");
    assertThat(folder.resolve("out/_SUCCESS")).exists();
    assertThat(folder.resolve("out/_temporary")).doesNotExist();
  }

  @Test
  void writesCsv() throws IOException {
    writer("out", VertexWriter.Format.CSV)
        .write(LocalSpark.session(), List.of(Kind.DOUBLE), blocks());
    assertThat(lines(folder.resolve("out")))
        .containsExactly(
            "id,distance", "-7,1.5", "9223372036854775807,Infinity", "id,distance", "3,0.1");
  }

  @Test
  void writesParquet() {
    writer("out", VertexWriter.Format.PARQUET)
        .write(LocalSpark.session(), List.of(Kind.DOUBLE), blocks());
    assertThat(
            LocalSpark.session()
                .read()
                .parquet(folder.resolve("out").toString())
                .orderBy("id")
                .collectAsList())
        .extracting(row -> row.getLong(0) + " " + row.getDouble(1))
        .containsExactly("-7 1.5", "3 0.1", "9223372036854775807 Infinity");
  }

  @Test
  void writesEveryKind() throws IOException {
    Columns values =
        new Columns(
            List.of(Kind.BOOLEAN, Kind.INT, Kind.LONG, Kind.FLOAT),
            new Object[] {
              new boolean[] {true}, new int[] {-1}, new long[] {1L << 40}, new float[] {0.1f}
            },
            1);
    JavaRDD<VertexBlock> one =
        LocalSpark.context().parallelize(List.of(new VertexBlock(new long[] {4}, values)), 1);
    List<String> names = List.of("b", "i", "l", "f");
    for (VertexWriter.Format format : VertexWriter.Format.values()) {
      new VertexWriter(
              LocalSpark.context().hadoopConfiguration(),
              folder.resolve(format.name()).toString(),
              format,
              names)
          .write(LocalSpark.session(), values.kinds(), one);
    }
    assertThat(lines(folder.resolve("TEXT"))).containsExactly("4\ttrue\t-1\t1099511627776\t0.1");
    assertThat(lines(folder.resolve("CSV")))
        .containsExactly("id,b,i,l,f", "4,true,-1,1099511627776,0.1");
    assertThat(
            LocalSpark.session()
                .read()
                .parquet(folder.resolve("PARQUET").toString())
                .first()
                .toString())
        .isEqualTo("[4,true,-1,1099511627776,0.1]");
  }

  @ParameterizedTest
  @EnumSource(VertexWriter.Format.class)
  void aFailedJobLeavesNothing(VertexWriter.Format format) {
    VertexWriter writer = writer("out", format);
    JavaRDD<VertexBlock> failing =
        blocks()
            .map(
                block -> {
                  if (block.ids()[0] == 3) {
                    throw new IllegalStateException("planted");
                  }
                  return block;
                });
    assertThatThrownBy(() -> writer.write(LocalSpark.session(), List.of(Kind.DOUBLE), failing))
        .hasStackTraceContaining("planted");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void anOutputThatExistsIsRefusedBeforeAnyWork() throws IOException {
    Files.createDirectory(folder.resolve("out"));
    assertThatThrownBy(() -> writer("out", VertexWriter.Format.TEXT))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "the output file:"
                + folder.resolve("out")
                + " exists already: choose another directory or remove it first");
  }
}
