package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.engine.cpu.KernelShape.Filter;
import io.sparkgpugraph.exchange.VertexBitmap;
import io.sparkgpugraph.graph.GraphPartition;
import io.sparkgpugraph.program.Aggregate;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ir.Insn;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Param;
import io.sparkgpugraph.program.ir.Role;
import io.sparkgpugraph.program.ir.Side;
import io.sparkgpugraph.program.jvm.CodeBuilder;
import io.sparkgpugraph.program.jvm.CodeFault;
import io.sparkgpugraph.program.jvm.IrEmitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes one method of a {@link CpuKernel}. In the comments, v is the row's vertex, u the other end
 * of an edge, e an edge's index in its row.
 */
final class KernelMethod {
  /** The JVM allows 255 slots of arguments; three are the frame, the tally and the vertex. */
  private static final int MOST_ARGUMENTS = 250;

  private static final int FROM = 3;
  private static final int TO = 4;

  private final LiftedProgram program;
  private final KernelShape shape;
  private final boolean[] stable;
  private final CodeBuilder code;
  private final List<Kind> state;
  private final List<Kind> message;
  private final Object[] identities;
  private List<Aggregate> aggregates;
  private List<CompiledKernel.Site> sites;

  private final Outlines outlines;

  // Local variable slots; -1 where the method does not need one.
  private int frame = 1;
  private int tally = 2;
  private int[] current;
  private int[] next;
  private int[] attributes;
  private int[] results;
  private int[] inEdges;
  private int[] outEdges;
  private int ids = -1;
  private int partition = -1;
  private int present = -1;
  private int active = -1;
  private int nextActive = -1;
  private int nextActiveSummary = -1;
  private int ran = -1;
  private int ranSummary = -1;
  private int changed = -1;
  private int changedSummary = -1;
  private final Map<Integer, Integer> captures = new HashMap<>();
  private int superstep = -1;
  private int vertexCount = -1;
  private int aggregateValues = -1;
  private int[] startMessage;
  private int[] aggregateLocals;
  private int edgesCount = -1;
  private int ranCount = -1;
  private int activatedCount = -1;
  private int v;
  private int[] accumulators;
  private int has;

  /**
   * Static methods of the kernel that hold one function each, for programs whose loops would be too
   * long to be compiled with everything inlined.
   */
  interface Outlines {
    /**
     * Calls the method of a function, which is added when it is called for the first time.
     *
     * @param side of a send function: the messages that it takes; else null
     */
    void call(
        IrFunction function,
        Side side,
        String descriptor,
        Consumer<CodeBuilder> body,
        CodeBuilder from);
  }

  /**
   * @param outlines takes the functions, or null to inline them
   */
  KernelMethod(
      LiftedProgram program,
      KernelShape shape,
      boolean[] stable,
      Outlines outlines,
      CodeBuilder code) {
    this.outlines = outlines;
    this.program = program;
    this.shape = shape;
    this.stable = stable;
    this.code = code;
    aggregates = program.aggregates();
    state = program.state().columns();
    message = program.message().columns();
    identities = FunctionTraits.identities(program);
  }

  /** A body for what a program of this shape never calls. */
  void unsupported() {
    code.out().visitTypeInsn(Opcodes.NEW, "java/lang/UnsupportedOperationException");
    code.op(Opcodes.DUP);
    code.out()
        .visitMethodInsn(
            Opcodes.INVOKESPECIAL,
            "java/lang/UnsupportedOperationException",
            "<init>",
            "()V",
            false);
    code.op(Opcodes.ATHROW);
  }

  // ---- prologue -------------------------------------------------------------------------------

  private int reference(String field, Class<?> type) {
    int slot = code.localReference();
    code.field(frame, KernelFrame.class, field, type).storeReference(slot);
    return slot;
  }

  private int[] columns(String field, List<Kind> kinds) {
    int[] slots = new int[kinds.size()];
    for (int c = 0; c < slots.length; c++) {
      slots[c] = column(field, c, kinds.get(c));
    }
    return slots;
  }

  private int column(String field, int c, Kind kind) {
    int slot = code.localReference();
    code.field(frame, KernelFrame.class, field, Object[].class).push(c).op(Opcodes.AALOAD);
    code.out().visitTypeInsn(Opcodes.CHECKCAST, "[" + CodeBuilder.type(kind).getDescriptor());
    code.storeReference(slot);
    return slot;
  }

  /** Only the columns that some function reads; -1 for the others. */
  private int[] columnsRead(String field, List<Kind> kinds, Role role, IrFunction... functions) {
    int[] slots = new int[kinds.size()];
    for (int c = 0; c < slots.length; c++) {
      slots[c] = -1;
      for (IrFunction function : functions) {
        if (function != null && slots[c] < 0 && function.reads(role, c)) {
          slots[c] = column(field, c, kinds.get(c));
        }
      }
    }
    return slots;
  }

  private int[] boxes(String field, List<Kind> kinds) {
    int[] slots = new int[kinds.size()];
    for (int c = 0; c < slots.length; c++) {
      slots[c] = box(field, c, kinds.get(c));
    }
    return slots;
  }

  private int box(String field, int c, Kind kind) {
    int slot = code.local(kind);
    code.field(frame, KernelFrame.class, field, Object[].class).push(c).op(Opcodes.AALOAD);
    code.out().visitTypeInsn(Opcodes.CHECKCAST, Type.getInternalName(kind.box()));
    code.invokeVirtual(kind.box(), kind.primitive().getName() + "Value", kind.primitive());
    code.store(kind, slot);
    return slot;
  }

  private int bitmapWords(String field, boolean summary) {
    int slot = code.localReference();
    code.field(frame, KernelFrame.class, field, VertexBitmap.class);
    code.out()
        .visitFieldInsn(
            Opcodes.GETFIELD,
            Type.getInternalName(VertexBitmap.class),
            summary ? "summary" : "words",
            "[J");
    code.storeReference(slot);
    return slot;
  }

  private int integer() {
    int slot = code.local(Kind.INT);
    code.push(0).storeInt(slot);
    return slot;
  }

  /** What functions read besides values: captures, the superstep, ids through the partition. */
  private void context(IrFunction... functions) {
    for (IrFunction function : functions) {
      if (function == null) {
        continue;
      }
      for (Param p : function.parameters()) {
        switch (p.role()) {
          case CAPTURE -> {
            if (!captures.containsKey(p.index())) {
              captures.put(
                  p.index(), box("captures", p.index(), program.captureKinds().get(p.index())));
            }
          }
          case SUPERSTEP -> {
            if (superstep < 0) {
              superstep = code.local(Kind.INT);
              code.field(frame, KernelFrame.class, "superstep", int.class).storeInt(superstep);
            }
          }
          case VERTEX_COUNT -> {
            if (vertexCount < 0) {
              vertexCount = code.local(Kind.LONG);
              code.field(frame, KernelFrame.class, "vertexCount", long.class)
                  .store(Kind.LONG, vertexCount);
            }
          }
          case AGGREGATE -> {
            if (aggregateValues < 0) {
              aggregateValues = reference("aggregates", double[].class);
            }
          }
          default -> {}
        }
      }
    }
  }

  private IrFunction[] aggregateFunctions() {
    return aggregates.stream().map(Aggregate::function).toArray(IrFunction[]::new);
  }

  private void startAggregates() {
    aggregateLocals = new int[aggregates.size()];
    for (int i = 0; i < aggregateLocals.length; i++) {
      aggregateLocals[i] = code.local(Kind.DOUBLE);
      code.push(Kind.DOUBLE, aggregates.get(i).operation().neutral())
          .store(Kind.DOUBLE, aggregateLocals[i]);
    }
  }

  // ---- epilogue -------------------------------------------------------------------------------

  private void finish() {
    if (ranCount >= 0) {
      count("ran", ranCount);
      count("activated", activatedCount);
    }
    if (edgesCount >= 0) {
      count("edges", edgesCount);
    }
    for (int i = 0; i < aggregateLocals.length; i++) {
      code.field(tally, Tally.class, "aggregates", double[].class).push(i);
      code.load(Kind.DOUBLE, aggregateLocals[i]).arrayStore(Kind.DOUBLE);
    }
    KernelGenerator.leave(code);
  }

  private void count(String field, int slot) {
    code.loadReference(tally).op(Opcodes.DUP);
    code.out().visitFieldInsn(Opcodes.GETFIELD, Type.getInternalName(Tally.class), field, "J");
    code.loadInt(slot).op(Opcodes.I2L).op(Opcodes.LADD);
    code.out().visitFieldInsn(Opcodes.PUTFIELD, Type.getInternalName(Tally.class), field, "J");
  }

  // ---- superstep 0 ----------------------------------------------------------------------------

  /** State from attributes, then the vertex program with the initial message. */
  void initialise(List<CompiledKernel.Site> siteList) {
    sites = siteList;
    IrFunction first = program.initialState();
    IrFunction vertexProgram = shape.startsWithMessage() ? program.vertexProgram() : null;
    List<Kind> attributeKinds = program.attribute().columns();
    current = columns("current", state);
    attributes =
        first == null
            ? columns("attributes", attributeKinds)
            : columnsRead("attributes", attributeKinds, Role.ATTRIBUTE, first);
    partition = reference("partition", GraphPartition.class);
    context(first, vertexProgram);
    context(aggregateFunctions());
    if (vertexProgram != null) {
      startMessage = boxes("initialMessage", message);
    }
    startAggregates();
    ranCount = integer();
    activatedCount = integer();
    if (shape.missingVertices()) {
      present = reference("present", long[].class);
    }
    v = FROM;
    Label loop = new Label();
    Label end = new Label();
    Label nextRow = new Label();
    code.label(loop).loadInt(v).loadInt(TO).jump(Opcodes.IF_ICMPGE, end);
    skipMissing(nextRow);
    int mark = code.mark();
    int[] value = new int[state.size()];
    for (int c = 0; c < value.length; c++) {
      value[c] = code.local(state.get(c));
    }
    if (first == null) {
      for (int c = 0; c < value.length; c++) {
        code.loadReference(attributes[c]).loadInt(v).arrayLoad(state.get(c));
        code.store(state.get(c), value[c]);
      }
    } else {
      new VertexHost(first, null, null, value, state).inline();
    }
    int[] after = value;
    if (vertexProgram != null) {
      after = new int[state.size()];
      for (int c = 0; c < after.length; c++) {
        after[c] = code.local(state.get(c));
      }
      new VertexHost(vertexProgram, value, startMessage, after, state).inline();
      aggregate(value, after);
      code.increment(ranCount, 1);
    }
    for (int c = 0; c < after.length; c++) {
      code.loadReference(current[c]).loadInt(v).load(state.get(c), after[c]);
      code.arrayStore(state.get(c));
    }
    code.increment(activatedCount, 1);
    code.release(mark);
    code.label(nextRow).increment(v, 1).jump(Opcodes.GOTO, loop);
    code.label(end);
    finish();
  }

  private void skipMissing(Label nextRow) {
    if (present >= 0) {
      bit(present, v);
      code.jump(Opcodes.IFEQ, nextRow);
    }
  }

  /** Pushes {@code (int) (words[vertex >>> 6] >>> vertex) & 1}. */
  private void bit(int words, int vertex) {
    code.loadReference(words).loadInt(vertex).push(6).op(Opcodes.IUSHR).op(Opcodes.LALOAD);
    code.loadInt(vertex).op(Opcodes.LUSHR).op(Opcodes.L2I).push(1).op(Opcodes.IAND);
  }

  /** {@code words[v >>> 6] |= 1L << v}, and the same one level up. */
  private void setBit(int words, int summary) {
    code.loadReference(words).loadInt(v).push(6).op(Opcodes.IUSHR).op(Opcodes.DUP2);
    code.op(Opcodes.LALOAD).op(Opcodes.LCONST_1).loadInt(v).op(Opcodes.LSHL).op(Opcodes.LOR);
    code.op(Opcodes.LASTORE);
    if (summary >= 0) {
      code.loadReference(summary).loadInt(v).push(12).op(Opcodes.IUSHR).op(Opcodes.DUP2);
      code.op(Opcodes.LALOAD).op(Opcodes.LCONST_1);
      code.loadInt(v).push(6).op(Opcodes.IUSHR).op(Opcodes.LSHL).op(Opcodes.LOR);
      code.op(Opcodes.LASTORE);
    }
  }

  private void aggregate(int[] before, int[] after) {
    for (int i = 0; i < aggregateLocals.length; i++) {
      Aggregate aggregate = aggregates.get(i);
      int mark = code.mark();
      int[] value = {code.local(Kind.DOUBLE)};
      new BeforeAfterHost(aggregate.function(), before, after, value, List.of(Kind.DOUBLE))
          .inline();
      code.load(Kind.DOUBLE, aggregateLocals[i]).load(Kind.DOUBLE, value[0]);
      switch (aggregate.operation()) {
        case SUM -> code.op(Opcodes.DADD);
        case MIN -> code.invokeStatic(Math.class, "min", double.class, double.class, double.class);
        case MAX -> code.invokeStatic(Math.class, "max", double.class, double.class, double.class);
      }
      code.store(Kind.DOUBLE, aggregateLocals[i]);
      code.release(mark);
    }
  }

  // ---- gather and apply -----------------------------------------------------------------------

  /**
   * The loops of a superstep.
   *
   * @param sparse candidate rows in summary words [from, to), else rows [from, to)
   * @param filtered with the edge filters, else all edges
   */
  void rows(boolean sparse, boolean filtered, List<CompiledKernel.Site> siteList) {
    sites = siteList;
    Filter inFilter = filtered ? shape.inFilter() : Filter.NONE;
    Filter outFilter = filtered ? shape.outFilter() : Filter.NONE;
    current = columns("current", state);
    next = shape.inPlace() ? current : columns("next", state);
    List<Kind> edgeKinds = program.edge().columns();
    int inOffsets = -1;
    int inSources = -1;
    int outOffsets = -1;
    int outDestinations = -1;
    if (shape.inRows()) {
      inOffsets = reference("inOffsets", int[].class);
      inSources = reference("inSources", int[].class);
      inEdges = columnsRead("inEdges", edgeKinds, Role.EDGE, program.send());
    }
    if (shape.outRows()) {
      outOffsets = reference("outOffsets", int[].class);
      outDestinations = reference("outDestinations", int[].class);
      outEdges = columnsRead("outEdges", edgeKinds, Role.EDGE, program.send());
    }
    if (FunctionTraits.readsIds(program)) {
      ids = reference("ids", long[].class);
    }
    if (shape.missingVertices()) {
      present = reference("present", long[].class);
    }
    if (inFilter != Filter.NONE || outFilter != Filter.NONE) {
      active = bitmapWords("active", false);
    }
    if (!shape.everyVertex()) {
      nextActive = bitmapWords("nextActive", false);
      if (sparse) {
        nextActiveSummary = bitmapWords("nextActive", true);
      }
    }
    if (sparse && recordsRan(shape, program)) {
      ran = bitmapWords("ran", false);
      ranSummary = bitmapWords("ran", true);
    }
    if (shape.tracksChanges()) {
      changed = bitmapWords("changed", false);
      if (sparse) {
        changedSummary = bitmapWords("changed", true);
      }
    }
    context(program.send(), program.merge(), program.vertexProgram(), program.activeWhen());
    context(aggregateFunctions());
    if (shape.everyVertex()) {
      startMessage = boxes("emptyMessage", message);
    }
    startAggregates();
    edgesCount = integer();
    ranCount = integer();
    activatedCount = integer();

    Label end = new Label();
    Label nextRow = new Label();
    int candidateWord = -1;
    if (sparse) {
      int candidates = bitmapWords("candidates", false);
      int summary = bitmapWords("candidates", true);
      int summaryWord = code.local(Kind.LONG);
      int word = code.local(Kind.INT);
      candidateWord = code.local(Kind.LONG);
      v = code.local(Kind.INT);
      Label summaryLoop = new Label();
      Label summaryNext = new Label();
      Label wordLoop = new Label();
      code.label(summaryLoop).loadInt(FROM).loadInt(TO).jump(Opcodes.IF_ICMPGE, end);
      code.loadReference(summary).loadInt(FROM).op(Opcodes.LALOAD).store(Kind.LONG, summaryWord);
      code.label(wordLoop).load(Kind.LONG, summaryWord).op(Opcodes.LCONST_0).op(Opcodes.LCMP);
      code.jump(Opcodes.IFEQ, summaryNext);
      code.loadInt(FROM).push(6).op(Opcodes.ISHL).load(Kind.LONG, summaryWord);
      code.invokeStatic(Long.class, "numberOfTrailingZeros", int.class, long.class);
      code.op(Opcodes.IADD).storeInt(word);
      dropLowestBit(summaryWord);
      code.loadReference(candidates).loadInt(word).op(Opcodes.LALOAD);
      code.store(Kind.LONG, candidateWord);
      code.label(nextRow).load(Kind.LONG, candidateWord).op(Opcodes.LCONST_0).op(Opcodes.LCMP);
      code.jump(Opcodes.IFEQ, wordLoop);
      code.loadInt(word).push(6).op(Opcodes.ISHL).load(Kind.LONG, candidateWord);
      code.invokeStatic(Long.class, "numberOfTrailingZeros", int.class, long.class);
      code.op(Opcodes.IADD).storeInt(v);
      dropLowestBit(candidateWord);
      row(sparse, inFilter, outFilter, inOffsets, inSources, outOffsets, outDestinations, nextRow);
      code.jump(Opcodes.GOTO, nextRow);
      code.label(summaryNext).increment(FROM, 1).jump(Opcodes.GOTO, summaryLoop);
    } else {
      v = FROM;
      Label loop = new Label();
      code.label(loop).loadInt(v).loadInt(TO).jump(Opcodes.IF_ICMPGE, end);
      row(sparse, inFilter, outFilter, inOffsets, inSources, outOffsets, outDestinations, nextRow);
      code.label(nextRow).increment(v, 1).jump(Opcodes.GOTO, loop);
    }
    code.label(end);
    finish();
  }

  /** Whether sparse supersteps keep the vertices that ran apart from those that are active. */
  static boolean recordsRan(KernelShape shape, LiftedProgram program) {
    return !shape.inPlace() && program.activeWhen() != null;
  }

  private void dropLowestBit(int word) {
    code.load(Kind.LONG, word).op(Opcodes.DUP2).op(Opcodes.LCONST_1).op(Opcodes.LSUB);
    code.op(Opcodes.LAND).store(Kind.LONG, word);
  }

  private void row(
      boolean sparse,
      Filter inFilter,
      Filter outFilter,
      int inOffsets,
      int inSources,
      int outOffsets,
      int outDestinations,
      Label nextRow) {
    skipMissing(nextRow);
    int mark = code.mark();
    Label notRun = new Label();
    int rowActive = -1;
    if (inFilter.readsRow() || outFilter.readsRow()) {
      rowActive = code.local(Kind.INT);
      bit(active, v);
      code.storeInt(rowActive);
    }
    // Gather.ALL decides the in-row and the out-row each for itself, so that what is gathered does
    // not depend on whether the program was seen to send to the other side as well.
    int inSelected = -1;
    int outSelected = -1;
    if (shape.gatherAll() && (inFilter != Filter.NONE || outFilter != Filter.NONE)) {
      Label some = new Label();
      if (shape.inRows()) {
        inSelected = selected(inFilter, rowActive, inOffsets, inSources);
      }
      if (shape.outRows()) {
        outSelected = selected(outFilter, rowActive, outOffsets, outDestinations);
        code.loadInt(outSelected).jump(Opcodes.IFNE, some);
      }
      if (shape.inRows()) {
        code.loadInt(inSelected).jump(Opcodes.IFNE, some);
      }
      code.jump(Opcodes.GOTO, notRun);
      code.label(some);
      inFilter = Filter.NONE;
      outFilter = Filter.NONE;
    }
    has = code.local(Kind.INT);
    code.push(0).storeInt(has);
    accumulators = new int[message.size()];
    for (int c = 0; c < accumulators.length; c++) {
      Kind kind = message.get(c);
      accumulators[c] = code.local(kind);
      if (identities != null) {
        code.push(kind, identities[c]);
      } else {
        code.pushZero(kind);
      }
      code.store(kind, accumulators[c]);
    }
    if (outlines != null) {
      keepAccumulators();
    }
    if (shape.inRows()) {
      Label rest = new Label();
      if (inSelected >= 0) {
        code.loadInt(inSelected).jump(Opcodes.IFEQ, rest);
      }
      side(Side.DESTINATION, inFilter, rowActive, inOffsets, inSources, inEdges, true);
      code.label(rest);
    }
    if (shape.outRows()) {
      Label rest = new Label();
      if (outSelected >= 0) {
        code.loadInt(outSelected).jump(Opcodes.IFEQ, rest);
      }
      side(
          Side.SOURCE,
          outFilter,
          rowActive,
          outOffsets,
          outDestinations,
          outEdges,
          !shape.inRows());
      code.label(rest);
    }
    if (outlines != null) {
      takeAccumulators();
    }
    apply(sparse, notRun);
    code.jump(Opcodes.GOTO, nextRow);
    code.label(notRun);
    if (!sparse && !shape.inPlace()) {
      for (int c = 0; c < state.size(); c++) {
        if (!stable[c]) {
          code.loadReference(next[c]).loadInt(v).loadReference(current[c]).loadInt(v);
          code.arrayLoad(state.get(c)).arrayStore(state.get(c));
        }
      }
    }
    code.release(mark);
  }

  /** Whether the row has an edge that the filter selects, as 0 or 1 in a new local. */
  private int selected(Filter filter, int rowActive, int offsets, int neighbours) {
    int result = integer();
    int mark = code.mark();
    Label none = new Label();
    if (filter == Filter.ROW || filter == Filter.ROW_AND_NEIGHBOUR) {
      code.loadInt(rowActive).jump(Opcodes.IFEQ, none);
    }
    int e = code.local(Kind.INT);
    int end = code.local(Kind.INT);
    int u = code.local(Kind.INT);
    rowBounds(offsets, e, end);
    Label loop = new Label();
    Label nextEdge = new Label();
    code.label(loop).loadInt(e).loadInt(end).jump(Opcodes.IF_ICMPGE, none);
    code.loadReference(neighbours).loadInt(e).op(Opcodes.IALOAD).storeInt(u);
    filterEdge(filter, rowActive, u, nextEdge);
    code.push(1).storeInt(result).jump(Opcodes.GOTO, none);
    code.label(nextEdge).increment(e, 1).jump(Opcodes.GOTO, loop);
    code.label(none);
    code.release(mark);
    return result;
  }

  private void rowBounds(int offsets, int begin, int end) {
    code.loadReference(offsets).loadInt(v).op(Opcodes.IALOAD).storeInt(begin);
    code.loadReference(offsets).loadInt(v).push(1).op(Opcodes.IADD).op(Opcodes.IALOAD);
    code.storeInt(end);
  }

  /** Jumps to {@code skip} when the filter does not select the edge to u. */
  private void filterEdge(Filter filter, int rowActive, int u, Label skip) {
    switch (filter) {
      case NONE, ROW -> {}
      case NEIGHBOUR, ROW_AND_NEIGHBOUR -> {
        bit(active, u);
        code.jump(Opcodes.IFEQ, skip);
      }
      case ROW_OR_NEIGHBOUR -> {
        Label take = new Label();
        code.loadInt(rowActive).jump(Opcodes.IFNE, take);
        bit(active, u);
        code.jump(Opcodes.IFEQ, skip);
        code.label(take);
      }
    }
  }

  /** Pulls the messages of one side of the row's edges into the accumulators. */
  private void side(
      Side side,
      Filter filter,
      int rowActive,
      int offsets,
      int neighbours,
      int[] edgeColumns,
      boolean counted) {
    int mark = code.mark();
    Label done = new Label();
    if (filter == Filter.ROW || filter == Filter.ROW_AND_NEIGHBOUR) {
      code.loadInt(rowActive).jump(Opcodes.IFEQ, done);
    }
    int e = code.local(Kind.INT);
    int end = code.local(Kind.INT);
    int u = code.local(Kind.INT);
    rowBounds(offsets, e, end);
    if (counted && !filter.readsNeighbour()) {
      code.loadInt(edgesCount).loadInt(end).op(Opcodes.IADD).loadInt(e).op(Opcodes.ISUB);
      code.storeInt(edgesCount);
    }
    SendHost host = new SendHost(side, e, u, edgeColumns);
    host.loadRowValues();
    Label loop = new Label();
    Label nextEdge = new Label();
    code.label(loop).loadInt(e).loadInt(end).jump(Opcodes.IF_ICMPGE, done);
    code.loadReference(neighbours).loadInt(e).op(Opcodes.IALOAD).storeInt(u);
    filterEdge(filter, rowActive, u, nextEdge);
    if (counted && filter.readsNeighbour()) {
      code.increment(edgesCount, 1);
    }
    host.inline();
    code.label(nextEdge).increment(e, 1).jump(Opcodes.GOTO, loop);
    code.label(done);
    code.release(mark);
  }

  private void mergeMessage(int[] slots) {
    Label merged = new Label();
    if (identities == null) {
      Label merge = new Label();
      code.loadInt(has).jump(Opcodes.IFNE, merge);
      for (int c = 0; c < slots.length; c++) {
        code.load(message.get(c), slots[c]).store(message.get(c), accumulators[c]);
      }
      code.push(1).storeInt(has).jump(Opcodes.GOTO, merged);
      code.label(merge);
    } else {
      code.push(1).storeInt(has);
    }
    new MergeHost(slots).inline();
    code.label(merged);
  }

  private void apply(boolean sparse, Label notRun) {
    if (shape.everyVertex()) {
      Label received = new Label();
      code.loadInt(has).jump(Opcodes.IFNE, received);
      for (int c = 0; c < accumulators.length; c++) {
        code.load(message.get(c), startMessage[c]).store(message.get(c), accumulators[c]);
      }
      code.label(received);
    } else {
      code.loadInt(has).jump(Opcodes.IFEQ, notRun);
    }
    code.increment(ranCount, 1);
    int[] after = new int[state.size()];
    for (int c = 0; c < after.length; c++) {
      after[c] = code.local(state.get(c));
    }
    IrFunction function = program.vertexProgram();
    new VertexHost(function, null, accumulators, after, state).inline();
    aggregate(null, after);
    int isActive = -1;
    if (program.activeWhen() != null) {
      isActive = code.local(Kind.INT);
      new BeforeAfterHost(
              program.activeWhen(), null, after, new int[] {isActive}, List.of(Kind.BOOLEAN))
          .inline();
    }
    if (shape.inPlace()) {
      Label differs = new Label();
      for (int c = 0; c < after.length; c++) {
        jumpIfChanged(c, after[c], differs);
      }
      code.jump(Opcodes.GOTO, notRun);
      code.label(differs);
    }
    if (shape.tracksChanges()) {
      Label differs = new Label();
      Label same = new Label();
      for (int c : FunctionTraits.shippedColumns(program)) {
        jumpIfChanged(c, after[c], differs);
      }
      code.jump(Opcodes.GOTO, same);
      code.label(differs);
      setBit(changed, changedSummary);
      code.label(same);
    }
    for (int c = 0; c < after.length; c++) {
      if (!stable[c]) {
        code.loadReference(next[c]).loadInt(v).load(state.get(c), after[c]);
        code.arrayStore(state.get(c));
      }
    }
    if (ran >= 0) {
      setBit(ran, ranSummary);
    }
    Label inactive = new Label();
    if (isActive >= 0) {
      code.loadInt(isActive).jump(Opcodes.IFEQ, inactive);
    }
    code.increment(activatedCount, 1);
    if (nextActive >= 0) {
      setBit(nextActive, nextActiveSummary);
    }
    code.label(inactive);
  }

  /** Jumps when the bits of a column differ from those of the row. */
  private void jumpIfChanged(int c, int after, Label differs) {
    if (stable[c]) {
      return;
    }
    Kind kind = state.get(c);
    code.loadReference(current[c]).loadInt(v).arrayLoad(kind);
    rawBits(kind);
    code.load(kind, after);
    rawBits(kind);
    if (CodeBuilder.isWide(kind)) {
      code.op(Opcodes.LCMP).jump(Opcodes.IFNE, differs);
    } else {
      code.jump(Opcodes.IF_ICMPNE, differs);
    }
  }

  private void rawBits(Kind kind) {
    if (kind == Kind.FLOAT) {
      code.invokeStatic(Float.class, "floatToRawIntBits", int.class, float.class);
    } else if (kind == Kind.DOUBLE) {
      code.invokeStatic(Double.class, "doubleToRawLongBits", long.class, double.class);
    }
  }

  // ---- result ---------------------------------------------------------------------------------

  /** The final aggregates, of the values as they are. */
  void finalAggregates(List<CompiledKernel.Site> siteList) {
    sites = siteList;
    aggregates = program.finalAggregates();
    current = columns("current", state);
    partition = reference("partition", GraphPartition.class);
    context(aggregateFunctions());
    startAggregates();
    if (shape.missingVertices()) {
      present = reference("present", long[].class);
    }
    v = FROM;
    Label loop = new Label();
    Label end = new Label();
    Label nextRow = new Label();
    code.label(loop).loadInt(v).loadInt(TO).jump(Opcodes.IF_ICMPGE, end);
    skipMissing(nextRow);
    int[] value = new int[state.size()];
    for (int c = 0; c < value.length; c++) {
      value[c] = code.local(state.get(c));
      stateColumn(null, c);
      code.store(state.get(c), value[c]);
    }
    aggregate(value, value);
    code.label(nextRow).increment(v, 1).jump(Opcodes.GOTO, loop);
    code.label(end);
    finish();
  }

  /** The result function. */
  void result(List<CompiledKernel.Site> siteList) {
    sites = siteList;
    IrFunction function = program.resultFunction();
    List<Kind> kinds = program.result().columns();
    current = columns("current", state);
    attributes = columnsRead("attributes", program.attribute().columns(), Role.ATTRIBUTE, function);
    results = columns("results", kinds);
    partition = reference("partition", GraphPartition.class);
    context(function);
    if (shape.missingVertices()) {
      present = reference("present", long[].class);
    }
    v = FROM;
    Label loop = new Label();
    Label end = new Label();
    Label nextRow = new Label();
    code.label(loop).loadInt(v).loadInt(TO).jump(Opcodes.IF_ICMPGE, end);
    skipMissing(nextRow);
    int[] value = new int[kinds.size()];
    for (int c = 0; c < value.length; c++) {
      value[c] = code.local(kinds.get(c));
    }
    new VertexHost(function, null, null, value, kinds).inline();
    for (int c = 0; c < value.length; c++) {
      code.loadReference(results[c]).loadInt(v).load(kinds.get(c), value[c]);
      code.arrayStore(kinds.get(c));
    }
    code.label(nextRow).increment(v, 1).jump(Opcodes.GOTO, loop);
    code.label(end);
    KernelGenerator.leave(code);
  }

  // ---- hosts ----------------------------------------------------------------------------------

  /** What all functions share: context parameters, results into locals, faults. */
  private abstract class FunctionHost implements IrEmitter.Host {
    private final IrFunction function;
    private final int[] targets;
    private final List<Kind> kinds;
    private final Label done = new Label();

    FunctionHost(IrFunction function, int[] targets, List<Kind> kinds) {
      this.function = function;
      this.targets = targets;
      this.kinds = kinds;
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, Kind kind) {
      switch (parameter.role()) {
        case CAPTURE -> code.load(kind, captures.get(parameter.index()));
        case SUPERSTEP -> code.loadInt(superstep);
        case VERTEX_COUNT -> code.load(Kind.LONG, vertexCount);
        case AGGREGATE ->
            code.loadReference(aggregateValues).push(parameter.index()).op(Opcodes.DALOAD);
        case ID -> id(v);
        default ->
            throw new IllegalArgumentException(
                "function '" + function.name() + "' cannot read " + parameter);
      }
    }

    @Override
    public void returns(CodeBuilder out, Insn.Return instruction, int[] slots, boolean last) {
      for (int c = 0; c < slots.length; c++) {
        code.load(kinds.get(c), slots[c]);
      }
      for (int c = slots.length - 1; c >= 0; c--) {
        code.store(kinds.get(c), targets[c]);
      }
      leave(last);
    }

    final void leave(boolean last) {
      if (!last) {
        code.jump(Opcodes.GOTO, done);
      }
    }

    /** Writes the function, or a call of it; its results are in the targets behind it. */
    final void inline() {
      List<Param> passed =
          function.parameters().stream().filter(p -> !isContext(p.role())).toList();
      if (outlines == null || slots(passed) > MOST_ARGUMENTS) {
        write();
        return;
      }
      for (Param p : passed) {
        parameter(code, p, function.variables().get(p.variable()));
      }
      code.loadReference(frame).loadReference(tally).loadInt(v);
      Side side = this instanceof SendHost send ? send.side : null;
      outlines.call(
          function,
          side,
          descriptor(passed),
          out ->
              new KernelMethod(program, shape, stable, outlines, out)
                  .outlined(function, passed, side, sites),
          code);
      for (int c = 0; c < targets.length; c++) {
        scratch(kinds.get(c), c);
        code.arrayLoad(scratchKind(kinds.get(c))).store(kinds.get(c), targets[c]);
      }
    }

    /** Writes the function here. */
    final void write() {
      IrEmitter.emit(function, code, this);
      code.label(done);
    }

    private int slots(List<Param> passed) {
      int slots = 0;
      for (Param p : passed) {
        slots += CodeBuilder.isWide(function.variables().get(p.variable())) ? 2 : 1;
      }
      return slots;
    }

    private String descriptor(List<Param> passed) {
      StringBuilder text = new StringBuilder("(");
      for (Param p : passed) {
        text.append(CodeBuilder.type(function.variables().get(p.variable())).getDescriptor());
      }
      text.append(Type.getDescriptor(KernelFrame.class));
      return text.append(Type.getDescriptor(Tally.class)).append("I)V").toString();
    }

    @Override
    public void fail(CodeBuilder out, Insn.Fail fail) {
      code.push(sites.size()).loadInt(v);
      code.invokeStatic(CodeFault.class, "at", CodeFault.class, int.class, int.class);
      code.op(Opcodes.ATHROW);
      sites.add(new CompiledKernel.Site(function.name(), fail));
    }
  }

  // ---- outlined functions ---------------------------------------------------------------------

  /** What every method reads from the frame itself. */
  private static boolean isContext(Role role) {
    return role == Role.CAPTURE
        || role == Role.SUPERSTEP
        || role == Role.VERTEX_COUNT
        || role == Role.AGGREGATE;
  }

  private static Kind scratchKind(Kind kind) {
    return kind == Kind.BOOLEAN ? Kind.INT : kind;
  }

  /** Pushes the tally's array and index for a value that passes between methods. */
  private void scratch(Kind kind, int c) {
    switch (scratchKind(kind)) {
      case INT, BOOLEAN -> code.field(tally, Tally.class, "ints", int[].class);
      case LONG -> code.field(tally, Tally.class, "longs", long[].class);
      case FLOAT -> code.field(tally, Tally.class, "floats", float[].class);
      case DOUBLE -> code.field(tally, Tally.class, "doubles", double[].class);
    }
    code.push(c);
  }

  private void keepAccumulators() {
    for (int c = 0; c < accumulators.length; c++) {
      scratch(message.get(c), c);
      code.load(message.get(c), accumulators[c]).arrayStore(scratchKind(message.get(c)));
    }
    code.loadReference(tally).loadInt(has);
    code.out().visitFieldInsn(Opcodes.PUTFIELD, Type.getInternalName(Tally.class), "received", "I");
  }

  private void takeAccumulators() {
    for (int c = 0; c < accumulators.length; c++) {
      scratch(message.get(c), c);
      code.arrayLoad(scratchKind(message.get(c))).store(message.get(c), accumulators[c]);
    }
    code.field(tally, Tally.class, "received", int.class).storeInt(has);
  }

  /** The body of a static method: arguments, then frame, tally and the row's vertex. */
  private void outlined(
      IrFunction function, List<Param> passed, Side side, List<CompiledKernel.Site> siteList) {
    sites = siteList;
    Map<Param, Integer> slots = new HashMap<>();
    int slot = 0;
    for (Param p : passed) {
      slots.put(p, slot);
      slot += CodeBuilder.isWide(function.variables().get(p.variable())) ? 2 : 1;
    }
    frame = slot;
    tally = slot + 1;
    v = slot + 2;
    context(function);
    if (side != null) {
      context(program.merge());
      has = code.local(Kind.INT);
      accumulators = new int[message.size()];
      for (int c = 0; c < accumulators.length; c++) {
        accumulators[c] = code.local(message.get(c));
      }
      takeAccumulators();
    }
    new OutlinedHost(function, side, slots).write();
    if (side != null) {
      keepAccumulators();
    }
    KernelGenerator.leave(code);
  }

  /** A function in a method of its own. */
  private final class OutlinedHost extends FunctionHost {
    private final IrFunction body;
    private final Side side;
    private final Map<Param, Integer> arguments;

    OutlinedHost(IrFunction body, Side side, Map<Param, Integer> arguments) {
      super(body, new int[0], List.of());
      this.body = body;
      this.side = side;
      this.arguments = arguments;
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, Kind kind) {
      if (isContext(parameter.role())) {
        super.parameter(out, parameter, kind);
      } else {
        code.load(kind, arguments.get(parameter));
      }
    }

    @Override
    public void emit(CodeBuilder out, Insn.Emit emit, int[] slots) {
      if (emit.side() == side) {
        mergeMessage(slots);
      }
    }

    @Override
    public void returns(CodeBuilder out, Insn.Return instruction, int[] slots, boolean last) {
      for (int c = 0; c < slots.length; c++) {
        Kind kind = body.results().get(c);
        scratch(kind, c);
        code.load(kind, slots[c]).arrayStore(scratchKind(kind));
      }
      leave(last);
    }
  }

  private void id(int vertex) {
    if (ids >= 0) {
      code.loadReference(ids).loadInt(vertex).op(Opcodes.LALOAD);
    } else {
      code.loadReference(partition).loadInt(vertex);
      code.out()
          .visitMethodInsn(
              Opcodes.INVOKEINTERFACE,
              Type.getInternalName(GraphPartition.class),
              "originalId",
              "(I)J",
              true);
    }
  }

  /** State, vertex program and result functions. */
  private final class VertexHost extends FunctionHost {
    private final int[] value;
    private final int[] messageSlots;

    VertexHost(
        IrFunction function, int[] value, int[] messageSlots, int[] targets, List<Kind> kinds) {
      super(function, targets, kinds);
      this.value = value;
      this.messageSlots = messageSlots;
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, Kind kind) {
      int c = parameter.index();
      switch (parameter.role()) {
        case VALUE -> stateColumn(value, c);
        case MESSAGE -> code.load(kind, messageSlots[c]);
        case ATTRIBUTE ->
            code.loadReference(attributes[c])
                .loadInt(v)
                .arrayLoad(program.attribute().columns().get(c));
        case IN_DEGREE -> degree("inDegree");
        case OUT_DEGREE -> degree("outDegree");
        default -> super.parameter(out, parameter, kind);
      }
    }

    private void degree(String method) {
      code.loadReference(partition).loadInt(v);
      code.out()
          .visitMethodInsn(
              Opcodes.INVOKEINTERFACE,
              Type.getInternalName(GraphPartition.class),
              method,
              "(I)I",
              true);
    }
  }

  /** A state column of the row: from locals, or from the array when {@code value} is null. */
  private void stateColumn(int[] value, int c) {
    if (value != null) {
      code.load(state.get(c), value[c]);
    } else {
      code.loadReference(current[c]).loadInt(v).arrayLoad(state.get(c));
    }
  }

  /** Activity and aggregates. */
  private final class BeforeAfterHost extends FunctionHost {
    private final int[] before;
    private final int[] after;

    BeforeAfterHost(
        IrFunction function, int[] before, int[] after, int[] targets, List<Kind> kinds) {
      super(function, targets, kinds);
      this.before = before;
      this.after = after;
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, Kind kind) {
      switch (parameter.role()) {
        case BEFORE -> stateColumn(before, parameter.index());
        case AFTER -> code.load(kind, after[parameter.index()]);
        default -> super.parameter(out, parameter, kind);
      }
    }
  }

  /** The merge function, into the accumulators. */
  private final class MergeHost extends FunctionHost {
    private final int[] right;

    MergeHost(int[] right) {
      super(program.merge(), accumulators, message);
      this.right = right;
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, Kind kind) {
      switch (parameter.role()) {
        case LEFT -> code.load(kind, accumulators[parameter.index()]);
        case RIGHT -> code.load(kind, right[parameter.index()]);
        default -> super.parameter(out, parameter, kind);
      }
    }
  }

  /** The send function, for one side of a row. */
  private final class SendHost extends FunctionHost {
    private final Side side;
    private final int e;
    private final int u;
    private final int[] edgeColumns;
    private final Map<Integer, Integer> rowValues = new HashMap<>();
    private int rowId = -1;

    SendHost(Side side, int e, int u, int[] edgeColumns) {
      super(program.send(), new int[0], new ArrayList<>());
      this.side = side;
      this.e = e;
      this.u = u;
      this.edgeColumns = edgeColumns;
    }

    private Role rowRole() {
      return side == Side.DESTINATION ? Role.DESTINATION : Role.SOURCE;
    }

    private Role rowIdRole() {
      return side == Side.DESTINATION ? Role.DESTINATION_ID : Role.SOURCE_ID;
    }

    /** What the send function reads of the row's own end is read once. */
    void loadRowValues() {
      for (Param p : program.send().parameters()) {
        if (p.role() == rowRole() && !rowValues.containsKey(p.index())) {
          int slot = code.local(state.get(p.index()));
          stateColumn(null, p.index());
          code.store(state.get(p.index()), slot);
          rowValues.put(p.index(), slot);
        } else if (p.role() == rowIdRole() && rowId < 0) {
          rowId = code.local(Kind.LONG);
          id(v);
          code.store(Kind.LONG, rowId);
        }
      }
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, Kind kind) {
      int c = parameter.index();
      switch (parameter.role()) {
        case SOURCE, DESTINATION -> {
          if (parameter.role() == rowRole()) {
            code.load(kind, rowValues.get(c));
          } else {
            code.loadReference(current[c]).loadInt(u).arrayLoad(state.get(c));
          }
        }
        case SOURCE_ID, DESTINATION_ID -> {
          if (parameter.role() == rowIdRole()) {
            code.load(Kind.LONG, rowId);
          } else {
            id(u);
          }
        }
        case EDGE ->
            code.loadReference(edgeColumns[c])
                .loadInt(e)
                .arrayLoad(program.edge().columns().get(c));
        default -> super.parameter(out, parameter, kind);
      }
    }

    @Override
    public void emit(CodeBuilder out, Insn.Emit emit, int[] slots) {
      if (emit.side() == side) {
        mergeMessage(slots);
      }
    }

    @Override
    public void returns(CodeBuilder out, Insn.Return instruction, int[] slots, boolean last) {
      leave(last);
    }
  }
}
