package org.sparkgpugraph.engine;

import java.util.List;
import java.util.Random;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;

/**
 * A program with hidden columns for graphs with edges that name vertices which do not exist. Such a
 * vertex has zeros, and what it sends follows from them: 0 / (0 + 2) · 0 + 1, not 0. The captured
 * value and the ids make a difference too.
 */
public final class HoistablePages {
  /** A vertex value. */
  public record Page(double rank, int degree) {}

  private HoistablePages() {}

  /** The program as it was written. */
  public static ProgramInstance plain(double shift) {
    return ProgramLifter.lift(
        new SourceBuilder()
            .attribute(ValueType.of(Page.class))
            .edge(ValueType.of(Long.class))
            .message(ValueType.of(Double.class))
            .vertexProgram(
                (VertexProgram<Page, Double>)
                    (id, page, most) -> new Page(page.rank() / 2 + most, page.degree()))
            .send(
                (SendMessage<Page, Long, Double>)
                    edge -> {
                      Page from = edge.srcAttr();
                      Page to = edge.dstAttr();
                      edge.sendToDst(
                          from.rank() / (from.degree() + 2) + (edge.srcId() & 3) + shift);
                      if (to.degree() != 1) {
                        edge.sendToSrc(to.rank() / (to.degree() + 2) + (edge.dstId() & 3) + shift);
                      }
                    })
            .merge((MergeMessage<Double>) Math::max)
            .build());
  }

  /** The same with hidden columns. */
  public static ProgramInstance hoisted(double shift) {
    ProgramInstance plain = plain(shift);
    ProgramInstance hoisted = Hoisting.apply(plain, false);
    if (hoisted.program() == plain.program()) {
      throw new AssertionError("nothing was hoisted");
    }
    return hoisted;
  }

  /** Attributes for a graph of so many vertices. */
  public static Columns attributes(Random random, int vertices) {
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE, Kind.INT), vertices);
    for (int v = 0; v < vertices; v++) {
      attributes.doubles(0)[v] = random.nextInt(100);
      attributes.ints(1)[v] = random.nextInt(5);
    }
    return attributes;
  }
}
