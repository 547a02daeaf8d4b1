package org.sparkgpugraph.files.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;

/**
 * Changes of a file system that happen as a whole or not at all, whatever other processes do at the
 * same moment. Hadoop's local file system looks first and acts then, so local files are changed by
 * the system's own calls.
 */
public abstract class AtomicSteps {
  /** Schemes of file systems that rename a directory in one step, other than the local one. */
  private static final Set<String> RENAMING = Set.of("hdfs", "webhdfs", "swebhdfs");

  public static AtomicSteps of(FileSystem fs) {
    String scheme = fs.getUri().getScheme();
    if (scheme.equals("file")) {
      return new Local();
    }
    return RENAMING.contains(scheme) ? new Renaming(fs) : new Store(fs);
  }

  /** Whether directories can be renamed; where not they are copied file by file. */
  abstract boolean canRename();

  /**
   * Makes a file with a text, and its directory where that is missing.
   *
   * @throws IOException when the file exists, among others; a file that could be made but not
   *     filled is gone then
   */
  final void create(Path file, String text) throws IOException {
    boolean filled = false;
    OutputStream out = open(file);
    try (out) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.close();
      filled = true;
    } finally {
      if (!filled) {
        unfilled(file);
      }
    }
  }

  /** Makes the file, or throws that it exists. */
  abstract OutputStream open(Path file) throws IOException;

  /** Removes a file that {@link #open} has made. */
  abstract void unfilled(Path file) throws IOException;

  /**
   * Renames a directory.
   *
   * @throws IOException when the new name exists, among others
   */
  abstract void rename(Path from, Path to) throws IOException;

  /** Removes a directory unless something is in it. */
  abstract void removeIfEmpty(Path directory) throws IOException;

  /** Whether a path is a symbolic link, wherever it leads. */
  abstract boolean isLink(Path path);

  /** The file system of this host. */
  private static final class Local extends AtomicSteps {
    private static java.nio.file.Path local(Path path) {
      return java.nio.file.Path.of(path.toUri().getPath());
    }

    @Override
    boolean canRename() {
      return true;
    }

    @Override
    OutputStream open(Path file) throws IOException {
      java.nio.file.Path local = local(file);
      try {
        Files.createDirectory(local.getParent());
      } catch (FileAlreadyExistsException e) {
        // Made before: opening the file tells whether it is a directory.
      }
      return Files.newOutputStream(local, StandardOpenOption.CREATE_NEW);
    }

    @Override
    void unfilled(Path file) throws IOException {
      Files.delete(local(file));
    }

    @Override
    void rename(Path from, Path to) throws IOException {
      Files.move(local(from), local(to));
    }

    @Override
    void removeIfEmpty(Path directory) throws IOException {
      try {
        Files.deleteIfExists(local(directory));
      } catch (DirectoryNotEmptyException e) {
        // As asked for.
      }
    }

    @Override
    boolean isLink(Path path) {
      return Files.isSymbolicLink(local(path));
    }
  }

  /**
   * Any other file system. Creating a file that must not exist is atomic in most; S3A looks first
   * and writes when the file is closed, so that two may have made it: the last one has.
   */
  private static class Store extends AtomicSteps {
    final FileSystem fs;

    Store(FileSystem fs) {
      this.fs = fs;
    }

    @Override
    boolean canRename() {
      return false;
    }

    @Override
    OutputStream open(Path file) throws IOException {
      return fs.create(file, false);
    }

    /** Not removed: it appears when it is closed, and this one may be another process's. */
    @Override
    void unfilled(Path file) throws IOException {}

    @Override
    void rename(Path from, Path to) throws IOException {
      throw new UnsupportedOperationException("directories of " + fs.getUri());
    }

    @Override
    void removeIfEmpty(Path directory) throws IOException {
      try {
        if (fs.exists(directory) && fs.listStatus(directory).length == 0) {
          fs.delete(directory, false);
        }
      } catch (PathIsNotEmptyDirectoryException e) {
        // As asked for.
      }
    }

    @Override
    boolean isLink(Path path) {
      return false;
    }
  }

  /** One that keeps its directories in one place, as HDFS's NameNode does. */
  private static final class Renaming extends Store {
    Renaming(FileSystem fs) {
      super(fs);
    }

    @Override
    boolean canRename() {
      return true;
    }

    @Override
    void unfilled(Path file) throws IOException {
      fs.delete(file, false);
    }

    /** Not by the FileSystem, which moves into a directory that exists. */
    @Override
    void rename(Path from, Path to) throws IOException {
      FileContext.getFileContext(fs.getUri(), fs.getConf()).rename(from, to);
    }
  }
}
