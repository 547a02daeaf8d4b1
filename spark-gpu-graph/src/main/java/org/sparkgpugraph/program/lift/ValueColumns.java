package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.sparkgpugraph.program.OptionTypes;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Values as records and boxes on one side, as columns of variables on the other. */
final class ValueColumns {
  private final SymbolicMachine machine;
  private final OptionTypes options;
  private final NewObjects objects;

  /**
   * @param options receives what is found of options of unknown types
   */
  ValueColumns(SymbolicMachine machine, OptionTypes options) {
    this.machine = machine;
    this.options = options;
    objects = new NewObjects(machine);
  }

  /** The type of the value that is taken apart. */
  private ValueType root;

  /** The symbolic form of a value whose columns are parameters. */
  Sym parameters(Role role, ValueType type) {
    return parameters(role, type, new int[1], List.of(), "");
  }

  private Sym parameters(
      Role role, ValueType type, int[] column, List<Integer> indexes, String name) {
    if (type instanceof ValueType.Scalar scalar) {
      return new Sym.Box(scalar.kind(), machine.ssa.parameter(role, column[0]++, scalar.kind()));
    } else if (type instanceof ValueType.Narrow narrow) {
      return new Sym.Box(
          Kind.INT, machine.ssa.parameter(role, column[0]++, Kind.INT), narrow.box());
    } else if (type instanceof ValueType.Vector vector) {
      ArrayType array = new ArrayType(vector.kind(), vector.length());
      int variable = machine.ssa.parameter(role, column[0]++, array);
      return objects.given(role, new Sym.Gathered(vector.kind(), vector.length(), variable));
    } else if (type instanceof ValueType.Unit) {
      column[0]++;
      return new Sym.Host(scala.runtime.BoxedUnit.UNIT);
    } else if (type instanceof ValueType.Optional option) {
      Sym.Box present =
          new Sym.Box(Kind.BOOLEAN, machine.ssa.parameter(role, column[0]++, Kind.BOOLEAN));
      return new Sym.Maybe(present, parameters(role, option.value(), column, indexes, name));
    } else if (type instanceof ValueType.Keyed keyed) {
      return keyed(role, keyed, column);
    } else if (type.hasNone() && !(type instanceof ValueType.Struct)) {
      return new Sym.Elements(Sym.Form.OPTION, List.of());
    } else if (type instanceof ValueType.Outer outer) {
      return new Sym.Outer(outer.className());
    } else if (type instanceof ValueType.Opaque opaque) {
      List<Integer> origin = opaque.origin() == null ? indexes : opaque.origin();
      return new Sym.Carried(role, origin, name, opaque.className());
    }
    ValueType.Struct struct = (ValueType.Struct) type;
    List<Sym> fields = new ArrayList<>();
    for (int i = 0; i < struct.fields().size(); i++) {
      ValueType.Field field = struct.fields().get(i);
      fields.add(
          parameters(
              role, field.type(), column, within(indexes, i), componentOf(struct, field.name())));
    }
    return new Sym.Rec(StructClass.of(machine.load(struct.className().replace('.', '/'))), fields);
  }

  private Sym keyed(Role role, ValueType.Keyed type, int[] column) {
    int there = machine.ssa.parameter(role, column[0]++, Kind.INT);
    List<Sym.Slot> slots = new ArrayList<>();
    for (int i = 0; i < type.keys().size(); i++) {
      Sym key = new Sym.Box(type.key(), machine.key(type.keyObject(i)));
      Sym element =
          type.isSet()
              ? key
              : KeyedCalls.pair(
                  key,
                  new Sym.Box(
                      type.value(), machine.ssa.parameter(role, column[0]++, type.value())));
      int moved =
          machine
              .binary(BinaryOp.SHIFT_RIGHT_UNSIGNED, Kind.INT, there, machine.constant(i))
              .variable();
      slots.add(
          new Sym.Slot(
              machine.binary(BinaryOp.AND, Kind.INT, moved, machine.constant(1)), element));
    }
    return new Sym.Keyed(type.isSet() ? Sym.Collection.SET : Sym.Collection.MAP, slots);
  }

  private static List<Integer> within(List<Integer> indexes, int next) {
    return Stream.concat(indexes.stream(), Stream.of(next)).toList();
  }

  private static String componentOf(ValueType.Struct struct, String field) {
    return "component '" + field + "' of a " + struct.className();
  }

  /** Appends the variables of a value's columns; returns false when the path ended on a null. */
  boolean flatten(Sym value, ValueType type, boolean widen, List<Integer> columns) {
    root = type;
    return flatten(value, type, widen, columns, List.of(), "");
  }

  private boolean flatten(
      Sym value,
      ValueType type,
      boolean widen,
      List<Integer> columns,
      List<Integer> indexes,
      String name) {
    if (type.hasNone()
        && !(type instanceof ValueType.Struct)
        && value instanceof Sym.Elements option
        && option.form() == Sym.Form.OPTION) {
      if (!option.values().isEmpty()) {
        options.found(root, indexes, typeOf(option));
        throw machine.refuse("the option here has a value, but no vertex's or message's had one");
      }
      return true;
    } else if (type instanceof ValueType.Opaque opaque) {
      requireCarried(value, opaque.origin() == null ? indexes : opaque.origin(), name);
      return true;
    } else if (value instanceof Sym.Null) {
      return machine.halt(FaultCode.NULL_VALUE, "null where a " + type.className() + " is needed");
    }
    if (type instanceof ValueType.Outer && value instanceof Sym.Outer) {
      return true;
    } else if (type instanceof ValueType.Vector vector
        && NewObjects.isArray(value)
        && NewObjects.component(value) == vector.kind().primitive()) {
      if (objects.length(value) != vector.length()) {
        throw machine.refuse(
            "the array here has "
                + objects.length(value)
                + " elements, but those of vertices or of the initial message have "
                + vector.length()
                + "; all arrays of a component have one length");
      }
      columns.add(objects.together(value).variable());
      return true;
    } else if (type instanceof ValueType.Opaque) {
      // The program is refused for it, without a further reason at each place where it is made.
      return true;
    } else if (type instanceof ValueType.Scalar scalar && value instanceof Sym.Box box) {
      if (box.kind() == scalar.kind()) {
        columns.add(box.variable());
        return true;
      } else if (widen
          && box.kind() != Kind.BOOLEAN
          && box.kind().ordinal() < scalar.kind().ordinal()) {
        columns.add(machine.convert(box.variable(), box.kind(), scalar.kind()).variable());
        return true;
      }
    } else if (type instanceof ValueType.Struct struct
        && value instanceof Sym.Rec rec
        && rec.layout().type().getName().equals(struct.className())) {
      for (int i = 0; i < struct.fields().size(); i++) {
        ValueType.Field field = struct.fields().get(i);
        if (!flatten(
            rec.fields().get(i),
            field.type(),
            false,
            columns,
            within(indexes, i),
            componentOf(struct, field.name()))) {
          return false;
        }
      }
      return true;
    } else if (type instanceof ValueType.Narrow narrow
        && value instanceof Sym.Box box
        && box.type() == narrow.box()) {
      columns.add(box.variable());
      return true;
    } else if (type instanceof ValueType.Unit
        && value instanceof Sym.Host host
        && host.value() == scala.runtime.BoxedUnit.UNIT) {
      columns.add(machine.constant(0));
      return true;
    } else if (type instanceof ValueType.Keyed
        && value instanceof Sym.Host host
        && KeyedCalls.captured(machine, host) != null) {
      return flatten(KeyedCalls.captured(machine, host), type, widen, columns, indexes, name);
    } else if (type instanceof ValueType.Keyed keyed
        && value instanceof Sym.Keyed given
        && given.form() == (keyed.isSet() ? Sym.Collection.SET : Sym.Collection.MAP)) {
      flatten(given, keyed, columns);
      return true;
    } else if (type instanceof ValueType.Optional option && value instanceof Sym.Maybe maybe) {
      columns.add(maybe.present().variable());
      return flatten(maybe.value(), option.value(), false, columns, indexes, name);
    } else if (type instanceof ValueType.Optional option
        && value instanceof Sym.Elements elements
        && elements.form() == Sym.Form.OPTION) {
      columns.add(machine.constant(elements.values().size()));
      if (elements.values().isEmpty()) {
        // The same number in all of them, so that equal values have equal columns.
        option.value().columns().forEach(part -> columns.add(machine.zero(part)));
        return true;
      }
      return flatten(elements.values().get(0), option.value(), false, columns, indexes, name);
    }
    throw machine.refuse(
        "the value here is " + value.describe() + ", but a " + type.className() + " is needed");
  }

  /** What is not there is zero, so that equal maps have equal columns. */
  private void flatten(Sym.Keyed given, ValueType.Keyed type, List<Integer> columns) {
    Integer[] values = new Integer[type.isSet() ? 0 : type.keys().size()];
    int there = machine.constant(0);
    for (Sym.Slot slot : given.slots()) {
      int present = slot.present().variable();
      Sym.Box key = KeyedCalls.key(slot.element());
      Object known = machine.constants.get(key.variable());
      int index =
          key.kind() != type.key()
              ? -1
              : Collections.binarySearch(type.keys(), ((Number) known).longValue());
      boolean fits =
          type.isSet()
              ? slot.element() instanceof Sym.Box
              : slot.element() instanceof Sym.Rec pair
                  && pair.fields().get(1) instanceof Sym.Box value
                  && value.type() == type.value().box();
      if (!fits) {
        throw machine.refuse(
            "the Map or Set here holds " + slot.element().describe() + ", others something else");
      } else if (index < 0) {
        throw machine.refuse(
            "puts the key "
                + known
                + " into a Map or Set, but no vertex's and not the initial message has it");
      }
      int bit =
          machine
              .binary(BinaryOp.SHIFT_LEFT, Kind.INT, present, machine.constant(index))
              .variable();
      there = machine.binary(BinaryOp.OR, Kind.INT, there, bit).variable();
      if (!type.isSet()) {
        Sym.Box value = (Sym.Box) ((Sym.Rec) slot.element()).fields().get(1);
        values[index] = machine.orZero(present, value.variable());
      }
    }
    columns.add(there);
    for (Integer value : values) {
      columns.add(value == null ? machine.zeroPrim(type.value()).variable() : value);
    }
  }

  /** A component without columns stays where it is: with its vertex. */
  private void requireCarried(Sym value, List<Integer> origin, String name) {
    if (!(value instanceof Sym.Carried carried
        && carried.isOwn()
        && carried.indexes().equals(origin))) {
      throw machine.refuse(
          "puts "
              + (value instanceof Sym.Carried other && !other.isOwn() ? "another vertex's " : "")
              + value.describe()
              + " in the place of "
              + (name.isEmpty() ? "the value" : name)
              + ", which can only be carried along as it is");
    }
  }

  /** The type of a map or set; null where that is not known. */
  private ValueType keyedType(Sym.Keyed value) {
    if (value.form() == Sym.Collection.BAG
        || value.form() == Sym.Collection.VIEW
        || value.slots().isEmpty()) {
      return null;
    }
    Sym first = value.slots().get(0).element();
    Kind kind =
        first instanceof Sym.Rec pair && pair.fields().get(1) instanceof Sym.Box box
            ? Kind.of(box.type())
            : null;
    if (value.form() == Sym.Collection.MAP ? kind == null : !(first instanceof Sym.Box)) {
      return null;
    }
    // Other values of this type may have other keys.
    Kind keyKind = KeyedCalls.key(first).kind();
    TreeSet<Long> keys = new TreeSet<>(machine.knownKeys.getOrDefault(keyKind, new TreeSet<>()));
    for (Sym.Slot slot : value.slots()) {
      Object key = machine.constants.get(KeyedCalls.key(slot.element()).variable());
      keys.add(((Number) key).longValue());
    }
    return keys.size() > ValueType.Keyed.MOST
        ? null
        : new ValueType.Keyed(keyKind, kind, List.copyOf(keys));
  }

  private ValueType vector(Class<?> component, int length) {
    try {
      return ValueType.Vector.of(component, length);
    } catch (IllegalArgumentException e) {
      throw machine.refuse("makes a value of " + e.getMessage());
    }
  }

  /** The type of a value. */
  ValueType typeOf(Sym value) {
    if (value instanceof Sym.Box box) {
      return ValueType.of(box.type());
    } else if (NewObjects.isArray(value)
        && ValueType.Vector.isElement(NewObjects.component(value))) {
      return vector(NewObjects.component(value), objects.length(value));
    } else if (value instanceof Sym.Maybe maybe) {
      return new ValueType.Optional(typeOf(maybe.value()));
    } else if (value instanceof Sym.Elements elements
        && elements.form() == Sym.Form.OPTION
        && !elements.values().isEmpty()) {
      return new ValueType.Optional(typeOf(elements.values().get(0)));
    } else if (value instanceof Sym.Host host && KeyedCalls.captured(machine, host) != null) {
      return typeOf(KeyedCalls.captured(machine, host));
    } else if (value instanceof Sym.Keyed keyed && keyedType(keyed) != null) {
      return keyedType(keyed);
    } else if (value instanceof Sym.Host host && host.value() == scala.runtime.BoxedUnit.UNIT) {
      return new ValueType.Unit();
    } else if (value instanceof Sym.Outer outer) {
      return new ValueType.Outer(outer.className());
    } else if (value instanceof Sym.Rec rec) {
      List<ValueType.Field> fields = new ArrayList<>();
      for (int i = 0; i < rec.fields().size(); i++) {
        Sym field = rec.fields().get(i);
        ValueType type =
            field instanceof Sym.Carried carried && carried.isOwn()
                ? new ValueType.Opaque(carried.className(), carried.indexes())
                : typeOf(field);
        fields.add(new ValueType.Field(rec.layout().names().get(i), type));
      }
      return new ValueType.Struct(rec.layout().type().getName(), fields);
    }
    throw machine.refuse("the type of the result cannot be found: it is " + value.describe());
  }
}
