package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/** What a block of rows counts and aggregates: in local variables, until its end. */
final class TallyLocals {
  private static final int NONE = -1;

  private final KernelMethod method;
  private final CodeBuilder code;
  private final List<Aggregate> aggregates;
  private final int[] sums;
  private int edges = NONE;
  private int ran = NONE;
  private int activated = NONE;

  /** Starts the aggregates. */
  TallyLocals(KernelMethod method, List<Aggregate> aggregates) {
    this.method = method;
    this.aggregates = aggregates;
    code = method.code;
    sums = new int[aggregates.size()];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = code.local(Kind.DOUBLE);
      code.push(Kind.DOUBLE, aggregates.get(i).operation().neutral()).store(Kind.DOUBLE, sums[i]);
    }
  }

  /** Starts the count of evaluated edges. */
  void countEdges() {
    edges = method.zero();
  }

  /** Starts the counts of vertices. */
  void countVertices() {
    ran = method.zero();
    activated = method.zero();
  }

  void edge() {
    code.increment(edges, 1);
  }

  /** Adds the edges of a row. */
  void edges(int begin, int end) {
    code.loadInt(edges).loadInt(end).op(Opcodes.IADD).loadInt(begin).op(Opcodes.ISUB);
    code.storeInt(edges);
  }

  void ran() {
    code.increment(ran, 1);
  }

  void activated() {
    code.increment(activated, 1);
  }

  /**
   * Aggregates the row.
   *
   * @param before slots of its state, or null to read the arrays
   * @param after slots of its new state
   */
  void aggregate(int[] before, int[] after) {
    for (int i = 0; i < sums.length; i++) {
      Aggregate aggregate = aggregates.get(i);
      int mark = code.mark();
      int value = code.local(Kind.DOUBLE);
      new VertexBinding(
              method, aggregate.function(), before, after, new int[] {value}, List.of(Kind.DOUBLE))
          .inline();
      code.load(Kind.DOUBLE, sums[i]).load(Kind.DOUBLE, value);
      switch (aggregate.operation()) {
        case SUM -> code.op(Opcodes.DADD);
        case MIN -> code.invokeStatic(Math.class, "min", double.class, double.class, double.class);
        case MAX -> code.invokeStatic(Math.class, "max", double.class, double.class, double.class);
      }
      code.store(Kind.DOUBLE, sums[i]);
      code.release(mark);
    }
  }

  /** Writes everything to the {@link Tally}. */
  void store() {
    if (ran != NONE) {
      add("ran", ran);
      add("activated", activated);
    }
    if (edges != NONE) {
      add("edges", edges);
    }
    for (int i = 0; i < sums.length; i++) {
      code.field(method.tally, Tally.class, "aggregates", double[].class).push(i);
      code.load(Kind.DOUBLE, sums[i]).arrayStore(Kind.DOUBLE);
    }
  }

  private void add(String field, int slot) {
    code.loadReference(method.tally).op(Opcodes.DUP);
    code.out().visitFieldInsn(Opcodes.GETFIELD, Type.getInternalName(Tally.class), field, "J");
    code.loadInt(slot).op(Opcodes.I2L).op(Opcodes.LADD);
    code.out().visitFieldInsn(Opcodes.PUTFIELD, Type.getInternalName(Tally.class), field, "J");
  }
}
