package org.sparkgpugraph.engine.device.tuning;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.Digests;

/**
 * What trials have found, on disk beside the compiled kernels. Losing it costs trials and nothing
 * else, so nothing locks: it appears whole by a rename, of two processes that write at the same
 * time one loses what it added, and one that is not whole is found out by its digest and ignored.
 *
 * <p>File {@code choices.tuned}, lines of UTF-8: a head with the version of this layout; for each
 * choice digest of the program, part, class of the graph, GPU, way, nanoseconds an edge, those of
 * the default and number of ways, with tabs between them; the SHA-256 of all lines before.
 */
final class ChoiceFile {
  static final String NAME = "choices.tuned";
  static final String HEAD = "spark-gpu-graph choices 1";

  private static final Logger LOG = LoggerFactory.getLogger(ChoiceFile.class);
  private static final String PARTIAL = ".partial";

  /** The oldest go when there are more. */
  private static final int MOST = 4096;

  private static final int FIELDS = 8;

  private final Path folder;

  ChoiceFile(Path folder) {
    this.folder = folder;
  }

  /** All that is there; nothing, with a line in the log, where the file is damaged. */
  Map<ChoiceKey, Choice> read() {
    Path file = folder.resolve(NAME);
    try {
      return parsed(Files.readAllLines(file, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return Map.of();
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn(
          "what was tuned before is ignored, {} is damaged or of another version: {}",
          file,
          e.toString());
      return Map.of();
    }
  }

  private static Map<ChoiceKey, Choice> parsed(List<String> lines) {
    int last = lines.size() - 1;
    if (last < 1 || !lines.get(0).equals(HEAD)) {
      throw new IllegalArgumentException("it does not begin with '" + HEAD + "'");
    }
    if (!lines.get(last).equals(digest(lines.subList(0, last)))) {
      throw new IllegalArgumentException("the digest is another one");
    }
    Map<ChoiceKey, Choice> choices = new LinkedHashMap<>();
    for (String line : lines.subList(1, last)) {
      String[] fields = line.split("\t", -1);
      if (fields.length != FIELDS) {
        throw new IllegalArgumentException(fields.length + " fields: " + line);
      }
      choices.put(
          new ChoiceKey(fields[0], TunedPart.valueOf(fields[1]), fields[2], fields[3]),
          new Choice(
              fields[4],
              Double.parseDouble(fields[5]),
              Double.parseDouble(fields[6]),
              Integer.parseInt(fields[7])));
    }
    return choices;
  }

  private static String line(ChoiceKey key, Choice choice) {
    return String.join(
        "\t",
        key.program(),
        key.part().name(),
        key.graph(),
        key.gpu(),
        choice.title(),
        Double.toString(choice.nanosPerEdge()),
        Double.toString(choice.defaultNanosPerEdge()),
        Integer.toString(choice.ways()));
  }

  private static String digest(List<String> lines) {
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return Digests.hex(Digests.sha256().digest(text));
  }

  /** Adds one to what is there. Failing to is logged: it can be tuned again. */
  void add(ChoiceKey key, Choice choice) {
    Map<ChoiceKey, Choice> choices = new LinkedHashMap<>(read());
    choices.remove(key);
    choices.put(key, choice);
    List<String> lines = new ArrayList<>(List.of(HEAD));
    choices.entrySet().stream()
        .skip(Math.max(0, choices.size() - MOST))
        .forEach(entry -> lines.add(line(entry.getKey(), entry.getValue())));
    lines.add(digest(lines));
    try {
      Path partial = Files.createTempFile(folder, NAME, PARTIAL);
      try {
        Files.write(partial, lines, StandardCharsets.UTF_8);
        Files.move(partial, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(partial);
      }
    } catch (IOException e) {
      LOG.warn("what was tuned cannot be kept in {}: {}", folder, e.toString());
    }
  }
}
