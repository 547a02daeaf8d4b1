package io.sparkgpugraph.engine.emulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder that keeps compiled libraries. Code is loaded from it, so it belongs to this user
 * alone: a folder that others own or may write to is not used.
 */
final class EmulatorCache {
  /**
   * System property that names the folder. Not below {@code spark.}: Spark would take it for a
   * setting of its own.
   */
  static final String KEY = "gpugraph.emulator.cache";

  private static final Logger LOG = LoggerFactory.getLogger(EmulatorCache.class);
  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");

  private static Path own;

  private EmulatorCache() {}

  /** The folder, created when it is missing. */
  static synchronized Path folder() {
    String configured = System.getProperty(KEY);
    Path folder =
        configured != null
            ? Path.of(configured)
            : Path.of(
                System.getProperty("java.io.tmpdir"),
                "spark-gpu-graph-emulator-" + System.getProperty("user.name"));
    try {
      create(folder);
      if (isPrivate(folder)) {
        return folder.toRealPath();
      }
      if (own == null) {
        own = Files.createTempDirectory("spark-gpu-graph-emulator");
        LOG.warn(
            "{} is not this user's alone, so compiled kernels are kept in {} until it is removed;"
                + " set -D{} to a private folder",
            folder,
            own,
            KEY);
      }
      return own;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot use the folder of compiled kernels " + folder + "; set -D" + KEY, e);
    }
  }

  private static void create(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      if (folder.getParent() != null) {
        Files.createDirectories(folder.getParent());
      }
      try {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PRIVATE));
      } catch (FileAlreadyExistsException e) {
        LOG.debug("{} was created by another process", folder);
      }
    }
  }

  private static boolean isPrivate(Path folder) throws IOException {
    if (!Files.isWritable(folder)) {
      return false;
    }
    Path probe = Files.createTempFile(folder, "owner", null);
    try {
      return Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(probe))
          && PRIVATE.containsAll(Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS));
    } finally {
      Files.delete(probe);
    }
  }
}
