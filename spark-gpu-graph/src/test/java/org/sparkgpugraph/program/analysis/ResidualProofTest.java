package org.sparkgpugraph.program.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;

/** Which programs spread residuals, and why others do not. */
@Tag("any-spark")
class ResidualProofTest {
  record Rank(double rank, double delta) {}

  record Weighted(double rank, double delta, double weight) {}

  record Small(float delta, float rank) {}

  private final double tol = Double.parseDouble("0.001");
  private final double reset = Double.parseDouble("0.15");

  private static <S, A> LiftedProgram program(
      Class<S> state,
      Class<A> message,
      VertexProgram<S, A> vertexProgram,
      SendMessage<S, Double, A> send,
      MergeMessage<A> merge) {
    return ProgramLifter.lift(
            new SourceBuilder()
                .attribute(ValueType.of(state))
                .edge(ValueType.of(Double.class))
                .message(ValueType.of(message))
                .vertexProgram(vertexProgram)
                .send(send)
                .merge(merge)
                .build())
        .program();
  }

  private LiftedProgram ranks(VertexProgram<Rank, Double> vertexProgram) {
    double bound = tol;
    return program(
        Rank.class,
        Double.class,
        vertexProgram,
        edge -> {
          if (edge.srcAttr().delta() > bound) {
            edge.sendToDst(edge.srcAttr().delta() * edge.attr());
          }
        },
        Double::sum);
  }

  private LiftedProgram sending(SendMessage<Rank, Double, Double> send) {
    double damping = 1 - reset;
    return program(
        Rank.class,
        Double.class,
        (id, vertex, sum) -> {
          double rank = vertex.rank() + damping * sum;
          return new Rank(rank, rank - vertex.rank());
        },
        send,
        Double::sum);
  }

  private static void refused(LiftedProgram program, String why) {
    assertThat(ResidualProof.of(program)).isEmpty();
    assertThat(ResidualProof.obstacle(program)).contains(why);
  }

  /** As GraphX writes it: weights on the edges; a captured flag and an infinite delta at first. */
  @Test
  void pageRankUntilConvergence() {
    double damping = 1 - reset;
    boolean personalized = Boolean.parseBoolean("true");
    LiftedProgram program =
        ranks(
            (id, vertex, sum) -> {
              double rank =
                  personalized && vertex.delta() == Double.NEGATIVE_INFINITY
                      ? 1.0
                      : vertex.rank() + damping * sum;
              return new Rank(rank, rank - vertex.rank());
            });
    assertThat(ResidualProof.obstacle(program)).isEmpty();
    Residuals residuals = ResidualProof.of(program).orElseThrow();
    assertThat(residuals.capture()).isNotNegative();
    assertThat(residuals.receivers()).isEqualTo(Side.DESTINATION);
    assertThat(residuals.value()).isZero();
    assertThat(residuals.delta()).isEqualTo(1);
    assertThat(residuals.kind()).isEqualTo(Kind.DOUBLE);
    assertThat(residuals.rounded()).isTrue();
    assertThat(residuals.absolute()).isFalse();
  }

  /** Floats held against a constant by their size, divided, and backwards. */
  @Test
  void otherForms() {
    LiftedProgram program =
        program(
            Small.class,
            Float.class,
            (id, vertex, sum) -> new Small(sum * 0.5f / 3f, sum * 0.5f / 3f + vertex.rank()),
            edge -> {
              if (edge.attr() > 0 && 1e-3 < Math.abs(edge.dstAttr().delta())) {
                edge.sendToSrc(edge.dstAttr().delta() / 4f);
              }
            },
            Float::sum);
    assertThat(ResidualProof.of(program))
        .isEqualTo(
            Optional.of(new Residuals(1, 0, Kind.FLOAT, false, true, Side.SOURCE, -1, 1e-3)));
  }

  @Test
  void whatTheVertexMakesOfASumHasToBeAMultiple() {
    String why = "a value does not grow by a constant multiple of the sum";
    refused(ranks((id, v, sum) -> new Rank(v.rank() + sum * sum, sum * sum)), why);
    refused(ranks((id, v, sum) -> new Rank(v.rank() + (sum + 1), sum + 1)), why);
    refused(ranks((id, v, sum) -> new Rank(v.rank() + v.delta() * sum, v.delta() * sum)), why);
    refused(ranks((id, v, sum) -> new Rank(v.rank() * 0.5 + sum, sum)), why);
    refused(ranks((id, v, sum) -> new Rank(0.15 + sum, sum)), why);
    refused(ranks((id, v, sum) -> new Rank(v.rank() + id * sum, id * sum)), why);
    refused(
        ranks((id, v, sum) -> new Rank(v.rank() + sum, sum * 2)),
        "what is sent is not what the value grew by");
    refused(
        ranks((id, v, sum) -> new Rank(v.rank() + sum, v.rank() + sum - v.delta())),
        "what is sent is not what the value grew by");
    refused(
        ranks((id, v, sum) -> sum > 1 ? new Rank(v.rank() + sum, sum) : v),
        "what a vertex makes of a sum depends on more than that");
    refused(
        ranks((id, v, sum) -> v.delta() == 0 ? new Rank(1, 1) : new Rank(v.rank() + sum, sum)),
        "what a vertex makes of a sum depends on more than that");
  }

  @Test
  void whatIsSentHasToBeAMultipleAboveATolerance() {
    double bound = tol;
    assertThat(
            ResidualProof.obstacle(
                sending(
                    edge -> {
                      if (edge.srcAttr().delta() > bound) {
                        edge.sendToDst(edge.srcAttr().delta());
                      }
                    })))
        .isEmpty();
    refused(
        sending(edge -> edge.sendToDst(edge.srcAttr().delta())),
        "messages are sent however small they are");
    String tolerance =
        "what is sent is not just held against a tolerance (delta > tolerance, or its size)";
    refused(
        sending(
            edge -> {
              if (edge.srcAttr().delta() >= bound) {
                edge.sendToDst(edge.srcAttr().delta());
              }
            }),
        tolerance);
    refused(
        sending(
            edge -> {
              if (!(edge.srcAttr().delta() <= bound)) {
                edge.sendToDst(edge.srcAttr().delta());
              }
            }),
        tolerance);
    refused(
        sending(
            edge -> {
              if (edge.srcAttr().delta() > bound * edge.attr()) {
                edge.sendToDst(edge.srcAttr().delta());
              }
            }),
        tolerance);
    refused(
        sending(
            edge -> {
              if (edge.srcAttr().delta() > bound && edge.srcAttr().delta() < 1) {
                edge.sendToDst(edge.srcAttr().delta());
              }
            }),
        tolerance);
    String multiple = "a message is not what its sender grew by, times what stays";
    refused(
        sending(
            edge -> {
              if (edge.srcAttr().delta() > bound) {
                edge.sendToDst(edge.srcAttr().delta() * edge.srcAttr().delta());
              }
            }),
        multiple);
    refused(
        sending(
            edge -> {
              if (edge.srcAttr().delta() > bound) {
                edge.sendToDst(edge.attr());
              }
            }),
        multiple);
    refused(
        sending(
            edge -> {
              if (edge.srcAttr().delta() > bound) {
                edge.sendToDst(edge.srcAttr().delta() * edge.srcAttr().rank());
              }
            }),
        "a message does not read one number of its sender that changes");
    refused(
        sending(
            edge -> {
              if (edge.srcAttr().delta() > bound && edge.dstAttr().rank() > 0) {
                edge.sendToDst(edge.srcAttr().delta());
              }
            }),
        "a message reads what changes of its receiver");
    refused(
        sending(
            edge -> {
              if (edge.srcAttr().delta() > bound) {
                edge.sendToDst(edge.srcAttr().delta());
                edge.sendToDst(edge.srcAttr().delta());
              }
            }),
        "an edge sends several messages");
    refused(
        sending(
            edge -> {
              if (edge.srcAttr().delta() > bound) {
                edge.sendToDst(edge.srcAttr().delta());
                edge.sendToSrc(edge.srcAttr().delta());
              }
            }),
        "messages do not go to one end of the edges");
  }

  @Test
  void messagesHaveToBeSumsOfOneFloatingPointNumber() {
    String why = "messages are not sums of one floating-point number";
    double bound = tol;
    refused(
        program(
            Rank.class,
            Double.class,
            (id, v, sum) -> new Rank(v.rank() + sum, sum),
            edge -> {
              if (edge.srcAttr().delta() > bound) {
                edge.sendToDst(edge.srcAttr().delta());
              }
            },
            Math::max),
        why);
    refused(
        program(
            Weighted.class,
            Long.class,
            (id, v, sum) -> new Weighted(v.rank() + sum, sum, v.weight()),
            edge -> {
              if (edge.srcAttr().delta() > bound) {
                edge.sendToDst(1L);
              }
            },
            Long::sum),
        why);
  }
}
