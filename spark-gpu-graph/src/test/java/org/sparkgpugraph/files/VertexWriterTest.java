package org.sparkgpugraph.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.Unreachable;
import org.sparkgpugraph.files.output.AtomicSteps;
import org.sparkgpugraph.files.output.OutputClaim;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.Kind;

/** Results in files. */
@Tag("any-spark-4")
class VertexWriterTest {
  @TempDir Path folder;

  private VertexWriter writer(String name, VertexWriter.Format format) {
    return writer(name, format, VertexWriter.Existing.REFUSE);
  }

  private VertexWriter writer(
      String name, VertexWriter.Format format, VertexWriter.Existing existing) {
    return new VertexWriter(
        LocalSpark.session(),
        folder.resolve(name).toString(),
        format,
        List.of("distance"),
        existing);
  }

  private static void write(VertexWriter writer, JavaRDD<VertexBlock> blocks) {
    writer.write(List.of(Kind.DOUBLE), blocks);
  }

  /** Fails in the middle of the only task: another might write on after the job has failed. */
  private static JavaRDD<VertexBlock> failing() {
    return blocks()
        .coalesce(1)
        .map(
            block -> {
              if (block.ids()[0] == 3) {
                throw new IllegalStateException("planted");
              }
              return block;
            });
  }

  /** Names of all files in the folder, and in its folders. */
  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> !file.equals(folder))
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
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
    writer("out", VertexWriter.Format.TEXT).write(List.of(Kind.DOUBLE), blocks());
    assertThat(lines(folder.resolve("out")))
        .containsExactly("-7\t1.5", "9223372036854775807\tInfinity", "3\t0.1");
    assertThat(folder.resolve("out/_SUCCESS")).exists();
    assertThat(folder.resolve("out/_temporary")).doesNotExist();
  }

  @Test
  void writesCsv() throws IOException {
    writer("out", VertexWriter.Format.CSV).write(List.of(Kind.DOUBLE), blocks());
    assertThat(lines(folder.resolve("out")))
        .containsExactly(
            "id,distance", "-7,1.5", "9223372036854775807,Infinity", "id,distance", "3,0.1");
  }

  @Test
  void writesParquet() {
    writer("out", VertexWriter.Format.PARQUET).write(List.of(Kind.DOUBLE), blocks());
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
              LocalSpark.session(), folder.resolve(format.name()).toString(), format, names)
          .write(values.kinds(), one);
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
  void aFailedJobLeavesNothing(VertexWriter.Format format) throws IOException {
    VertexWriter writer = writer("out", format);
    assertThatThrownBy(() -> write(writer, failing())).hasStackTraceContaining("planted");
    assertThat(files()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(VertexWriter.Format.class)
  void ofTwoWritersTheSecondIsRefusedAndTheFirstWrites(VertexWriter.Format format)
      throws IOException {
    try (VertexWriter first = writer("out", format)) {
      assertThatThrownBy(() -> writer("out", format))
          .isInstanceOf(BadInputException.class)
          .hasMessageStartingWith(
              "another job writes the output file:"
                  + folder.resolve("out")
                  + ": spark-gpu-graph tests (local-")
          .hasMessageContaining("), process " + ProcessHandle.current().pid() + " of ");
      write(first, blocks());
      assertThatThrownBy(() -> writer("out", format)).hasMessageContaining("exists already");
    }
    assertThat(folder.resolve("out/_SUCCESS")).exists();
    assertThat(folder.resolve(".out.incomplete")).doesNotExist();
    assertThat(files().stream().filter(f -> f.startsWith("out/part-"))).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(VertexWriter.Format.class)
  void whatAnotherProgramMadeMeanwhileStays(VertexWriter.Format format) throws IOException {
    VertexWriter writer = writer("out", format);
    Path made = Files.createDirectory(folder.resolve("out"));
    Files.writeString(made.resolve("part-00000"), "theirs");
    assertThatThrownBy(() -> write(writer, blocks())).hasMessageContaining("exists already");
    assertThat(made.resolve("part-00000")).hasContent("theirs");
    assertThat(files()).containsExactly("out", "out/part-00000");
  }

  @ParameterizedTest
  @EnumSource(VertexWriter.Format.class)
  void whereDirectoriesCannotBeRenamedTheCommitterWrites(VertexWriter.Format format)
      throws IOException {
    LocalSpark.context()
        .hadoopConfiguration()
        .set("fs.store.impl", StoreFileSystem.class.getName());
    String output = "store:" + folder.resolve("out");
    VertexWriter first =
        new VertexWriter(LocalSpark.session(), output, format, List.of("distance"));
    assertThatThrownBy(
            () -> new VertexWriter(LocalSpark.session(), output, format, List.of("distance")))
        .hasMessageStartingWith("another job writes the output store:");
    write(first, blocks());
    assertThat(files().stream().filter(f -> f.startsWith("out/part-"))).hasSize(2);
    assertThat(files()).contains("out/_SUCCESS").doesNotContain(".out.incomplete");
    for (VertexWriter.Existing existing : VertexWriter.Existing.values()) {
      assertThatThrownBy(
              () ->
                  new VertexWriter(
                      LocalSpark.session(), output, format, List.of("distance"), existing))
          .hasMessageContaining(
              existing == VertexWriter.Existing.REFUSE
                  ? "exists already"
                  : "is not replaced: its file system (store) cannot do so in one step");
    }

    VertexWriter failed =
        new VertexWriter(LocalSpark.session(), output + "2", format, List.of("distance"));
    assertThatThrownBy(() -> write(failed, failing())).hasStackTraceContaining("planted");
    assertThat(files()).noneMatch(f -> f.startsWith("out2") || f.startsWith(".out2"));

    VertexWriter late =
        new VertexWriter(LocalSpark.session(), output + "3", format, List.of("distance"));
    Files.createDirectory(folder.resolve("out3"));
    Files.writeString(folder.resolve("out3/part-00000"), "theirs");
    assertThatThrownBy(() -> write(late, blocks())).isInstanceOf(Exception.class);
    assertThat(folder.resolve("out3/part-00000")).hasContent("theirs");
    assertThat(files()).noneMatch(f -> f.startsWith(".out3"));
  }

  @Test
  void aWriterThatIsClosedLeavesNothingAndWritesNoMore() throws IOException {
    VertexWriter writer = writer("new/out", VertexWriter.Format.TEXT);
    writer.close();
    assertThat(files()).containsExactly("new");
    assertThatThrownBy(() -> write(writer, blocks()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was closed");
    assertThat(files()).containsExactly("new");
  }

  @Test
  void aJobWhoseRightWasTakenAwayWritesNothing() throws IOException {
    VertexWriter first = writer("out", VertexWriter.Format.TEXT);
    Files.delete(folder.resolve(".out.incomplete/owner"));
    VertexWriter second = writer("out", VertexWriter.Format.TEXT);
    assertThatThrownBy(() -> write(first, blocks()))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("was removed or taken by another job while this one ran");
    write(second, blocks());
    assertThat(lines(folder.resolve("out"))).hasSize(3);
    assertThat(folder.resolve(".out.incomplete")).doesNotExist();
  }

  @Test
  void anOutputThatExistsIsRefusedBeforeAnyWork() throws IOException {
    Files.createDirectory(folder.resolve("out"));
    assertThatThrownBy(() -> writer("out", VertexWriter.Format.TEXT))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "the output file:"
                + folder.resolve("out")
                + " exists already: choose another directory, remove it first, or have it replaced"
                + " (--overwrite of GraphJob)");
    assertThat(files()).containsExactly("out");
  }

  @ParameterizedTest
  @EnumSource(VertexWriter.Format.class)
  void anOutputIsReplacedWhenTheNewOneIsComplete(VertexWriter.Format format) throws IOException {
    write(writer("out", VertexWriter.Format.TEXT), blocks());
    List<String> before = files();
    VertexWriter failed = writer("out", format, VertexWriter.Existing.REPLACE);
    assertThatThrownBy(() -> write(failed, failing())).hasStackTraceContaining("planted");
    assertThat(files()).isEqualTo(before);
    JavaRDD<VertexBlock> one =
        LocalSpark.context().parallelize(List.of(block(new double[] {7}, 5)), 1);
    VertexWriter writer = writer("out", format, VertexWriter.Existing.REPLACE);
    write(writer, one);
    assertThat(files().stream().filter(f -> f.startsWith("out/part-"))).hasSize(1);
    assertThat(files()).contains("out/_SUCCESS").doesNotContain(".out.incomplete");
  }

  @Test
  void theOldOutputIsThereUntilTheNewOneIs() throws IOException {
    write(writer("out", VertexWriter.Format.TEXT), blocks());
    String old = folder.resolve("out").toString();
    JavaRDD<VertexBlock> looking =
        blocks()
            .map(
                block -> {
                  int size = lines(Path.of(old)).size();
                  return new VertexBlock(new long[] {block.ids()[0]}, new double[] {size});
                });
    write(writer("out", VertexWriter.Format.CSV, VertexWriter.Existing.REPLACE), looking);
    assertThat(lines(folder.resolve("out")))
        .containsExactly("id,distance", "-7,3.0", "id,distance", "3,3.0");
  }

  @Test
  void anEmptyDirectoryAndNoneAreReplaced() throws IOException {
    Files.createDirectory(folder.resolve("out"));
    write(writer("out", VertexWriter.Format.TEXT, VertexWriter.Existing.REPLACE), blocks());
    assertThat(lines(folder.resolve("out"))).hasSize(3);
    write(writer("none", VertexWriter.Format.TEXT, VertexWriter.Existing.REPLACE), blocks());
    assertThat(lines(folder.resolve("none"))).hasSize(3);
  }

  @Test
  void whatIsNoOutputIsNotReplaced() throws IOException {
    Files.writeString(folder.resolve("file"), "mine");
    Files.writeString(Files.createDirectory(folder.resolve("data")).resolve("part-1"), "mine");
    Path mixed = Files.createDirectory(folder.resolve("mixed"));
    Files.writeString(mixed.resolve("_SUCCESS"), "");
    Files.writeString(mixed.resolve("thesis.tex"), "mine");
    Path nested = Files.createDirectory(folder.resolve("nested"));
    Files.writeString(nested.resolve("_SUCCESS"), "");
    Files.createDirectory(nested.resolve("part-old"));
    Files.createSymbolicLink(folder.resolve("link"), mixed);
    Files.createSymbolicLink(folder.resolve("nowhere"), folder.resolve("missing"));
    List<String> before = files();
    Map<String, String> reasons =
        Map.of(
            "file", "it is a file, not a directory",
            "data", "it has no _SUCCESS, so it is no output that a job has completed",
            "mixed", "it holds 'thesis.tex', which no job of this kind writes",
            "nested", "it holds 'part-old', which no job of this kind writes",
            "link", "it is a link",
            "nowhere", "it is a link");
    reasons.forEach(
        (name, reason) ->
            assertThatThrownBy(
                    () -> writer(name, VertexWriter.Format.TEXT, VertexWriter.Existing.REPLACE))
                .isInstanceOf(BadInputException.class)
                .hasMessage(
                    "the output file:"
                        + folder.resolve(name)
                        + " is not replaced: "
                        + reason
                        + "; choose another directory, or remove it yourself if nothing in it is"
                        + " needed"));
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void anOutputThatBecomesAnotherThingWhileItIsReplacedStays() throws IOException {
    write(writer("out", VertexWriter.Format.TEXT), blocks());
    VertexWriter writer = writer("out", VertexWriter.Format.TEXT, VertexWriter.Existing.REPLACE);
    Files.writeString(folder.resolve("out/notes"), "mine");
    List<String> before = files();
    assertThatThrownBy(() -> write(writer, blocks())).hasMessageContaining("it holds 'notes'");
    before = before.stream().filter(f -> !f.startsWith(".out.incomplete")).toList();
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void aJobThatWasKilledWhileItReplacedIsToldApart() throws IOException {
    Path left = Files.createDirectory(folder.resolve(".out.incomplete"));
    Files.writeString(left.resolve("owner"), "id\nsomebody\n");
    Files.createDirectory(left.resolve("replaced-id"));
    Files.createDirectory(left.resolve("attempt-id"));
    assertThatThrownBy(() -> writer("out", VertexWriter.Format.TEXT))
        .hasMessage(
            ("another job writes the output file:DIR/out: somebody; wait for it or choose another"
                    + " directory. If it runs no more, it was killed while it replaced the output:"
                    + " move the old one, file:DIR/.out.incomplete/replaced-id, or the new one,"
                    + " file:DIR/.out.incomplete/attempt-id, to file:DIR/out, then remove"
                    + " file:DIR/.out.incomplete and start again")
                .replace("DIR", folder.toString()));
    assertThat(left.resolve("replaced-id")).exists();
  }

  /** YARN starts a driver that was lost again; another job of the same driver is another job. */
  @Test
  void aLaterAttemptOfAnApplicationTakesOverWhatTheEarlierOneClaimed() throws IOException {
    org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path(folder.resolve("out").toUri());
    FileSystem fs = output.getFileSystem(new Configuration());
    OutputClaim first = claim(fs, output, "application_1_0001", 1);
    first.take();
    fs.mkdirs(first.attempt());
    for (OutputClaim other :
        List.of(
            claim(fs, output, "application_1_0001", 1),
            claim(fs, output, "application_1_0001", 0),
            claim(fs, output, "application_1_00", 2),
            claim(fs, output, "application_1_0002", 2))) {
      assertThatThrownBy(other::take).hasMessageContaining("another job writes the output");
    }
    assertThat(first.isHeld()).isTrue();
    OutputClaim second = claim(fs, output, "application_1_0001", 2);
    second.take();
    assertThat(second.isHeld()).isTrue();
    assertThat(first.isHeld()).isFalse();
    assertThat(fs.exists(first.attempt())).isFalse();
    // What the earlier attempt was replacing is for people to decide.
    fs.mkdirs(second.replaced());
    assertThatThrownBy(() -> claim(fs, output, "application_1_0001", 3).take())
        .hasMessageContaining("another job writes the output");
    fs.delete(second.replaced(), true);
    second.release(false);
    assertThat(fs.exists(second.folder())).isFalse();
  }

  /** As HDFS has none for a moment of a file that is removed: who asks then asks again. */
  private static final class MissingBlocks extends FilterFileSystem {
    private int left;

    MissingBlocks(FileSystem fs, int times) {
      super(fs);
      left = times;
    }

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path file, int buffer) throws IOException {
      if (left-- > 0) {
        throw new IOException("Could not obtain block");
      }
      return super.open(file, buffer);
    }
  }

  @Test
  void aClaimWhoseFileCannotBeReadYetIsAskedAgain() throws IOException {
    org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path(folder.resolve("out").toUri());
    FileSystem fs = output.getFileSystem(new Configuration());
    claim(fs, output, "application_1_0001", 1).take();

    OutputClaim second = claim(new MissingBlocks(fs, 4), output, "application_1_0002", 1);
    assertThatThrownBy(second::take)
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("another job writes the output");
    OutputClaim third = claim(new MissingBlocks(fs, 1000), output, "application_1_0003", 1);
    assertThatThrownBy(third::take)
        .isInstanceOf(IOException.class)
        .hasMessage("Could not obtain block");
  }

  /** As HDFS shows a file until it is closed. */
  private static final class Unclosed extends FilterFileSystem {
    Unclosed(FileSystem fs) {
      super(fs);
    }

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path file) throws IOException {
      FileStatus status = super.getFileStatus(file);
      return new FileStatus(0, false, 1, 1, status.getModificationTime(), file);
    }

    @Override
    public FSDataInputStream open(org.apache.hadoop.fs.Path file, int buffer) {
      throw new AssertionError("read before it is closed: " + file);
    }
  }

  @Test
  void aClaimIsNotReadWhileItIsWritten() throws IOException {
    org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path(folder.resolve("out").toUri());
    FileSystem fs = output.getFileSystem(new Configuration());
    claim(fs, output, "application_1_0001", 1).take();
    assertThatThrownBy(claim(new Unclosed(fs), output, "application_1_0002", 1)::take)
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("one that has not given its name yet");
  }

  private static OutputClaim claim(
      FileSystem fs, org.apache.hadoop.fs.Path output, String application, int attempt)
      throws IOException {
    return new OutputClaim(
        fs,
        AtomicSteps.of(
            fs instanceof MissingBlocks || fs instanceof Unclosed
                ? fs.getChildFileSystems()[0]
                : fs),
        output,
        LocalSpark.context().sc(),
        new OutputClaim.Attempt(application, attempt));
  }

  @Test
  void aClaimThatDoesNotGiveItsNameIsOneAllTheSame() throws IOException {
    Path owner = Files.createDirectory(folder.resolve(".out.incomplete")).resolve("owner");
    Files.writeString(owner, "");
    assertThatThrownBy(() -> writer("out", VertexWriter.Format.TEXT))
        .hasMessageContaining("one that has not given its name yet");
    assertThat(owner).exists();
  }

  /** In words: the messages of Java's exceptions are the path alone. */
  @Test
  void aClaimThatCannotBeMadeSaysWhy() {
    assertThatThrownBy(() -> writer("/proc/out", VertexWriter.Format.TEXT))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "cannot write to '/proc/out': /proc/.out.incomplete: no such file or directory; check"
                + " the path");
    assertThat(Unreachable.exception("write to", "/out", new AccessDeniedException("/.out")))
        .hasMessage("cannot write to '/out': /.out: permission denied; check the path");
  }
}
