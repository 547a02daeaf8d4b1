package org.sparkgpugraph.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.storage.ShuffleDataBlockId;
import org.apache.spark.storage.ShuffleIndexBlockId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Option;

/** Outputs that Spark does not know are files that it serves and removes. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class OutputFilesTest {
  /** No shuffle of the context has such a number. */
  private static final int SHUFFLE = 987_654_321;

  private static IndexShuffleBlockResolver resolver() {
    return (IndexShuffleBlockResolver) SparkEnv.get().shuffleManager().shuffleBlockResolver();
  }

  private static List<File> files(long mapId) {
    var disk = SparkEnv.get().blockManager().diskBlockManager();
    return List.of(
        disk.getFile(new ShuffleDataBlockId(SHUFFLE, mapId, 0)),
        disk.getFile(new ShuffleIndexBlockId(SHUFFLE, mapId, 0)));
  }

  private static long[] write(long mapId, List<List<byte[]>> blocks) throws IOException {
    return new OutputFiles(SHUFFLE, mapId)
        .write(
            blocks,
            (records, to) -> {
              try (to) {
                for (byte[] record : records) {
                  to.write(record);
                }
              }
            });
  }

  private static void writeAll(byte[] record, OutputStream to) throws IOException {
    try (to) {
      to.write(record);
    }
  }

  @Test
  void sparkServesAndRemovesThem() throws Exception {
    Random random = new Random(3);
    List<List<byte[]>> blocks = new ArrayList<>();
    for (int[] records : new int[][] {{}, {1, 2}, {100_000, 0, 9_000}, {}, {8_191, 8_192, 8_193}}) {
      List<byte[]> block = new ArrayList<>();
      for (int length : records) {
        byte[] record = new byte[length];
        random.nextBytes(record);
        block.add(record);
      }
      blocks.add(block);
    }
    long mapId = 1L << 62 | 77;
    assertThat(write(mapId, blocks)).containsExactly(0, 3, 109_000, 0, 24_576);
    for (int b = 0; b < blocks.size(); b++) {
      var served = resolver().getBlockData(new ShuffleBlockId(SHUFFLE, mapId, b), Option.empty());
      byte[] bytes = new byte[(int) served.size()];
      served.nioByteBuffer().get(bytes);
      int at = 0;
      for (byte[] record : blocks.get(b)) {
        assertThat(Arrays.copyOfRange(bytes, at, at + record.length)).isEqualTo(record);
        at += record.length;
      }
      assertThat(at).isEqualTo(bytes.length);
    }
    assertThat(files(mapId)).allMatch(File::exists);
    resolver().removeDataByMap(SHUFFLE, mapId);
    assertThat(files(mapId)).noneMatch(File::exists);
  }

  /** What was longer is still behind what is written, where nobody looks. */
  @Test
  void filesOfAnotherOutputAreTaken() throws Exception {
    write(8, List.of(List.of(new byte[100]), List.of(new byte[200])));
    OutputFiles files = new OutputFiles(SHUFFLE, 9);
    files.takeOver(new OutputFiles(SHUFFLE, 8));
    assertThat(files(8)).noneMatch(File::exists);
    byte[] record = {1, 2, 3};
    assertThat(
            files.write(List.of(List.of(), List.of(record)), (block, to) -> writeAll(record, to)))
        .containsExactly(0, 3);
    assertThat(files(9).get(0)).hasSize(300);
    var served = resolver().getBlockData(new ShuffleBlockId(SHUFFLE, 9, 1), Option.empty());
    byte[] bytes = new byte[(int) served.size()];
    served.nioByteBuffer().get(bytes);
    assertThat(bytes).isEqualTo(record);
    resolver().removeDataByMap(SHUFFLE, 9);
    assertThat(files(9)).noneMatch(File::exists);
  }

  @Test
  void filesThatAreGoneAreMadeAnew() throws Exception {
    write(10, List.of(List.of(new byte[100])));
    assertThat(files(10).get(1).delete()).isTrue();
    OutputFiles files = new OutputFiles(SHUFFLE, 11);
    files.takeOver(new OutputFiles(SHUFFLE, 10));
    assertThat(files(10)).noneMatch(File::exists);
    assertThat(files.write(List.of(List.of(1)), (block, to) -> writeAll(new byte[] {7}, to)))
        .containsExactly(1);
    assertThat(files(11).get(0)).hasSize(1);
    resolver().removeDataByMap(SHUFFLE, 11);
  }

  @Test
  void whatCannotBeWrittenIsNotThere() {
    for (Throwable thrown : List.of(new IOException("No space left"), new Error("stopped"))) {
      assertThatThrownBy(
              () ->
                  new OutputFiles(SHUFFLE, 5)
                      .write(
                          List.of(List.of(1), List.of(2)),
                          (block, to) -> {
                            to.write(block.get(0));
                            if (block.get(0) == 2) {
                              if (thrown instanceof IOException e) {
                                throw e;
                              }
                              throw (Error) thrown;
                            }
                          }))
          .isSameAs(thrown);
      assertThat(files(5)).noneMatch(File::exists);
    }
  }

  /** The external shuffle service may be another user's. */
  @Test
  void aServiceMayReadThem() throws Exception {
    SparkConf conf = SparkEnv.get().conf();
    String before = conf.get("spark.shuffle.service.enabled", "false");
    conf.set("spark.shuffle.service.enabled", "true");
    try {
      write(6, List.of(List.of(new byte[] {1})));
    } finally {
      conf.set("spark.shuffle.service.enabled", before);
    }
    for (File file : files(6)) {
      assertThat(Files.getPosixFilePermissions(file.toPath()))
          .contains(PosixFilePermission.OTHERS_READ);
    }
    resolver().removeDataByMap(SHUFFLE, 6);
    assertThat(files(6)).noneMatch(File::exists);
  }
}
