package org.sparkgpugraph.runtime.conf;

/** Writes the page {@code docs/configuration.md} from the registry. */
public final class ConfigurationPage {
  private static final String HEAD =
      """
      # Configuration

      <!-- Generated from org.sparkgpugraph.runtime.conf.GpuGraphConf; a test compares the two. -->

      A key is looked up in the options of the builder (`.options(…)`, and its own methods such as
      `.engine(…)`), then in the local properties of the calling thread
      (`SparkContext.setLocalProperty`), then in the SparkConf (`--conf`, `spark-defaults.conf`); else
      it has its default. A value that is not valid, and an option that does not exist, is an error
      before anything runs; an unknown key in the SparkConf is a warning.

      | key | type | default | meaning | valid values | since |
      |---|---|---|---|---|---|
      """;

  private ConfigurationPage() {}

  /** The page in Markdown. */
  public static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    for (ConfigEntry<?> entry : GpuGraphConf.entries()) {
      page.append(
          "| `%s` | %s | %s | %s | %s | %s |\n"
              .formatted(
                  entry.key(),
                  entry.type(),
                  entry.defaultText().isEmpty() ? "nothing" : "`" + entry.defaultText() + "`",
                  entry.doc(),
                  entry.validValues(),
                  entry.since()));
    }
    return page.toString();
  }
}
