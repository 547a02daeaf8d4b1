package org.sparkgpugraph.program.jvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.program.ir.ArrayPlaces;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * Prints the body of an {@link IrFunction} as bytecode in the middle of a method: one local
 * variable per IR variable, one short sequence per instruction. What surrounds the body (where
 * parameters come from, where messages and results go) is the {@link Binding}'s.
 */
public final class IrEmitter {

  /** What an inlined function is embedded in. */
  public interface Binding {
    /** Pushes the value of a parameter, as {@link CodeBuilder#load} pushes that of its type. */
    void parameter(CodeBuilder code, Param parameter, ColumnType type);

    /** Delivers a message; the variables' values are in {@code slots}. Control falls through. */
    default void emit(CodeBuilder code, Insn.Emit emit, int[] slots) {
      throw new IllegalArgumentException("Emit in a function that sends no messages: " + emit);
    }

    /**
     * Delivers an element of a message. Control falls through.
     *
     * @param load pushes a variable of the instruction
     */
    default void emitElement(CodeBuilder code, Insn.EmitElement element, IntConsumer load) {
      throw new IllegalArgumentException(
          "EmitElement in a function that sends no messages: " + element);
    }

    /**
     * Takes the results, in {@code slots}, and leaves the body (a jump, a return, or falling
     * through when {@code last}: the instruction is the last one of the body).
     */
    void returns(CodeBuilder code, Insn.Return instruction, int[] slots, boolean last);

    /** Pushes the array that a table is, of elements of a kind. */
    default void table(CodeBuilder code, int table, Kind kind) {
      throw new IllegalArgumentException("table " + table + " in a function that has none");
    }

    /**
     * Slots of arrays for the function's own use, one for each of its {@link ArrayPlaces} that is
     * its own.
     *
     * @param places not empty
     */
    default int[] arrays(CodeBuilder code, IrFunction function, ArrayPlaces places) {
      return code.newArrays(places);
    }

    /** Ends the run; control does not come back. */
    void fail(CodeBuilder code, Insn.Fail fail);
  }

  private final IrFunction function;
  private final CodeBuilder code;
  private final Binding binding;
  private final LocalSlots slots;
  private final BitSet bound = new BitSet();

  /** Variables that may be read before they are written, beside parameters. */
  private final BitSet unassigned;

  private final Label[] labels;
  private final ArrayPlaces arrays;
  private int[] arraySlots;

  private IrEmitter(IrFunction function, CodeBuilder code, Binding binding) {
    this.function = function;
    this.code = code;
    this.binding = binding;
    function.parameters().forEach(p -> bound.set(p.variable()));
    Liveness liveness = new Liveness(function);
    unassigned = liveness.atEntry();
    unassigned.andNot(bound);
    BitSet entry = (BitSet) unassigned.clone();
    entry.or(bound);
    arrays = new ArrayPlaces(function);
    slots = new LocalSlots(function, code, liveness, entry);
    labels = new Label[function.labels()];
    for (int l = 0; l < labels.length; l++) {
      labels[l] = new Label();
    }
  }

  /** Prints the body; its local variables are freed behind it. */
  public static void emit(IrFunction function, CodeBuilder code, Binding binding) {
    int mark = code.mark();
    new IrEmitter(function, code, binding).body();
    code.release(mark);
  }

  private Kind kind(int variable) {
    return function.variables().get(variable);
  }

  private void body() {
    if (!arrays.places().isEmpty()) {
      arraySlots = binding.arrays(code, function, arrays).clone();
    }
    for (Param parameter : function.parameters()) {
      ColumnType type = parameter.type(kind(parameter.variable()));
      binding.parameter(code, parameter, type);
      if (type.isArray()) {
        arraySlots[arrays.of(parameter.variable())] = code.local(type);
      }
      code.store(type, slot(parameter.variable()));
    }
    // The verifier wants every variable assigned on every path, also where the value is not used.
    unassigned.stream().forEach(v -> code.pushZero(kind(v)).store(kind(v), slots.of(v)));
    List<Insn> body = function.code();
    for (int i = 0; i < body.size(); i++) {
      instruction(body.get(i), i == body.size() - 1);
    }
  }

  private void instruction(Insn instruction, boolean last) {
    if (instruction instanceof Insn.Constant c) {
      if (slots.constant(c.target()) == null) {
        code.push(kind(c.target()), c.value());
        store(c.target());
      }
    } else if (instruction instanceof Insn.Copy c && arrays.isArray(c.source())) {
      copyArray(c.source(), c.target());
    } else if (instruction instanceof Insn.Copy c) {
      load(c.source());
      convert(kind(c.source()), kind(c.target()));
      store(c.target());
    } else if (instruction instanceof Insn.Unary u) {
      load(u.operand());
      unary(u);
      store(u.target());
    } else if (instruction instanceof Insn.Binary b) {
      load(b.left());
      load(b.right());
      binary(b);
      store(b.target());
    } else if (instruction instanceof Insn.Call c) {
      List<Kind> kinds = new ArrayList<>();
      for (int argument : c.arguments()) {
        kinds.add(kind(argument));
      }
      IntrinsicCalls.call(code, c, kinds, i -> load(c.arguments().get(i)), kind(c.target()));
      store(c.target());
    } else if (instruction instanceof Insn.Load l) {
      binding.table(code, l.table(), l.kind());
      load(l.index());
      code.arrayLoad(l.kind());
      store(l.target());
    } else if (instruction instanceof Insn.Filled f) {
      Kind kind = kind(f.target());
      code.loadReference(slot(f.target()));
      load(f.value());
      code.invokeStatic(
          Arrays.class, "fill", void.class, kind.primitive().arrayType(), kind.primitive());
    } else if (instruction instanceof Insn.Element e) {
      code.loadReference(slot(e.array()));
      load(e.index());
      if (place(e.array()).isGiven()) {
        code.loadInt(slot(e.array()) + 1).op(Opcodes.IADD);
      }
      code.arrayLoad(kind(e.array()));
      store(e.target());
    } else if (instruction instanceof Insn.With w) {
      copyArray(w.array(), w.target());
      code.loadReference(slot(w.target()));
      load(w.index());
      load(w.value());
      code.arrayStore(kind(w.target()));
    } else if (instruction instanceof Insn.Branch b) {
      branch(b);
    } else if (instruction instanceof Insn.Switch s) {
      choose(s);
    } else if (instruction instanceof Insn.Jump j) {
      code.jump(Opcodes.GOTO, labels[j.label()]);
    } else if (instruction instanceof Insn.Label l) {
      code.label(labels[l.label()]);
    } else if (instruction instanceof Insn.Emit e) {
      binding.emit(code, e, slotsOf(e.message()));
    } else if (instruction instanceof Insn.EmitElement e) {
      binding.emitElement(code, e, this::load);
    } else if (instruction instanceof Insn.Return r) {
      binding.returns(code, r, slotsOf(r.values()), last);
    } else if (instruction instanceof Insn.Fail f) {
      binding.fail(code, f);
    } else {
      throw new IllegalArgumentException("unknown instruction " + instruction);
    }
  }

  private ArrayPlaces.Place place(int variable) {
    return arrays.places().get(arrays.of(variable));
  }

  /** The slot of a variable; of an array that of its place. */
  private int slot(int variable) {
    return arrays.isArray(variable) ? arraySlots[arrays.of(variable)] : slots.of(variable);
  }

  /** Copies an array to another's place, if that is another place. */
  private void copyArray(int from, int to) {
    if (arrays.of(from) != arrays.of(to)) {
      ArrayType type = place(to).type();
      code.load(type, slot(from)).load(type, slot(to)).push(type.length()).copyElements();
    }
  }

  private int[] slotsOf(List<Integer> variables) {
    return variables.stream().mapToInt(this::slot).toArray();
  }

  private void load(int variable) {
    Object constant = slots.constant(variable);
    if (constant == null) {
      code.load(kind(variable), slots.of(variable));
    } else {
      code.push(kind(variable), constant);
    }
  }

  private void store(int variable) {
    code.store(kind(variable), slots.of(variable));
  }

  private void unary(Insn.Unary u) {
    if (u.op() == UnaryOp.CONVERT) {
      convert(kind(u.operand()), kind(u.target()));
      return;
    }
    code.op(
        switch (u.op()) {
          case NEGATE -> opcode(kind(u.operand()), Opcodes.INEG);
          case TO_BYTE -> Opcodes.I2B;
          case TO_SHORT -> Opcodes.I2S;
          case TO_CHAR -> Opcodes.I2C;
          case CONVERT -> throw new IllegalStateException();
        });
  }

  private void convert(Kind from, Kind to) {
    int source = conversion(from);
    int target = conversion(to);
    if (source != target) {
      // From each of the four kinds to the three others, in one order, from I2L to D2F.
      code.op(Opcodes.I2L + 3 * source + (target < source ? target : target - 1));
    }
  }

  /** Place of a kind among INT, LONG, FLOAT and DOUBLE. */
  private static int conversion(Kind kind) {
    return kind == Kind.BOOLEAN ? 0 : kind.ordinal() - Kind.INT.ordinal();
  }

  private void binary(Insn.Binary b) {
    Kind kind = kind(b.left());
    switch (b.op()) {
      case COMPARE_L, COMPARE_G -> {
        switch (kind) {
          case BOOLEAN, INT ->
              code.invokeStatic(Integer.class, "compare", int.class, int.class, int.class);
          case LONG -> code.op(Opcodes.LCMP);
          case FLOAT -> code.op(b.op() == BinaryOp.COMPARE_L ? Opcodes.FCMPL : Opcodes.FCMPG);
          case DOUBLE -> code.op(b.op() == BinaryOp.COMPARE_L ? Opcodes.DCMPL : Opcodes.DCMPG);
        }
      }
      default ->
          code.op(
              opcode(
                  kind,
                  switch (b.op()) {
                    case ADD -> Opcodes.IADD;
                    case SUBTRACT -> Opcodes.ISUB;
                    case MULTIPLY -> Opcodes.IMUL;
                    case DIVIDE -> Opcodes.IDIV;
                    case REMAINDER -> Opcodes.IREM;
                    case AND -> Opcodes.IAND;
                    case OR -> Opcodes.IOR;
                    case XOR -> Opcodes.IXOR;
                    case SHIFT_LEFT -> Opcodes.ISHL;
                    case SHIFT_RIGHT -> Opcodes.ISHR;
                    case SHIFT_RIGHT_UNSIGNED -> Opcodes.IUSHR;
                    case COMPARE_L, COMPARE_G -> throw new IllegalStateException();
                  }));
    }
  }

  private static int opcode(Kind kind, int intOpcode) {
    return CodeBuilder.type(kind == Kind.BOOLEAN ? Kind.INT : kind).getOpcode(intOpcode);
  }

  /** A table where the keys are dense, by the measure that javac uses; else a search. */
  private void choose(Insn.Switch s) {
    load(s.value());
    int count = s.keys().size();
    Label otherwise = labels[s.otherwise()];
    if (count == 0) {
      code.op(Opcodes.POP).jump(Opcodes.GOTO, otherwise);
      return;
    }
    int least = s.keys().get(0);
    int most = s.keys().get(count - 1);
    long tableCost = 4 + ((long) most - least + 1) + 3 * 3;
    long searchCost = 3 + 2L * count + 3L * count;
    if (tableCost > searchCost) {
      code.out()
          .visitLookupSwitchInsn(
              otherwise,
              s.keys().stream().mapToInt(Integer::intValue).toArray(),
              s.labels().stream().map(l -> labels[l]).toArray(Label[]::new));
      return;
    }
    Label[] table = new Label[most - least + 1];
    Arrays.fill(table, otherwise);
    for (int i = 0; i < count; i++) {
      table[s.keys().get(i) - least] = labels[s.labels().get(i)];
    }
    code.out().visitTableSwitchInsn(least, most, otherwise, table);
  }

  private void branch(Insn.Branch b) {
    Label target = labels[b.label()];
    load(b.left());
    load(b.right());
    Condition condition = b.condition();
    Kind kind = kind(b.left());
    switch (kind) {
      case BOOLEAN, INT ->
          code.jump(zeroJump(condition) - Opcodes.IFEQ + Opcodes.IF_ICMPEQ, target);
      case LONG -> code.op(Opcodes.LCMP).jump(zeroJump(condition), target);
      case FLOAT, DOUBLE -> {
        // NaN must look greater where "less" jumps, and less where "greater" jumps, except in the
        // NOT_ forms, which jump on NaN.
        boolean nanGreater =
            switch (condition) {
              case LT, LE, NOT_LT, NOT_LE -> true;
              case EQ, NE, GT, GE, NOT_GT, NOT_GE -> false;
            };
        int compare =
            kind == Kind.FLOAT
                ? (nanGreater ? Opcodes.FCMPG : Opcodes.FCMPL)
                : (nanGreater ? Opcodes.DCMPG : Opcodes.DCMPL);
        code.op(compare).jump(zeroJump(condition), target);
      }
    }
  }

  private static int zeroJump(Condition condition) {
    return switch (condition) {
      case EQ -> Opcodes.IFEQ;
      case NE -> Opcodes.IFNE;
      case LT, NOT_GE -> Opcodes.IFLT;
      case LE, NOT_GT -> Opcodes.IFLE;
      case GT, NOT_LE -> Opcodes.IFGT;
      case GE, NOT_LT -> Opcodes.IFGE;
    };
  }
}
