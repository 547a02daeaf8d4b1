package org.sparkgpugraph.testing;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main class of the tests in a JVM of its own, where it may start its own Spark. */
public final class JobProcess {
  private static final String LOGGING = "log4j2.configurationFile";

  private JobProcess() {}

  /** What a JVM printed, and how it ended. */
  public record Ended(int status, String output) {}

  /** Waits for its end. */
  public static Ended run(Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return run("512m", main, arguments);
  }

  /**
   * Waits for its end.
   *
   * @param heap as {@code -Xmx} takes it
   */
  public static Ended run(String heap, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    Process process = start(heap, main, arguments);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  /**
   * Does not wait.
   *
   * @param heap as {@code -Xmx} takes it
   * @return the process, whose errors are in its output
   */
  public static Process start(String heap, Class<?> main, String... arguments) throws IOException {
    return start(classPath(), heap, main, arguments);
  }

  /** The folders and jars of this JVM's class path. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /**
   * As above, with other classes.
   *
   * @param classPath folders and jars, as {@code -cp} takes them
   */
  public static Process start(String classPath, String heap, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      // With the collector and the compiler of this JVM, too: these live a few seconds.
      if (argument.startsWith("--add-opens")
          || argument.startsWith("-Djdk.")
          || argument.startsWith("-XX:")) {
        command.add(argument);
      }
    }
    // As this JVM logs: thousands of lines of Spark about jobs and tasks are nobody's.
    String logging = System.getProperty(LOGGING);
    if (logging != null) {
      command.add("-D" + LOGGING + "=" + logging);
    }
    command.add("-cp");
    command.add(classPath);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
