package org.sparkgpugraph.program.lift;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.sparkgpugraph.program.bytecode.ClassFiles;
import org.sparkgpugraph.program.bytecode.LibraryCalls;
import org.sparkgpugraph.program.bytecode.RefusedException;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.ConstantFolding;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.ir.UnaryOp;
import org.sparkgpugraph.program.ssa.Ssa;

/**
 * The symbolic machine: its state and its elementary actions, which are to emit instructions, to
 * end a path with a fault, and to refuse the function.
 */
final class SymbolicMachine {
  static final String SYNCHRONIZED =
      "synchronized code cannot be lifted; a program has no shared state";

  final ClassFiles classes;
  final Ssa ssa = new Ssa();

  /** Values of the variables that are known while lifting. */
  final Map<Integer, Object> constants = new HashMap<>();

  /** What captured variables hold, for what is only lifted if it is part of the program's text. */
  final Map<Integer, Object> captured = new HashMap<>();

  /** Variables of the keys of maps and sets, which stay known whatever paths meet. */
  final Map<Object, Integer> keys = new HashMap<>();

  /** Keys that maps and sets of the program may have, as far as its types say it. */
  final Map<Kind, TreeSet<Long>> knownKeys = new EnumMap<>(Kind.class);

  /** Lengths of the arrays of vertices and messages. */
  final Set<Integer> knownLengths = new TreeSet<>();

  /** Lengths of the arrays that the function was given so far. */
  final Set<Integer> givenLengths = new TreeSet<>();

  /** How arrays were made, by their variables. */
  private final Map<Integer, Insn> arrays = new HashMap<>();

  /** Three-way comparisons by their variable, to be joined with the branch that follows. */
  final Map<Integer, Insn> comparisons = new HashMap<>();

  MachineState state = new MachineState();

  /** Where paths go on that are not followed now. */
  ExecutionPaths paths;

  /** The block being filled. */
  Ssa.Block block = ssa.entry;

  SymbolicMachine(ClassFiles classes) {
    this.classes = classes;
  }

  /** The frame that executes. */
  Frame top() {
    return state.top();
  }

  /** Ends the block. */
  void end(Ssa.End end) {
    block.end = end;
  }

  /**
   * Where the machine is in the user's code: code of the Java library is attributed to its caller.
   */
  SourcePosition where() {
    for (int i = state.frames.size() - 1; i > 0; i--) {
      Frame frame = state.frames.get(i);
      if (!LibraryCalls.isLibrary(frame.body.owner()) && !frame.adapter) {
        return where(frame);
      }
    }
    Frame root = state.frames.get(0);
    MethodInsnNode call = (MethodInsnNode) root.body.instruction(0);
    return new SourcePosition(call.owner.replace('/', '.'), call.name, -1);
  }

  /** A refusal at the line of the function itself that is executed, whatever it called. */
  RefusedException refuseWhole(String reason) {
    for (int i = 1; i < state.frames.size(); i++) {
      Frame frame = state.frames.get(i);
      if (!frame.adapter) {
        return new RefusedException(where(frame), reason);
      }
    }
    return new RefusedException(where(), reason);
  }

  private static SourcePosition where(Frame frame) {
    return new SourcePosition(
        frame.body.owner().replace('/', '.'),
        frame.body.method().name,
        frame.body.line(frame.pc - 1));
  }

  /** A refusal at the current position. */
  RefusedException refuse(String reason) {
    for (int i = 1; i < state.frames.size(); i++) {
      Frame frame = state.frames.get(i);
      if (LibraryCalls.isLibrary(frame.body.owner())) {
        String called = frame.body.owner().replace('/', '.') + "." + frame.body.method().name;
        return new RefusedException(
            where(),
            "calls "
                + called
                + ", which is not among the library methods that can be lifted (inside it: "
                + reason
                + ")");
      }
    }
    return new RefusedException(where(), reason);
  }

  Class<?> load(String internalName) {
    try {
      return classes.load(internalName);
    } catch (ClassNotFoundException | LinkageError e) {
      throw refuse("class " + internalName.replace('/', '.') + " cannot be loaded (" + e + ")");
    }
  }

  int constant(Object value) {
    Kind kind = Kind.of(value.getClass());
    int variable = ssa.variable(kind);
    block.body.add(new Insn.Constant(variable, value, where()));
    constants.put(variable, value);
    return variable;
  }

  /** A constant int, or what was captured: then programs that differ in it are different ones. */
  Integer known(Sym value) {
    if (value instanceof Sym.Index index) {
      return index.value();
    }
    if (!(value instanceof Sym.Prim prim)) {
      return null;
    }
    int variable = prim.variable();
    return constants.getOrDefault(variable, captured.get(variable)) instanceof Integer number
        ? number
        : null;
  }

  /** The variable of a key of a map or set. */
  int key(Object value) {
    return keys.computeIfAbsent(
        value,
        key -> {
          int variable = ssa.variable(Kind.of(key.getClass()));
          ssa.entry.body.add(0, new Insn.Constant(variable, key, where()));
          constants.put(variable, key);
          return variable;
        });
  }

  /** The one or the other, as an INT that is 0 or 1 says. */
  int choose(int condition, int then, int otherwise) {
    if (then == otherwise) {
      return then;
    } else if (constants.get(condition) instanceof Integer known) {
      return known != 0 ? then : otherwise;
    }
    int zero = constant(0);
    int chosen = ssa.variable(ssa.kinds.get(then));
    Ssa.Block after = new Ssa.Block();
    after.parameters.add(chosen);
    end(
        new Ssa.If(
            Condition.NE,
            condition,
            zero,
            new Ssa.Edge(after, List.of(then)),
            new Ssa.Edge(after, List.of(otherwise)),
            where()));
    block = after;
    return chosen;
  }

  /** A number where a condition holds, and zero elsewhere. */
  int orZero(int condition, int variable) {
    Kind kind = ssa.kinds.get(variable);
    if (kind == Kind.BOOLEAN) {
      return binary(BinaryOp.AND, Kind.INT, condition, variable).variable();
    } else if (constants.get(condition) instanceof Integer
        || kind == Kind.FLOAT
        || kind == Kind.DOUBLE) {
      return choose(condition, variable, zeroPrim(kind).variable());
    }
    int mask = unary(UnaryOp.NEGATE, Kind.INT, condition).variable();
    return binary(BinaryOp.AND, kind, variable, convert(mask, Kind.INT, kind).variable())
        .variable();
  }

  Sym.Prim constantPrim(Object value) {
    return new Sym.Prim(Kind.of(value.getClass()), constant(value));
  }

  /** The zero of a kind. */
  Sym.Prim zeroPrim(Kind kind) {
    return constantPrim(
        switch (kind) {
          case BOOLEAN, INT -> (Object) 0;
          case LONG -> (Object) 0L;
          case FLOAT -> (Object) 0f;
          case DOUBLE -> (Object) 0d;
        });
  }

  /** The variable of what a column has that has nothing. */
  int zero(ColumnType type) {
    int zero = zeroPrim(type.kind()).variable();
    return type.isArray() ? filled(type.kind(), type.width(), zero).variable() : zero;
  }

  Sym.Prim unary(UnaryOp op, Kind kind, int operand) {
    int target = ssa.variable(kind);
    block.body.add(new Insn.Unary(op, target, operand, where()));
    return new Sym.Prim(kind, target);
  }

  Sym.Prim convert(int operand, Kind from, Kind to) {
    return from == to || (from == Kind.BOOLEAN && to == Kind.INT)
        ? new Sym.Prim(to, operand)
        : unary(UnaryOp.CONVERT, to, operand);
  }

  Sym.Prim binary(BinaryOp op, Kind kind, int left, int right) {
    int target = ssa.variable(kind);
    Insn.Binary insn = new Insn.Binary(op, target, left, right, where());
    block.body.add(insn);
    if (op == BinaryOp.COMPARE_L || op == BinaryOp.COMPARE_G) {
      comparisons.put(target, insn);
    }
    if (constants.get(left) instanceof Integer a && constants.get(right) instanceof Integer b) {
      Object value = ConstantFolding.binary(op, a, b);
      if (value != null) {
        constants.put(target, value);
      }
    }
    return new Sym.Prim(kind, target);
  }

  Sym.Prim call(Intrinsic intrinsic, Kind kind, List<Integer> arguments) {
    int target = ssa.variable(kind);
    block.body.add(new Insn.Call(intrinsic, target, arguments, where()));
    return new Sym.Prim(kind, target);
  }

  /** Reads a table; the index is known to be in it. */
  int load(int table, Kind kind, int index) {
    int target = ssa.variable(kind);
    block.body.add(new Insn.Load(table, kind, target, index, where()));
    return target;
  }

  /** An array of equal elements. */
  Sym.Gathered filled(Kind kind, int length, int value) {
    return made(length, new Insn.Filled(ssa.variable(kind), length, value, where()));
  }

  /** An array with another element; the index is known to be in it. */
  Sym.Gathered with(Sym.Gathered array, int index, int value) {
    int target = ssa.variable(array.kind());
    return made(array.length(), new Insn.With(target, array.variable(), index, value, where()));
  }

  private Sym.Gathered made(int length, Insn insn) {
    block.body.add(insn);
    arrays.put(insn.target(), insn);
    return new Sym.Gathered(ssa.kinds.get(insn.target()), length, insn.target());
  }

  /** An element of an array; the index is known to be in it. */
  Sym.Prim element(Sym.Gathered array, int index) {
    Object at = constants.get(index);
    int from = array.variable();
    boolean known = at == null;
    while (!known) {
      Insn made = arrays.get(from);
      if (made instanceof Insn.Filled filled) {
        return new Sym.Prim(array.kind(), filled.value());
      }
      known = !(made instanceof Insn.With with) || constants.get(with.index()) == null;
      if (!known) {
        Insn.With with = (Insn.With) made;
        if (constants.get(with.index()).equals(at)) {
          return new Sym.Prim(array.kind(), with.value());
        }
        from = with.array();
      }
    }
    int target = ssa.variable(array.kind());
    block.body.add(new Insn.Element(target, from, index, where()));
    return new Sym.Prim(array.kind(), target);
  }

  /** Ends the path with a fault that no code of the user can catch. */
  boolean halt(FaultCode code, String detail) {
    end(new Ssa.Stop(code, detail, where()));
    return false;
  }

  /**
   * Does what the JVM does where it throws: goes on with the handler around, where all ways to it
   * meet, or ends the path with a fault.
   *
   * @return false, since the block has ended
   */
  boolean stop(FaultCode code, String detail) {
    if (isTrying()) {
      throw refuse(
          "may throw an exception ("
              + (detail.isEmpty() ? code.text() : detail)
              + ") in a function that is called with what is in a Map or Set");
    }
    Sym.Thrown thrown = thrown(code, detail);
    Class<?> type = load(thrown.className().replace('.', '/'));
    for (int i = state.frames.size() - 1; i > 0; i--) {
      Frame frame = state.frames.get(i);
      if (frame.loop == SequenceLoops.Loop.TRY && !ScalaCalls.isFatal(type)) {
        state.frames.subList(i, state.frames.size()).clear();
        top().push(new Sym.Elements(Sym.Form.TRY, List.of()));
        paths.join();
        return false;
      } else if (frame.adapter) {
        continue;
      }
      for (TryCatchBlockNode block : frame.body.around(frame.pc - 1)) {
        if (block.type == null || load(block.type).isAssignableFrom(type)) {
          state.frames.subList(i + 1, state.frames.size()).clear();
          frame.stack.clear();
          frame.push(thrown);
          frame.pc = frame.body.index(block.handler);
          paths.join();
          return false;
        }
      }
    }
    return halt(code, detail);
  }

  /**
   * Whether a function is executed for what may be in a map or set, though it may not be there: it
   * must not show then that it was.
   */
  boolean isTrying() {
    return state.frames.stream().anyMatch(frame -> frame.loop == SequenceLoops.Loop.SLOTS);
  }

  /** Refuses to change an object where that would show what is tried. */
  void requireOwn(int object) {
    for (Frame frame : state.frames) {
      if (frame.loop == SequenceLoops.Loop.SLOTS && frame.objectsBefore.contains(object)) {
        throw refuse(
            "changes a var or a buffer in a function that is called with what is in a Map or Set,"
                + " whose order would show");
      }
    }
  }

  /** The exception that a fault is on the JVM. */
  private static Sym.Thrown thrown(FaultCode code, String detail) {
    int end = detail.indexOf(": ");
    return switch (code) {
      case DIVISION_BY_ZERO -> new Sym.Thrown("java.lang.ArithmeticException", "/ by zero");
      case ARITHMETIC_OVERFLOW -> new Sym.Thrown("java.lang.ArithmeticException", detail);
      case NULL_VALUE -> new Sym.Thrown("java.lang.NullPointerException", detail);
      default ->
          end < 0
              ? new Sym.Thrown(detail, null)
              : new Sym.Thrown(detail.substring(0, end), detail.substring(end + 2));
    };
  }

  /**
   * Leaves the run to GraphX where a condition holds, unless what is tried is not there.
   *
   * @param condition an INT that is 0 or 1
   */
  void giveUpIf(int condition, String why) {
    int holds = condition;
    for (Frame frame : state.frames) {
      if (frame.loop == SequenceLoops.Loop.SLOTS) {
        holds = binary(BinaryOp.AND, Kind.INT, holds, KeyedCalls.isTried(this, frame)).variable();
      }
    }
    Ssa.Block fault = new Ssa.Block();
    Ssa.Block next = new Ssa.Block();
    fault.end = new Ssa.Stop(FaultCode.NOT_LIFTABLE, why, where());
    int zero = constant(0);
    end(new Ssa.If(Condition.NE, holds, zero, new Ssa.Edge(fault), new Ssa.Edge(next), where()));
    block = next;
  }

  /** Whether two numbers of a kind are equal, or both NaN, as an INT that is 0 or 1. */
  int same(int left, int right) {
    int order = call(Intrinsic.COMPARE_TOTAL, Kind.INT, List.of(left, right)).variable();
    int one = constant(1);
    int differs = binary(BinaryOp.AND, Kind.INT, order, one).variable();
    return binary(BinaryOp.XOR, Kind.INT, differs, one).variable();
  }

  /**
   * Throws when an integer divisor is zero; goes on otherwise.
   *
   * @return the divisor, or 1 for one that may be zero where it is not divided by
   */
  int checkDivisor(Kind kind, int divisor) {
    Object known = constants.get(divisor);
    if (known != null && ((Number) known).longValue() != 0) {
      return divisor;
    }
    int zero = constant(kind == Kind.INT ? (Object) 0 : (Object) 0L);
    if (isTrying()) {
      int isZero = same(divisor, zero);
      giveUpIf(isZero, "an integer division by zero in a function that a Map or Set is given");
      return choose(isZero, constant(kind == Kind.INT ? (Object) 1 : (Object) 1L), divisor);
    }
    Ssa.Block fault = new Ssa.Block();
    Ssa.Block next = new Ssa.Block();
    end(new Ssa.If(Condition.EQ, divisor, zero, new Ssa.Edge(fault), new Ssa.Edge(next), where()));
    MachineState own = state;
    state = own.copy();
    block = fault;
    stop(FaultCode.DIVISION_BY_ZERO, "");
    state = own;
    block = next;
    return divisor;
  }

  /** Whether a value is null; refuses where only the data say it. */
  boolean isNull(Sym value) {
    if (value instanceof Sym.Carried) {
      throw refuse("asks whether " + value.describe() + " is null");
    }
    return value instanceof Sym.Null;
  }

  Sym.Prim prim(Sym value) {
    if (value instanceof Sym.Prim prim) {
      return prim;
    }
    throw refuse("a number was expected where the code has " + value.describe());
  }
}
