package org.sparkgpugraph.files.input;

import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/** Says in a user's words why a path's file system cannot be used. */
public final class Unreachable {
  private Unreachable() {}

  /**
   * The exception for a path.
   *
   * @param action what was wanted: {@code read} or {@code write to}
   * @param error what Hadoop threw
   */
  public static BadInputException exception(String action, String path, Throwable error) {
    return new BadInputException("cannot " + action + " '" + path + "': " + reason(error), error);
  }

  private static String reason(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof UnknownHostException) {
        return "there is no host '" + e.getMessage() + "'; check the path";
      }
      if (e instanceof ClassNotFoundException || e instanceof UnsupportedFileSystemException) {
        return firstLine(e)
            + "; check the scheme, or add the jar of its file system to the class path"
            + " (--packages of spark-submit)";
      }
    }
    return message(error) + "; check the path";
  }

  /**
   * The first line of a message. Those of Java's local files are the path alone, for what is usual.
   */
  public static String message(Throwable error) {
    String missing =
        error instanceof AccessDeniedException
            ? ": permission denied"
            : error instanceof NoSuchFileException
                ? ": no such file or directory"
                : error instanceof FileAlreadyExistsException ? ": it exists already" : "";
    return firstLine(error) + missing;
  }

  /** The first line of a message, or the exception's class where it has none. */
  static String firstLine(Throwable error) {
    String message = error.getMessage() == null ? error.toString() : error.getMessage();
    return message.lines().findFirst().orElse(error.toString());
  }
}
