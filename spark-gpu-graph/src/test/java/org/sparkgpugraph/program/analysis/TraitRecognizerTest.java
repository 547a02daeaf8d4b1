package org.sparkgpugraph.program.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sparkgpugraph.program.MergeAlgebra.AND;
import static org.sparkgpugraph.program.MergeAlgebra.FIRST;
import static org.sparkgpugraph.program.MergeAlgebra.GENERAL;
import static org.sparkgpugraph.program.MergeAlgebra.MAX;
import static org.sparkgpugraph.program.MergeAlgebra.MIN;
import static org.sparkgpugraph.program.MergeAlgebra.OR;
import static org.sparkgpugraph.program.MergeAlgebra.SUM;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.ActiveWhen;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;

@Tag("any-spark")
class TraitRecognizerTest {
  record Pair(int low, int high) {}

  record Flags(boolean any, boolean all) {}

  private static <A> List<MergeAlgebra> merge(Class<A> type, MergeMessage<A> merge) {
    return traits(type, type, (id, value, message) -> value, edge -> {}, merge, null).merge();
  }

  private static <A, E> ProgramTraits traits(
      Class<A> type,
      Class<E> edge,
      VertexProgram<A, A> vertexProgram,
      SendMessage<A, E, A> send,
      MergeMessage<A> merge,
      ActiveWhen<A> activeWhen) {
    return ProgramLifter.lift(
            new SourceBuilder()
                .attribute(ValueType.of(type))
                .edge(ValueType.of(edge))
                .message(ValueType.of(type))
                .vertexProgram(vertexProgram)
                .send(send)
                .merge(merge)
                .activeWhen(activeWhen)
                .build())
        .program()
        .traits();
  }

  @Test
  void libraryMerges() {
    assertThat(merge(Double.class, Math::min)).containsExactly(MIN);
    assertThat(merge(Double.class, (a, b) -> Double.min(b, a))).containsExactly(MIN);
    assertThat(merge(Float.class, Math::max)).containsExactly(MAX);
    assertThat(merge(Long.class, Long::sum)).containsExactly(SUM);
    assertThat(merge(Double.class, (a, b) -> b + a)).containsExactly(SUM);
    assertThat(merge(Integer.class, (a, b) -> a | b)).containsExactly(OR);
    assertThat(merge(Long.class, (a, b) -> a & b)).containsExactly(AND);
    assertThat(merge(Integer.class, (a, b) -> b)).containsExactly(FIRST);
    assertThat(merge(Boolean.class, Boolean::logicalOr)).containsExactly(OR);
  }

  @Test
  void handWrittenMerges() {
    assertThat(merge(Integer.class, (a, b) -> a < b ? a : b)).containsExactly(MIN);
    assertThat(merge(Integer.class, (a, b) -> a >= b ? a : b)).containsExactly(MAX);
    assertThat(merge(Long.class, (a, b) -> a.compareTo(b) <= 0 ? a : b)).containsExactly(MIN);
    assertThat(merge(Long.class, (a, b) -> Long.compare(b, a) > 0 ? b : a)).containsExactly(MAX);
    assertThat(merge(Boolean.class, (a, b) -> a || b)).containsExactly(OR);
    assertThat(merge(Boolean.class, (a, b) -> a && b)).containsExactly(AND);
    assertThat(merge(Boolean.class, (a, b) -> a ? true : b)).containsExactly(OR);
  }

  @Test
  void handWrittenFloatingMinimumIsNotMathMin() {
    // NaN and -0.0 make the difference.
    assertThat(merge(Double.class, (a, b) -> a < b ? a : b)).containsExactly(GENERAL);
    assertThat(merge(Double.class, (a, b) -> a.compareTo(b) < 0 ? a : b)).containsExactly(GENERAL);
  }

  @Test
  void otherMergesAreGeneral() {
    assertThat(merge(Integer.class, (a, b) -> a * b)).containsExactly(GENERAL);
    assertThat(merge(Integer.class, (a, b) -> a - b)).containsExactly(GENERAL);
    assertThat(merge(Integer.class, (a, b) -> a < b ? a : b + 1)).containsExactly(GENERAL);
    assertThat(merge(Integer.class, (a, b) -> Math.abs(a) < Math.abs(b) ? a : b))
        .containsExactly(GENERAL);
    assertThat(merge(Boolean.class, (a, b) -> a ^ b)).containsExactly(GENERAL);
  }

  @Test
  void recordsColumnByColumn() {
    assertThat(
            merge(
                Pair.class,
                (a, b) -> new Pair(Math.min(a.low(), b.low()), Math.max(a.high(), b.high()))))
        .containsExactly(MIN, MAX);
    assertThat(
            merge(
                Pair.class,
                (a, b) ->
                    new Pair(
                        a.low() < b.low() ? a.low() : b.low(),
                        a.high() > b.high() ? a.high() : b.high())))
        .containsExactly(MIN, MAX);
    assertThat(merge(Flags.class, (a, b) -> new Flags(a.any() || b.any(), a.all() && b.all())))
        .containsExactly(OR, AND);
  }

  @Test
  void recordsMixedUpAreGeneral() {
    assertThat(merge(Pair.class, (a, b) -> a.low() < b.low() ? a : b))
        .as("the second column goes with the first")
        .containsExactly(GENERAL, GENERAL);
    assertThat(
            merge(Pair.class, (a, b) -> new Pair(Math.min(a.low(), b.low()), a.low() + b.high())))
        .containsExactly(GENERAL, GENERAL);
    assertThat(merge(Pair.class, (a, b) -> new Pair(Math.min(a.low(), b.high()), a.high())))
        .containsExactly(GENERAL, GENERAL);
    assertThat(
            merge(Pair.class, (a, b) -> new Pair(Math.min(a.low(), b.low()), a.high() * b.high())))
        .as("independent of each other, though one has no name")
        .containsExactly(MIN, GENERAL);
  }

  @Test
  void sides() {
    ProgramTraits traits =
        traits(
            Integer.class,
            Integer.class,
            (id, value, message) -> value,
            edge -> edge.sendToSrc(edge.attr()),
            Math::min,
            null);
    assertThat(traits.sendsToSource()).isTrue();
    assertThat(traits.sendsToDestination()).isFalse();
    assertThat(traits.notes()).anyMatch(note -> note.contains("the source"));
  }

  private static ProgramTraits minimum(SendMessage<Double, Double, Double> send) {
    return traits(Double.class, Double.class, (id, a, b) -> Math.min(a, b), send, Math::min, null);
  }

  private static ProgramTraits smallest(SendMessage<Long, Long, Long> send) {
    return traits(Long.class, Long.class, (id, a, b) -> Math.min(a, b), send, Math::min, null);
  }

  private static ProgramTraits levels(SendMessage<Integer, Integer, Integer> send) {
    return traits(
        Integer.class, Integer.class, (id, a, b) -> Math.min(a, b), send, Math::min, null);
  }

  @Test
  void shortestPathsAreMonotone() {
    assertMonotone(
        minimum(
            edge -> {
              if (edge.srcAttr() + edge.attr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + edge.attr());
              }
            }));
    assertMonotone(
        minimum(
            edge -> {
              double candidate = edge.attr() + edge.srcAttr();
              if (edge.dstAttr() > candidate) {
                edge.sendToDst(candidate);
              }
            }));
    assertMonotone(
        minimum(
            edge -> {
              if (edge.attr() >= 0 && edge.srcAttr() != Double.POSITIVE_INFINITY) {
                double candidate = edge.attr() + edge.srcAttr();
                if (candidate < edge.dstAttr()) {
                  edge.sendToDst(candidate);
                }
              }
            }));
  }

  @Test
  void connectedComponentsAreMonotone() {
    assertMonotone(
        smallest(
            edge -> {
              if (edge.srcAttr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr());
              } else if (edge.srcAttr() > edge.dstAttr()) {
                edge.sendToSrc(edge.dstAttr());
              }
            }));
    assertMonotone(
        smallest(
            edge -> {
              if (edge.srcAttr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr());
              }
              if (edge.dstAttr() < edge.srcAttr()) {
                edge.sendToSrc(edge.dstAttr());
              }
            }));
  }

  @Test
  void bothDirectionsWithTwoGuardsAreMonotone() {
    // The second guard stands on paths where the first held and where it did not.
    assertMonotone(
        minimum(
            edge -> {
              if (edge.srcAttr() + edge.attr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + edge.attr());
              }
              if (edge.dstAttr() + edge.attr() < edge.srcAttr()) {
                edge.sendToSrc(edge.dstAttr() + edge.attr());
              }
            }));
  }

  @Test
  void breadthFirstSearchIsMonotoneWhereItCannotOverflow() {
    assertMonotone(
        levels(
            edge -> {
              if (edge.srcAttr() != Integer.MAX_VALUE && edge.srcAttr() + 1 < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + 1);
              }
            }));
    assertNotMonotone(
        levels(
            edge -> {
              if (edge.srcAttr() + 1 < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + 1);
              }
            }),
        "overflow");
    assertNotMonotone(
        levels(
            edge -> {
              if (edge.srcAttr() != Integer.MAX_VALUE
                  && edge.srcAttr() + edge.attr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + edge.attr());
              }
            }),
        "overflow");
  }

  @Test
  void reachabilityIsMonotone() {
    assertMonotone(
        traits(
            Boolean.class,
            Integer.class,
            (id, a, b) -> a || b,
            edge -> {
              if (edge.srcAttr() && !edge.dstAttr()) {
                edge.sendToDst(true);
              }
            },
            (a, b) -> a || b,
            null));
  }

  @Test
  void unguardedMessagesAreMonotone() {
    assertMonotone(smallest(edge -> edge.sendToDst(edge.srcAttr())));
    assertMonotone(
        traits(
            Pair.class,
            Integer.class,
            (id, a, b) -> new Pair(Math.min(a.low(), b.low()), Math.max(a.high(), b.high())),
            edge -> edge.sendToDst(edge.srcAttr()),
            (a, b) -> new Pair(Math.min(a.low(), b.low()), Math.max(a.high(), b.high())),
            null));
  }

  @Test
  void columnsOfOppositeDirectionAreNotMonotone() {
    assertNotMonotone(
        traits(
            Pair.class,
            Integer.class,
            (id, a, b) -> new Pair(Math.min(a.low(), b.low()), Math.max(a.high(), b.high())),
            edge -> edge.sendToDst(new Pair(edge.srcAttr().high(), edge.srcAttr().low())),
            (a, b) -> new Pair(Math.min(a.low(), b.low()), Math.max(a.high(), b.high())),
            null),
        "made from a column");
  }

  @Test
  void guardsThatAreNotExactAreNotMonotone() {
    assertNotMonotone(
        minimum(
            edge -> {
              if (edge.srcAttr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + edge.attr());
              }
            }),
        "receiver");
    assertNotMonotone(
        minimum(
            edge -> {
              if (edge.dstAttr() > 10 && edge.srcAttr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr());
              }
            }),
        "receiver");
    assertNotMonotone(
        minimum(
            edge -> {
              // also sends NaN
              if (!(edge.srcAttr() >= edge.dstAttr())) {
                edge.sendToDst(edge.srcAttr());
              }
            }),
        "receiver");
    assertNotMonotone(
        smallest(
            edge -> {
              if (edge.srcAttr() + 0L < edge.dstAttr() - 1) {
                edge.sendToDst(edge.srcAttr());
              }
            }),
        "receiver");
  }

  @Test
  void messagesThatGetWorseAreNotMonotone() {
    assertNotMonotone(
        minimum(
            edge -> {
              double candidate = edge.attr() - edge.srcAttr();
              if (candidate < edge.dstAttr()) {
                edge.sendToDst(candidate);
              }
            }),
        "not known to be monotone");
    assertNotMonotone(
        minimum(
            edge -> {
              if (edge.srcAttr() > 3 && edge.srcAttr() < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr());
              }
            }),
        "not monotone in the sender");
    assertNotMonotone(
        minimum(
            edge -> {
              double candidate = edge.srcAttr() * -1.0;
              if (candidate < edge.dstAttr()) {
                edge.sendToDst(candidate);
              }
            }),
        "not known to be monotone");
    assertNotMonotone(
        minimum(edge -> edge.sendToDst(edge.srcAttr() + edge.attr())), "infinity minus infinity");
    assertNotMonotone(
        smallest(edge -> edge.sendToDst(edge.srcAttr() % 7)), "not known to be monotone");
  }

  @Test
  void vertexProgramMustBeTheMerge() {
    SendMessage<Long, Long, Long> send =
        edge -> {
          if (edge.srcAttr() < edge.dstAttr()) {
            edge.sendToDst(edge.srcAttr());
          }
        };
    assertNotMonotone(
        traits(Long.class, Long.class, (id, a, b) -> Math.max(a, b), send, Math::min, null),
        "vertex program");
    assertNotMonotone(
        traits(Long.class, Long.class, (id, a, b) -> Math.min(a, b) + 1, send, Math::min, null),
        "vertex program");
    assertNotMonotone(
        traits(
            Long.class,
            Long.class,
            (id, a, b) -> id == 3 ? a : Math.min(a, b),
            send,
            Math::min,
            null),
        "vertex program");
    assertNotMonotone(
        traits(Long.class, Long.class, (id, a, b) -> a + b, send, Long::sum, null), "SUM");
    assertMonotone(
        traits(Long.class, Long.class, (id, a, b) -> b < a ? b : a, send, Math::min, null));
  }

  @Test
  void activityMustFollowChange() {
    SendMessage<Long, Long, Long> send =
        edge -> {
          if (edge.srcAttr() < edge.dstAttr()) {
            edge.sendToDst(edge.srcAttr());
          }
        };
    assertMonotone(
        traits(
            Long.class,
            Long.class,
            (id, a, b) -> Math.min(a, b),
            send,
            Math::min,
            (id, before, after) -> before.longValue() != after.longValue()));
    assertNotMonotone(
        traits(
            Long.class,
            Long.class,
            (id, a, b) -> Math.min(a, b),
            send,
            Math::min,
            (id, before, after) -> after > 5),
        "activeWhen");
  }

  @Test
  void loopsAndFaultsAreNotMonotone() {
    assertNotMonotone(
        levels(
            edge -> {
              int sum = 0;
              for (int i = 0; i < edge.attr(); i++) {
                sum += i;
              }
              edge.sendToDst(sum);
            }),
        "loop");
    assertNotMonotone(
        levels(
            edge -> {
              if (edge.attr() < 0) {
                throw new IllegalArgumentException("negative");
              }
              edge.sendToDst(edge.srcAttr());
            }),
        "error");
  }

  private static void assertMonotone(ProgramTraits traits) {
    assertThat(traits.monotone()).as(traits.notes().toString()).isTrue();
  }

  private static void assertNotMonotone(ProgramTraits traits, String reason) {
    assertThat(traits.monotone()).as(traits.notes().toString()).isFalse();
    assertThat(traits.notes()).anyMatch(note -> note.contains(reason));
  }
}
