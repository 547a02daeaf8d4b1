package org.sparkgpugraph.program.lift;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.sparkgpugraph.program.KeyTable;
import org.sparkgpugraph.program.bytecode.RefusedException;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Arrays, maps and sets that a function captured. Arrays of primitives, and maps and sets of more
 * than a few integers, become tables beside the program ({@link Insn.Load}), so that other contents
 * need no other code. Others that are small are looked up by comparisons, with their keys and
 * values as captured values of the program.
 */
final class CapturedTables {
  /** Entries of what can be no table. */
  static final int MOST = 64;

  /** Keys that are found faster by comparisons than in a table (LookupRates). */
  private static final int FEW_KEYS = 12;

  /** Bytes that the tables of a program may take. */
  static final long MOST_BYTES = 256L << 20;

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
   * Whether an object is looked up here: a map or set of the library that compares keys by ==, one
   * with default values among them.
   */
  static boolean isTable(Object object) {
    String type = object.getClass().getName();
    boolean plain =
        type.startsWith("scala.collection.")
            && !type.contains("Tree")
            && !type.contains(".convert.")
            && !type.contains("Sorted");
    return plain
        && (object instanceof scala.collection.Map<?, ?>
            || object instanceof scala.collection.Set<?>)
        && (!hasDefault(object) || isTable(field(object, true)));
  }

  /** Whether it is the wrapper that {@code withDefault} and {@code withDefaultValue} make. */
  private static boolean hasDefault(Object object) {
    return object.getClass().getName().endsWith("$WithDefault");
  }

  /** What such a wrapper consists of: the map, which is a function too, or the default values. */
  private static Object field(Object wrapper, boolean map) {
    for (Class<?> of = wrapper.getClass(); of != null; of = of.getSuperclass()) {
      for (Field field : of.getDeclaredFields()) {
        boolean found =
            map
                ? scala.collection.Map.class.isAssignableFrom(field.getType())
                : field.getType() == scala.Function1.class;
        if (found && field.trySetAccessible()) {
          try {
            return field.get(wrapper);
          } catch (IllegalAccessException e) {
            throw new IllegalStateException("the field of " + of + " was made accessible", e);
          }
        }
      }
    }
    throw new IllegalStateException(wrapper.getClass() + " has no field that is known");
  }

  /** The length of a captured array. */
  Sym length(Sym.Host array) {
    return unboxed(hosts.captured(Array.getLength(array.value()), List.of(array, "length")));
  }

  /** Reads an element of a captured array; returns false when the path has ended. */
  boolean element(Sym.Host array, Sym.Prim index) {
    int length = Array.getLength(array.value());
    if (machine.constants.get(index.variable()) instanceof Integer known
        && known >= 0
        && known < length) {
      machine.top().push(element(array, known));
      return true;
    }
    boolean isTable = array.value().getClass().getComponentType().isPrimitive() && length > 0;
    if (!isTable && length <= MOST) {
      return search(array, index.variable(), 0, length);
    }
    int at = index.variable();
    return paths.fork(
        Condition.LT,
        at,
        machine.constant(0),
        this::outside,
        () ->
            paths.fork(
                Condition.GE,
                at,
                machine.prim(length(array)).variable(),
                this::outside,
                () -> {
                  machine.top().push(unboxed(load(array, at)));
                  return true;
                }));
  }

  /** An element of an array of primitives. */
  private Sym load(Sym.Host array, int index) {
    Class<?> type = array.value().getClass().getComponentType();
    // The JVM computes with bytes, shorts and characters as ints.
    Kind kind =
        type == byte.class || type == short.class || type == char.class ? Kind.INT : Kind.of(type);
    if (kind == null || !type.isPrimitive()) {
      throw machine.refuse(
          "looks up a captured array of "
              + Array.getLength(array.value())
              + " objects of class "
              + type.getName()
              + "; more than "
              + MOST
              + " must be an array of numbers, or one such array for each of their parts");
    }
    int length = Array.getLength(array.value());
    return new Sym.Box(kind, load(List.of(array), kind, length, () -> copy(array, kind), index));
  }

  /** A copy that nobody changes, as the program begins. */
  private Object copy(Sym.Host array, Kind kind) {
    int length = Array.getLength(array.value());
    requireRoom(array.value(), length, (long) kind.bytes() * length);
    Object copy = Array.newInstance(kind.primitive(), length);
    if (copy.getClass() == array.value().getClass()) {
      System.arraycopy(array.value(), 0, copy, 0, length);
    } else if (array.value() instanceof char[] characters) {
      Arrays.setAll((int[]) copy, i -> characters[i]);
    } else {
      Arrays.setAll((int[]) copy, i -> Array.getInt(array.value(), i));
    }
    return copy;
  }

  /** Reads a table of the program, which becomes one now if it is not. */
  private int load(
      List<Object> identity, Kind kind, int length, Supplier<Object> content, int index) {
    Captures captures = hosts.captures();
    List<Object> ofLength = new ArrayList<>(identity);
    ofLength.add("length");
    int lengthIndex = captures.add(ofLength, Kind.INT, length);
    return machine.load(captures.table(identity, kind, lengthIndex, content), kind, index);
  }

  private void requireRoom(Object table, int entries, long bytes) {
    if (bytes > MOST_BYTES - hosts.captures().tableBytes()) {
      throw machine.refuse(
          "looks up a captured "
              + table.getClass().getSimpleName()
              + " of "
              + entries
              + " entries, "
              + bytes
              + " bytes; the captured tables of a program may take "
              + MOST_BYTES
              + " together: make it an attribute of the vertices or edges");
    }
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
    boolean isMap = table.value() instanceof scala.collection.Map<?, ?>;
    switch (plain) {
      case "isEmpty", "nonEmpty", "size" -> {
        int entries = ((scala.collection.Iterable<?>) table.value()).size();
        Sym size = unboxed(hosts.captured(entries, List.of(table, "size")));
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
      case "contains", "apply", "get", "getOrElse", "isDefinedAt" -> {
        Sym key = boxed(arguments.get(0));
        if (!(key instanceof Sym.Box)) {
          break;
        }
        Lookup lookup = new Lookup(table, (Sym.Box) key, isMap ? plain : "contains", arguments);
        List<Object[]> some = entries(table.value(), MOST + 1);
        return some.size() > FEW_KEYS && lookup.isTable(some.size() > MOST)
            ? lookup.inTable()
            : lookup.among(some, 0);
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

  /**
   * Keys and values; of a set the keys alone.
   *
   * @param most how many are wanted
   */
  private static List<Object[]> entries(Object table, int most) {
    List<Object[]> entries = new ArrayList<>();
    scala.collection.Iterator<?> all =
        table instanceof scala.collection.Map<?, ?> map
            ? map.iterator()
            : ((scala.collection.Set<?>) table).iterator();
    while (all.hasNext() && entries.size() < most) {
      Object next = all.next();
      entries.add(
          table instanceof scala.collection.Map<?, ?>
              ? new Object[] {((scala.Tuple2<?, ?>) next)._1(), ((scala.Tuple2<?, ?>) next)._2()}
              : new Object[] {next});
    }
    return entries;
  }

  /**
   * A map or set as tables.
   *
   * @param places of the keys
   * @param keys by slot; in one that is free, the key of another slot, which nobody finds there
   * @param value what each value is, with the numbers of columns in the place of variables
   * @param values columns of the values, by slot
   */
  private record Layout(KeyTable places, Object keys, Sym value, List<Object> values) {}

  /** A lookup of a key in a captured map or set. */
  private final class Lookup {
    private final Sym.Host table;
    private final Sym.Box key;
    private final String name;
    private final List<Sym> arguments;

    Lookup(Sym.Host table, Sym.Box key, String name, List<Sym> arguments) {
      this.table = table;
      this.key = key;
      this.name = name;
      this.arguments = arguments;
    }

    private boolean isOfValue() {
      return name.equals("get") || name.equals("apply") || name.equals("getOrElse");
    }

    /** There is no such key. */
    private boolean missing() {
      return switch (name) {
        case "apply" ->
            hasDefault(table.value())
                ? byDefault((scala.Function1<?, ?>) field(table.value(), false))
                : machine.stop(FaultCode.THROWN, "java.util.NoSuchElementException: key not found");
        case "get" -> found(new Sym.Elements(Sym.Form.OPTION, List.of()));
        case "getOrElse" -> calls.function(arguments.get(1), List.of());
        default -> found(machine.constantPrim(0));
      };
    }

    /** Takes what {@code withDefault} or {@code withDefaultValue} was given. */
    private boolean byDefault(scala.Function1<?, ?> function) {
      String type = function.getClass().getName();
      boolean isValue = type.startsWith("scala.collection.") && type.contains("$$Lambda");
      return isValue
          ? found(hosts.captured(function.apply(null), List.of(table, "default")))
          : calls.function(new Sym.Host(function), List.of(key));
    }

    private boolean present(Supplier<Sym> value) {
      if (!isOfValue()) {
        return found(machine.constantPrim(1));
      }
      Sym is = value.get();
      return found(name.equals("get") ? new Sym.Elements(Sym.Form.OPTION, List.of(is)) : is);
    }

    private void requireKind(Object known) {
      Object number = number(known);
      if (number == null || Kind.of(number.getClass()) != key.kind()) {
        String of = known == null ? "null" : known.getClass().getName();
        throw machine.refuse("looks up " + key.describe() + " among keys of class " + of);
      }
    }

    /** A key as its column holds it; null when it is no number. */
    private Object number(Object box) {
      List<Object> columns = new ArrayList<>();
      boolean isOne = hosts.parts(box, columns) instanceof Sym.Box;
      return isOne ? columns.get(0) : null;
    }

    /** By comparison with one key after the other. */
    boolean among(List<Object[]> entries, int at) {
      if (at == entries.size()) {
        return missing();
      }
      Object[] entry = entries.get(at);
      requireKind(entry[0]);
      Sym.Box known = (Sym.Box) hosts.captured(entry[0], List.of(table, "key", at));
      return paths.fork(
          Condition.EQ,
          key.variable(),
          known.variable(),
          () -> present(() -> hosts.captured(entry[1], List.of(table, "value", at))),
          () -> among(entries, at + 1));
    }

    /**
     * Whether there are tables for it.
     *
     * @param required refuses the function when there are none
     */
    boolean isTable(boolean required) {
      try {
        return known() != null;
      } catch (RefusedException e) {
        if (required) {
          throw e;
        }
        return false;
      }
    }

    private Layout known() {
      List<Object> identity = List.of(table, isOfValue());
      return (Layout) hosts.captures().layouts().computeIfAbsent(identity, k -> layout());
    }

    /** In the only slot where it can be. */
    boolean inTable() {
      Layout layout = known();
      int slot = slot(layout.places);
      int known = load("keys", key.kind(), layout.keys, slot);
      return paths.fork(
          Condition.EQ,
          key.variable(),
          known,
          () -> present(() -> value(layout.value, layout, slot)),
          this::missing);
    }

    /** The instructions of {@link KeyTable}. */
    private int slot(KeyTable places) {
      int mix = machine.constant(KeyTable.MIX);
      int wide = machine.convert(key.variable(), key.kind(), Kind.LONG).variable();
      int product = binary(BinaryOp.MULTIPLY, mixed(wide, mix), number("by", places.multiplier()));
      int hash = mixed(product, mix);
      int bucket = shifted(hash, number("bucket", places.bucketShift()));
      int factor = load("factors", Kind.LONG, places.factors(), bucket);
      int spread = binary(BinaryOp.MULTIPLY, hash, factor);
      return shifted(spread, number("slot", places.slotShift()));
    }

    private int mixed(int value, int shift) {
      return binary(BinaryOp.XOR, value, binary(BinaryOp.SHIFT_RIGHT_UNSIGNED, value, shift));
    }

    private int shifted(int value, int shift) {
      int left = binary(BinaryOp.SHIFT_RIGHT_UNSIGNED, value, shift);
      return machine.convert(left, Kind.LONG, Kind.INT).variable();
    }

    private int binary(BinaryOp op, int left, int right) {
      return machine.binary(op, Kind.LONG, left, right).variable();
    }

    /** A number that belongs to the table. */
    private int number(String what, Object value) {
      return ((Sym.Box) hosts.captured(value, List.of(table, what))).variable();
    }

    private int load(Object what, Kind kind, Object array, int index) {
      return CapturedTables.this.load(
          List.of(table, what), kind, Array.getLength(array), () -> array, index);
    }

    private Sym value(Sym shape, Layout layout, int slot) {
      return shape instanceof Sym.Box box
          ? new Sym.Box(
              box.kind(),
              load(box.variable(), box.kind(), layout.values.get(box.variable()), slot),
              box.type())
          : shape.mapped(part -> value(part, layout, slot));
    }

    private Layout layout() {
      int size = ((scala.collection.Iterable<?>) table.value()).size();
      requireRoom(table.value(), size, key.kind().bytes() * KeyTable.slots(size));
      List<Object[]> entries = entries(table.value(), size);
      long[] numbers = new long[entries.size()];
      for (int i = 0; i < numbers.length; i++) {
        requireKind(entries.get(i)[0]);
        if (key.kind() != Kind.INT && key.kind() != Kind.LONG) {
          throw machine.refuse(
              "looks up "
                  + key.describe()
                  + " among more than "
                  + MOST
                  + " keys; use keys that are integers");
        }
        numbers[i] = ((Number) number(entries.get(i)[0])).longValue();
      }
      List<Object> first = new ArrayList<>();
      Sym value = isOfValue() ? hosts.parts(entries.get(0)[1], first) : Sym.NULL;
      List<Kind> kinds = first.stream().map(box -> Kind.of(box.getClass())).toList();
      int entryBytes = key.kind().bytes() + kinds.stream().mapToInt(Kind::bytes).sum();
      long bytes = entryBytes * KeyTable.slots(size) + Long.BYTES * KeyTable.factors(size);
      requireRoom(table.value(), size, bytes);
      KeyTable places = KeyTable.of(numbers);
      if (places == null) {
        throw machine.refuse(
            "looks up a captured "
                + table.value().getClass().getSimpleName()
                + " for whose keys no places were found; make it an attribute of the vertices or"
                + " edges");
      }
      return new Layout(
          places, keys(places, numbers), value, columns(places, entries, value, kinds));
    }

    private Object keys(KeyTable places, long[] numbers) {
      int[] entries = places.entries();
      long[] keys = new long[entries.length];
      Arrays.setAll(keys, slot -> numbers[Math.max(0, entries[slot])]);
      return key.kind() == Kind.LONG ? keys : Arrays.stream(keys).mapToInt(k -> (int) k).toArray();
    }

    private List<Object> columns(
        KeyTable places, List<Object[]> entries, Sym value, List<Kind> kinds) {
      int slots = places.entries().length;
      List<Object> arrays = new ArrayList<>();
      kinds.forEach(kind -> arrays.add(Array.newInstance(kind.primitive(), slots)));
      // Also where there is no column, as where the first value is None: all must be the same.
      for (int slot = 0; slot < slots && isOfValue(); slot++) {
        int entry = places.entries()[slot];
        if (entry == KeyTable.FREE) {
          continue;
        }
        List<Object> parts = new ArrayList<>();
        if (!hosts.parts(entries.get(entry)[1], parts).equals(value)) {
          throw machine.refuse(
              "looks up a captured map whose values are of different kinds, or null; use numbers,"
                  + " or records of numbers");
        }
        for (int c = 0; c < parts.size(); c++) {
          Array.set(arrays.get(c), slot, parts.get(c));
        }
      }
      return arrays;
    }
  }
}
