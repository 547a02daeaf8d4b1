package org.sparkgpugraph.runtime.run;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.stage.RunTask;

/**
 * Opens a GPU and compiles a program's kernels while the graph is loaded, where the driver is the
 * executor: for a program that is new both take as long as a load. It is only a start: what fails
 * here is tried again, and told, by the run.
 */
final class Preparation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

  private final Thread thread;

  private Preparation(Thread thread) {
    this.thread = thread;
  }

  /**
   * Starts.
   *
   * @param task what will run; its graph is not read
   * @param partitions that the graph will probably have
   */
  static Preparation start(RunTask task, int partitions) {
    if (task.engine() != EngineChoice.CUDA && task.engine() != EngineChoice.AUTO) {
      return new Preparation(null);
    }
    return new Preparation(begin(() -> prepare(task, partitions)));
  }

  private static Thread begin(Runnable work) {
    Thread thread = new Thread(work, "gpugraph-prepare");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void prepare(RunTask task, int partitions) {
    long start = System.nanoTime();
    attempt(
        () -> {
          try (Selection selection =
              ExecutorRegistry.engines()
                  .select(task.engine(), task.device(), List.of(), partitions)) {
            PhaseTimes.ended("prepare: open the device", start);
            prepare(task, selection.engine(), partitions);
          }
        });
    PhaseTimes.ended("prepare beside the load", start);
  }

  /** Kernels of the program and those that make rows are compiled side by side. */
  private static void prepare(RunTask task, Engine engine, int partitions) {
    try (Preparation rows =
        new Preparation(
            preparesRows(task) && partitions == 1
                ? begin(() -> attempt(engine::prepareRows))
                : null)) {
      task.computation().prepare(engine, partitions);
    }
  }

  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("a run cannot be prepared", e);
    }
  }

  /**
   * Whether the kernels that make rows are compiled, too. How many edges there are is not known
   * yet: where that decides, they are for programs only, which wait for a compiler anyway.
   */
  private static boolean preparesRows(RunTask task) {
    return switch (task.device().buildRows()) {
      case HOST -> false;
      case DEVICE -> true;
      case AUTO -> task.computation() instanceof ProgramComputation;
    };
  }

  /** Waits for the end. */
  @Override
  public void close() {
    boolean interrupted = false;
    while (thread != null && thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
