package org.sparkgpugraph.adapter.transparent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.testing.JobProcess;

/** A job that knows GraphX alone, with transparent mode and without it: the same results. */
class TransparentModeTest {
  private static final Pattern OURS = Pattern.compile("CallHook: (\\S+) ran on spark-gpu-graph");
  private static final Pattern STOCK =
      Pattern.compile("CallHook: (\\S+) (runs on stock GraphX|ran on stock GraphX)");

  @Test
  void anUnchangedJobRunsHereAndGivesGraphXsResults() throws Exception {
    JobProcess.Ended ended = JobProcess.run(TransparentModeJob.class);
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("same results: 25", "transparent mode is on");
    String first = part(ended.output(), "--- transparent", "--- without");
    assertThat(count(OURS, first))
        .as(first)
        .hasToString(
            "{Pregel.apply=2, lib.ConnectedComponents.run=3, lib.PageRank.run=3,"
                + " lib.PageRank.runUntilConvergence=2,"
                + " lib.PageRank.runUntilConvergenceWithOptions=1, lib.PageRank.runWithOptions=1,"
                + " lib.PageRank.runWithOptionsWithPreviousPageRank=1,"
                + " lib.ShortestPaths.run=1, lib.StronglyConnectedComponents.run=1,"
                + " lib.TriangleCount.run=2}");
    // Strings; no vertex or no number of times; what differs; a division by zero.
    assertThat(count(STOCK, first))
        .as(first)
        .hasToString(
            "{Pregel.apply=2, lib.LabelPropagation.run=1, lib.PageRank.run=1,"
                + " lib.PageRank.runParallelPersonalizedPageRank=1, lib.PageRank.runWithOptions=1,"
                + " lib.ShortestPaths.run=2, lib.StronglyConnectedComponents.run=1}");
    assertThat(ended.output())
        .contains(
            "no iterations java.lang.IllegalArgumentException: requirement failed: Number of");
    // Of the context without the key nothing is heard.
    assertThat(part(ended.output(), "--- without", "--- keys")).doesNotContain("CallHook");
    String keys = part(ended.output(), "--- keys", "--- options");
    assertThat(keys)
        .contains("lib.PageRank.run runs on stock GraphX: spark.gpugraph.transparent.p");
    assertThat(count(OURS, keys)).isEmpty();
    String options = part(ended.output(), "--- options", "--- end");
    assertThat(count(OURS, options)).isEmpty();
    assertThat(count(STOCK, options)).as(options).hasToString("{lib.TriangleCount.run=1}");
    assertThat(ended.output())
        .containsPattern("transparent mode cannot be switched on; .* 'perhaps' is not valid");
  }

  @Test
  void whatWasUsedBeforeStaysGraphXs() throws Exception {
    JobProcess.Ended ended = JobProcess.run(TransparentModeJob.class, "late");
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output())
        .contains("late: 25 results", "stay stock GraphX: {Pregel=it was in use before}");
    assertThat(count(OURS, ended.output()))
        .doesNotContainKey("Pregel.apply")
        .containsEntry("lib.ConnectedComponents.run", 3);
  }

  private static String part(String output, String from, String to) {
    assertThat(output).contains(List.of(from, to));
    return output.substring(output.indexOf(from), output.indexOf(to));
  }

  private static TreeMap<String, Integer> count(Pattern pattern, String text) {
    TreeMap<String, Integer> counts = new TreeMap<>();
    for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
      counts.merge(matcher.group(1), 1, Integer::sum);
    }
    return counts;
  }
}
