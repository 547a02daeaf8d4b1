package io.sparkgpugraph.io;

import java.net.UnknownHostException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/** Says in a user's words why a path's file system cannot be used. */
final class Unreachable {
  private Unreachable() {}

  /**
   * The exception for a path.
   *
   * @param action what was wanted: {@code read} or {@code write to}
   * @param error what Hadoop threw
   */
  static BadInputException exception(String action, String path, Throwable error) {
    return new BadInputException("cannot " + action + " '" + path + "': " + reason(error), error);
  }

  private static String reason(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof UnknownHostException) {
        return "there is no host '" + e.getMessage() + "'; check the path";
      }
      if (e instanceof ClassNotFoundException || e instanceof UnsupportedFileSystemException) {
        return EdgeLoader.firstLine(e)
            + "; check the scheme, or add the jar of its file system to the class path"
            + " (--packages of spark-submit)";
      }
    }
    String message = error.getMessage() == null ? error.toString() : EdgeLoader.firstLine(error);
    return message + "; check the path";
  }
}
