package org.sparkgpugraph.engine.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-spark")
class KernelCacheTest {
  private static final String KEY = "ab".repeat(32);
  private static final int KEYS = 8;
  private static final int ROUNDS = 300;

  @TempDir Path parent;

  private Path folder;
  private KernelCache cache;

  @BeforeEach
  void open() throws IOException {
    folder = parent.resolve("made").resolve("kernels");
    cache = new KernelCache(folder, 1 << 20);
  }

  private static KernelImage image(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    KernelImage.Format format = seed % 2 == 0 ? KernelImage.Format.CUBIN : KernelImage.Format.PTX;
    return new KernelImage(format, bytes, "compiler " + seed);
  }

  private static void assertSame(KernelImage actual, KernelImage expected) {
    assertThat(actual.format()).isEqualTo(expected.format());
    assertThat(actual.compiler()).isEqualTo(expected.compiler());
    assertThat(actual.bytes()).isEqualTo(expected.bytes());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void whatIsKeptIsFound() throws IOException {
    assertThat(cache.find(KEY)).isEmpty();
    for (int seed = 0; seed < 2; seed++) {
      cache.keep(KEY, image(seed, 1000));
      assertSame(cache.find(KEY).orElseThrow(), image(seed, 1000));
    }
    assertSame(new KernelCache(folder, 1).find(KEY).orElseThrow(), image(1, 1000));
    assertThat(files()).hasSize(1);
  }

  @Test
  void theFolderIsTheOwners() throws IOException {
    assertThat(Files.getPosixFilePermissions(folder))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(Files.getPosixFilePermissions(folder.getParent()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    cache.keep(KEY, image(0, 10));
    assertThat(Files.getPosixFilePermissions(files().get(0)))
        .doesNotContain(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
  }

  @Test
  void aFolderThatOthersCanWriteToIsRefused() throws IOException {
    for (String permissions : List.of("rwxrwx---", "rwx----w-")) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
      assertThatThrownBy(() -> new KernelCache(folder, 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(permissions)
          .hasMessageContaining("chmod 700");
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(new KernelCache(folder, 1).find(KEY)).isEmpty();
  }

  /** Who may write to a folder above puts another one in its place, whatever that one's mode. */
  @Test
  void aFolderThatOthersCanReplaceIsRefused() throws IOException {
    Path open = Files.createDirectory(parent.resolve("open"));
    Path folder = open.resolve("a").resolve("b");
    for (String permissions : List.of("rwx----w-", "rwxrwxrwx")) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(permissions));
      assertThatThrownBy(() -> new KernelCache(folder, 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(folder.toRealPath() + " can be replaced by others")
          .hasMessageContaining(
              open.toRealPath() + " above it (" + permissions + "): chmod go-w that");
    }
    // As /tmp is: in it nobody moves what is another's.
    Files.setAttribute(open, "unix:mode", 01777);
    assertThat(new KernelCache(folder, 1).find(KEY)).isEmpty();
    Path link = Files.createSymbolicLink(parent.resolve("link-above"), open);
    Files.setAttribute(open, "unix:mode", 0777);
    assertThatThrownBy(() -> new KernelCache(link.resolve("a").resolve("b"), 1))
        .hasMessageContaining("can be replaced by others");
  }

  /** With a umask of 002 each user's folders are that way, for a group of that user alone. */
  @Test
  void aFolderThatTheOwnersOwnGroupMayReplaceIsTaken() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root gives folders away");
    Path open = Files.createDirectory(parent.resolve("of-a-group"));
    Path folder = open.resolve("own");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwx---"));
    Files.setAttribute(open, "unix:gid", 0);
    assertThat(new KernelCache(folder, 1).find(KEY)).isEmpty();
    Files.setAttribute(open, "unix:gid", 65534);
    assertThatThrownBy(() -> new KernelCache(folder, 1))
        .hasMessageContaining(open.toRealPath() + " above it (rwxrwx---): chmod go-w that");
  }

  @Test
  void aFolderBelowAnothersIsRefused() throws IOException {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root gives folders away");
    Path anothers = Files.createDirectory(parent.resolve("another's"));
    Files.setAttribute(anothers, "unix:uid", 65534);
    assertThatThrownBy(() -> new KernelCache(anothers.resolve("own"), 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("who owns " + anothers.toRealPath() + " above it");
  }

  @Test
  void aLinkAndAFileAreRefused() throws IOException {
    Path link = Files.createSymbolicLink(parent.resolve("link"), folder);
    assertThatThrownBy(() -> new KernelCache(link, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a folder");
    Path file = Files.createFile(parent.resolve("file"));
    assertThatThrownBy(() -> new KernelCache(file, 1)).isInstanceOf(IOException.class);
  }

  /** Every byte of an entry changed, and every length cut. */
  @Test
  void damagedEntriesAreNeverUsed() throws IOException {
    cache.keep(KEY, image(0, 40));
    Path file = files().get(0);
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i++) {
      byte[] changed = whole.clone();
      changed[i] ^= 0x40;
      Files.write(file, changed);
      assertThat(cache.find(KEY)).as("byte %s changed", i).isEmpty();
      assertThat(file).doesNotExist();
      Files.write(file, Arrays.copyOf(whole, i));
      assertThat(cache.find(KEY)).as("cut to %s bytes", i).isEmpty();
      assertThat(file).doesNotExist();
    }
    Files.write(file, whole);
    assertSame(cache.find(KEY).orElseThrow(), image(0, 40));
  }

  @Test
  void theOldestEntriesGoFirst() throws IOException {
    KernelCache small = new KernelCache(folder, 3500);
    for (int i = 0; i < 3; i++) {
      small.keep("k" + i, image(i, 1000));
      Files.setLastModifiedTime(
          folder.resolve("k" + i + ".kernels"),
          FileTime.from(Instant.now().minusSeconds(1000 - i)));
    }
    assertThat(small.find("k0")).isPresent(); // used just now
    small.keep("k3", image(3, 1000));
    assertThat(small.find("k1")).isEmpty();
    assertThat(small.find("k0")).isPresent();
    assertThat(small.find("k2")).isPresent();
    assertThat(small.find("k3")).isPresent();
  }

  @Test
  void abandonedPartialFilesGo() throws IOException {
    FileTime longAgo = FileTime.from(Instant.now().minusSeconds(7200));
    Path old = Files.createFile(folder.resolve("x.kernels.partial"));
    Files.setLastModifiedTime(old, longAgo);
    Path young = Files.createFile(folder.resolve("y.kernels.partial"));
    Path foreign = Files.createFile(folder.resolve("download.partial"));
    Files.setLastModifiedTime(foreign, longAgo);
    cache.keep(KEY, image(0, 10));
    assertThat(old).doesNotExist();
    assertThat(young).exists();
    assertThat(foreign).exists();
  }

  @Test
  void aFolderThatVanishesCostsNothing() throws IOException {
    Files.delete(folder);
    cache.keep(KEY, image(0, 10));
    assertThat(cache.find(KEY)).isEmpty();
  }

  /** Processes that keep, find and prune the same few entries; whoever finds one finds it whole. */
  @Test
  void processesShareIt() throws Exception {
    List<ChildProcess.Running> children = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        children.add(ChildProcess.of(Worker.class, folder.toString(), String.valueOf(i)).start());
      }
      int found = 0;
      for (ChildProcess.Running child : children) {
        String output = child.result().succeeded().output();
        found += Integer.parseInt(output.strip().lines().reduce((a, b) -> b).orElseThrow());
      }
      assertThat(found).isPositive();
    } finally {
      for (ChildProcess.Running child : children) {
        child.close();
      }
    }
    assertThat(files()).allMatch(file -> file.toString().endsWith(".kernels"));
  }

  /** A process of {@link #processesShareIt}. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) throws IOException {
      // Room for half of the entries, so that they are deleted under the feet of readers.
      KernelCache cache = new KernelCache(Path.of(arguments[0]), KEYS / 2 * 20_000);
      Random random = new Random(Long.parseLong(arguments[1]));
      int found = 0;
      for (int round = 0; round < ROUNDS; round++) {
        int key = random.nextInt(KEYS);
        if (random.nextBoolean()) {
          cache.keep("k" + key, image(key, 20_000));
        } else {
          KernelImage image = cache.find("k" + key).orElse(null);
          if (image != null) {
            assertSame(image, image(key, 20_000));
            found++;
          }
        }
      }
      System.out.println(found);
    }
  }
}
