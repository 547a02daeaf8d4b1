package org.sparkgpugraph.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a thread did is what is between its waits, and belongs to the superstep that it began in.
 */
class SuperstepTimelineTest {
  private static final long MS = 1_000_000;

  @Test
  void workIsToldBySuperstep() {
    List<ThreadWait> waits = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    for (int i = 0; i <= 3; i++) {
      long at = 1000 * MS + i * 10 * MS;
      ends.add(at);
      // A task wakes 2 ms behind the end, works for 3, and reads in a file for 1 of these.
      waits.add(new ThreadWait("0", 7, "task", at - 5 * MS, at + 2 * MS, "idle", 0));
      waits.add(new ThreadWait("0", 7, "task", at + 3 * MS, at + 4 * MS, "File.read", 500));
      waits.add(new ThreadWait("1", 7, "task", at - MS, at + 6 * MS, "Other.wait", 0));
      // Too short to be told.
      waits.add(new ThreadWait("1", 7, "task", at + 6 * MS + 1000, at + 8 * MS, "Third.wait", 0));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    new SuperstepTimeline(new WaitRecording.Recorded(waits, ends)).print(out);

    List<String> lines =
        bytes.toString(StandardCharsets.UTF_8).lines().map(l -> l.replaceAll(" +", " ")).toList();
    assertThat(lines)
        .contains(
            "2.00 3.00 0 task idle idle 500 bytes, 1.00 ms",
            "8.00 1.00 1 task Third.wait Other.wait")
        .anyMatch(
            l -> l.startsWith("Timeline: medians of 3 supersteps; the median one takes 10.00"))
        .noneMatch(l -> l.contains("Other.wait Third.wait"));
    assertThat(lines).filteredOn(l -> l.startsWith("2.00")).hasSize(2);
  }
}
