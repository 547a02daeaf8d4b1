package org.sparkgpugraph.engine.cpu.codegen;

import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.engine.KernelShape.Filter;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * The loop over the edges of a row in one direction, of those that a filter selects. Where edges
 * are read by address it counts from the row's first edge on: of numbers from 0 on the compiler
 * knows that they are not negative and have no carry, so that an address is a part of the load.
 */
final class EdgeLoop {
  private final CodeBuilder code;
  private final EdgeLocals edges;
  private final Filter filter;
  private final BitmapLocals active;
  private final int rowActive;

  /** Slot of the row's number. */
  private final int v;

  private int e;
  private int end;
  private int u;

  /** Slots of where the row's neighbours are and its values, where they are read by address. */
  private int neighboursAt;

  private int[] valuesAt;

  /** Slot of the place in the arrays of the row's first edge. */
  private int rowFirst;

  /** Slots of the arrays that the row is in. */
  private int neighbours;

  private int[] values;

  /**
   * @param active active vertices; null when the filter does not read them
   * @param rowActive slot of whether the row's vertex is active
   */
  EdgeLoop(
      KernelMethod method, EdgeLocals edges, Filter filter, BitmapLocals active, int rowActive) {
    this.edges = edges;
    this.filter = filter;
    this.active = active;
    this.rowActive = rowActive;
    code = method.code;
    v = edges.row() < 0 ? method.vertex.v() : edges.row();
  }

  /**
   * Adds the number of the row's edges, before the loop.
   *
   * @param tally where to
   */
  void count(TallyLocals tally) {
    tally.edges(e, end);
  }

  /** Slot of the edge's other end. */
  int u() {
    return u;
  }

  /** Begins the row; jumps to {@code done} when none of its edges can be selected. */
  void begin(Label done) {
    if (filter == Filter.ROW || filter == Filter.ROW_AND_NEIGHBOUR) {
      code.loadInt(rowActive).jump(Opcodes.IFEQ, done);
    }
    e = code.local(Kind.INT);
    end = code.local(Kind.INT);
    u = code.local(Kind.INT);
    EdgeLocals.Hubs hubs = edges.hubs();
    code.loadReference(hubs == null ? edges.offsets() : hubs.begins());
    code.loadInt(v).op(Opcodes.IALOAD).loadInt(edges.first()).op(Opcodes.ISUB).storeInt(e);
    code.loadReference(hubs == null ? edges.offsets() : hubs.ends());
    code.loadInt(v).push(1).op(Opcodes.IADD).op(Opcodes.IALOAD);
    code.loadInt(edges.first()).op(Opcodes.ISUB).storeInt(end);
    neighbours = edges.neighbours();
    values = edges.values();
    if (hubs != null) {
      arrays(hubs);
    }
    if (edges.byAddress()) {
      addresses();
    }
  }

  /** Begins with edges {@code [from, to)}, slots of numbers, which the loop counts itself. */
  void begin(int from, int to) {
    e = from;
    end = to;
    u = code.local(Kind.INT);
    neighbours = edges.neighbours();
    values = edges.values();
  }

  /** The row is in the arrays of hubs where its vertex has slots. */
  private void arrays(EdgeLocals.Hubs hubs) {
    neighbours = code.localReference();
    values = new int[edges.values().length];
    for (int c = 0; c < values.length; c++) {
      values[c] = edges.values()[c] < 0 ? -1 : code.localReference();
    }
    Label hub = new Label();
    Label chosen = new Label();
    code.loadReference(hubs.slots()).loadInt(v).op(Opcodes.IALOAD);
    code.loadReference(hubs.slots()).loadInt(v).push(1).op(Opcodes.IADD).op(Opcodes.IALOAD);
    code.jump(Opcodes.IF_ICMPNE, hub);
    take(edges.neighbours(), edges.values());
    code.jump(Opcodes.GOTO, chosen).label(hub);
    take(hubs.neighbours(), hubs.values());
    code.label(chosen);
  }

  private void take(int rowNeighbours, int[] rowValues) {
    code.loadReference(rowNeighbours).storeReference(neighbours);
    for (int c = 0; c < values.length; c++) {
      if (values[c] >= 0) {
        code.loadReference(rowValues[c]).storeReference(values[c]);
      }
    }
  }

  private void addresses() {
    neighboursAt = ofRow(Kind.INT, edges.neighbours());
    valuesAt = new int[edges.values().length];
    for (int c = 0; c < valuesAt.length; c++) {
      ColumnType type = edges.types().get(c);
      boolean addressed = edges.values()[c] >= 0 && !type.isArray();
      valuesAt[c] = addressed ? ofRow(type.kind(), edges.values()[c]) : -1;
    }
    rowFirst = code.local(Kind.INT);
    code.loadInt(e).storeInt(rowFirst);
    code.loadInt(end).loadInt(e).op(Opcodes.ISUB).storeInt(end);
    code.push(0).storeInt(e);
  }

  /** Where the row's first element of a column is, in a new local. */
  private int ofRow(Kind kind, int address) {
    int slot = code.local(Kind.LONG);
    code.loadAddress(kind, address, e).store(Kind.LONG, slot);
    return slot;
  }

  /** Pushes a value of the edge; of an array the column and the index of its first element. */
  void loadValue(int column) {
    ColumnType type = edges.types().get(column);
    if (!edges.byAddress()) {
      code.loadRow(type, values[column], e);
    } else if (!type.isArray()) {
      code.loadAt(type.kind(), valuesAt[column], e);
    } else {
      code.loadReference(edges.values()[column]).loadInt(rowFirst).loadInt(e).op(Opcodes.IADD);
      code.push(type.width()).op(Opcodes.IMUL);
    }
  }

  /**
   * Writes the loop and the label {@code done} behind it.
   *
   * @param body writes the code of a selected edge
   */
  void write(Label done, Runnable body) {
    Label loop = new Label();
    Label nextEdge = new Label();
    code.label(loop).loadInt(e).loadInt(end).jump(Opcodes.IF_ICMPGE, done);
    if (edges.byAddress()) {
      code.loadAt(Kind.INT, neighboursAt, e);
    } else {
      code.loadReference(neighbours).loadInt(e).op(Opcodes.IALOAD);
    }
    code.storeInt(u);
    skipUnselected(nextEdge);
    body.run();
    code.label(nextEdge).increment(e, 1).jump(Opcodes.GOTO, loop);
    code.label(done);
  }

  private void skipUnselected(Label nextEdge) {
    switch (filter) {
      case NONE, ROW -> {}
      case NEIGHBOUR, ROW_AND_NEIGHBOUR -> {
        active.test(u);
        code.jump(Opcodes.IFEQ, nextEdge);
      }
      case ROW_OR_NEIGHBOUR -> {
        Label take = new Label();
        code.loadInt(rowActive).jump(Opcodes.IFNE, take);
        active.test(u);
        code.jump(Opcodes.IFEQ, nextEdge);
        code.label(take);
      }
    }
  }
}
