package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads what GraphJob wrote as text. */
final class Ranks {
  private Ranks() {}

  /** The values by id; every id must occur once, and the output be complete. */
  static TreeMap<Long, Double> read(Path output) throws IOException {
    assertThat(output.resolve("_SUCCESS")).exists();
    TreeMap<Long, Double> ranks = new TreeMap<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("part-")).toList()) {
        for (String line : Files.readAllLines(file)) {
          String[] columns = line.split("\t");
          assertThat(ranks.put(Long.valueOf(columns[0]), Double.valueOf(columns[1]))).isNull();
        }
      }
    }
    return ranks;
  }
}
