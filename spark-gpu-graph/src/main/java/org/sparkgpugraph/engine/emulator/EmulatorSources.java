package org.sparkgpugraph.engine.emulator;

import java.util.HashSet;
import java.util.Set;
import org.sparkgpugraph.engine.device.kernels.KernelHeaders;

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
    for (String line : KernelHeaders.resource(FOLDER + file).split("\n")) {
      if (line.startsWith("#include \"")) {
        append(line.substring(10, line.lastIndexOf('"')), text, done);
      } else {
        text.append(line).append('\n');
      }
    }
  }
}
