package org.sparkgpugraph.engine.cuda;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.Digests;
import org.sparkgpugraph.engine.device.PrivateFolder;

/**
 * Compiled kernels on disk, shared by the processes of one user. Losing an entry costs a
 * compilation and nothing else, so nothing here locks: an entry appears whole by a rename, and one
 * that is not whole (a full disk, a crashed host) is found out by its digest and deleted.
 *
 * <p>File {@code KEY.kernels}, big-endian:
 *
 * <table>
 * <caption>Layout</caption>
 * <tr><td>4 bytes</td><td>magic, with the version of this layout</td></tr>
 * <tr><td>1 byte</td><td>ordinal of the {@link KernelImage.Format}</td></tr>
 * <tr><td>UTF</td><td>the compiler</td></tr>
 * <tr><td>4 bytes, n</td><td>length of the image</td></tr>
 * <tr><td>n bytes</td><td>the image</td></tr>
 * <tr><td>32 bytes</td><td>SHA-256 of all before</td></tr>
 * </table>
 */
final class KernelCache {
  private static final Logger LOG = LoggerFactory.getLogger(KernelCache.class);
  private static final int MAGIC = 0x53474b01;
  private static final int DIGEST_BYTES = 32;
  private static final String ENTRY = ".kernels";

  /** Of no other program: old ones are removed, in a folder that users choose. */
  private static final String PARTIAL = ENTRY + ".partial";

  /** A partial file that old belongs to a process that died. */
  private static final Duration ABANDONED = Duration.ofHours(1);

  private final Path folder;
  private final long maxBytes;

  /**
   * @param folder made if it is not there
   * @param maxBytes the oldest entries go when there are more
   * @throws IOException when the folder cannot be made, or others could write to it
   */
  KernelCache(Path folder, long maxBytes) throws IOException {
    this.folder = PrivateFolder.open(folder);
    this.maxBytes = maxBytes;
  }

  /** Where the entries are. */
  Path folder() {
    return folder;
  }

  /**
   * The entry of a key.
   *
   * @param key 64 hexadecimal digits
   */
  Optional<KernelImage> find(String key) {
    Path file = file(key);
    try {
      KernelImage image = read(file);
      touch(file);
      return Optional.of(image);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      LOG.warn(
          "the cached kernels in {} are damaged and are compiled again: {}", file, e.toString());
      delete(file);
      return Optional.empty();
    }
  }

  /** The oldest by last use go first. An entry that cannot be touched is used all the same. */
  private static void touch(Path file) {
    try {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
    } catch (IOException e) {
      LOG.debug("{} counts as unused: its time cannot be set", file, e);
    }
  }

  /** Keeps an entry. Failing to is logged: kernels can be compiled again. */
  void keep(String key, KernelImage image) {
    try {
      Path partial = Files.createTempFile(folder, key, PARTIAL);
      try {
        write(partial, image);
        rename(partial, file(key));
      } finally {
        Files.deleteIfExists(partial);
      }
      prune();
    } catch (IOException e) {
      LOG.warn("compiled kernels cannot be kept in {}: {}", folder, e.toString());
    }
  }

  private Path file(String key) {
    return folder.resolve(key + ENTRY);
  }

  private static void rename(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("the file system cannot rename " + from + " atomically", e);
    }
  }

  private static void write(Path file, KernelImage image) throws IOException {
    MessageDigest digest = Digests.sha256();
    try (DataOutputStream out =
        new DataOutputStream(new DigestOutputStream(Files.newOutputStream(file), digest))) {
      out.writeInt(MAGIC);
      out.writeByte(image.format().ordinal());
      out.writeUTF(image.compiler());
      out.writeInt(image.bytes().length);
      out.write(image.bytes());
      out.write(digest.digest());
    }
  }

  private static KernelImage read(Path file) throws IOException {
    MessageDigest digest = Digests.sha256();
    long size = Files.size(file);
    try (DigestInputStream digested = new DigestInputStream(Files.newInputStream(file), digest);
        DataInputStream in = new DataInputStream(digested)) {
      if (in.readInt() != MAGIC) {
        throw new IOException("not a file of this version");
      }
      int format = in.readUnsignedByte();
      String compiler = in.readUTF();
      int length = in.readInt();
      if (length < 0 || length > size || format >= KernelImage.Format.values().length) {
        throw new IOException("length " + length + ", format " + format);
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      digested.on(false);
      byte[] expected = in.readNBytes(DIGEST_BYTES);
      if (!Arrays.equals(expected, digest.digest())) {
        throw new IOException("the digest is another one");
      }
      return new KernelImage(KernelImage.Format.values()[format], bytes, compiler);
    }
  }

  private record Entry(Path file, long bytes, Instant used) {}

  private void prune() throws IOException {
    List<Entry> entries = new ArrayList<>();
    Instant abandoned = Instant.now().minus(ABANDONED);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Optional<Entry> entry = entry(file);
        String name = file.getFileName().toString();
        if (name.endsWith(ENTRY)) {
          entry.ifPresent(entries::add);
        } else if (name.endsWith(PARTIAL)
            && entry.isPresent()
            && entry.get().used().isBefore(abandoned)) {
          delete(file);
        }
      }
    }
    long bytes = entries.stream().mapToLong(Entry::bytes).sum();
    entries.sort(Comparator.comparing(Entry::used));
    for (Entry oldest : entries) {
      if (bytes <= maxBytes) {
        break;
      }
      delete(oldest.file());
      bytes -= oldest.bytes();
    }
  }

  /** Another process may delete it meanwhile. */
  private static Optional<Entry> entry(Path file) throws IOException {
    try {
      return Optional.of(
          new Entry(file, Files.size(file), Files.getLastModifiedTime(file).toInstant()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted: {}", file, e.toString());
    }
  }
}
