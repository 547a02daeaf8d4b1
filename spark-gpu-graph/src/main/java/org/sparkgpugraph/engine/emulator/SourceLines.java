package org.sparkgpugraph.engine.emulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines of a source that addresses in its library belong to, as binutils' addr2line finds them; the
 * addresses themselves when it is missing.
 */
final class SourceLines {
  private static final Logger LOG = LoggerFactory.getLogger(SourceLines.class);

  /** How the runtime writes an address. */
  private static final Pattern ADDRESS = Pattern.compile("@0x([0-9a-f]+)@");

  private final Path library;
  private final String file;

  /**
   * @param library compiled with line tables, or not
   * @param file name of the source in its line table
   */
  SourceLines(Path library, String file) {
    this.library = library;
    this.file = file;
  }

  /** Replaces the addresses in a message. */
  String explain(String message) {
    Matcher matcher = ADDRESS.matcher(message);
    return matcher.replaceAll(match -> Matcher.quoteReplacement(line(match.group(1))));
  }

  private String line(String address) {
    String unknown = "address 0x" + address + " of " + library;
    try {
      // Innermost function first; the first one that is in the source and not in the prelude.
      Process process =
          new ProcessBuilder(List.of("addr2line", "-i", "-e", library.toString(), "0x" + address))
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return said.lines()
          .filter(line -> line.contains(file + ":"))
          .map(line -> line.substring(line.indexOf(file + ":") + file.length() + 1))
          .map(line -> "line " + line.replaceAll("[^0-9].*", ""))
          .findFirst()
          .orElse(unknown);
    } catch (IOException e) {
      LOG.debug("addr2line cannot be run, so messages have no lines", e);
      return unknown;
    }
  }
}
