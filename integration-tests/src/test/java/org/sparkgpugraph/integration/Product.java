package org.sparkgpugraph.integration;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The jars under test and the Spark that they are deployed on. */
final class Product {
  private Product() {}

  /** The shaded library jar. */
  static Path libraryJar() {
    return existing("sgg.library.jar");
  }

  /** The shaded jar of the jobs. */
  static Path examplesJar() {
    return existing("sgg.examples.jar");
  }

  /** The repository's root. */
  static Path root() {
    return Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize().getParent();
  }

  /** The build folder of the Spark line in every module: {@code target} or below it. */
  static String buildFolder() {
    return System.getProperty("sgg.build.folder");
  }

  /** What Spark's scripts give every JVM on Java 17. */
  static List<String> jvmOptions() {
    return List.of(System.getProperty("sgg.jvm.options").split(" "));
  }

  /**
   * A Spark home with the jars of this build's Spark and nothing of the product; the one that
   * {@code SPARK_HOME} names, so that executors of {@code local-cluster} start from it.
   */
  static synchronized Path sparkHome() {
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Path jars = home.resolve("jars");
    Path release = home.resolve("RELEASE");
    String content = "Spark of the integration tests\n" + sparkClassPath() + "\n";
    try {
      // An earlier build in this folder may have been for another Spark.
      if (Files.exists(release) && Files.readString(release).equals(content)) {
        return home;
      }
      Files.createDirectories(jars);
      try (Stream<Path> old = Files.list(jars)) {
        for (Path link : old.toList()) {
          Files.delete(link);
        }
      }
      for (String jar : sparkClassPath().split(File.pathSeparator)) {
        Files.createSymbolicLink(jars.resolve(Path.of(jar).getFileName()), Path.of(jar));
      }
      Files.writeString(release, content);
    } catch (IOException e) {
      throw new UncheckedIOException("making the Spark home " + home, e);
    }
    return home;
  }

  /** The jars of Spark, for tools that do not know wildcards. */
  static String sparkClassPath() {
    try {
      return Files.readString(Path.of(System.getProperty("sgg.spark.jars"))).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("reading the list of Spark's jars", e);
    }
  }

  private static Path existing(String property) {
    Path jar = Path.of(System.getProperty(property)).normalize();
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException(jar + " is not there: run mvn verify, not mvn test");
    }
    return jar;
  }
}
