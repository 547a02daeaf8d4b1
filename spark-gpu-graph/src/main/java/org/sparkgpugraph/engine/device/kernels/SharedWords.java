package org.sparkgpugraph.engine.device.kernels;

/**
 * Numbers that host and kernels share, as macros: they are defined here alone, and every
 * translation unit of a program gets them.
 */
final class SharedWords {
  private SharedWords() {}

  /** {@code #define} lines. */
  static String macros() {
    StringBuilder out = new StringBuilder();
    define(out, "STATUS_", StatusWord.values());
    define(out, "STATUS_AGGREGATES", StatusWord.COUNT);
    define(out, "RING_", RingWord.values());
    define(out, "RING_WORDS", RingWord.COUNT);
    define(out, "PUSHED_", QueueWord.values());
    define(out, "PUSH_PART", PushLayout.PART);
    return out.toString();
  }

  private static void define(StringBuilder out, String prefix, Enum<?>[] words) {
    for (Enum<?> word : words) {
      define(out, prefix + word.name(), word.ordinal());
    }
  }

  private static void define(StringBuilder out, String name, int value) {
    out.append("#define SGG_").append(name).append(' ').append(value).append('\n');
  }
}
