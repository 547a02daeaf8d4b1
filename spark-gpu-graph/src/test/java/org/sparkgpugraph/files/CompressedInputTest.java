package org.sparkgpugraph.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.EdgeTextFormat;
import org.sparkgpugraph.files.input.InputBytes;
import org.sparkgpugraph.files.input.TextLines;

/** Compressed files that are whole, damaged, or not what their names say. */
@Tag("any-spark")
class CompressedInputTest {
  private static final Configuration CONF = new Configuration();
  private static final byte[] TEXT = "1 2\n3 4\n5 6\n".repeat(40).getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;

  private Path file(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private static byte[] compressed(byte[] bytes, String suffix) throws IOException {
    CompressionCodec codec = InputBytes.codec(CONF, new org.apache.hadoop.fs.Path("x" + suffix));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (OutputStream out = codec.createOutputStream(file)) {
      out.write(bytes);
    }
    return file.toByteArray();
  }

  private static List<String> lines(Path file) throws IOException {
    List<String> all = new ArrayList<>();
    try (TextLines lines = TextLines.ofWhole(CONF, new org.apache.hadoop.fs.Path(file.toUri()))) {
      while (lines.next()) {
        all.add(new String(lines.bytes(), lines.from(), lines.to() - lines.from()));
      }
    }
    return all;
  }

  private static String failure(Path file) {
    return LocalSpark.badInput(
            catchThrowable(
                () ->
                    LocalSpark.edges(
                        EdgeLoader.text(
                            LocalSpark.context(), file.toString(), EdgeTextFormat.edgeList(), 1))))
        .getMessage();
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".bz2", ".deflate", ".snappy", ".lz4"})
  void readsWhatHadoopWrites(String suffix) throws IOException {
    byte[] large = new byte[3 << 20];
    Random random = new Random(5);
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i % 8 == 7 ? '\n' : '0' + random.nextInt(10));
    }
    List<String> expected = new String(large, StandardCharsets.US_ASCII).lines().toList();
    assertThat(lines(file("a" + suffix, compressed(large, suffix)))).isEqualTo(expected);
    // As getmerge makes it, with the file of a task that had nothing to write between two others.
    ByteArrayOutputStream merged = new ByteArrayOutputStream();
    merged.write(compressed(TEXT, suffix));
    if (!suffix.equals(".deflate")) {
      merged.write(compressed(new byte[0], suffix));
      merged.write(compressed(TEXT, suffix));
    }
    assertThat(lines(file("b" + suffix, merged.toByteArray())))
        .hasSize(suffix.equals(".deflate") ? 120 : 240);
    assertThat(lines(file("c" + suffix, compressed(new byte[0], suffix)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".bz2", ".deflate", ".snappy", ".lz4", ".zst"})
  void whatIsNotCompressedIsNamed(String suffix) throws IOException {
    byte[] random = new byte[5000];
    new Random(9).nextBytes(random);
    Object[][] cases = {
      {"text", "1 2\n3 4\n".repeat(100).getBytes(StandardCharsets.US_ASCII)},
      {"random", random},
      {"zeros", new byte[5000]},
      {"few", new byte[] {'1', ' ', '2', '\n'}},
      {"empty", new byte[0]}
    };
    for (Object[] each : cases) {
      Path file = file(each[0] + suffix, (byte[]) each[1]);
      assertThat(failure(file)).startsWith("file:" + file + ": ").doesNotContain("\n");
    }
    assertThat(failure(folder.resolve("empty" + suffix))).contains("it is empty");
    assertThat(failure(folder.resolve("text" + suffix)))
        .endsWith("it is plain text; take the suffix off");
    if (suffix.equals(".snappy") || suffix.equals(".lz4")) {
      assertThat(failure(folder.resolve("zeros" + suffix)))
          .contains("nothing comes out of its 5000 bytes");
    } else {
      assertThat(failure(folder.resolve("zeros" + suffix))).contains("begins with the bytes 0000");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".bz2", ".deflate", ".snappy", ".lz4"})
  void aFileThatIsCutOffAnywhereIsNamed(String suffix) throws IOException {
    // Two blocks, so that there is an end between them in formats that have blocks.
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    byte[] one = compressed(TEXT, suffix);
    both.write(one);
    boolean several = !suffix.equals(".deflate");
    if (several) {
      both.write(one);
    }
    byte[] whole = both.toByteArray();
    assertThat(lines(file("whole" + suffix, whole))).hasSize(several ? 240 : 120);
    for (int length = 0; length < whole.length; length++) {
      Path file = file("cut" + suffix, Arrays.copyOf(whole, length));
      if (several && length == one.length) {
        assertThat(lines(file)).hasSize(120);
        continue;
      }
      assertThat(catchThrowable(() -> lines(file)))
          .as("%d of %d bytes", length, whole.length)
          .isInstanceOf(BadInputException.class)
          .hasMessageStartingWith("file:" + file + ": ");
    }
    assertThat(failure(file("half" + suffix, Arrays.copyOf(one, one.length / 2))))
        .contains("half" + suffix);
  }

  @ParameterizedTest
  @CsvSource({".gz,true", ".bz2,true", ".deflate,true", ".snappy,false", ".lz4,false"})
  void aDamagedByteIsNamedOrDoesNoHarm(String suffix, boolean hasChecksum) throws IOException {
    byte[] whole = compressed(TEXT, suffix);
    List<String> expected = lines(file("whole" + suffix, whole));
    int named = 0;
    for (int at = 0; at < whole.length; at++) {
      for (int bit = 0; bit < 8; bit += 3) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) (1 << bit);
        Path file = file("damaged" + suffix, damaged);
        Throwable error = catchThrowable(() -> lines(file));
        if (error != null) {
          assertThat(error)
              .as("byte %d, bit %d", at, bit)
              .isInstanceOf(BadInputException.class)
              .hasMessageStartingWith("file:" + file);
          named++;
        } else if (hasChecksum) {
          assertThat(lines(file)).as("byte %d, bit %d", at, bit).isEqualTo(expected);
        }
      }
    }
    assertThat(named).isPositive();
  }

  /** Hadoop looks for the next block that it finds, and leaves out this one. */
  @Test
  void aBzip2BlockWhoseBeginningIsDamagedIsNamed() throws IOException {
    Random random = new Random(3);
    StringBuilder text = new StringBuilder();
    while (text.length() < 2_500_000) {
      text.append(random.nextInt(1000)).append(' ').append(random.nextInt()).append('\n');
    }
    byte[] whole = compressed(text.toString().getBytes(StandardCharsets.US_ASCII), ".bz2");
    assertThat(lines(file("a.bz2", whole)))
        .hasSize((int) text.chars().filter(c -> c == '\n').count());
    List<Integer> blocks = new ArrayList<>();
    long last48Bits = 0;
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      last48Bits = (last48Bits << 1 | whole[bit / 8] >> 7 - bit % 8 & 1) & (1L << 48) - 1;
      if (last48Bits == 0x314159265359L) {
        blocks.add(bit);
      }
    }
    assertThat(blocks).hasSize(3);
    whole[blocks.get(1) / 8 - 2] ^= 1;
    assertThat(failure(file("a.bz2", whole)))
        .startsWith("file:" + folder + "/a.bz2: it cannot be decompressed as bzip2: ");
  }

  @Test
  void aWrongChecksumAtTheEndIsNamed() throws IOException {
    byte[] bytes = compressed(TEXT, ".gz");
    bytes[bytes.length - 8] ^= 1;
    assertThat(failure(file("crc.gz", bytes)))
        .startsWith("file:" + folder + "/crc.gz: it cannot be decompressed as gzip: ")
        .contains("CRC")
        .endsWith("; the file is damaged: copy it or make it again");
  }

  @Test
  void zstandardWithoutHadoopsNativeLibraryIsNamedWithTheRemedy() throws IOException {
    Path file = file("a.zst", Zstd.compress(TEXT));
    assertThat(failure(file))
        .startsWith("file:" + file + ": Hadoop reads .zst files only with its native library")
        .endsWith("decompress it first (zstd -d), or compress it as .gz");
  }

  @ParameterizedTest
  @CsvSource({
    ".snappy,ff060000734e61507059000102030405",
    ".lz4,04224d1864409e0400008031",
  })
  void framesOfOtherToolsAreNamed(String suffix, String hex) throws IOException {
    Path file = file("a" + suffix, HexFormat.of().parseHex(hex));
    assertThat(failure(file)).contains("it has the frames of another tool");
  }

  @Test
  void aWrongSuffixIsNamed() throws IOException {
    assertThat(failure(file("a.bz2", compressed(TEXT, ".gz"))))
        .endsWith("it is not bzip2, though its name ends in .bz2: it is gzip; rename it to .gz");
    assertThat(failure(file("a.txt", compressed(TEXT, ".gz"))))
        .endsWith("a.txt: it is gzip, but its name does not end in .gz: rename it");
    assertThat(failure(file("b.e", compressed(TEXT, ".bz2")))).contains("it is bzip2, but");
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".bz2", ".deflate", ".snappy", ".lz4"})
  void aFileThatCannotBeReadIsNotSaidToBeDamaged(String suffix) throws IOException {
    Path missing = folder.resolve("missing" + suffix);
    assertThat(catchThrowable(() -> lines(missing)))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("cannot read 'file:" + missing + "': ")
        .hasMessageContaining("does not exist");
    // With a file of checksums beside it, which is wrong after the change.
    Path changed = folder.resolve("changed" + suffix);
    byte[] bytes = compressed(TEXT, suffix);
    try (OutputStream out =
        FileSystem.getLocal(CONF).create(new org.apache.hadoop.fs.Path(changed.toUri()))) {
      out.write(bytes);
    }
    assertThat(lines(changed)).hasSize(120);
    bytes[bytes.length - 1] ^= 1;
    Files.write(changed, bytes);
    assertThat(catchThrowable(() -> lines(changed)))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("cannot read 'file:" + changed + "': Checksum error: ");
  }
}
