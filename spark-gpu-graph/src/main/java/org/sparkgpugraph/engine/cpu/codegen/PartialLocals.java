package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * Partial messages: local variables of those that other executor graphs have sent, slot by slot,
 * with which a row begins, and the method that gathers those for others.
 */
final class PartialLocals {
  private final KernelMethod method;
  private final CodeBuilder code;
  private final int has;
  private final int[] messages;

  /** Reads what was sent from the frame. */
  PartialLocals(KernelMethod method) {
    this.method = method;
    code = method.code;
    has = method.fields.reference("slotHas", boolean[].class);
    messages = method.fields.columns("messages", method.kernel.kept(), method.message);
  }

  /**
   * Merges what the row's vertex was sent, in the order of the slots.
   *
   * @param slots slot of the array of the first slot of each vertex
   */
  void merge(int slots, MessageAccumulators message) {
    int v = method.vertex.v();
    int mark = code.mark();
    int slot = code.local(Kind.INT);
    int end = code.local(Kind.INT);
    code.loadReference(slots).loadInt(v).op(Opcodes.IALOAD).storeInt(slot);
    code.loadReference(slots).loadInt(v).push(1).op(Opcodes.IADD).op(Opcodes.IALOAD).storeInt(end);
    Label loop = new Label();
    Label next = new Label();
    Label done = new Label();
    code.label(loop).loadInt(slot).loadInt(end).jump(Opcodes.IF_ICMPGE, done);
    code.loadReference(has).loadInt(slot).op(Opcodes.BALOAD).jump(Opcodes.IFEQ, next);
    int[] values = method.locals(method.message);
    for (int c = 0; c < values.length; c++) {
      code.loadRow(method.message.get(c), messages[c], slot)
          .store(method.message.get(c), values[c]);
    }
    message.merge(values);
    code.label(next).increment(slot, 1).jump(Opcodes.GOTO, loop);
    code.label(done);
    code.release(mark);
  }

  /**
   * Writes the method that gathers partial rows.
   *
   * @param filtered of the edges whose sources are active
   */
  static void writeGather(KernelMethod method, boolean filtered) {
    CodeBuilder code = method.code;
    int row = KernelMethod.FROM;
    int v = method.vertex.allocate();
    method.vertex.readState();
    EdgeLocals in = EdgeLocals.partial(method, row);
    if (FunctionTraits.readsIds(method.program)) {
      method.vertex.readIds();
    }
    BitmapLocals active = filtered ? BitmapLocals.words(method, "active") : null;
    method.context.read(method.program.send(), method.program.merge());
    int hubs = method.fields.reference("partialHubs", int[].class);
    int has = method.fields.reference("partialHas", boolean[].class);
    int[] columns = method.fields.columns("partials", method.message);
    TallyLocals tally = new TallyLocals(method, List.of());
    tally.countEdges();
    RowGather gather = new RowGather(method, in, null, filtered, null, active, tally);
    Label loop = new Label();
    Label end = new Label();
    Label none = new Label();
    Label next = new Label();
    code.label(loop).loadInt(row).loadInt(KernelMethod.TO).jump(Opcodes.IF_ICMPGE, end);
    code.loadReference(hubs).loadInt(row).op(Opcodes.IALOAD).storeInt(v);
    int mark = code.mark();
    MessageAccumulators message = gather.write(none);
    message.jumpIfNone(none);
    for (int c = 0; c < columns.length; c++) {
      code.storeRow(method.message.get(c), columns[c], row, message.slots()[c]);
    }
    code.loadReference(has).loadInt(row).push(1).op(Opcodes.BASTORE);
    code.jump(Opcodes.GOTO, next).label(none);
    code.loadReference(has).loadInt(row).push(0).op(Opcodes.BASTORE);
    code.release(mark);
    code.label(next).increment(row, 1).jump(Opcodes.GOTO, loop);
    code.label(end);
    tally.store();
    method.leave();
  }
}
