package org.sparkgpugraph.program.lift;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.bytecode.LibraryCalls;
import org.sparkgpugraph.program.bytecode.MethodBody;
import org.sparkgpugraph.program.bytecode.RefusedException;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Objects that exist while lifting: captured values become parameters, static finals constants. */
final class HostValues {
  /** The array behind a switch over an enum. */
  record SwitchMap(int[] values) {}

  /** Elements of a list, and of lists in it, from which on it stays an object. */
  private static final int MOST_IN_SEQUENCE = LiftBudget.COMPONENTS / 4;

  private final SymbolicMachine machine;
  private final Boxing boxing;
  private final Captures captures;

  HostValues(SymbolicMachine machine, Boxing boxing, Captures captures) {
    this.machine = machine;
    this.boxing = boxing;
    this.captures = captures;
  }

  /**
   * A captured value.
   *
   * @param key what identifies it among the program's captures
   */
  Sym captured(Object value, List<Object> key) {
    return symbol(
        value,
        key,
        (box, path) -> {
          if (box instanceof Integer number && machine.knownLengths.contains(number)) {
            // Most probably the length itself, which is part of the program anyway: loops up to it
            // need no test of indexes, and lanes can share them.
            return machine.constant(number);
          }
          Kind kind = Kind.of(box.getClass());
          int index = captures.add(path, kind, box);
          int variable = machine.ssa.parameter(Role.CAPTURE, index, kind);
          machine.captured.put(variable, box);
          return variable;
        });
  }

  /** The program's captured values. */
  Captures captures() {
    return captures;
  }

  /**
   * What a captured object is made of.
   *
   * @param columns gets its boxes, in order
   * @return the object, with the indexes of its boxes in the place of variables
   */
  Sym parts(Object value, List<Object> columns) {
    return symbol(
        value,
        List.of(),
        (box, path) -> {
          columns.add(box);
          return columns.size() - 1;
        });
  }

  /** A value that is part of the program's text. */
  Sym constant(Object value) {
    return symbol(
        value,
        List.of(),
        (box, path) -> machine.constant(box instanceof Boolean flag ? (flag ? 1 : 0) : box));
  }

  private Sym symbol(
      Object value, List<Object> key, BiFunction<Object, List<Object>, Integer> variable) {
    if (value == null) {
      return Sym.NULL;
    } else if (value instanceof String text) {
      return new Sym.Text(text);
    }
    Object box =
        value instanceof Byte || value instanceof Short
            ? (Object) ((Number) value).intValue()
            : value instanceof Character character ? (Object) (int) character : value;
    Kind kind = Kind.of(box.getClass());
    if (kind != null) {
      Class<?> type = box == value ? kind.box() : value.getClass();
      return new Sym.Box(kind, variable.apply(box, key), type);
    }
    if (value instanceof scala.Option<?> option) {
      List<Object> inside = new ArrayList<>(key);
      inside.add("get");
      return new Sym.Elements(
          Sym.Form.OPTION,
          option.isEmpty() ? List.of() : List.of(symbol(option.get(), inside, variable)));
    } else if (value instanceof scala.collection.immutable.List<?>
        || value instanceof scala.collection.immutable.Vector<?>) {
      return sequence((scala.collection.Seq<?>) value, key, variable);
    } else if (!StructClass.isStruct(value.getClass())) {
      return new Sym.Host(value);
    }
    if (key.size() > LiftBudget.DEPTH) {
      throw tooLarge(value, "records within records, " + LiftBudget.DEPTH + " deep or more");
    }
    StructClass layout = StructClass.of(value.getClass());
    List<Sym> fields = new ArrayList<>();
    for (int i = 0; i < layout.size(); i++) {
      try {
        List<Object> path = new ArrayList<>(key);
        path.add(i);
        fields.add(
            layout.isOuter(i)
                ? new Sym.Outer(layout.types().get(i).getName())
                : symbol(layout.read(value, i), path, variable));
      } catch (ReflectiveOperationException | InaccessibleObjectException e) {
        throw machine.refuse(
            "component '"
                + layout.names().get(i)
                + "' of a captured "
                + value.getClass().getName()
                + " cannot be read: "
                + e);
      }
    }
    Sym.Rec all = new Sym.Rec(layout, fields);
    if (all.extent().size() > LiftBudget.COMPONENTS) {
      throw tooLarge(value, "more than " + LiftBudget.COMPONENTS + " values");
    }
    return all;
  }

  /** Number of elements so far, with those of sequences in them; counts no further than needed. */
  private static int size(Object value, int before) {
    int size = before + 1;
    if (value instanceof scala.collection.immutable.List<?>
        || value instanceof scala.collection.immutable.Vector<?>) {
      scala.collection.Iterator<?> all = ((scala.collection.Seq<?>) value).iterator();
      while (all.hasNext() && size < MOST_IN_SEQUENCE) {
        size = size(all.next(), size);
      }
    }
    return size;
  }

  /** A list or vector of few elements, each a value of its own. */
  private Sym sequence(
      scala.collection.Seq<?> sequence,
      List<Object> key,
      BiFunction<Object, List<Object>, Integer> variable) {
    if (sequence.size() > CapturedTables.MOST || size(sequence, 0) >= MOST_IN_SEQUENCE) {
      return new Sym.Host(sequence);
    }
    List<Sym> values = new ArrayList<>();
    for (scala.collection.Iterator<?> all = sequence.iterator(); all.hasNext(); ) {
      List<Object> path = new ArrayList<>(key);
      path.add(values.size());
      values.add(symbol(all.next(), path, variable));
    }
    boolean isList = sequence instanceof scala.collection.immutable.List<?>;
    return new Sym.Elements(isList ? Sym.Form.LIST : Sym.Form.SEQUENCE, values);
  }

  private RefusedException tooLarge(Object value, String what) {
    return machine.refuse(
        "a captured "
            + value.getClass().getName()
            + " is "
            + what
            + "; capture the numbers that the program needs");
  }

  /** The value of a static field: final ones are constants of the program. */
  Sym staticField(FieldInsnNode access) {
    if (access.name.equals("$assertionsDisabled")) {
      return new Sym.Prim(Kind.INT, machine.constant(1));
    }
    Field field = find(access);
    String name = field.getDeclaringClass().getName() + "." + field.getName();
    boolean isFinal = Modifier.isFinal(field.getModifiers());
    // Scala 2.12 does not make MODULE$, the instance of an object, final.
    if (!isFinal && isScalaVariable(field.getDeclaringClass()) && !access.name.equals("MODULE$")) {
      return boxing.unboxed(captured(read(field, null), List.of(name)), Type.getType(access.desc));
    } else if (!isFinal && !access.name.equals("MODULE$")) {
      throw machine.refuse(
          "reads the static field "
              + name
              + ", which is not final; make it final, or copy it to a local variable that the"
              + " lambda captures");
    }
    Object value = read(field, null);
    if (value instanceof int[] map && access.name.startsWith("$SwitchMap$")) {
      return new Sym.Host(new SwitchMap(map));
    }
    return boxing.unboxed(constant(value), Type.getType(access.desc));
  }

  /** The value of a field of a captured object: final ones are captured values. */
  Sym instanceField(Sym.Host host, FieldInsnNode access) {
    Field field = find(access);
    String name = field.getDeclaringClass().getName() + "." + field.getName();
    if (!Modifier.isFinal(field.getModifiers()) && !isScalaVariable(host.value().getClass())) {
      throw machine.refuse(
          "reads the field "
              + name
              + " of a captured object, which is not final; make it final, or copy it to a local"
              + " variable that the lambda captures");
    }
    return boxing.unboxed(
        captured(read(field, host.value()), List.of(host, access.name)), Type.getType(access.desc));
  }

  /**
   * A captured var, an object's, which Scala 2.13 makes static, or that of a line of the shell: as
   * the program begins.
   */
  private static boolean isScalaVariable(Class<?> owner) {
    String type = owner.getName();
    return ScalaCalls.isReference(type)
        || type.endsWith("$")
        || type.startsWith("$line") && type.endsWith("$iw");
  }

  /** Whether this is the method behind a {@code lazy val}, or behind an object within a class. */
  boolean isLazy(MethodBody method) {
    if (method == null || LibraryCalls.isLibrary(method.owner())) {
      return false;
    }
    String computing = method.method().name + "$lzycompute";
    return machine.classes.find(method.owner(), computing, "()" + returns(method)) != null
        || machine.classes.find(method.owner(), computing + "$1", "()V") != null;
  }

  private static String returns(MethodBody method) {
    return Type.getReturnType(method.method().desc).getDescriptor();
  }

  /** The value of a {@code lazy val}, which is computed now if it was not yet. */
  Sym lazyValue(Sym.Host host, MethodBody method) {
    String name = method.method().name;
    try {
      Method accessor = machine.load(method.owner()).getDeclaredMethod(name);
      accessor.setAccessible(true);
      Object value = accessor.invoke(host.value());
      return boxing.unboxed(
          captured(value, List.of(host, name)), Type.getReturnType(method.method().desc));
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw machine.refuse("the lazy val " + name + " cannot be computed while lifting: " + e);
    }
  }

  private Field find(FieldInsnNode access) {
    try {
      for (Class<?> type = machine.classes.load(access.owner);
          type != null;
          type = type.getSuperclass()) {
        for (Field field : type.getDeclaredFields()) {
          if (field.getName().equals(access.name)) {
            return field;
          }
        }
        for (Class<?> itf : type.getInterfaces()) {
          for (Field field : itf.getDeclaredFields()) {
            if (field.getName().equals(access.name)) {
              return field;
            }
          }
        }
      }
    } catch (ClassNotFoundException | LinkageError e) {
      throw machine.refuse("class " + access.owner.replace('/', '.') + " cannot be loaded: " + e);
    }
    throw machine.refuse("no field " + access.owner.replace('/', '.') + "." + access.name);
  }

  private Object read(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException | InaccessibleObjectException | LinkageError e) {
      throw machine.refuse("field " + field + " cannot be read while lifting: " + e);
    }
  }
}
