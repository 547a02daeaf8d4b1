package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.KernelShape.Filter;
import org.sparkgpugraph.engine.cpu.frame.ItemBuckets;
import org.sparkgpugraph.engine.cpu.frame.MessageKey;
import org.sparkgpugraph.engine.cpu.frame.SharedMerge;
import org.sparkgpugraph.engine.cpu.frame.StartingVertices;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.AtomicMerge;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * The loop of a superstep that pushes: active vertices walk their out-edges and merge messages into
 * the receivers' values; a receiver whose value changes becomes active in the next superstep. If
 * its turn is still to come in this one it sends its newest value then, and is not active any more.
 */
public final class PushMethod {
  private final KernelMethod method;
  private final CodeBuilder code;
  private final MergeAlgebra merge;

  /** Whether no other thread merges messages meanwhile. */
  private boolean alone;

  /** Slot of the {@link VertexBitmap} of those active next. */
  private int nextActive;

  /** … and of those whose changes are told to other partitions; -1: to none. */
  private int changed = -1;

  PushMethod(KernelMethod method, MergeAlgebra merge) {
    this.method = method;
    this.merge = merge;
    code = method.code;
  }

  /**
   * By which operation a program's messages are merged into values, if they go along out-edges
   * only; empty: they are pulled.
   */
  public static Optional<MergeAlgebra> merge(LiftedProgram program, KernelShape shape) {
    boolean along =
        shape.inRows()
            && !shape.outRows()
            && (shape.inFilter() == Filter.NEIGHBOUR || shape.inFilter() == Filter.NONE);
    return along && shape.inPlace() && !shape.everyVertex() && !shape.gatherAll()
        ? AtomicMerge.intoValue(program)
        : Optional.empty();
  }

  /** Writes the loop over the active vertices in words {@code [from, to)}. */
  void write() {
    EdgeLocals out = open();
    nextActive = method.fields.reference("nextActive", VertexBitmap.class);
    TallyLocals tally = tally();
    RowLoop.members(method, "active", () -> row(out, tally));
    tally.store();
    method.leave();
  }

  /**
   * Writes the loop over edges {@code [from, to)} of the tally's row. The row stays among those
   * active next if it is there: other threads walk the rest of it.
   */
  void writePart() {
    EdgeLocals out = open();
    nextActive = method.fields.reference("nextActive", VertexBitmap.class);
    TallyLocals tally = tally();
    int v = method.vertex.allocate();
    code.field(method.tally, Tally.class, "row", int.class).storeInt(v);
    int value = readValue();
    Label done = new Label();
    EdgeLoop loop = new EdgeLoop(method, out, Filter.NONE, null, -1);
    loop.begin(KernelMethod.FROM, KernelMethod.TO);
    edges(out, loop, tally, value, done, this::activate);
    tally.store();
    method.leave();
  }

  /**
   * Writes the loop over items {@code [from, to)}, whose receivers' items go into the buckets of
   * the tally.
   *
   * @param alone whether no other thread walks items meanwhile
   */
  void writeRelax(boolean alone) {
    this.alone = alone;
    EdgeLocals out = open();
    int buckets = buckets();
    int items = items(buckets);
    TallyLocals tally = tally();
    tally.countVertices();
    touch(out, items);
    items(items, value -> relax(out, tally, buckets, value));
    tally.store();
    method.leave();
  }

  private int buckets() {
    int buckets = code.localReference();
    code.field(method.tally, Tally.class, "buckets", ItemBuckets.class).storeReference(buckets);
    return buckets;
  }

  private int items(int buckets) {
    int items = code.localReference();
    code.field(buckets, ItemBuckets.class, "walked", long[].class).storeReference(items);
    return items;
  }

  /**
   * Writes the loop over the items {@code [from, to)} that are not overtaken.
   *
   * @param body gets the slot of the newest value of the item's vertex, the row
   */
  private void items(int items, IntConsumer body) {
    int item = code.local(Kind.LONG);
    int v = method.vertex.allocate();
    int from = KernelMethod.FROM;
    Kind kind = method.state.get(0).kind();
    Label loop = new Label();
    Label end = new Label();
    code.label(loop).loadInt(from).loadInt(KernelMethod.TO).jump(Opcodes.IF_ICMPGE, end);
    code.loadReference(items).loadInt(from).op(Opcodes.LALOAD).store(Kind.LONG, item);
    code.load(Kind.LONG, item).op(Opcodes.L2I).storeInt(v);
    code.increment(from, 1);
    int mark = code.mark();
    int value = readValue();
    code.load(kind, value);
    priority(kind);
    ItemBuckets.writeOvertaken(code, item);
    code.jump(Opcodes.IFLT, loop);
    body.accept(value);
    code.release(mark);
    code.jump(Opcodes.GOTO, loop).label(end);
  }

  /**
   * The row's newest value, in a new local. Whoever told of the row has improved it before, which a
   * barrier shows.
   */
  private int readValue() {
    Kind kind = method.state.get(0).kind();
    int value = code.local(kind);
    method.vertex.loadStateOf(method.vertex.v(), 0);
    code.store(kind, value);
    return value;
  }

  private void relax(EdgeLocals out, TallyLocals tally, int buckets, int value) {
    tally.ran();
    edges(
        out,
        tally,
        value,
        new Label(),
        (vertex, message) -> {
          noteChange(vertex);
          code.loadReference(buckets).loadInt(vertex);
          code.load(method.state.get(0).kind(), message);
          priority(method.state.get(0).kind());
          code.invokeVirtual(ItemBuckets.class, "add", void.class, int.class, double.class);
        });
  }

  /**
   * Writes a loop that reads where the rows of the items begin. Items come in no order of their
   * rows, each of which is far away in memory: read one behind the other, they are all fetched at
   * the same time.
   */
  private void touch(EdgeLocals out, int items) {
    int mark = code.mark();
    int i = code.local(Kind.INT);
    int v = code.local(Kind.INT);
    int e = code.local(Kind.INT);
    int sum = method.zero();
    Label loop = new Label();
    Label next = new Label();
    Label end = new Label();
    code.loadInt(KernelMethod.FROM).storeInt(i);
    code.label(loop).loadInt(i).loadInt(KernelMethod.TO).jump(Opcodes.IF_ICMPGE, end);
    code.loadReference(items).loadInt(i).op(Opcodes.LALOAD).op(Opcodes.L2I).storeInt(v);
    code.loadReference(out.offsets()).loadInt(v).op(Opcodes.IALOAD).storeInt(e);
    code.loadInt(e).loadReference(out.offsets()).loadInt(v).push(1).op(Opcodes.IADD);
    code.op(Opcodes.IALOAD).jump(Opcodes.IF_ICMPGE, next);
    add(sum, () -> code.loadReference(out.neighbours()).loadInt(e).op(Opcodes.IALOAD));
    for (int c = 0; c < out.values().length; c++) {
      ColumnType type = method.program.edge().columns().get(c);
      if (out.values()[c] >= 0 && type instanceof Kind kind) {
        int column = out.values()[c];
        add(
            sum,
            () -> {
              code.loadReference(column).loadInt(e).arrayLoad(kind);
              toInt(kind);
            });
      }
    }
    code.label(next).increment(i, 1).jump(Opcodes.GOTO, loop);
    code.label(end).loadReference(method.tally).loadInt(sum);
    code.out().visitFieldInsn(Opcodes.PUTFIELD, Type.getInternalName(Tally.class), "touched", "I");
    code.release(mark);
  }

  private void add(int sum, Runnable number) {
    code.loadInt(sum);
    number.run();
    code.op(Opcodes.IADD).storeInt(sum);
  }

  private void toInt(Kind kind) {
    switch (kind) {
      case LONG -> code.op(Opcodes.L2I);
      case FLOAT -> code.op(Opcodes.F2I);
      case DOUBLE -> code.op(Opcodes.D2I);
      case INT, BOOLEAN -> {}
    }
  }

  /** Writes the loop that offers the active vertices in words {@code [from, to)} to the tally. */
  void writeStart() {
    method.vertex.readState();
    EdgeLocals out = EdgeLocals.pushingOut(method);
    int starting = code.localReference();
    code.field(method.tally, Tally.class, "starting", StartingVertices.class);
    code.storeReference(starting);
    Kind kind = method.state.get(0).kind();
    RowLoop.members(
        method,
        "active",
        () -> {
          int v = method.vertex.v();
          code.loadReference(starting).loadInt(v);
          method.vertex.loadStateOf(v, 0);
          priority(kind);
          code.loadReference(out.offsets()).loadInt(v).push(1).op(Opcodes.IADD).op(Opcodes.IALOAD);
          code.loadReference(out.offsets()).loadInt(v).op(Opcodes.IALOAD).op(Opcodes.ISUB);
          code.invokeVirtual(
              StartingVertices.class, "offer", void.class, int.class, double.class, int.class);
        });
    method.leave();
  }

  /**
   * Writes the loop that tells the tally what the active vertices in words {@code [from, to)} say,
   * and takes out those that improve no value, not even the worst. Where it depends on an edge
   * value, in which it is monotone, over the least one and over the largest of all.
   */
  static void writeListen(KernelMethod method, ImprovingSends proof) {
    CodeBuilder code = method.code;
    int worst = method.fields.number("worst", Kind.LONG);
    method.vertex.readState();
    EdgeLocals out = method.shape.inRows() ? EdgeLocals.pushingOut(method) : null;
    EdgeLocals in = method.shape.outRows() ? EdgeLocals.pushingIn(method) : null;
    method.context.read(method.program.send());
    int bounds = proof.readsEdge() ? edgeBounds(method, proof.edgeColumn()) : -1;
    RowLoop.keepMembers(
        method,
        "active",
        kept -> {
          int mark = code.mark();
          int key = code.local(Kind.LONG);
          code.push(Kind.LONG, MessageKey.NONE).store(Kind.LONG, key);
          Label speaks = new Label();
          Label silent = new Label();
          if (proof.readsEdge()) {
            saysOverEdges(method, out, proof, bounds, key, speaks);
          } else {
            for (EdgeLocals sent : new EdgeLocals[] {out, in}) {
              if (sent != null) {
                says(method, sent, key, -1, 0);
              }
            }
          }
          code.load(Kind.LONG, key).load(Kind.LONG, worst).op(Opcodes.LCMP);
          code.jump(Opcodes.IFLE, silent);
          code.label(speaks);
          code.load(Kind.LONG, kept).op(Opcodes.LCONST_1).loadInt(method.vertex.v());
          code.op(Opcodes.LSHL).op(Opcodes.LOR).store(Kind.LONG, kept);
          code.loadReference(method.tally).load(Kind.LONG, key);
          code.invokeVirtual(Tally.class, "hear", void.class, long.class);
          code.label(silent);
          code.release(mark);
        });
    method.leave();
  }

  /** Slot of the array of the least and the largest edge value. */
  private static int edgeBounds(KernelMethod method, int column) {
    ColumnType kind = method.program.edge().columns().get(column);
    return method.fields.columns("edgeBounds", List.of(0), List.of(kind))[0];
  }

  /**
   * Writes the best of what the row says over two edges to a slot. Jumps where what it says over
   * others is not between these: one of both says nothing, or an integer has overflown.
   */
  private static void saysOverEdges(
      KernelMethod method, EdgeLocals sent, ImprovingSends proof, int bounds, int key, Label all) {
    CodeBuilder code = method.code;
    int first = code.local(Kind.LONG);
    code.push(Kind.LONG, MessageKey.NONE).store(Kind.LONG, first);
    says(method, sent, first, bounds, 0);
    says(method, sent, key, bounds, 1);
    Label alike = new Label();
    Label done = new Label();
    code.load(Kind.LONG, first).load(Kind.LONG, key).op(Opcodes.LCMP).jump(Opcodes.IFEQ, done);
    code.load(Kind.LONG, first).push(Kind.LONG, MessageKey.NONE).op(Opcodes.LCMP);
    code.jump(Opcodes.IFNE, alike);
    // The largest alone says something.
    code.jump(Opcodes.GOTO, all);
    code.label(alike);
    Label both = new Label();
    code.load(Kind.LONG, key).push(Kind.LONG, MessageKey.NONE).op(Opcodes.LCMP);
    code.jump(Opcodes.IFNE, both);
    code.load(Kind.LONG, first).store(Kind.LONG, key).jump(Opcodes.GOTO, all);
    code.label(both);
    if (proof.wraps() != ImprovingSends.Wraps.NEVER) {
      // Keys are the larger, the better.
      boolean least = method.program.traits().merge().get(0) == MergeAlgebra.MIN;
      boolean larger = (proof.wraps() == ImprovingSends.Wraps.UPWARDS) == least;
      code.load(Kind.LONG, key).load(Kind.LONG, first).op(Opcodes.LCMP);
      code.jump(larger ? Opcodes.IFGT : Opcodes.IFLT, all);
    }
    code.load(Kind.LONG, first).load(Kind.LONG, key);
    code.invokeStatic(Math.class, "max", long.class, long.class, long.class);
    code.store(Kind.LONG, key);
    code.label(done);
  }

  /**
   * @param bounds slot of an array of edge values; −1: none is read
   * @param edge which of them
   */
  private static void says(KernelMethod method, EdgeLocals sent, int key, int bounds, int edge) {
    CodeBuilder code = method.code;
    ImprovementBinding host =
        new ImprovementBinding(
            method,
            sent,
            bounds,
            edge,
            slot -> {
              code.load(method.state.get(0).kind(), slot);
              EarlyStop.writeKey(method);
              code.load(Kind.LONG, key);
              code.invokeStatic(Math.class, "max", long.class, long.class, long.class);
              code.store(Kind.LONG, key);
            });
    host.loadRowValues();
    host.inline();
  }

  /** Reads what the walks along out-edges need of the frame. */
  private EdgeLocals open() {
    LiftedProgram program = method.program;
    method.vertex.readState();
    EdgeLocals out = EdgeLocals.pushingOut(method);
    if (FunctionTraits.readsIds(program)) {
      method.vertex.readIds();
    }
    if (method.shape.tracksChanges()) {
      changed = method.fields.reference("changed", VertexBitmap.class);
    }
    method.vertex.readPresent();
    method.context.read(program.send());
    return out;
  }

  private TallyLocals tally() {
    TallyLocals tally = new TallyLocals(method, method.program.aggregates());
    tally.countEdges();
    return tally;
  }

  private void row(EdgeLocals out, TallyLocals tally) {
    int mark = code.mark();
    Label done = new Label();
    code.loadReference(nextActive).loadInt(method.vertex.v());
    code.invokeVirtual(VertexBitmap.class, "removeShared", void.class, int.class);
    Kind kind = method.state.get(0).kind();
    int value = code.local(kind);
    code.loadReference(method.vertex.state()[0]).loadInt(method.vertex.v());
    SharedMerge.writeRead(code, kind);
    code.store(kind, value);
    edges(out, tally, value, done, this::activate);
    code.release(mark);
  }

  /** Until readers are told, a vertex whose value changes has a bit. */
  private void noteChange(int vertex) {
    if (changed >= 0) {
      code.loadReference(changed).loadInt(vertex);
      code.invokeVirtual(VertexBitmap.class, alone ? "add" : "addShared", void.class, int.class);
    }
  }

  private void activate(int vertex, int message) {
    noteChange(vertex);
    code.loadReference(nextActive).loadInt(vertex);
    code.invokeVirtual(VertexBitmap.class, "addShared", void.class, int.class);
  }

  private void priority(Kind kind) {
    ItemBuckets.writePriority(code, kind, merge == MergeAlgebra.MAX);
  }

  /** Walks the row's edges, and ends behind the label {@code done}. */
  private void edges(
      EdgeLocals out, TallyLocals tally, int value, Label done, PushBinding.Improved improved) {
    skipUseless(out, value, done);
    EdgeLoop loop = new EdgeLoop(method, out, Filter.NONE, null, -1);
    loop.begin(done);
    edges(out, loop, tally, value, done, improved);
  }

  /** The same of the edges of a loop that has begun. */
  private void edges(
      EdgeLocals out,
      EdgeLoop loop,
      TallyLocals tally,
      int value,
      Label done,
      PushBinding.Improved improved) {
    PushBinding host = new PushBinding(method, out, loop, merge, alone, improved);
    host.rowValue(value);
    host.loadRowValues();
    loop.count(tally);
    loop.write(done, host::edge);
  }

  /** Goes on with the next row when the vertex could improve no value, not even the worst. */
  private void skipUseless(EdgeLocals out, int value, Label done) {
    if (ImprovingSends.ofSendersAlone(method.program).isPresent()) {
      int improves = method.zero();
      ImprovementBinding host =
          new ImprovementBinding(method, out, slot -> code.push(1).storeInt(improves));
      host.rowValue(value);
      host.loadRowValues();
      host.inline();
      code.loadInt(improves).jump(Opcodes.IFEQ, done);
    }
  }
}
