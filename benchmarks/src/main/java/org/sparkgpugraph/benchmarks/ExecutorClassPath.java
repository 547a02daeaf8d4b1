package org.sparkgpugraph.benchmarks;

import java.io.File;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * This JVM's class path for executors on this host. They have another working directory, in which a
 * relative entry names nothing; Spark then fails far from there, in the first lambda of a class
 * that executors do not have: {@code cannot assign instance of java.lang.invoke.SerializedLambda}.
 */
public final class ExecutorClassPath {
  private ExecutorClassPath() {}

  /** The value of {@code spark.executor.extraClassPath}: all entries, absolute. */
  public static String absolute() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
