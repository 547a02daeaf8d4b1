package org.sparkgpugraph.files.input;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * The files that input paths stand for: those of directories and their subdirectories, and matches
 * of globs. A path that exists as it is written is no glob, so that {@code f[1].e} can be read.
 * Hadoop's own listing of input is not used: it takes every path for a glob, which makes names with
 * a colon unreadable, and it passes over folders of hidden files in silence.
 *
 * @param files the files, in the order of the paths
 * @param named those of them that a path names itself, without a directory or a glob
 * @param leftOut number of files and directories whose hidden names have left them out
 */
public record InputFiles(List<FileStatus> files, List<Path> named, int leftOut) {
  /**
   * Looks for the files.
   *
   * @param paths separated by commas outside braces
   * @throws BadInputException when a path matches nothing, or nothing that is not hidden, or cannot
   *     be accessed
   */
  public static InputFiles of(String paths, Configuration conf) {
    if (paths.isBlank()) {
      throw new BadInputException("the input path is empty");
    }
    InputFiles all = new InputFiles(new ArrayList<>(), new ArrayList<>(), 0);
    for (String path : split(paths)) {
      try {
        all = all.and(find(path, conf));
      } catch (BadInputException e) {
        throw e;
      } catch (FileNotFoundException e) {
        throw new BadInputException("no file matches " + path + ": check the path", e);
      } catch (IOException | RuntimeException | FSError e) {
        throw Unreachable.exception("read", path, e);
      }
    }
    return all;
  }

  private InputFiles and(InputFiles more) {
    files.addAll(more.files);
    named.addAll(more.named);
    return new InputFiles(files, named, leftOut + more.leftOut);
  }

  /** Bytes of all files. */
  public long bytes() {
    return files.stream().mapToLong(FileStatus::getLen).sum();
  }

  /** Commas separate paths, but not within the braces of a glob. */
  static List<String> split(String paths) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < paths.length(); i++) {
      char c = paths.charAt(i);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(paths.substring(from, i));
        from = i + 1;
      }
    }
    parts.add(paths.substring(from));
    return parts;
  }

  /**
   * The path that a user has written.
   *
   * @throws IllegalArgumentException when it is none
   */
  static Path path(String text) {
    try {
      return new Path(text);
    } catch (IllegalArgumentException e) {
      if (text.indexOf(':') > 0) {
        // A relative name with a colon, x:y.e, which Hadoop takes for a scheme.
        return new Path(null, null, text);
      }
      throw e;
    }
  }

  private static InputFiles find(String text, Configuration conf) throws IOException {
    Path written = path(text);
    FileSystem fs = written.getFileSystem(conf);
    Path path = fs.makeQualified(written);
    FileStatus literal = status(fs, path);
    InputFiles found = new InputFiles(new ArrayList<>(), new ArrayList<>(), 0);
    if (literal != null) {
      if (literal.isFile()) {
        found.named.add(literal.getPath());
      }
      found = found.add(fs, literal);
    } else {
      FileStatus[] matches = isGlob(path.toString()) ? glob(fs, path) : null;
      if (matches == null || matches.length == 0) {
        throw new BadInputException("no file matches " + path + ": check the path");
      }
      for (FileStatus match : matches) {
        found = hidden(match) ? found.without() : found.add(fs, match);
      }
    }
    if (found.files.isEmpty()) {
      throw new BadInputException(
          found.leftOut == 0
              ? "there are no files in " + path + ": check the path"
              : ("there is nothing to read in %s: all its files are hidden (%s%s with _ or .):"
                      + " rename them, or give the path of each")
                  .formatted(
                      path, found.leftOut, found.leftOut == 1 ? " name begins" : " names begin"));
    }
    return found;
  }

  private InputFiles without() {
    return new InputFiles(files, named, leftOut + 1);
  }

  /** The status of a file or directory of just this name; null when there is none. */
  private static FileStatus status(FileSystem fs, Path path) throws IOException {
    try {
      FileStatus status = fs.getFileStatus(path);
      if (status.getLen() < 0) {
        throw new BadInputException(
            ("cannot read '%s': Hadoop cannot list files over %s: download the file first"
                    + " (curl -O) and read the copy")
                .formatted(path, fs.getUri().getScheme()));
      }
      return status;
    } catch (FileNotFoundException e) {
      return null;
    } catch (IllegalArgumentException e) {
      // A glob whose characters the file system takes in no name.
      return null;
    }
  }

  /** Whether Hadoop takes a path for a pattern. */
  static boolean isGlob(String path) {
    return path.chars().anyMatch(c -> "{}[]*?\\".indexOf(c) >= 0);
  }

  private static FileStatus[] glob(FileSystem fs, Path path) throws IOException {
    try {
      return fs.globStatus(path);
    } catch (IllegalArgumentException e) {
      if (e.getCause() instanceof URISyntaxException name) {
        throw new BadInputException(
            ("cannot read '%s': Hadoop's globs cannot pass by the name '%s', which has a"
                    + " colon: rename it, or give the directory or each file instead")
                .formatted(path, name.getInput()),
            e);
      }
      throw e;
    }
  }

  /** Adds a file, or what is below a directory. */
  private InputFiles add(FileSystem fs, FileStatus found) throws IOException {
    if (found.isFile()) {
      files.add(found);
      return this;
    }
    int hidden = leftOut;
    Deque<Path> directories = new ArrayDeque<>(List.of(found.getPath()));
    while (!directories.isEmpty()) {
      RemoteIterator<LocatedFileStatus> children = fs.listLocatedStatus(directories.pop());
      while (children.hasNext()) {
        LocatedFileStatus child = children.next();
        if (hidden(child)) {
          hidden++;
        } else if (child.isDirectory()) {
          directories.push(child.getPath());
        } else {
          files.add(child);
        }
      }
    }
    return new InputFiles(files, named, hidden);
  }

  private static boolean hidden(FileStatus file) {
    String name = file.getPath().getName();
    return name.startsWith("_") || name.startsWith(".");
  }
}
