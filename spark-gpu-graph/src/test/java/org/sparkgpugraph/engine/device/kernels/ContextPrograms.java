package org.sparkgpugraph.engine.device.kernels;

import java.util.Random;
import org.sparkgpugraph.engine.device.kernels.LoopPrograms.Span;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.program.ProgramInstance;

/**
 * Programs whose send functions have a costly branch that {@code every} so-many-th edge takes: 0:
 * none does, 1: all do.
 */
public final class ContextPrograms {
  /** Composes affine functions x → a x + b of 16 bits each: in one order, whatever the grouping. */
  private static final MergeMessage<Integer> COMPOSED =
      (f, g) -> {
        int a = (f >>> 16) * (g >>> 16);
        int b = (f >>> 16) * (g & 0xffff) + (f & 0xffff);
        return a << 16 | b & 0xffff;
      };

  private ContextPrograms() {}

  private static boolean takes(int every, long edge, Span from, Span to) {
    int mixed = (from.seed() * 31 + to.seed()) * 0x9e3779b9 + (int) edge * 77;
    return every > 0 && (mixed >>> 8) % every == 0;
  }

  private static int walked(int from, int rounds) {
    int x = from;
    for (int i = 0; i < rounds; i++) {
      x = x * 31 + (x >>> 7) + i;
    }
    return x;
  }

  /** Both sides send messages, whose order does not matter. */
  public static ProgramInstance sums(int every) {
    return LoopPrograms.of(
        edge -> {
          int half = edge.srcAttr().seed() * 3 + edge.dstAttr().first();
          if (takes(every, edge.attr(), edge.srcAttr(), edge.dstAttr())) {
            half = walked(half, edge.srcAttr().end() & 15) + (int) (long) edge.attr();
          }
          edge.sendToDst(half);
        },
        Integer::sum);
  }

  /** Only edges that take the branch send anything, and the order of messages matters. */
  static ProgramInstance composed(int every) {
    return LoopPrograms.of(
        edge -> {
          if (takes(every, edge.attr(), edge.srcAttr(), edge.dstAttr())) {
            int x = walked(edge.srcAttr().seed(), edge.dstAttr().end() & 7);
            edge.sendToDst(x | 0x10000);
          }
        },
        COMPOSED);
  }

  /** As {@link #composed}, but the other side says something, too. */
  static ProgramInstance ordered(int every) {
    return LoopPrograms.of(
        edge -> {
          if (takes(every, edge.attr(), edge.srcAttr(), edge.dstAttr())) {
            edge.sendToDst(walked(edge.srcAttr().seed(), edge.dstAttr().end()) | 0x10000);
          } else {
            edge.sendToDst(0x10001);
          }
        },
        COMPOSED);
  }

  /**
   * Two tests lead to the branch, it looks into a table, and both ends get messages: two of it, and
   * of other edges some get one and some none.
   */
  public static ProgramInstance bothWays(int every) {
    int[] numbers = new Random(9).ints(64).toArray();
    return LoopPrograms.of(
        edge -> {
          Span from = edge.srcAttr();
          Span to = edge.dstAttr();
          if (takes(every, edge.attr(), from, to) || edge.attr() == 4 && every > 1) {
            int x = numbers[from.end() & 63];
            for (int i = 0; i < (to.end() & 7); i++) {
              x = Math.max(x, numbers[(from.end() + i) & 63] ^ to.seed());
            }
            edge.sendToDst(x);
            edge.sendToDst(x / (1 + to.first()));
            edge.sendToSrc(x - 1);
          } else if (edge.attr() < 4) {
            edge.sendToDst(from.seed());
            edge.sendToSrc(to.first());
          }
        },
        Math::max);
  }

  /** An index that is not there stops the run, on the costly side. */
  static ProgramInstance lookups(int[] numbers) {
    return LoopPrograms.of(
        edge -> {
          int sum = 1;
          if (edge.srcAttr().seed() > edge.dstAttr().seed()) {
            for (int i = 0; i < edge.srcAttr().end(); i++) {
              sum += numbers[i] * edge.dstAttr().seed();
            }
          }
          edge.sendToDst(sum);
        },
        Integer::sum);
  }

  /** A branch in a loop. */
  static ProgramInstance inALoop() {
    return LoopPrograms.of(
        edge -> {
          int x = edge.srcAttr().seed();
          for (int i = 0; i < edge.dstAttr().end(); i++) {
            if (x % 3 == 1) {
              x = walked(x, i);
            }
            x += i;
          }
          edge.sendToDst(x);
        },
        Integer::sum);
  }
}
