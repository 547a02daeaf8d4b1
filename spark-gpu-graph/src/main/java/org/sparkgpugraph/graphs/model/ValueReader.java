package org.sparkgpugraph.graphs.model;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.util.function.IntFunction;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.codec.ValueForm;
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
        target.set(column, row, zero(target.kinds().get(column)));
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
      throw unexpected(value, vector.type().className());
    }
    int length = vector.type().length();
    if (Array.getLength(value) != length) {
      throw new IllegalArgumentException(
          "the value of %s is an array of %s elements, but all have %s"
              .formatted(where.apply(index), Array.getLength(value), length));
    }
    for (int i = 0; i < length; i++) {
      target.set(vector.column() + i, row, Array.get(value, i));
    }
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
      return vector.type().className();
    } else if (form instanceof ValueForm.Struct struct) {
      return struct.owner().getName();
    }
    return form instanceof ValueForm.Unit ? "scala.runtime.BoxedUnit" : "scala.Option";
  }

  private ValueMismatchException unexpected(Object value, String expected) {
    return new ValueMismatchException(
        ("the value of %s is a %s, the program was given %s: name the class that the"
                + " graph holds")
            .formatted(where.apply(index), value.getClass().getName(), expected));
  }
}
