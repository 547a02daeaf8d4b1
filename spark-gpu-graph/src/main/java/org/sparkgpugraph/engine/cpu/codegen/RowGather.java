package org.sparkgpugraph.engine.cpu.codegen;

import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.KernelShape.Filter;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** Pulls the messages of a row's edges into the accumulators. */
final class RowGather {
  private static final int NONE = -1;

  private final KernelMethod method;
  private final CodeBuilder code;
  private final EdgeLocals in;
  private final EdgeLocals out;
  private final Filter inFilter;
  private final Filter outFilter;
  private final BitmapLocals active;
  private final TallyLocals tally;
  private final EarlyStop stop;

  /** Messages that rows begin with; null: none. */
  private final PartialLocals partials;

  /**
   * Reads edges from the frame.
   *
   * @param filtered with the edge filters, else all edges
   * @param stop when a row is done; then those edges count whose other end is active. Null: behind
   *     its last edge
   */
  RowGather(
      KernelMethod method,
      EdgeLocals in,
      EdgeLocals out,
      boolean filtered,
      EarlyStop stop,
      BitmapLocals active,
      TallyLocals tally) {
    this.method = method;
    this.in = in;
    this.out = out;
    this.active = active;
    this.tally = tally;
    code = method.code;
    this.stop = stop;
    inFilter = filter(filtered, method.shape.inFilter());
    outFilter = filter(filtered, method.shape.outFilter());
    partials = in != null && in.hubs() != null ? new PartialLocals(method) : null;
  }

  private Filter filter(boolean filtered, Filter own) {
    return stop != null ? Filter.NEIGHBOUR : filtered ? own : Filter.NONE;
  }

  /**
   * Writes the code of a row.
   *
   * @param notRun where to go when no edge of it is selected
   * @return the merged message
   */
  MessageAccumulators write(Label notRun) {
    int rowActive = NONE;
    if (inFilter.readsRow() || outFilter.readsRow()) {
      rowActive = code.local(Kind.INT);
      active.test(method.vertex.v());
      code.storeInt(rowActive);
    }
    boolean wholeRows =
        method.shape.gatherAll() && (inFilter != Filter.NONE || outFilter != Filter.NONE);
    int inSelected = NONE;
    int outSelected = NONE;
    if (wholeRows) {
      // Gather.ALL decides the in-row and the out-row each for itself, so that what is gathered
      // does
      // not depend on whether the program was seen to send to the other side as well.
      Label some = new Label();
      if (in != null) {
        inSelected = selected(new EdgeLoop(method, in, inFilter, active, rowActive));
      }
      if (out != null) {
        outSelected = selected(new EdgeLoop(method, out, outFilter, active, rowActive));
        code.loadInt(outSelected).jump(Opcodes.IFNE, some);
      }
      if (in != null) {
        code.loadInt(inSelected).jump(Opcodes.IFNE, some);
      }
      code.jump(Opcodes.GOTO, notRun);
      code.label(some);
    }
    MessageAccumulators message = new MessageAccumulators(method);
    message.reset();
    if (partials != null) {
      partials.merge(in.hubs().slots(), message);
    }
    boolean called = FunctionBinding.isOutlined(method, method.program.send());
    if (called) {
      message.keep();
    }
    Label gathered = new Label();
    if (in != null) {
      Filter filter = wholeRows ? Filter.NONE : inFilter;
      gather(in, filter, rowActive, inSelected, message, true, gathered);
    }
    if (out != null) {
      Filter filter = wholeRows ? Filter.NONE : outFilter;
      // An edge counts once, although each of its ends evaluates it.
      gather(out, filter, rowActive, outSelected, message, in == null, gathered);
    }
    code.label(gathered);
    if (called) {
      message.take();
    }
    message.finish();
    return message;
  }

  /** Whether the row has an edge that is selected, as 0 or 1 in a new local. */
  private int selected(EdgeLoop loop) {
    int result = method.zero();
    int mark = code.mark();
    Label done = new Label();
    loop.begin(done);
    loop.write(done, () -> code.push(1).storeInt(result).jump(Opcodes.GOTO, done));
    code.release(mark);
    return result;
  }

  private void gather(
      EdgeLocals edges,
      Filter filter,
      int rowActive,
      int selected,
      MessageAccumulators message,
      boolean counted,
      Label gathered) {
    int mark = code.mark();
    Label done = new Label();
    if (selected != NONE) {
      code.loadInt(selected).jump(Opcodes.IFEQ, done);
    }
    EdgeLoop loop = new EdgeLoop(method, edges, filter, active, rowActive);
    loop.begin(done);
    if (counted && !filter.readsNeighbour()) {
      loop.count(tally);
    }
    SendBinding host = new SendBinding(method, edges, message, loop);
    host.loadRowValues();
    loop.write(
        done,
        () -> {
          if (counted && filter.readsNeighbour()) {
            tally.edge();
          }
          if (stop != null && (in == null || out == null)) {
            stop.takeIfAlike(message, gathered);
          }
          host.findWide();
          host.inline();
          if (stop != null) {
            Label none = new Label();
            message.jumpIfNone(none);
            stop.jumpIfAttained(message.slots()[0], gathered);
            code.label(none);
          }
        });
    code.release(mark);
  }
}
