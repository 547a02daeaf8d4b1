package org.sparkgpugraph.engine.device.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;

/** Programs whose send functions loop as many times as the ends of an edge say. */
final class LoopPrograms {
  /** A vertex: numbers of rounds begin at {@code first} and end before {@code end}. */
  record Span(int first, int end, int seed) {}

  private LoopPrograms() {}

  private static ProgramInstance of(SendMessage<Span, Long, Integer> send) {
    return of(send, Integer::sum);
  }

  static ProgramInstance of(SendMessage<Span, Long, Integer> send, MergeMessage<Integer> merge) {
    return ProgramLifter.lift(
        new SourceBuilder()
            .attribute(ValueType.of(Span.class))
            .edge(ValueType.of(Long.class))
            .message(ValueType.of(Integer.class))
            .vertexProgram(
                (VertexProgram<Span, Integer>)
                    (id, span, heard) ->
                        new Span(span.first(), (span.end() * 5 + heard) & 63, span.seed() + heard))
            .send(send)
            .merge(merge)
            .build());
  }

  /** A sum, rounds that add nothing, and edges that end before the loop. */
  static ProgramInstance sums() {
    return of(
        edge -> {
          if (edge.srcAttr().seed() % 7 == 3) {
            return;
          }
          int sum = 0;
          for (int i = 0; i < edge.srcAttr().end(); i++) {
            int x = (i + edge.dstAttr().seed()) * 17;
            if (x % 3 == 1) {
              continue;
            }
            sum += x * x;
          }
          edge.sendToDst(sum);
        });
  }

  /** Several results, one of which begins with a number of the edge; what counts is read behind. */
  static ProgramInstance several() {
    return of(
        edge -> {
          int least = edge.dstAttr().seed();
          int bits = 0;
          long sum = edge.attr();
          int i = edge.srcAttr().first();
          for (; i < edge.dstAttr().end(); i++) {
            least = Math.min(least, (i * 31) ^ edge.srcAttr().seed());
            bits ^= i << (edge.dstAttr().seed() & 7);
            sum += (long) i * edge.dstAttr().first();
          }
          edge.sendToDst(least + bits + (int) sum + i);
        },
        Math::min);
  }

  /** Messages to both ends, one of them without the loop's sum; two ways around the loop. */
  static ProgramInstance bothWays() {
    return of(
        edge -> {
          int many = edge.srcAttr().end() - 20;
          int sum = 5;
          if (edge.attr() > 3) {
            for (int i = edge.dstAttr().first(); i < many; i++) {
              sum += edge.srcAttr().seed() / (i * i + 1);
            }
            edge.sendToDst(sum);
          } else if (edge.attr() == 2) {
            edge.sendToDst(sum - 1);
          }
          edge.sendToSrc(sum * 3);
        });
  }

  /** Elements of an array that travels with the program, and a loop behind the loop. */
  static ProgramInstance lookups(int[] numbers) {
    return of(
        edge -> {
          int sum = 0;
          for (int i = edge.srcAttr().first(); i < edge.srcAttr().end(); i++) {
            sum += numbers[i] * edge.dstAttr().seed();
          }
          for (int i = 0; i < edge.dstAttr().first(); i++) {
            sum = sum * 3 + i;
          }
          edge.sendToDst(sum);
        });
  }

  /** A loop whose rounds need what those before have found. */
  static ProgramInstance chained() {
    return of(
        edge -> {
          int x = edge.srcAttr().seed();
          for (int i = 0; i < edge.dstAttr().end(); i++) {
            x = x * 31 + i;
          }
          edge.sendToDst(x);
        });
  }

  /** All that have loops to share, with arrays long enough for each index. */
  static List<ProgramInstance> shared() {
    List<ProgramInstance> all = new ArrayList<>(List.of(sums(), several(), bothWays()));
    all.add(lookups(new Random(9).ints(64).toArray()));
    return all;
  }

  /** Spans of few rounds and of many, of none, and such that end before they begin. */
  static Columns attributes(Random random, int n) {
    Columns attributes = Columns.allocate(List.of(Kind.INT, Kind.INT, Kind.INT), n);
    for (int v = 0; v < n; v++) {
      attributes.ints(0)[v] = random.nextInt(6);
      attributes.ints(1)[v] = random.nextInt(4) > 0 ? random.nextInt(5) : random.nextInt(64);
      attributes.ints(2)[v] = random.nextInt(1000) - 500;
    }
    return attributes;
  }
}
