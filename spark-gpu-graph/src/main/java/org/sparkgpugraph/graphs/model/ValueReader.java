package org.sparkgpugraph.graphs.model;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.util.Collections;
import java.util.function.IntFunction;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.KeyedMaps;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.codec.ValueForm;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Reads single values into columns, step by step: those that the compiled code does not read, of
 * which this says what is wrong.
 */
final class ValueReader {
  private final Columns target;
  private final int row;
  private final IntFunction<String> where;
  private final int index;

  private ValueReader(Columns target, int row, IntFunction<String> where, int index) {
    this.target = target;
    this.row = row;
    this.where = where;
    this.index = index;
  }

  static void read(
      ValueForm form, Object value, Columns target, int row, IntFunction<String> where, int index) {
    new ValueReader(target, row, where, index).read(form, value);
  }

  private void read(ValueForm form, Object value) {
    if (form instanceof ValueForm.Carried) {
      return;
    }
    if (value == null) {
      throw new NullValueException(where.apply(index), form.path(), className(form));
    }
    if (form instanceof ValueForm.Scalar scalar) {
      if (value.getClass() != scalar.box()) {
        throw unexpected(value, scalar.box().getName());
      }
      boolean isCharacter = value instanceof Character;
      Object number = isCharacter ? (Object) (int) (Character) value : value;
      boolean isNarrow = scalar.box() != scalar.kind().box();
      target.set(scalar.column(), row, isNarrow ? (Object) ((Number) number).intValue() : number);
    } else if (form instanceof ValueForm.Unit unit) {
      if (value != scala.runtime.BoxedUnit.UNIT) {
        throw unexpected(value, className(form));
      }
      target.set(unit.column(), row, false);
    } else if (form instanceof ValueForm.Option option) {
      read(option, value);
    } else if (form instanceof ValueForm.Vector vector) {
      read(vector, value);
    } else if (form instanceof ValueForm.Keyed keyed) {
      read(keyed, value);
    } else if (form instanceof ValueForm.Struct struct) {
      read(struct, value);
    }
  }

  private void read(ValueForm.Option option, Object value) {
    if (!(value instanceof scala.Option<?> given)) {
      throw unexpected(value, className(option));
    }
    target.set(option.column(), row, given.isDefined());
    if (given.isDefined()) {
      read(option.value(), given.get());
    } else {
      for (int column = option.column() + 1; column < option.end(); column++) {
        ColumnType type = target.kinds().get(column);
        target.set(column, row, type.isArray() ? Columns.newArray(type, 1) : zero(type.kind()));
      }
    }
  }

  private static Object zero(Kind kind) {
    return switch (kind) {
      case BOOLEAN -> (Object) false;
      case INT -> 0;
      case LONG -> 0L;
      case FLOAT -> 0f;
      case DOUBLE -> 0d;
    };
  }

  private void read(ValueForm.Vector vector, Object value) {
    if (!value.getClass().getName().equals(vector.type().className())) {
      throw unexpected(value, className(vector));
    }
    int length = vector.type().length();
    if (Array.getLength(value) != length) {
      throw new ValueMismatchException(
          "the value of %s is an array of %s elements%s, but all have %s"
              .formatted(
                  where.apply(index),
                  Array.getLength(value),
                  vector.path().isEmpty() ? "" : " in its component '" + vector.path() + "'",
                  length));
    }
    target.set(vector.column(), row, value);
  }

  private void read(ValueForm.Keyed keyed, Object value) {
    ValueType.Keyed type = keyed.type();
    if (!KeyedMaps.isPlain(value) || type.isSet() != value instanceof scala.collection.Set<?>) {
      throw unexpected(value, type.className());
    }
    for (int i = 1; i < type.columns().size(); i++) {
      target.set(keyed.column() + i, row, zero(type.value()));
    }
    int there = 0;
    for (Object[] entry : KeyedMaps.entries(value)) {
      Object key = entry[0];
      int index =
          key.getClass() == type.key().box()
              ? Collections.binarySearch(type.keys(), ((Number) key).longValue())
              : -1;
      if (index < 0) {
        throw new ValueMismatchException(
            "the %s of %s has the key %s, which none had when keys were looked for"
                .formatted(type.isSet() ? "set" : "map", where.apply(this.index), key));
      }
      there |= 1 << index;
      if (!type.isSet()) {
        if (entry[1] == null || entry[1].getClass() != type.value().box()) {
          throw unexpected(entry[1], type.value().box().getName());
        }
        target.set(keyed.column() + 1 + index, row, entry[1]);
      }
    }
    target.set(keyed.column(), row, there);
  }

  private void read(ValueForm.Struct struct, Object value) {
    boolean isSpecial = struct.special() != null && value.getClass() == struct.special();
    if (value.getClass() != struct.owner() && !isSpecial) {
      // A specialised tuple of other components says so by itself.
      if (!struct.owner().isInstance(value) || struct.special() == null) {
        throw unexpected(value, struct.owner().getName());
      }
    }
    for (ValueForm.Part part : struct.parts()) {
      read(part.form(), component(struct, isSpecial ? part.specialReader() : part.reader(), value));
    }
  }

  private static Object component(ValueForm.Struct struct, MethodHandle reader, Object value) {
    try {
      return reader.invoke(value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("reading " + struct.owner().getName() + " failed: " + e, e);
    }
  }

  private static String className(ValueForm form) {
    if (form instanceof ValueForm.Scalar scalar) {
      return scalar.box().getSimpleName();
    } else if (form instanceof ValueForm.Vector vector) {
      return vector.type().kind().primitive().getName() + "[]";
    } else if (form instanceof ValueForm.Struct struct) {
      return struct.owner().getName();
    }
    if (form instanceof ValueForm.Keyed keyed) {
      return keyed.type().className();
    }
    return form instanceof ValueForm.Unit ? "scala.runtime.BoxedUnit" : "scala.Option";
  }

  private ValueMismatchException unexpected(Object value, String expected) {
    return new ValueMismatchException(
        ("the value of %s is a %s, the program was given %s: name the class that the"
                + " graph holds")
            .formatted(
                where.apply(index),
                value == null ? "null" : value.getClass().getTypeName(),
                expected));
  }
}
