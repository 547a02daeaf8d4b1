package org.sparkgpugraph.run;

/**
 * How a run is carried out, apart from what it computes. What is null comes from the Spark
 * configuration ({@code docs/configuration.md}).
 *
 * @param engine which engine; {@code spark.gpugraph.engine}
 * @param kernel how supersteps walk the graph; {@code spark.gpugraph.kernel}
 * @param partitions into how many partitions a graph is cut when it is loaded; {@code
 *     spark.gpugraph.partitions}
 * @param executors number of executors that a graph is spread over when it is loaded, 0: chosen;
 *     {@code spark.gpugraph.executors}
 * @param fallback what to do with a program that cannot be lifted; {@code spark.gpugraph.fallback}
 * @param observer who hears of supersteps and of the end; never null
 */
public record RunOptions(
    EngineChoice engine,
    KernelChoice kernel,
    Integer partitions,
    Integer executors,
    Fallback fallback,
    RunObserver observer) {

  /** Everything from the Spark configuration. */
  public static final RunOptions DEFAULT =
      new RunOptions(null, null, null, null, null, RunObserver.NONE);

  /** What to do with a program that cannot be lifted. */
  public enum Fallback {
    /** Run it on stock GraphX, one log line per reason. */
    AUTO,
    /** Refuse it, with every reason. */
    NEVER,
    /** Run every program on stock GraphX. */
    ALWAYS
  }

  public RunOptions {
    if (partitions != null && partitions < 1) {
      throw new IllegalArgumentException("partitions must be at least 1, but got " + partitions);
    }
    if (executors != null && executors < 0) {
      throw new IllegalArgumentException(
          "executors must be positive, or 0 to choose, but got " + executors);
    }
    if (observer == null) {
      throw new IllegalArgumentException("observer is null; use RunObserver.NONE");
    }
  }

  /** These options with another engine. */
  public RunOptions withEngine(EngineChoice engine) {
    return new RunOptions(engine, kernel, partitions, executors, fallback, observer);
  }

  /** These options with another kernel. */
  public RunOptions withKernel(KernelChoice kernel) {
    return new RunOptions(engine, kernel, partitions, executors, fallback, observer);
  }

  /** These options with another number of partitions. */
  public RunOptions withPartitions(int partitions) {
    return new RunOptions(engine, kernel, partitions, executors, fallback, observer);
  }

  /** These options with another number of executors; 0: chosen. */
  public RunOptions withExecutors(int executors) {
    return new RunOptions(engine, kernel, partitions, executors, fallback, observer);
  }

  /** These options with another fallback. */
  public RunOptions withFallback(Fallback fallback) {
    return new RunOptions(engine, kernel, partitions, executors, fallback, observer);
  }

  /** These options with another observer. */
  public RunOptions withObserver(RunObserver observer) {
    return new RunOptions(engine, kernel, partitions, executors, fallback, observer);
  }
}
