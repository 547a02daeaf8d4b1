package org.sparkgpugraph.engine.cpu.codegen;

import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * The send function of the row to a receiver with the worst value that there is. For programs that
 * send {@linkplain ImprovingSends improvements only}, whose row has no message for any receiver
 * over an edge if it has none for that one.
 */
final class ImprovementBinding extends SendBinding {
  /** Takes a message. */
  interface Said {
    /**
     * @param slot of the message's only column
     */
    void take(int slot);
  }

  private final Said said;
  private final int edges;
  private final int edge;

  /**
   * @param sent the row's edges towards the receivers, none of which is read
   * @param said writes the code that takes a message
   */
  ImprovementBinding(KernelMethod method, EdgeLocals sent, Said said) {
    this(method, sent, -1, 0, said);
  }

  /**
   * As above, over an edge of a value.
   *
   * @param edges slot of an array of edge values, of the only column that is read
   * @param edge which of them
   */
  ImprovementBinding(KernelMethod method, EdgeLocals sent, int edges, int edge, Said said) {
    super(method, sent, null, null);
    this.said = said;
    this.edges = edges;
    this.edge = edge;
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
    Role receiver = side() == Side.SOURCE ? Role.DESTINATION : Role.SOURCE;
    if (parameter.role() == receiver) {
      Kind kind = type.kind();
      code.push(kind, method.program.traits().merge().get(0).identity(kind));
    } else if (parameter.role() == Role.EDGE) {
      code.loadReference(edges).push(edge).arrayLoad(type.kind());
    } else {
      super.parameter(out, parameter, type);
    }
  }

  @Override
  public void emit(CodeBuilder out, Insn.Emit emit, int[] slots) {
    if (emit.side() != side()) {
      said.take(slots[0]);
    }
  }
}
