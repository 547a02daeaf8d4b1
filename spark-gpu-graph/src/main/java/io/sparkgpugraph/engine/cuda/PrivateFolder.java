package io.sparkgpugraph.engine.cuda;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/**
 * Folders that only this user can write to: kernels in one written by others could run anything on
 * the GPU with the rights of this process.
 */
final class PrivateFolder {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFolder() {}

  /**
   * Where compiled kernels are kept when nobody says where: in the user's cache folder, or below
   * the temporary folder for a user without a home (containers).
   */
  static Path kernelCacheDefault() {
    String cache = System.getenv("XDG_CACHE_HOME");
    if (cache != null && Path.of(cache).isAbsolute()) {
      return Path.of(cache, "spark-gpu-graph", "kernels");
    }
    Path home = Path.of(System.getProperty("user.home", ""));
    if (home.isAbsolute() && home.getNameCount() > 0 && Files.isWritable(home)) {
      return home.resolve(Path.of(".cache", "spark-gpu-graph", "kernels"));
    }
    return Path.of(
        System.getProperty("java.io.tmpdir"),
        "spark-gpu-graph-kernels-" + System.getProperty("user.name"));
  }

  /**
   * Makes a folder, mode 0700, or checks that one that is there is this user's own and that nobody
   * else may write to it.
   *
   * @return its real path
   * @throws IOException the message says what is wrong with it
   */
  static Path open(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    if (absolute.getParent() != null) {
      Files.createDirectories(
          absolute.getParent(), PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    }
    try {
      Files.createDirectory(absolute, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (FileAlreadyExistsException e) {
      // Made before, or by another executor just now: checked like any other.
    }
    PosixFileAttributes attributes =
        Files.readAttributes(absolute, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isDirectory()) {
      throw new IOException(absolute + " is not a folder (a link is not followed)");
    }
    UserPrincipal self = self();
    if (!attributes.owner().equals(self)) {
      throw new IOException(absolute + " belongs to " + attributes.owner() + ", not to " + self);
    }
    if (attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
        || attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(
          absolute
              + " may be written by others ("
              + PosixFilePermissions.toString(attributes.permissions())
              + "): chmod 700 it");
    }
    return absolute.toRealPath();
  }

  /** The user of this process, also where the system property user.name knows none. */
  private static UserPrincipal self() throws IOException {
    Path probe = Files.createTempFile("spark-gpu-graph-", ".owner");
    try {
      return Files.getOwner(probe);
    } finally {
      Files.delete(probe);
    }
  }
}
