package org.sparkgpugraph.engine.emulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.sparkgpugraph.engine.device.PrivateFolder;

/**
 * The folder that keeps compiled libraries. Code is loaded from it, so it belongs to this user
 * alone: a folder that others own or may write to is refused.
 */
final class EmulatorCache {
  /**
   * System property that names the folder. Not below {@code spark.}: Spark would take it for a
   * setting of its own.
   */
  static final String KEY = "gpugraph.emulator.cache";

  private EmulatorCache() {}

  /**
   * The folder, created when it is missing.
   *
   * @throws UncheckedIOException when others may write to it, or it cannot be made
   */
  static Path folder() {
    String configured = System.getProperty(KEY);
    Path folder =
        configured != null
            ? Path.of(configured)
            : Path.of(
                System.getProperty("java.io.tmpdir"),
                "spark-gpu-graph-emulator-" + System.getProperty("user.name"));
    try {
      return PrivateFolder.open(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot keep compiled kernels in "
              + folder
              + ": "
              + e.getMessage()
              + "; -D"
              + KEY
              + " names another folder",
          e);
    }
  }
}
