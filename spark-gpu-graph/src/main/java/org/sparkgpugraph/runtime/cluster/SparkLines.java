package org.sparkgpugraph.runtime.cluster;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Spark lines that the jars are for: one jar for each Scala version, for all lines below it.
 * The library stands on classes that Spark does not promise to keep, so another line is refused
 * before it fails somewhere.
 */
public final class SparkLines {
  private static final TreeMap<String, List<String>> LINES_BY_SCALA =
      new TreeMap<>(Map.of("2.12", List.of("3.5"), "2.13", List.of("3.5", "4.0", "4.1")));

  /** Distributions add to Spark's version: {@code 3.5.1-amzn-0}. */
  private static final Pattern LINE = Pattern.compile("(\\d+\\.\\d+)(\\D.*)?");

  private SparkLines() {}

  /**
   * Checks the Spark of this JVM.
   *
   * @throws IllegalStateException if this jar is not for it, with those that there are
   */
  public static void check() {
    check(
        org.apache.spark.package$.MODULE$.SPARK_VERSION(),
        scala.util.Properties.versionNumberString(),
        ScalaCompat.SCALA);
  }

  /**
   * Checks a Spark.
   *
   * @param spark its version, for example 3.5.5
   * @param scala the version of its Scala, for example 2.12.18
   * @param jar the Scala version that the jar is for, for example 2.12
   * @throws IllegalStateException if the jar is not for it, with those that there are
   */
  public static void check(String spark, String scala, String jar) {
    String sparkLine = line(spark);
    String scalaLine = line(scala);
    if (scalaLine.equals(jar) && LINES_BY_SCALA.get(jar).contains(sparkLine)) {
      return;
    }
    boolean other = LINES_BY_SCALA.getOrDefault(scalaLine, List.of()).contains(sparkLine);
    throw new IllegalStateException(
        "this is Spark %s with Scala %s, which %s is not for: %s; there are %s"
            .formatted(
                spark,
                scala,
                name(jar),
                other ? "take " + name(scalaLine) : "no spark-gpu-graph is",
                LINES_BY_SCALA.entrySet().stream()
                    .map(e -> name(e.getKey()) + " for Spark " + String.join(", ", e.getValue()))
                    .collect(Collectors.joining(", and "))));
  }

  private static String name(String scala) {
    return "spark-gpu-graph_" + scala;
  }

  private static String line(String version) {
    Matcher line = LINE.matcher(version);
    return line.matches() ? line.group(1) : version;
  }
}
