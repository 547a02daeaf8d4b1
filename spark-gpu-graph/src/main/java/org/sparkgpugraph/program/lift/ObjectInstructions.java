package org.sparkgpugraph.program.lift;

import java.util.List;
import java.util.function.IntConsumer;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.sparkgpugraph.function.EdgeContext;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.UnaryOp;

/** Instructions on objects: constants, fields, types, and the few arrays that can be lifted. */
final class ObjectInstructions {
  private static final int MAX_ARGUMENTS = 64;

  static final String ARRAYS =
      "arrays other than those of numbers that a function makes for itself, or captures, cannot be"
          + " lifted; use a record with one component per element, or local variables";

  private final SymbolicMachine machine;
  private final Boxing boxing;
  private final NewObjects objects;
  private final HostValues hosts;
  private final CapturedTables tables;

  ObjectInstructions(
      SymbolicMachine machine,
      Boxing boxing,
      NewObjects objects,
      HostValues hosts,
      CapturedTables tables) {
    this.tables = tables;
    this.machine = machine;
    this.boxing = boxing;
    this.objects = objects;
    this.hosts = hosts;
  }

  void loadConstant(Frame frame, Object value) {
    if (value instanceof String text) {
      frame.push(new Sym.Text(text));
    } else if (Kind.of(value.getClass()) != null) {
      frame.push(machine.constantPrim(value));
    } else {
      throw machine.refuse(
          "a constant of class " + value.getClass().getName() + " cannot be lifted");
    }
  }

  /**
   * Array instructions: on arrays that the function has made, and reads of captured ones and of
   * those of enum switches.
   */
  boolean array(Frame frame, int opcode) {
    if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
      Sym value = frame.pop();
      Sym index = frame.pop();
      Sym target = frame.pop();
      if (target instanceof Sym.Fresh array && array.type().isArray()) {
        machine.requireOwn(array.id());
        return store(array, index, value);
      } else if (target instanceof Sym.Given) {
        throw machine.refuse(
            "changes an array that is a vertex's or an edge's value, or a part of one; change a"
                + " clone() of it, and return that");
      }
      throw machine.refuse(ARRAYS);
    }
    boolean asksLength = opcode == Opcodes.ARRAYLENGTH;
    Sym own = frame.stack.get(frame.stack.size() - (asksLength ? 1 : 2));
    if (NewObjects.isArray(own)) {
      Sym index = asksLength ? null : frame.pop();
      frame.pop();
      if (asksLength) {
        frame.push(machine.constantPrim(objects.length(own)));
        return true;
      }
      return load(own, index);
    }
    if (opcode == Opcodes.ARRAYLENGTH && isArray(frame.stack.get(frame.stack.size() - 1))) {
      frame.push(tables.length((Sym.Host) frame.pop()));
      return true;
    }
    if (opcode >= Opcodes.IALOAD
        && opcode <= Opcodes.SALOAD
        && isArray(frame.stack.get(frame.stack.size() - 2))) {
      Sym.Prim index = machine.prim(frame.pop());
      return tables.element((Sym.Host) frame.pop(), index);
    }
    if (opcode == Opcodes.IALOAD) {
      Sym.Prim index = machine.prim(frame.pop());
      Sym array = frame.pop();
      if (array instanceof Sym.Host host
          && host.value() instanceof HostValues.SwitchMap map
          && machine.constants.get(index.variable()) instanceof Integer at) {
        frame.push(machine.constantPrim(map.values()[at]));
        return true;
      }
    }
    throw machine.refuse(ARRAYS);
  }

  /** Reads an element of an array that the function has made, or is given. */
  private boolean load(Sym array, Sym index) {
    Class<?> component = NewObjects.component(array);
    Integer known = knownIndex(index);
    if (known == null
        || array instanceof Sym.Given
        || machine.state.gathered((Sym.Fresh) array) != null) {
      requireNumbers(component);
      return within(
          array, index, at -> machine.top().push(machine.element(objects.together(array), at)));
    }
    List<Sym> elements = objects.elements(array).values();
    if (known < 0 || known >= elements.size()) {
      return outside(known + "", elements.size());
    }
    machine.top().push(boxing.unboxed(elements.get(known), Type.getType(component)));
    return true;
  }

  /** Writes an element of an array that the function has made. */
  private boolean store(Sym.Fresh array, Sym index, Sym value) {
    Class<?> component = array.type().getComponentType();
    Integer known = knownIndex(index);
    if (known == null || machine.state.gathered(array) != null) {
      requireNumbers(component);
      return within(
          array,
          index,
          at -> {
            int narrow = narrowed(machine.prim(value).variable(), component);
            objects.set(array, machine.with(objects.gather(array), at, narrow));
          });
    }
    Sym[] elements = machine.state.heap.get(array.id());
    if (known < 0 || known >= elements.length) {
      return outside(known + "", elements.length);
    }
    elements[known] = Boxing.boxed(value, Type.getType(component));
    return true;
  }

  /** What is left of an int in an element of a small type. */
  private int narrowed(int value, Class<?> component) {
    UnaryOp op =
        component == byte.class
            ? UnaryOp.TO_BYTE
            : component == short.class
                ? UnaryOp.TO_SHORT
                : component == char.class ? UnaryOp.TO_CHAR : null;
    if (op != null) {
      return machine.unary(op, Kind.INT, value).variable();
    }
    return component == boolean.class
        ? machine.binary(BinaryOp.AND, Kind.INT, value, machine.constant(1)).variable()
        : value;
  }

  private void requireNumbers(Class<?> component) {
    if (!component.isPrimitive()) {
      throw machine.refuse(
          "looks up an array of objects at an index that only the run knows; use an array of"
              + " numbers for each of their parts");
    }
  }

  /** Does something with an index that is in an array; elsewhere it is an error. */
  private boolean within(Sym array, Sym index, IntConsumer then) {
    int length = objects.length(array);
    Integer known = knownIndex(index);
    if (known != null) {
      if (known < 0 || known >= length) {
        return outside(known + "", length);
      }
      then.accept(machine.constant(known));
      return true;
    }
    int at = machine.prim(index).variable();
    return machine.paths.fork(
        Condition.LT,
        at,
        machine.constant(0),
        () -> outside("below 0", length),
        () ->
            machine.paths.fork(
                Condition.GE,
                at,
                machine.constant(length),
                () -> outside("too large", length),
                () -> {
                  then.accept(at);
                  return true;
                }));
  }

  private boolean outside(String index, int length) {
    return machine.stop(
        FaultCode.THROWN,
        "java.lang.ArrayIndexOutOfBoundsException: Index "
            + index
            + " out of bounds for length "
            + length);
  }

  private static boolean isArray(Sym value) {
    return value instanceof Sym.Host host && host.value().getClass().isArray();
  }

  private Integer knownIndex(Sym index) {
    if (index instanceof Sym.Index known) {
      return known.value();
    }
    return index instanceof Sym.Prim prim
            && machine.constants.get(prim.variable()) instanceof Integer known
        ? known
        : null;
  }

  /** Reads or assigns a field; returns false when the path has ended. */
  boolean field(Frame frame, int opcode, FieldInsnNode access) {
    String name = access.owner.replace('/', '.') + "." + access.name;
    switch (opcode) {
      case Opcodes.PUTSTATIC ->
          throw machine.refuse(
              "assigns the static field " + name + "; a program has no shared state");
      case Opcodes.GETSTATIC -> frame.push(hosts.staticField(access));
      case Opcodes.PUTFIELD -> {
        Sym value = frame.pop();
        Sym target = frame.pop();
        if (!(target instanceof Sym.Fresh fresh)) {
          throw machine.refuse("assigns the field " + name + "; return a new value instead");
        }
        int index = index(fresh, access.name);
        if (index < 0) {
          throw machine.refuse(
              "assigns the field " + name + ", which is not a component of the record");
        }
        machine.requireOwn(fresh.id());
        Type type = Type.getType(access.desc);
        boolean isOuter = access.name.equals(StructClass.OUTER) && !(value instanceof Sym.Null);
        machine.state.heap.get(fresh.id())[index] =
            isOuter ? new Sym.Outer(type.getClassName()) : Boxing.boxed(value, type);
      }
      default -> {
        Sym target = frame.pop();
        Type type = Type.getType(access.desc);
        if (target instanceof Sym.Null) {
          return machine.stop(FaultCode.NULL_VALUE, "reading " + name);
        } else if (target instanceof Sym.Host host) {
          frame.push(hosts.instanceField(host, access));
        } else if (target instanceof Sym.Rec rec && rec.layout().indexOf(access.name) >= 0) {
          frame.push(boxing.unboxed(rec.fields().get(rec.layout().indexOf(access.name)), type));
        } else if (target instanceof Sym.Fresh fresh && index(fresh, access.name) >= 0) {
          int index = index(fresh, access.name);
          Sym value = machine.state.heap.get(fresh.id())[index];
          frame.push(
              boxing.unboxed(
                  value == null
                      ? objects.zero(StructClass.of(fresh.type()).types().get(index))
                      : value,
                  type));
        } else {
          throw machine.refuse("reads the field " + name + " of " + target.describe());
        }
      }
    }
    return true;
  }

  /** Where an object under construction, or a variable that lambdas share, keeps a field. */
  private static int index(Sym.Fresh object, String field) {
    return ScalaCalls.isReference(object.type().getName())
        ? 0
        : StructClass.of(object.type()).indexOf(field);
  }

  /** Makes an object or an array, or asks for a class; returns false when the path has ended. */
  boolean typed(Frame frame, int opcode, String type) {
    switch (opcode) {
      case Opcodes.NEW -> frame.push(objects.begin(type));
      case Opcodes.CHECKCAST -> {
        Sym value = frame.stack.get(frame.stack.size() - 1);
        if (value instanceof Sym.Carried carried) {
          requireCast(carried, type);
        } else if (!(value instanceof Sym.Null) && Boolean.FALSE.equals(isInstance(value, type))) {
          return machine.stop(
              FaultCode.THROWN,
              "java.lang.ClassCastException: "
                  + value.describe()
                  + " is not a "
                  + type.replace('/', '.'));
        }
      }
      case Opcodes.INSTANCEOF -> {
        Sym value = frame.pop();
        Boolean is = machine.isNull(value) ? (Boolean) false : isInstance(value, type);
        if (is == null) {
          throw machine.refuse(
              "asks whether " + value.describe() + " is a " + type.replace('/', '.'));
        }
        frame.push(machine.constantPrim(is ? 1 : 0));
      }
      default -> {
        return newArray(frame, Object.class);
      }
    }
    return true;
  }

  /** Makes an array of known length, of few objects or of numbers. */
  boolean newArray(Frame frame, Class<?> component) {
    Integer length = machine.known(frame.pop());
    int most = component.isPrimitive() ? NewObjects.MOST : MAX_ARGUMENTS;
    if (length == null) {
      throw machine.refuse(
          "makes an array whose length only the run knows; it must be a" + " constant or captured");
    } else if (length > most) {
      throw machine.refuse(
          "makes an array of "
              + length
              + (component.isPrimitive() ? " numbers; " : " objects; ")
              + most
              + " are the most");
    } else if (length < 0) {
      return machine.stop(FaultCode.THROWN, "java.lang.NegativeArraySizeException: " + length);
    }
    frame.push(objects.array(component, length));
    return true;
  }

  /** The class that an operand of NEWARRAY stands for. */
  static Class<?> primitive(int operand) {
    return switch (operand) {
      case Opcodes.T_BOOLEAN -> boolean.class;
      case Opcodes.T_CHAR -> char.class;
      case Opcodes.T_FLOAT -> float.class;
      case Opcodes.T_DOUBLE -> double.class;
      case Opcodes.T_BYTE -> byte.class;
      case Opcodes.T_SHORT -> short.class;
      case Opcodes.T_LONG -> long.class;
      default -> int.class;
    };
  }

  /**
   * Scala casts the components of a tuple to what the program says that they are, which the ones
   * that were looked at must be.
   */
  private void requireCast(Sym.Carried carried, String type) {
    boolean unknown = carried.className().equals(ValueType.NULL);
    if (!unknown
        && !machine
            .load(type)
            .isAssignableFrom(machine.load(carried.className().replace('.', '/')))) {
      throw machine.refuse("reads " + carried.describe() + ", as a " + type.replace('/', '.'));
    }
  }

  /** Whether a value is of a class; null where it is not known. */
  private Boolean isInstance(Sym value, String internalName) {
    Class<?> type = machine.load(internalName);
    if (value instanceof Sym.Box box) {
      return type.isAssignableFrom(box.type());
    } else if (value instanceof Sym.Rec rec) {
      return type.isAssignableFrom(rec.layout().type());
    } else if (value instanceof Sym.Text) {
      return type.isAssignableFrom(String.class);
    } else if (value instanceof Sym.Host host) {
      return type.isInstance(host.value());
    } else if (value instanceof Sym.Edge edge) {
      // Scala's functions have GraphX's classes; others do without them.
      return type.isAssignableFrom(EdgeContext.class)
          || type.isAssignableFrom(
              machine.load(
                  "org/apache/spark/graphx/" + (edge.triplet() ? "EdgeTriplet" : "EdgeContext")));
    } else if (value instanceof Sym.Thrown thrown) {
      return type.isAssignableFrom(machine.load(thrown.className().replace('.', '/')));
    } else if (value instanceof Sym.Given given) {
      return type.isAssignableFrom(given.type());
    } else if (value instanceof Sym.Fresh fresh) {
      boolean is = type.isAssignableFrom(fresh.type());
      return is || !ScalaSequences.isIterator(fresh) ? (Boolean) is : null;
    } else if (value instanceof Sym.Elements elements) {
      return ScalaSequences.isInstance(elements, type);
    } else if (value instanceof Sym.Keyed keyed) {
      return KeyedCalls.isInstance(keyed, type);
    } else if (value instanceof Sym.Maybe) {
      return type.isAssignableFrom(scala.Option.class);
    } else if (value instanceof Sym.Closure) {
      return type.isInterface() ? (Boolean) true : null;
    } else if (value instanceof Sym.Context) {
      return true;
    }
    throw machine.refuse("asks for the class of " + value.describe());
  }
}
