package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * The symbolic machine's state and its elementary actions: emitting instructions, converting
 * symbolic values, making objects, refusing.
 */
abstract class SymbolicMachine {
  static final String SYNCHRONIZED =
      "synchronized code cannot be lifted; a program has no shared state";

  final ClassFiles classes;
  final Ssa ssa = new Ssa();

  /** Values of the variables that are known while lifting. */
  final Map<Integer, Object> constants = new HashMap<>();

  /** Three-way comparisons by their variable, to be joined with the branch that follows. */
  final Map<Integer, Insn> comparisons = new HashMap<>();

  /** The block being filled. */
  Ssa.Block block;

  MachineState state;

  SymbolicMachine(ClassFiles classes) {
    this.classes = classes;
  }

  /** The frame that executes. */
  Frame top() {
    return state.top();
  }

  /** The elements of an array under construction, which nobody will change any more. */
  Sym.Elements elements(Sym.Fresh array) {
    List<Sym> values = new ArrayList<>();
    for (Sym element : state.heap.get(array.id())) {
      values.add(element == null ? Sym.NULL : element);
    }
    return new Sym.Elements(values);
  }

  Ssa ssa() {
    return ssa;
  }

  ClassFiles classes() {
    return classes;
  }

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

  Sym.Prim constantPrim(Object value) {
    return new Sym.Prim(Kind.of(value.getClass()), constant(value));
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
    return new Sym.Prim(kind, target);
  }

  Sym.Prim call(Intrinsic intrinsic, Kind kind, List<Integer> arguments) {
    int target = ssa.variable(kind);
    block.body.add(new Insn.Call(intrinsic, target, arguments, where()));
    return new Sym.Prim(kind, target);
  }

  /** Ends the path with a fault. */
  boolean stop(FaultCode code, String detail) {
    end(new Ssa.Stop(code, detail, where()));
    return false;
  }

  /** Stops when an integer divisor is zero; goes on otherwise. */
  void checkDivisor(Kind kind, int divisor) {
    Object known = constants.get(divisor);
    if (known != null && ((Number) known).longValue() != 0) {
      return;
    }
    int zero = constant(kind == Kind.INT ? (Object) 0 : (Object) 0L);
    Ssa.Block fault = new Ssa.Block();
    fault.end = new Ssa.Stop(FaultCode.DIVISION_BY_ZERO, "", where());
    Ssa.Block next = new Ssa.Block();
    end(
        new Ssa.If(
            Condition.EQ,
            divisor,
            zero,
            new Ssa.Edge(fault, List.of()),
            new Ssa.Edge(next, List.of()),
            where()));
    block = next;
  }

  Sym.Prim prim(Sym value) {
    if (value instanceof Sym.Prim prim) {
      return prim;
    }
    throw refuse("a number was expected where the code has " + describe(value));
  }

  /** What a value is, for messages. */
  static String describe(Sym value) {
    if (value instanceof Sym.Host host) {
      return host.value() instanceof HostValues.Unreadable unreadable
          ? "a value of class " + unreadable.className()
          : "an object of class " + host.value().getClass().getName();
    } else if (value instanceof Sym.Rec rec) {
      return "a " + rec.layout().type().getName();
    } else if (value instanceof Sym.Box box) {
      return "a " + box.kind().box().getName();
    } else if (value instanceof Sym.Prim prim) {
      return "a primitive " + prim.kind().primitive().getName();
    } else if (value instanceof Sym.Text) {
      return "a String";
    } else if (value instanceof Sym.Edge edge) {
      return edge.triplet() ? "the edge triplet" : "the edge context";
    } else if (value instanceof Sym.Context) {
      return "the superstep context";
    } else if (value instanceof Sym.Fresh fresh) {
      return "an unfinished " + fresh.type().getName();
    } else if (value instanceof Sym.Closure) {
      return "a lambda";
    } else if (value instanceof Sym.Elements) {
      return "an iterator or sequence";
    }
    return value instanceof Sym.Null ? "null" : "an unusable value";
  }

  /**
   * Converts an argument or result between a lambda's own types and those of the method behind it,
   * as the lambda's bridge does: unboxing, boxing, widening.
   */
  Sym adapt(Sym value, Type type) {
    Kind target =
        switch (type.getSort()) {
          case Type.BOOLEAN, Type.BYTE, Type.SHORT, Type.CHAR, Type.INT -> Kind.INT;
          case Type.LONG -> Kind.LONG;
          case Type.FLOAT -> Kind.FLOAT;
          case Type.DOUBLE -> Kind.DOUBLE;
          default -> null;
        };
    if (target != null) {
      if (value instanceof Sym.Prim prim) {
        return convert(prim.variable(), prim.kind(), target);
      } else if (value instanceof Sym.Box box) {
        return convert(box.variable(), box.kind(), target);
      }
      return value;
    }
    return value instanceof Sym.Prim prim ? new Sym.Box(prim.kind(), prim.variable()) : value;
  }

  /** The box kind of a primitive type. */
  static Kind boxKind(Type type) {
    return switch (type.getSort()) {
      case Type.BOOLEAN -> Kind.BOOLEAN;
      case Type.LONG -> Kind.LONG;
      case Type.FLOAT -> Kind.FLOAT;
      case Type.DOUBLE -> Kind.DOUBLE;
      default -> Kind.INT;
    };
  }

  static boolean isPrimitive(Type type) {
    return type.getSort() >= Type.BOOLEAN && type.getSort() <= Type.DOUBLE;
  }

  /** Boxes a primitive of a declared type; leaves references alone. */
  static Sym boxed(Sym value, Type type) {
    return value instanceof Sym.Prim prim && isPrimitive(type)
        ? new Sym.Box(boxKind(type), prim.variable())
        : value;
  }

  /** Appends the variables of a value's columns; returns false when the path ended on a null. */
  boolean flatten(Sym value, ValueType type, boolean widen, List<Integer> columns) {
    if (value instanceof Sym.Null) {
      return stop(FaultCode.NULL_VALUE, "null where a " + type.className() + " is needed");
    }
    if (type instanceof ValueType.Scalar scalar && value instanceof Sym.Box box) {
      if (box.kind() == scalar.kind()) {
        columns.add(box.variable());
        return true;
      } else if (widen
          && box.kind() != Kind.BOOLEAN
          && box.kind().ordinal() < scalar.kind().ordinal()) {
        columns.add(convert(box.variable(), box.kind(), scalar.kind()).variable());
        return true;
      }
    } else if (type instanceof ValueType.Struct struct
        && value instanceof Sym.Rec rec
        && rec.layout().type().getName().equals(struct.className())) {
      for (int i = 0; i < struct.fields().size(); i++) {
        if (!flatten(rec.fields().get(i), struct.fields().get(i).type(), false, columns)) {
          return false;
        }
      }
      return true;
    }
    throw refuse(
        "the value here is " + describe(value) + ", but a " + type.className() + " is needed");
  }

  Sym newObject(String internalName) {
    Class<?> type = load(internalName);
    int id = state.freshId();
    if (Throwable.class.isAssignableFrom(type) || ScalaCalls.isCons(type)) {
      state.heap.put(id, new Sym[0]);
    } else if (StructClass.isStruct(type)) {
      state.heap.put(id, new Sym[StructClass.of(type).size()]);
    } else {
      throw refuse(
          "creates an object of class "
              + type.getName()
              + "; only records can be created, use one, or local variables");
    }
    return new Sym.Fresh(id, type);
  }

  /** Replaces an object whose constructor has returned by its fields. */
  void completeObject(int id) {
    Sym[] fields = state.heap.get(id);
    if (fields == null) {
      return;
    }
    state.heap.remove(id);
    state.replaceUnfinished(
        fresh -> {
          if (fresh.id() == id) {
            StructClass layout = StructClass.of(fresh.type());
            List<Sym> complete = new ArrayList<>();
            for (int i = 0; i < fields.length; i++) {
              complete.add(fields[i] == null ? zero(layout.types().get(i)) : fields[i]);
            }
            return new Sym.Rec(layout, complete);
          }
          return fresh;
        });
  }

  Sym zero(Class<?> type) {
    return type.isPrimitive()
        ? boxed(zeroPrim(boxKind(Type.getType(type))), Type.getType(type))
        : Sym.NULL;
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

  /** Reads a field of a declared type: components are kept boxed. */
  Sym unboxed(Sym value, Type type) {
    return isPrimitive(type) ? adapt(value, type) : value;
  }

  void replaceObject(Sym.Fresh fresh, Sym value) {
    state.heap.remove(fresh.id());
    state.replaceUnfinished(other -> other.id() == fresh.id() ? value : other);
  }

  /** Java's equals between values, as an INT variable that is 0 or 1. */
  int equalTo(Sym left, Sym right) {
    if (left instanceof Sym.Box a && right instanceof Sym.Box b && a.kind() == b.kind()) {
      int order =
          call(Intrinsic.COMPARE_TOTAL, Kind.INT, List.of(a.variable(), b.variable())).variable();
      int one = constant(1);
      int differs = binary(BinaryOp.AND, Kind.INT, order, one).variable();
      return binary(BinaryOp.XOR, Kind.INT, differs, one).variable();
    } else if (left instanceof Sym.Rec a
        && right instanceof Sym.Rec b
        && a.layout().equals(b.layout())) {
      int all = constant(1);
      for (int i = 0; i < a.fields().size(); i++) {
        int equal = equalTo(a.fields().get(i), b.fields().get(i));
        all = binary(BinaryOp.AND, Kind.INT, all, equal).variable();
      }
      return all;
    } else if (left instanceof Sym.Text a && right instanceof Sym.Text b) {
      return constant(a.value().equals(b.value()) ? 1 : 0);
    } else if (left instanceof Sym.Null || right instanceof Sym.Null) {
      return constant(left instanceof Sym.Null && right instanceof Sym.Null ? 1 : 0);
    } else if (left.getClass() == right.getClass()
        && !(left instanceof Sym.Box)
        && !(left instanceof Sym.Rec)) {
      throw refuse("compares " + describe(left) + " with " + describe(right));
    }
    return constant(0);
  }
}
