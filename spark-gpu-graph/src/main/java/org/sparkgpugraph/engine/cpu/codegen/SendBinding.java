package org.sparkgpugraph.engine.cpu.codegen;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.program.fuse.FusedGather;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** The send function, for one side of a row. */
class SendBinding extends FunctionBinding {
  private final EdgeLocals edges;
  private final MessageAccumulators accumulators;
  private final EdgeLoop loop;
  private final int u;

  /** Of elements that are delivered one by one, the constants that their indexes are. */
  private final Map<Integer, Integer> indexes;

  private final Map<Integer, Integer> rowValues = new HashMap<>();
  private int rowId = -1;

  /** Slot of where the interleaved columns of the other end begin. */
  private int wide = -1;

  /**
   * @param loop over the edges, begun; null: no edge is read
   */
  SendBinding(
      KernelMethod method, EdgeLocals edges, MessageAccumulators accumulators, EdgeLoop loop) {
    super(method, method.send(edges.side()), new int[0], List.of());
    indexes = method.kernel.fused() == null ? null : FusedGather.indexes(function);
    this.edges = edges;
    this.accumulators = accumulators;
    this.loop = loop;
    u = loop == null ? -1 : loop.u();
  }

  @Override
  Side side() {
    return edges.side();
  }

  private Role rowRole() {
    return side() == Side.DESTINATION ? Role.DESTINATION : Role.SOURCE;
  }

  private Role rowIdRole() {
    return side() == Side.DESTINATION ? Role.DESTINATION_ID : Role.SOURCE_ID;
  }

  /** Sets the slot of the only column of the row's own end is. */
  final void rowValue(int slot) {
    rowValues.put(0, slot);
  }

  /** What the send function reads of the row's own end is read once. */
  void loadRowValues() {
    for (Param p : function.parameters()) {
      if (p.role() == rowRole() && !rowValues.containsKey(p.index())) {
        ColumnType type = method.state.get(p.index());
        int slot = code.local(type);
        method.vertex.loadState(null, p.index());
        copy(p, type);
        code.store(type, slot);
        rowValues.put(p.index(), slot);
      } else if (p.role() == rowIdRole() && rowId < 0) {
        rowId = code.local(Kind.LONG);
        method.vertex.loadId(method.vertex.v());
        code.store(Kind.LONG, rowId);
      }
    }
  }

  /** Where the other end's interleaved columns are is computed once per edge. */
  void findWide() {
    if (edges.wide() >= 0) {
      wide = code.local(Kind.INT);
      code.loadInt(u).push(edges.wideColumns().length).op(Opcodes.IMUL).storeInt(wide);
    }
  }

  @Override
  public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
    int c = parameter.index();
    switch (parameter.role()) {
      case SOURCE, DESTINATION -> {
        int place = Arrays.binarySearch(edges.wideColumns(), c);
        if (parameter.role() == rowRole()) {
          code.load(type, rowValues.get(c));
        } else if (place >= 0) {
          code.loadReference(edges.wide()).loadInt(wide).push(place).op(Opcodes.IADD);
          code.arrayLoad(type.kind());
        } else {
          method.vertex.loadStateOf(u, c);
          copy(parameter, type);
        }
      }
      case SOURCE_ID, DESTINATION_ID -> {
        if (parameter.role() == rowIdRole()) {
          code.load(Kind.LONG, rowId);
        } else {
          method.vertex.loadId(u);
        }
      }
      case EDGE -> {
        loop.loadValue(c);
        copy(parameter, type);
      }
      default -> super.parameter(out, parameter, type);
    }
  }

  /** Copies an array on the stack, if it is one that is copied, and pushes the copy instead. */
  private void copy(Param parameter, ColumnType type) {
    method
        .context
        .copy(side(), parameter)
        .ifPresent(
            to -> code.load(type, to).push(parameter.length()).copyElements().load(type, to));
  }

  @Override
  public void emitElement(CodeBuilder out, Insn.EmitElement element, IntConsumer load) {
    accumulators.merge(element, indexes, load);
  }

  @Override
  public void emit(CodeBuilder out, Insn.Emit emit, int[] slots) {
    if (emit.side() == side()) {
      accumulators.merge(slots);
    }
  }

  @Override
  public void returns(CodeBuilder out, Insn.Return instruction, int[] slots, boolean last) {
    leave(last);
  }
}
