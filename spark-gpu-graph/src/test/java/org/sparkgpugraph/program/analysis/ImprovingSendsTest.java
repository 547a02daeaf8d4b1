package org.sparkgpugraph.program.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.analysis.ImprovingSends.Wraps;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;

/** Which send functions show that a vertex has nothing to say to anybody. */
@Tag("any-spark")
class ImprovingSendsTest {
  record Road(int length, double factor) {}

  private static <V, E> Optional<ImprovingSends> of(
      Class<V> value, Class<E> edge, MergeMessage<V> merge, SendMessage<V, E, V> send) {
    VertexProgram<V, V> takes = (id, own, message) -> message;
    return ImprovingSends.of(
        ProgramLifter.lift(
                new SourceBuilder()
                    .attribute(ValueType.of(value))
                    .edge(ValueType.of(edge))
                    .message(ValueType.of(value))
                    .vertexProgram(takes)
                    .send(send)
                    .merge(merge)
                    .build())
            .program());
  }

  private static Optional<ImprovingSends> ints(SendMessage<Integer, Integer, Integer> send) {
    return of(Integer.class, Integer.class, Math::min, send);
  }

  private static Optional<ImprovingSends> doubles(SendMessage<Double, Double, Double> send) {
    return of(Double.class, Double.class, Math::min, send);
  }

  private static Optional<ImprovingSends> byEdge(int column, Wraps wraps) {
    return Optional.of(new ImprovingSends(column, wraps));
  }

  private static final Optional<ImprovingSends> WHATEVER_THE_EDGE =
      Optional.of(new ImprovingSends(-1, Wraps.NEVER));

  @Test
  void theSendersValueIsKnownExactly() {
    assertThat(
            ints(
                e -> {
                  if (e.srcAttr() + 1 < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + 1);
                  }
                }))
        .as("may overflow")
        .isEqualTo(WHATEVER_THE_EDGE);
    assertThat(
            of(
                Long.class,
                Integer.class,
                Math::max,
                e -> {
                  if (e.srcAttr() > 3 && e.srcAttr() * e.srcAttr() > e.dstAttr()) {
                    e.sendToDst(e.srcAttr() * e.srcAttr());
                  }
                  if (e.dstAttr() > e.srcAttr()) {
                    e.sendToSrc(e.dstAttr());
                  }
                }))
        .as("not monotone; to both ends")
        .isEqualTo(WHATEVER_THE_EDGE);
  }

  /** Infinite over the least and the largest, so that a product with zero is no number there. */
  @Test
  void aProductMayOverflowBothWaysBeforeItIsMultiplied() {
    assertThat(
            doubles(
                e -> {
                  if (e.attr() * 1e300 * e.srcAttr() < e.dstAttr()) {
                    e.sendToDst(e.attr() * 1e300 * e.srcAttr());
                  }
                }))
        .isEmpty();
    assertThat(
            of(
                Float.class,
                Double.class,
                Math::min,
                e -> {
                  float near = (float) (double) e.attr();
                  if (near * e.srcAttr() < e.dstAttr()) {
                    e.sendToDst(near * e.srcAttr());
                  }
                }))
        .isEmpty();
    assertThat(
            doubles(
                e -> {
                  if (e.srcAttr() * (1 - e.attr()) < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() * (1 - e.attr()));
                  }
                }))
        .as("a sum overflows one way")
        .isEqualTo(byEdge(0, Wraps.NEVER));
  }

  @Test
  void messagesMayBeMonotoneInOneEdgeValue() {
    assertThat(
            doubles(
                e -> {
                  if (e.srcAttr() + e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.attr());
                  }
                }))
        .isEqualTo(byEdge(0, Wraps.NEVER));
    assertThat(
            of(
                Double.class,
                Road.class,
                Math::max,
                e -> {
                  double reached = Math.min(e.srcAttr(), 3 - e.attr().factor() * e.srcAttr());
                  if (e.dstAttr() < reached) {
                    e.sendToDst(reached);
                  }
                }))
        .isEqualTo(byEdge(1, Wraps.NEVER));
    assertThat(
            of(
                Double.class,
                Road.class,
                Math::min,
                e -> {
                  if (e.srcAttr() + e.attr().length() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.attr().length());
                  }
                }))
        .as("an int that becomes a double")
        .isEqualTo(byEdge(0, Wraps.NEVER));
  }

  @Test
  void integersMayOverflowOnTheWay() {
    assertThat(
            ints(
                e -> {
                  if (e.srcAttr() + e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.attr());
                  }
                }))
        .isEqualTo(byEdge(0, Wraps.UPWARDS));
    assertThat(
            ints(
                e -> {
                  int left = e.srcAttr() - Math.max(e.attr(), 5) + 7;
                  if (left < e.dstAttr()) {
                    e.sendToDst(left);
                  }
                }))
        .isEqualTo(byEdge(0, Wraps.DOWNWARDS));
    assertThat(
            of(
                Long.class,
                Integer.class,
                Math::min,
                e -> {
                  if (e.srcAttr() - (3L - e.attr()) < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() - (3L - e.attr()));
                  }
                }))
        .isEqualTo(byEdge(0, Wraps.UPWARDS));
    assertThat(
            ints(
                e -> {
                  int clamped = Math.max(0, e.srcAttr() + e.attr());
                  if (clamped < e.dstAttr()) {
                    e.sendToDst(clamped);
                  }
                }))
        .as("hides that it has overflown")
        .isEmpty();
  }

  @Test
  void whatIsNotKnownIsRefused() {
    assertThat(
            doubles(
                e -> {
                  if (e.srcAttr() + e.attr() * e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.attr() * e.attr());
                  }
                }))
        .as("not monotone in the edge's value")
        .isEmpty();
    assertThat(
            doubles(
                e -> {
                  if (e.srcAttr() / e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() / e.attr());
                  }
                }))
        .as("not monotone around 0")
        .isEmpty();
    assertThat(
            doubles(
                e -> {
                  if (e.attr() > 3 && e.srcAttr() + e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.attr());
                  }
                }))
        .as("another condition on the edge's value")
        .isEmpty();
    assertThat(
            ints(
                e -> {
                  if (e.dstAttr() > 3 && e.srcAttr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr());
                  }
                }))
        .as("another condition on the receiver")
        .isEmpty();
    assertThat(
            ints(
                e -> {
                  if (e.srcAttr() <= e.dstAttr()) {
                    e.sendToDst(e.srcAttr());
                  }
                }))
        .as("also sends what does not improve")
        .isEmpty();
    assertThat(
            ints(
                e -> {
                  if (e.srcAttr() + e.dstAttr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.dstAttr());
                  }
                }))
        .as("a message that depends on the receiver")
        .isEmpty();
    assertThat(
            of(
                Long.class,
                Integer.class,
                Math::min,
                e -> {
                  if (e.srcAttr() + e.dstId() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.dstId());
                  }
                }))
        .as("a message that depends on ids")
        .isEmpty();
    assertThat(
            ints(
                e -> {
                  if (100 / e.srcAttr() < e.dstAttr()) {
                    e.sendToDst(100 / e.srcAttr());
                  }
                }))
        .as("may end the run with an error")
        .isEmpty();
    assertThat(
            of(
                Integer.class,
                Integer.class,
                Integer::sum,
                e -> {
                  if (e.srcAttr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr());
                  }
                }))
        .as("a sum")
        .isEmpty();
  }
}
