package org.sparkgpugraph.program;

import java.io.Serializable;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The keys of Scala maps and sets in values: what is in few maps and sets, over and over, can be
 * columns ({@link ValueType.Keyed}). Each value is shown to one of these; those of several
 * partitions are joined.
 */
public final class KeyedMaps implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final String LIBRARY = "scala.collection.immutable.";

  /** What is known of the maps, or sets, that stand in one place of the values. */
  private static final class Place implements Serializable {
    private static final long serialVersionUID = 1L;

    private Boolean isSet;
    private Kind key;
    private Kind value;
    private final TreeSet<Long> keys = new TreeSet<>();
    private String problem;
  }

  private final Map<String, Place> places = new TreeMap<>();

  /** Whether values of a type have maps or sets whose keys might be found. */
  public static boolean areIn(ValueType type) {
    return type instanceof ValueType.Opaque opaque && isKeyed(opaque.className())
        || type instanceof ValueType.Struct struct
            && struct.fields().stream().anyMatch(field -> areIn(field.type()));
  }

  private static boolean isKeyed(String className) {
    return className.matches("scala\\.collection\\.(immutable\\.)?(Hash)?(Map|Set)(\\$.*)?");
  }

  /**
   * Whether an object is a map or set of the library that has nothing for keys that it does not
   * know, and promises no order.
   */
  public static boolean isPlain(Object value) {
    String type = value == null ? "" : value.getClass().getName();
    return type.startsWith(LIBRARY)
        && type.substring(LIBRARY.length())
            .matches(
                "(Map\\$(EmptyMap\\$|Map\\d)|Set\\$(EmptySet\\$|Set\\d)|Hash(Map|Set)(\\$.*)?)");
  }

  /** The type of one map or set alone; opaque where it cannot be columns. */
  public static ValueType typeOf(Object value) {
    KeyedMaps maps = new KeyedMaps();
    ValueType any = new ValueType.Opaque(ValueType.Keyed.MAP);
    maps.see("", any, value);
    return maps.complete("", any);
  }

  /** Keys and values of a map; of a set the elements, as keys. */
  public static List<Object[]> entries(Object value) {
    List<Object[]> entries = new ArrayList<>();
    boolean isSet = value instanceof scala.collection.Set<?>;
    scala.collection.Iterator<?> all =
        isSet
            ? ((scala.collection.Set<?>) value).iterator()
            : ((scala.collection.Map<?, ?>) value).iterator();
    while (all.hasNext()) {
      Object next = all.next();
      entries.add(
          next instanceof scala.Tuple2<?, ?> pair && !isSet
              ? new Object[] {pair._1(), pair._2()}
              : new Object[] {next});
    }
    return entries;
  }

  /**
   * Looks at a value.
   *
   * @param what it is, the same for all that go into the same columns
   * @param type of such values
   */
  public void see(String what, ValueType type, Object value) {
    if (type instanceof ValueType.Opaque && areIn(type)) {
      see(places.computeIfAbsent(what, place -> new Place()), value);
    } else if (type instanceof ValueType.Struct struct
        && areIn(type)
        && value != null
        && StructClass.isStruct(value.getClass())) {
      StructClass layout = StructClass.of(value.getClass());
      for (int i = 0; i < layout.size() && i < struct.fields().size(); i++) {
        ValueType.Field field = struct.fields().get(i);
        if (areIn(field.type())) {
          try {
            see(what + "." + field.name(), field.type(), layout.read(value, i));
          } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            places.computeIfAbsent(what + "." + field.name(), place -> new Place()).problem =
                "cannot be read (" + e + ")";
          }
        }
      }
    }
  }

  /** The class of an object, as its file has it. */
  private static String name(Object value) {
    String name = value == null ? "null" : value.getClass().getName();
    return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
  }

  private static void see(Place place, Object value) {
    if (place.problem != null) {
      return;
    } else if (!isPlain(value)) {
      place.problem =
          "are not only Scala's own immutable maps and sets without default values, but "
              + name(value);
      return;
    }
    boolean isSet = value instanceof scala.collection.Set<?>;
    if (place.isSet != null && place.isSet != isSet) {
      place.problem = "are sometimes maps, sometimes sets";
      return;
    }
    place.isSet = isSet;
    scala.collection.Iterator<?> all =
        isSet
            ? ((scala.collection.Set<?>) value).iterator()
            : ((scala.collection.Map<?, ?>) value).iterator();
    while (all.hasNext() && place.problem == null) {
      Object next = all.next();
      if (isSet) {
        key(place, next);
      } else {
        scala.Tuple2<?, ?> entry = (scala.Tuple2<?, ?>) next;
        key(place, entry._1());
        value(place, entry._2());
      }
    }
  }

  private static void key(Place place, Object key) {
    Kind kind = key == null ? null : Kind.of(key.getClass());
    if (kind != Kind.INT && kind != Kind.LONG) {
      place.problem = "have keys that are " + name(key) + ", not Int or Long";
    } else if (place.key != null && place.key != kind) {
      place.problem = "have keys that are sometimes Int, sometimes Long";
    } else {
      place.key = kind;
      place.keys.add(((Number) key).longValue());
      refuseMany(place);
    }
  }

  private static void refuseMany(Place place) {
    if (place.keys.size() > ValueType.Keyed.MOST) {
      place.problem = tooMany(place.keys.size());
    }
  }

  private static String tooMany(int found) {
    return "have "
        + found
        + " different keys or more, and at most "
        + ValueType.Keyed.MOST
        + " can be columns";
  }

  private static void value(Place place, Object value) {
    Kind kind = value == null ? null : Kind.of(value.getClass());
    if (kind == null || place.value != null && place.value != kind) {
      place.problem =
          "have values that are "
              + name(value)
              + (place.value == null ? "" : " beside " + place.value.box().getSimpleName())
              + ", not all Int, Long, Float, Double or Boolean";
    } else {
      place.value = kind;
    }
  }

  /** Whether nothing more needs to be looked at, since no map here can be columns. */
  public boolean areHopeless() {
    return !places.isEmpty() && places.values().stream().allMatch(place -> place.problem != null);
  }

  /** Takes what another one saw. */
  public KeyedMaps join(KeyedMaps other) {
    other.places.forEach(
        (what, seen) -> {
          Place place = places.computeIfAbsent(what, w -> new Place());
          if (place.problem == null && seen.problem != null) {
            place.problem = seen.problem;
          } else if (place.problem == null && seen.isSet != null) {
            join(place, seen);
          }
        });
    return this;
  }

  private static void join(Place place, Place seen) {
    if (place.isSet != null && !place.isSet.equals(seen.isSet)) {
      place.problem = "are sometimes maps, sometimes sets";
    } else if (place.key != null && seen.key != null && place.key != seen.key) {
      place.problem = "have keys that are sometimes Int, sometimes Long";
    } else if (place.value != null && seen.value != null && place.value != seen.value) {
      place.problem = "have values of more than one class";
    } else {
      place.isSet = seen.isSet;
      place.key = place.key == null ? seen.key : place.key;
      place.value = place.value == null ? seen.value : place.value;
      place.keys.addAll(seen.keys);
      refuseMany(place);
    }
  }

  /** Why maps cannot be columns, of each place where they cannot: the first that was found. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    places.forEach(
        (what, place) -> {
          if (place.problem != null) {
            problems.add("the Maps or Sets of " + what + " " + place.problem);
          }
        });
    for (Kind kind : List.of(Kind.INT, Kind.LONG)) {
      if (problems.isEmpty() && keys(kind).size() > ValueType.Keyed.MOST) {
        problems.add("all maps and sets together " + tooMany(keys(kind).size()));
      }
    }
    return problems;
  }

  /**
   * A type that knows of the keys of the maps in it; those that cannot be columns stay as they are.
   *
   * @param what as given to {@link #see}
   */
  public ValueType complete(String what, ValueType type) {
    if (type instanceof ValueType.Struct struct) {
      List<ValueType.Field> fields = new ArrayList<>();
      for (ValueType.Field field : struct.fields()) {
        String component = what + "." + field.name();
        fields.add(new ValueType.Field(field.name(), complete(component, field.type())));
      }
      return new ValueType.Struct(struct.className(), fields);
    }
    Place place = places.get(what);
    if (!(type instanceof ValueType.Opaque)
        || place == null
        || place.isSet == null
        || place.problem != null) {
      return type;
    }
    Kind key = place.key == null ? anyKey() : place.key;
    TreeSet<Long> keys = keys(key);
    Kind value = place.value == null ? anyValue() : place.value;
    return keys.size() > ValueType.Keyed.MOST
        ? type
        : new ValueType.Keyed(key, place.isSet ? null : value, List.copyOf(keys));
  }

  /** The keys of all maps, since programs put those of one into another. */
  private TreeSet<Long> keys(Kind kind) {
    TreeSet<Long> keys = new TreeSet<>();
    for (Place place : places.values()) {
      if (place.problem == null && place.key == kind) {
        keys.addAll(place.keys);
      }
    }
    return keys;
  }

  /** Of maps that are empty, all of them: what the others' keys are. */
  private Kind anyKey() {
    return places.values().stream()
        .filter(place -> place.problem == null && place.key != null)
        .map(place -> place.key)
        .findFirst()
        .orElse(Kind.LONG);
  }

  private Kind anyValue() {
    return places.values().stream()
        .filter(place -> place.problem == null && place.value != null)
        .map(place -> place.value)
        .findFirst()
        .orElse(Kind.INT);
  }
}
