package org.sparkgpugraph.engine.cpu;

import java.util.Arrays;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.MessageKey;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.exchange.VertexBitmap;

/** Asks active vertices what they say at best. */
final class Speakers {
  /** A search begins with at most one of so many vertices. */
  private static final int FEW = 64;

  /** So many ranges of vertices tell whether it is worth asking all. */
  private static final int SAMPLE = 4;

  private final CpuKernel kernel;
  private final KernelFrame[] frames;
  private final Tally[] tallies;
  private final WorkerTeam team;

  Speakers(CpuKernel kernel, KernelFrame[] frames, Tally[] tallies, WorkerTeam team) {
    this.kernel = kernel;
    this.frames = frames;
    this.tallies = tallies;
    this.team = team;
  }

  /**
   * Whether few of the only partition's vertices have something to say; then only these are active.
   *
   * @param least whether the least value wins
   * @param together whether all threads ask
   */
  boolean keepsFew(boolean least, boolean together) {
    KernelFrame frame = frames[0];
    int some = Math.max(1, frame.active.summary.length / SAMPLE);
    boolean few = speaking(frame, some, least, false) <= frame.active.size() / some / FEW + 1;
    // What is the worst of some is not so of all.
    frame.worst = MessageKey.NONE;
    return few && speaking(frame, 1, least, together) <= frame.active.size() / FEW + 1;
  }

  /** How many of all vertices, or of those of every so-many-th range, have something to say. */
  private long speaking(KernelFrame frame, int every, boolean least, boolean together) {
    ActiveRows.all(frame);
    compare(frame, every, least, together);
    ask(every, together);
    return count();
  }

  /** Finds the worst value. */
  private void compare(KernelFrame frame, int every, boolean least, boolean together) {
    for (Tally tally : tallies) {
      tally.best = Long.MAX_VALUE;
    }
    int stored = frame.partition.stored();
    ranges(
        VertexBitmap.summaryWords(stored),
        every,
        together,
        (member, s) -> {
          int from = s * VertexBitmap.SUMMARY_SPAN;
          int to = Math.min(stored, from + VertexBitmap.SUMMARY_SPAN);
          long worst = MessageKey.worst(frame.current[0], from, to, least);
          tallies[member].best = Math.min(tallies[member].best, worst);
        });
    frame.worst = Arrays.stream(tallies).mapToLong(tally -> tally.best).min().orElseThrow();
  }

  /**
   * Asks the active vertices; those that improve no value are not active any more.
   *
   * @param together whether all threads ask
   */
  void ask(boolean together) {
    ask(1, together);
  }

  private void ask(int every, boolean together) {
    for (Tally tally : tallies) {
      tally.listen();
    }
    for (KernelFrame frame : frames) {
      ranges(
          frame.active.summary.length,
          every,
          together,
          (member, s) -> {
            if (frame.active.summary[s] != 0) {
              int end = Math.min(frame.active.words.length, (s + 1) << 6);
              kernel.listen(frame, tallies[member], s << 6, end);
            }
          });
    }
  }

  private void ranges(int count, int every, boolean together, WorkerTeam.Item range) {
    team.each(together, (count + every - 1) / every, (member, i) -> range.run(member, i * every));
  }

  /** How many vertices have said something since they were last asked. */
  long count() {
    long sum = 0;
    for (Tally tally : tallies) {
      sum += tally.attaining + tally.others;
    }
    return sum;
  }
}
