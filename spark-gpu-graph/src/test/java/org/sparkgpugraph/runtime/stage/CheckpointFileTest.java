package org.sparkgpugraph.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;

/** What a checkpoint's files hold. */
class CheckpointFileTest {
  private static final CheckpointFile.Name NAME = new CheckpointFile.Name(0x1234567890L, 40, 3);

  private static byte[] bytes(CheckpointFile file) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    file.write(NAME, out);
    return out.toByteArray();
  }

  private static CheckpointFile read(CheckpointFile.Name name, byte[] bytes) throws IOException {
    return CheckpointFile.read(name, new ByteArrayInputStream(bytes), bytes.length);
  }

  /** Up to three partitions, some empty, some longer than a chunk; random bits, NaNs too. */
  private static CheckpointFile random(Random random) {
    List<Columns> values = new ArrayList<>();
    List<long[]> activity = new ArrayList<>();
    for (int p = random.nextInt(4); p > 0; p--) {
      int rows = random.nextInt(4) == 0 ? 20_000 + random.nextInt(9000) : random.nextInt(9);
      List<Kind> kinds = new ArrayList<>();
      for (int c = random.nextInt(6); c > 0; c--) {
        kinds.add(Kind.values()[random.nextInt(Kind.values().length)]);
      }
      Columns table = Columns.allocate(kinds, rows);
      for (int c = 0; c < kinds.size(); c++) {
        for (int row = 0; row < rows; row++) {
          long bits = random.nextLong();
          table.set(
              c,
              row,
              switch (kinds.get(c)) {
                case BOOLEAN -> (Object) ((bits & 1) == 0);
                case INT -> (int) bits;
                case LONG -> bits;
                case FLOAT -> Float.intBitsToFloat((int) bits);
                case DOUBLE -> Double.longBitsToDouble(bits);
              });
        }
      }
      values.add(table);
      activity.add(random.nextInt(3) == 0 ? null : random.longs((rows + 63) / 64).toArray());
    }
    return new CheckpointFile(random.nextInt(1000), values, activity);
  }

  @Test
  void comesBackToTheBit() throws IOException {
    for (int seed = 0; seed < 60; seed++) {
      CheckpointFile file = random(new Random(seed));
      byte[] written = bytes(file);
      CheckpointFile read = read(NAME, written);
      assertThat(bytes(read)).as("seed %d", seed).isEqualTo(written);
      assertThat(read.superstep()).isEqualTo(file.superstep());
      for (int p = 0; p < file.values().size(); p++) {
        assertThat(read.values().get(p).arrays()).isEqualTo(file.values().get(p).arrays());
        assertThat(read.activity().get(p)).isEqualTo(file.activity().get(p));
      }
    }
  }

  /** A length that the file cannot have allocates nothing, also under a right checksum. */
  @Test
  void damagedLengthsAreRefusedBeforeTheyAllocate() throws IOException {
    Columns table = Columns.allocate(List.of(Kind.values()), 3);
    byte[] written = bytes(new CheckpointFile(9, List.of(table), List.of(new long[1])));
    int lengths = 28;
    for (int at = lengths; at < written.length - Long.BYTES - Integer.BYTES; at++) {
      for (int length : new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE - 8, 1 << 28, -7}) {
        ByteBuffer damaged = ByteBuffer.wrap(written.clone()).putInt(at, length);
        CRC32C checksum = new CRC32C();
        checksum.update(damaged.array(), 0, written.length - Long.BYTES);
        damaged.putLong(written.length - Long.BYTES, checksum.getValue());
        Throwable thrown = catchThrowable(() -> read(NAME, damaged.array()));
        // What is no length is a value.
        assertThat(thrown == null || thrown instanceof IOException)
            .as("%d at byte %d: %s", length, at, thrown)
            .isTrue();
        if (at == lengths || at == lengths + 4 || at == lengths + 8) {
          assertThat(thrown).as("%d at byte %d", length, at).isNotNull();
        }
      }
    }
  }

  @Test
  void aFlippedBitACutAndAnotherFileAreRefused() throws IOException {
    Random random = new Random(7);
    CheckpointFile file =
        new CheckpointFile(
            9,
            List.of(new Columns(List.of(Kind.INT), new Object[] {random.ints(500).toArray()}, 500)),
            List.of(random.longs(8).toArray()));
    byte[] written = bytes(file);
    for (int i = 0; i < 200; i++) {
      byte[] damaged = written.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      assertThatThrownBy(() -> read(NAME, damaged)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> read(NAME, Arrays.copyOf(written, written.length - 3)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read(new CheckpointFile.Name(NAME.run(), 40, 2), written))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shard");
    assertThatThrownBy(() -> read(new CheckpointFile.Name(5, 40, 3), written))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("run");
  }
}
