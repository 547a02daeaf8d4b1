package org.sparkgpugraph.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Gives the workers of {@code local-cluster}, which all run the same discovery script, different
 * GPUs of the host. Each run of the script takes the next addresses that no other took by making a
 * directory, which only one of several can do.
 */
final class GpuHandout {
  private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9-]+");

  private GpuHandout() {}

  /**
   * The addresses of the first GPUs of this host.
   *
   * @param count how many
   * @param visible the variable {@code CUDA_VISIBLE_DEVICES}, whose entries are the addresses then;
   *     null or empty: 0, 1, …
   * @throws IllegalArgumentException when it lists fewer
   */
  static List<String> addresses(int count, String visible) {
    List<String> all = new ArrayList<>();
    if (visible == null || visible.isBlank()) {
      for (int i = 0; i < count; i++) {
        all.add(String.valueOf(i));
      }
      return all;
    }
    for (String entry : visible.split(",")) {
      all.add(entry.strip());
    }
    if (all.size() < count) {
      throw new IllegalArgumentException(
          count + " GPUs are needed, but CUDA_VISIBLE_DEVICES is '" + visible + "'");
    }
    return all.subList(0, count);
  }

  /**
   * Writes the script.
   *
   * @param folder for the script and what it makes; empty
   * @param addresses of all GPUs, those of a worker one after the other; workers may share one
   * @param each how many a worker gets
   * @return the script
   * @throws IllegalArgumentException when an address is none, or a worker would get one twice
   */
  static Path script(Path folder, List<String> addresses, int each) throws IOException {
    List<String> takes = new ArrayList<>();
    for (int from = 0; from + each <= addresses.size(); from += each) {
      List<String> given = addresses.subList(from, from + each);
      for (String address : given) {
        if (!ADDRESS.matcher(address).matches()) {
          throw new IllegalArgumentException("'" + address + "' is not the address of a GPU");
        }
      }
      if (given.stream().distinct().count() < each) {
        throw new IllegalArgumentException(
            "a GPU is there twice for the same executor: " + String.join(", ", given));
      }
      takes.add("take " + takes.size() + " '\"" + String.join("\", \"", given) + "\"'");
    }
    Path script = folder.resolve("gpus.sh");
    Files.writeString(
        script,
        String.join(
            "\n",
            "#!/bin/sh",
            "# Prints the next " + each + " of these GPUs that no other worker has taken.",
            "cd \"$(dirname \"$0\")\" || exit 1",
            "take() {",
            "  if mkdir \"taken-$1\" 2> /dev/null; then",
            "    printf '{\"name\": \"gpu\", \"addresses\": [%s]}\\n' \"$2\"",
            "    exit",
            "  fi",
            "}",
            String.join("\n", takes),
            "echo \"" + each + " more GPUs are needed, but all are taken\" >&2",
            "printf '{\"name\": \"gpu\", \"addresses\": []}\\n'",
            ""));
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }
}
