package org.sparkgpugraph.program.lift;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;

/**
 * Arrays, maps and sets that a function captured. Small ones are looked up by comparisons, with
 * their keys and values as captured values of the program, so that other contents need no other
 * code.
 */
final class CapturedTables {
  /** Entries that a table may have. */
  static final int MOST = 64;

  private final SymbolicMachine machine;
  private final HostValues hosts;
  private final CallInliner calls;
  private final ExecutionPaths paths;

  CapturedTables(
      SymbolicMachine machine, HostValues hosts, CallInliner calls, ExecutionPaths paths) {
    this.machine = machine;
    this.hosts = hosts;
    this.calls = calls;
    this.paths = paths;
  }

  /**
   * Whether an object is looked up here: a map or set of the library that compares keys by == and
   * has nothing for keys that it does not know.
   */
  static boolean isTable(Object object) {
    String type = object.getClass().getName();
    boolean plain =
        type.startsWith("scala.collection.")
            && !type.contains("WithDefault")
            && !type.contains("Tree")
            && !type.contains(".convert.")
            && !type.contains("Sorted");
    return plain
        && (object instanceof scala.collection.Map<?, ?>
            || object instanceof scala.collection.Set<?>);
  }

  /** The length of a captured array. */
  Sym length(Sym.Host array) {
    return unboxed(hosts.captured(Array.getLength(array.value()), List.of(array, "length")));
  }

  /** Reads an element of a captured array; returns false when the path has ended. */
  boolean element(Sym.Host array, Sym.Prim index) {
    int length = Array.getLength(array.value());
    requireSmall(array.value(), length);
    if (machine.constants.get(index.variable()) instanceof Integer known
        && known >= 0
        && known < length) {
      machine.top().push(element(array, known));
      return true;
    }
    return search(array, index.variable(), 0, length);
  }

  /** Finds an index among those from {@code low} until {@code high} by bisection. */
  private boolean search(Sym.Host array, int index, int low, int high) {
    if (high == low) {
      return outside();
    } else if (high - low == 1) {
      return paths.fork(
          Condition.EQ,
          index,
          machine.constant(low),
          () -> found(element(array, low)),
          () -> outside());
    }
    int middle = (low + high) / 2;
    return paths.fork(
        Condition.LT,
        index,
        machine.constant(middle),
        () -> search(array, index, low, middle),
        () -> search(array, index, middle, high));
  }

  private boolean outside() {
    return machine.stop(FaultCode.THROWN, "java.lang.ArrayIndexOutOfBoundsException");
  }

  private Sym element(Sym.Host array, int index) {
    return unboxed(hosts.captured(Array.get(array.value(), index), List.of(array, index)));
  }

  private static Sym unboxed(Sym value) {
    return value instanceof Sym.Box box
        ? new Sym.Prim(MachineState.variableKind(box), box.variable())
        : value;
  }

  /** All ways meet behind the lookup. */
  private boolean found(Sym value) {
    machine.top().push(value);
    paths.join();
    return false;
  }

  /** A method of a captured map or set; returns false when the path has ended. */
  boolean invoke(Sym.Host table, String name, List<Sym> arguments) {
    String plain = name.endsWith("$mcZJ$sp") || name.endsWith("$mcZI$sp") ? "apply" : name;
    List<Object[]> entries = entries(table.value());
    requireSmall(table.value(), entries.size());
    boolean isMap = table.value() instanceof scala.collection.Map<?, ?>;
    switch (plain) {
      case "isEmpty", "nonEmpty", "size" -> {
        Sym size = unboxed(hosts.captured(entries.size(), List.of(table, "size")));
        if (plain.equals("size")) {
          machine.top().push(size);
          return true;
        }
        return paths.fork(
            plain.equals("isEmpty") ? Condition.EQ : Condition.NE,
            machine.prim(size).variable(),
            machine.constant(0),
            () -> found(machine.constantPrim(1)),
            () -> found(machine.constantPrim(0)));
      }
      case "contains", "apply", "get", "getOrElse", "isDefinedAt", "applyOrElse" -> {
        Sym key = boxed(arguments.get(0));
        if (plain.equals("applyOrElse") || !(key instanceof Sym.Box)) {
          break;
        }
        return look(table, (Sym.Box) key, entries, 0, isMap ? plain : "contains", arguments);
      }
      default -> {}
    }
    throw machine.refuse(
        "calls "
            + name
            + " on a captured "
            + (isMap ? "map" : "set")
            + "; use apply, get, getOrElse and contains with a number");
  }

  private static Sym boxed(Sym key) {
    return key instanceof Sym.Prim prim ? new Sym.Box(prim.kind(), prim.variable()) : key;
  }

  private boolean look(
      Sym.Host table, Sym.Box key, List<Object[]> entries, int at, String name, List<Sym> rest) {
    if (at == entries.size()) {
      return switch (name) {
        case "apply" ->
            machine.stop(FaultCode.THROWN, "java.util.NoSuchElementException: key not found");
        case "get" -> found(new Sym.Elements(Sym.Form.OPTION, List.of()));
        case "getOrElse" -> calls.function(rest.get(1), List.of());
        default -> found(machine.constantPrim(0));
      };
    }
    Object[] entry = entries.get(at);
    if (!(hosts.captured(entry[0], List.of(table, "key", at)) instanceof Sym.Box known)
        || known.kind() != key.kind()) {
      throw machine.refuse(
          "looks up " + key.describe() + " among keys of class " + entry[0].getClass().getName());
    }
    return paths.fork(
        Condition.EQ,
        key.variable(),
        known.variable(),
        () -> {
          if (!name.equals("get") && !name.equals("apply") && !name.equals("getOrElse")) {
            return found(machine.constantPrim(1));
          }
          Sym value = hosts.captured(entry[1], List.of(table, "value", at));
          return found(
              name.equals("get") ? new Sym.Elements(Sym.Form.OPTION, List.of(value)) : value);
        },
        () -> look(table, key, entries, at + 1, name, rest));
  }

  /** Keys and values; of a set the keys alone. */
  private static List<Object[]> entries(Object table) {
    List<Object[]> entries = new ArrayList<>();
    scala.collection.Iterator<?> all =
        table instanceof scala.collection.Map<?, ?> map
            ? map.iterator()
            : ((scala.collection.Set<?>) table).iterator();
    while (all.hasNext() && entries.size() <= MOST) {
      Object next = all.next();
      entries.add(
          table instanceof scala.collection.Map<?, ?>
              ? new Object[] {((scala.Tuple2<?, ?>) next)._1(), ((scala.Tuple2<?, ?>) next)._2()}
              : new Object[] {next});
    }
    return entries;
  }

  private void requireSmall(Object table, int size) {
    if (size > MOST) {
      throw machine.refuse(
          "looks up a captured "
              + table.getClass().getSimpleName()
              + " of more than "
              + MOST
              + " entries; make it an attribute of the vertices or edges");
    }
  }
}
