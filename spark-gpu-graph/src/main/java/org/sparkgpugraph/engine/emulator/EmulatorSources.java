package org.sparkgpugraph.engine.emulator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** The emulator's C++ sources, each with its own headers pasted in. */
final class EmulatorSources {
  private static final String FOLDER = "/org/sparkgpugraph/kernels/emulator/";

  private EmulatorSources() {}

  /** What stands before the text of a program. */
  static String prelude() {
    return expand("prelude.h");
  }

  /** What is compiled once. */
  static String runtime() {
    return expand("runtime.cpp");
  }

  private static String expand(String file) {
    StringBuilder text = new StringBuilder();
    append(file, text, new HashSet<>());
    return text.toString();
  }

  private static void append(String file, StringBuilder text, Set<String> done) {
    if (!done.add(file)) {
      return;
    }
    for (String line : read(file).split("\n")) {
      if (line.startsWith("#include \"")) {
        append(line.substring(10, line.lastIndexOf('"')), text, done);
      } else {
        text.append(line).append('\n');
      }
    }
  }

  private static String read(String file) {
    try (InputStream in = EmulatorSources.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalStateException(
            FOLDER + file + " is missing on the class path: it comes with the kernels module");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + FOLDER + file, e);
    }
  }
}
