package org.sparkgpugraph.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.util.TaskCompletionListener;

/**
 * A Spark plugin that lets tasks fail whose work is done already: what they have changed is
 * changed, but Spark hears of nothing and runs them again.
 */
public final class TaskFaults implements SparkPlugin {
  /** Folder in which {@link #arm} leaves a file for each task that is to fail. */
  static final String FOLDER = "spark.test.faults";

  /** Lets the next task to end on any executor fail. */
  static void arm(Path folder, int number) throws IOException {
    Files.createFile(folder.resolve("fault-" + number));
  }

  /**
   * Lets the next task to end fail on any executor but one that holds a graph.
   *
   * @param spared id of an executor whose tasks go on well
   */
  static void armWhereHeld(Path folder, int number, String spared) throws IOException {
    Files.createFile(folder.resolve("held-" + spared + "-" + number));
  }

  /** Takes back what has not happened. */
  static void disarm(Path folder) throws IOException {
    for (Path file : Cluster.files(folder)) {
      Files.deleteIfExists(file);
    }
  }

  /** How many of them have not happened. */
  static int armed(Path folder) {
    return Cluster.files(folder).size();
  }

  @Override
  public DriverPlugin driverPlugin() {
    return null;
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new OnExecutor();
  }

  private static final class OnExecutor implements ExecutorPlugin {
    private Path folder;
    private String id;

    @Override
    public void init(PluginContext context, Map<String, String> extra) {
      folder = Path.of(context.conf().get(FOLDER));
      id = context.executorID();
    }

    @Override
    public void onTaskStart() {
      TaskContext.get().addTaskCompletionListener((TaskCompletionListener) task -> fail());
    }

    private void fail() {
      for (Path file : Cluster.files(folder)) {
        if (!isMeant(file.getFileName().toString())) {
          continue;
        }
        try {
          Files.delete(file);
        } catch (NoSuchFileException e) {
          // Another executor's task fails by it.
          continue;
        } catch (IOException e) {
          throw new UncheckedIOException("taking " + file, e);
        }
        throw new IllegalStateException("a fault of the test, " + file.getFileName());
      }
    }

    private boolean isMeant(String name) {
      return !name.startsWith("held-")
          || !name.startsWith("held-" + id + "-") && !Remote.heldHere().equals(Remote.NOTHING);
    }
  }
}
