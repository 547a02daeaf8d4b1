package org.sparkgpugraph.program.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.SpreadingCase;
import org.sparkgpugraph.function.SendMessage;

/** Which way messages go with an edge value. */
@Tag("any-spark")
class EdgeCourseTest {
  private static final Optional<EdgeCourse> RISES = Optional.of(EdgeCourse.RISES);
  private static final Optional<EdgeCourse> FALLS = Optional.of(EdgeCourse.FALLS);

  private static Optional<EdgeCourse> least(SendMessage<Double, Double, Double> send) {
    return EdgeCourse.of(
        SpreadingCase.lift(
                Double.class, Double.class, (id, own, m) -> Math.min(own, m), send, Math::min)
            .program());
  }

  private static Optional<EdgeCourse> most(SendMessage<Double, Double, Double> send) {
    return EdgeCourse.of(
        SpreadingCase.lift(
                Double.class, Double.class, (id, own, m) -> Math.max(own, m), send, Math::max)
            .program());
  }

  private static Optional<EdgeCourse> ints(SendMessage<Integer, Integer, Integer> send) {
    return EdgeCourse.of(
        SpreadingCase.lift(
                Integer.class, Integer.class, (id, own, m) -> Math.min(own, m), send, Math::min)
            .program());
  }

  @Test
  void sumsAndBoundsGoWithTheEdgeValue() {
    assertThat(
            least(
                e -> {
                  if (e.srcAttr() + e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.attr());
                  }
                }))
        .isEqualTo(RISES);
    assertThat(
            least(
                e -> {
                  if (e.dstAttr() * 2 + (e.attr() - 1) < e.srcAttr()) {
                    e.sendToSrc(e.dstAttr() * 2 + (e.attr() - 1));
                  }
                }))
        .isEqualTo(RISES);
    assertThat(
            most(
                e -> {
                  if (Math.min(e.srcAttr(), e.attr()) > e.dstAttr()) {
                    e.sendToDst(Math.min(e.srcAttr(), e.attr()));
                  }
                }))
        .isEqualTo(RISES);
    assertThat(
            most(
                e -> {
                  if (e.srcAttr() - e.attr() > e.dstAttr()) {
                    e.sendToDst(e.srcAttr() - e.attr());
                  }
                }))
        .isEqualTo(FALLS);
    assertThat(
            least(
                e -> {
                  if (Math.max(e.srcAttr(), -e.attr()) < e.dstAttr()) {
                    e.sendToDst(Math.max(e.srcAttr(), -e.attr()));
                  }
                }))
        .isEqualTo(FALLS);
    assertThat(
            ints(
                e -> {
                  if (e.srcAttr() + e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.attr());
                  }
                }))
        .isEqualTo(RISES);
  }

  /** What falls where the sender's value rises says the best where it is not the best. */
  @Test
  void theSendersValueHasToRiseToo() {
    assertThat(
            least(
                e -> {
                  if (e.attr() - e.srcAttr() < e.dstAttr()) {
                    e.sendToDst(e.attr() - e.srcAttr());
                  }
                }))
        .isEmpty();
    assertThat(
            least(
                e -> {
                  if (e.srcAttr() * e.srcAttr() + e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() * e.srcAttr() + e.attr());
                  }
                }))
        .isEmpty();
    assertThat(
            least(
                e -> {
                  if (e.srcAttr() < 7 && e.srcAttr() + e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + e.attr());
                  } else if (e.srcAttr() - 90 + e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() - 90 + e.attr());
                  }
                }))
        .isEmpty();
  }

  @Test
  void whatMayOverflowOrHasNoSignIsNotKnown() {
    assertThat(
            ints(
                e -> {
                  if (e.srcAttr() + 1 + e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + 1 + e.attr());
                  }
                }))
        .isEmpty();
    assertThat(
            ints(
                e -> {
                  if (e.srcAttr() - e.attr() < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() - e.attr());
                  }
                }))
        .isEmpty();
    assertThat(
            most(
                e -> {
                  if (e.srcAttr() * e.attr() > e.dstAttr()) {
                    e.sendToDst(e.srcAttr() * e.attr());
                  }
                }))
        .isEmpty();
    // What depends on no edge value has no course.
    assertThat(
            least(
                e -> {
                  if (e.srcAttr() + 1 < e.dstAttr()) {
                    e.sendToDst(e.srcAttr() + 1);
                  }
                }))
        .isEmpty();
  }
}
