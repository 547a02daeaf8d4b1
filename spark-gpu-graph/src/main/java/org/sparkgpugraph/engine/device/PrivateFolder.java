package org.sparkgpugraph.engine.device;

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
 * Folders that only this user can write to: compiled kernels in one written by others could run
 * anything with the rights of this process. That holds for the folders above, too: who may write to
 * one of these puts another folder in its place (as {@code StrictModes} of sshd has it, but that a
 * folder with the sticky bit, such as {@code /tmp}, is no harm: in it nobody moves what is
 * another's; nor is a group above that has the owner's name, which is the owner's alone).
 */
public final class PrivateFolder {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /** Of {@code st_mode}. */
  private static final int STICKY = 01000;

  private PrivateFolder() {}

  /**
   * Makes a folder, mode 0700, or checks that one that is there is this user's own and that nobody
   * else may write to it or replace it.
   *
   * @return its real path
   * @throws IOException the message says what is wrong with it
   */
  public static Path open(Path folder) throws IOException {
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
    if (isWritableByOthers(attributes)) {
      throw new IOException(
          absolute
              + " may be written by others ("
              + PosixFilePermissions.toString(attributes.permissions())
              + "): chmod 700 it");
    }
    Path real = absolute.toRealPath();
    for (Path above = real.getParent(); above != null; above = above.getParent()) {
      checkAbove(above, real, self);
    }
    return real;
  }

  private static void checkAbove(Path above, Path folder, UserPrincipal self) throws IOException {
    PosixFileAttributes attributes =
        Files.readAttributes(above, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    boolean isRoots = (int) Files.getAttribute(above, "unix:uid") == 0;
    if (!isRoots && !attributes.owner().equals(self)) {
      throw new IOException(
          folder
              + " can be replaced by "
              + attributes.owner()
              + ", who owns "
              + above
              + " above it");
    }
    boolean isSticky = ((int) Files.getAttribute(above, "unix:mode") & STICKY) != 0;
    if (isWritableByOthers(attributes) && !isSticky && !isForOwnGroupOnly(attributes)) {
      throw new IOException(
          folder
              + " can be replaced by others, who may write to "
              + above
              + " above it ("
              + PosixFilePermissions.toString(attributes.permissions())
              + "): chmod go-w that");
    }
  }

  private static boolean isWritableByOthers(PosixFileAttributes attributes) {
    return attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
        || attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE);
  }

  /**
   * Whether only members of the owner's own group may write: where every user has a group of the
   * same name (and a umask of 002), folders such as {@code ~/.cache} are that way.
   */
  private static boolean isForOwnGroupOnly(PosixFileAttributes attributes) {
    return !attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)
        && attributes.group().getName().equals(attributes.owner().getName());
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
