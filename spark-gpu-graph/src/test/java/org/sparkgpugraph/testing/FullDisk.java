package org.sparkgpugraph.testing;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.util.function.BiPredicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * The local files under another scheme, on a disk that is full, or broken, when a test says so:
 * Hadoop throws {@link FSError} then, which is no exception. One disk for a JVM.
 */
public final class FullDisk extends RawLocalFileSystem {
  /** Before a local path. */
  public static final String SCHEME = "fulldisk";

  private static final URI ROOT = URI.create(SCHEME + ":///");
  private static final BiPredicate<Action, Path> NEVER = (action, path) -> false;

  private static volatile BiPredicate<Action, Path> fails = NEVER;

  /** What may fail. */
  public enum Action {
    MAKE_FOLDER,
    CREATE,
    WRITE,
    CLOSE,
    RENAME,
    DELETE,
    LOOK,
    OPEN
  }

  /** Has a configuration know the scheme. */
  public static void addTo(Configuration conf) {
    conf.set("fs." + SCHEME + ".impl", FullDisk.class.getName());
  }

  /** Fails from now on at what a test says, until {@link #repair}. */
  public static void failAt(BiPredicate<Action, Path> what) {
    fails = what;
  }

  /** Fails no more. */
  public static void repair() {
    fails = NEVER;
  }

  private static void check(Action action, Path path) {
    if (fails.test(action, path)) {
      throw error(new IOException("No space left on device"));
    }
  }

  private static FSError error(IOException cause) {
    try {
      // Only Hadoop's own file systems are to make one.
      Constructor<FSError> constructor = FSError.class.getDeclaredConstructor(Throwable.class);
      constructor.setAccessible(true);
      return constructor.newInstance(cause);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public URI getUri() {
    return ROOT;
  }

  @Override
  public boolean mkdirs(Path path) throws IOException {
    check(Action.MAKE_FOLDER, path);
    return super.mkdirs(path);
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    check(Action.CREATE, path);
    return new FSDataOutputStream(
        new Filling(
            path, super.create(path, overwrite, bufferSize, replication, blockSize, progress)),
        new FileSystem.Statistics(SCHEME));
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    return create(path, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    check(Action.OPEN, path);
    return super.open(path, bufferSize);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    check(Action.RENAME, from);
    return super.rename(from, to);
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    check(Action.DELETE, path);
    return super.delete(path, recursive);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    check(Action.LOOK, path);
    return super.getFileStatus(path);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    check(Action.LOOK, path);
    return super.exists(path);
  }

  private static final class Filling extends FilterOutputStream {
    private final Path path;

    Filling(Path path, OutputStream to) {
      super(to);
      this.path = path;
    }

    @Override
    public void write(int value) throws IOException {
      check(Action.WRITE, path);
      out.write(value);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      check(Action.WRITE, path);
      out.write(bytes, from, count);
    }

    @Override
    public void close() throws IOException {
      super.close();
      check(Action.CLOSE, path);
    }
  }
}
