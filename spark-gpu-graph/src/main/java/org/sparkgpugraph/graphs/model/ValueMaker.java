package org.sparkgpugraph.graphs.model;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.codec.ValueForm;
import scala.collection.mutable.Builder;

/** Makes single values of columns, step by step: those that are not compiled. */
final class ValueMaker {
  private ValueMaker() {}

  /**
   * The value of a row.
   *
   * @param carrier what carried components are taken from; null where there are none
   */
  static Object make(ValueForm form, Columns source, int row, Object carrier) {
    if (form instanceof ValueForm.Scalar scalar) {
      Object number = source.get(scalar.column(), row);
      return scalar.box() == scalar.kind().box() ? number : box(scalar.box(), (Integer) number);
    } else if (form instanceof ValueForm.Unit) {
      return scala.runtime.BoxedUnit.UNIT;
    } else if (form instanceof ValueForm.Option option) {
      return source.booleans(option.column())[row]
          ? new scala.Some<>(make(option.value(), source, row, carrier))
          : scala.None$.MODULE$;
    } else if (form instanceof ValueForm.Carried carried) {
      return carried.from().of(carrier);
    } else if (form instanceof ValueForm.Vector vector) {
      return source.get(vector.column(), row);
    } else if (form instanceof ValueForm.Keyed keyed) {
      return make(keyed, source, row);
    }
    return make((ValueForm.Struct) form, source, row, carrier);
  }

  /** A map or set that has its keys in ascending order, as far as Scala's keep an order. */
  @SuppressWarnings("unchecked") // a builder of pairs takes objects
  private static Object make(ValueForm.Keyed keyed, Columns source, int row) {
    ValueType.Keyed type = keyed.type();
    int there = source.ints(keyed.column())[row];
    Builder<Object, ?> builder =
        type.isSet()
            ? scala.collection.immutable.Set$.MODULE$.newBuilder()
            : (Builder<Object, ?>)
                (Builder<?, ?>) scala.collection.immutable.Map$.MODULE$.newBuilder();
    for (int i = 0; i < type.keys().size(); i++) {
      if ((there >>> i & 1) != 0) {
        Object key = type.keyObject(i);
        builder.$plus$eq(
            type.isSet() ? key : new scala.Tuple2<>(key, source.get(keyed.column() + 1 + i, row)));
      }
    }
    return builder.result();
  }

  private static Object make(ValueForm.Struct struct, Columns source, int row, Object carrier) {
    Object[] parts = new Object[struct.parts().size()];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = make(struct.parts().get(i).form(), source, row, carrier);
    }
    try {
      return struct.constructor().invokeWithArguments(parts);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("making a " + struct.owner().getName() + " failed: " + e, e);
    }
  }

  /** A byte, short or character. */
  static Object box(Class<?> box, int value) {
    return box == Byte.class
        ? (Object) (byte) value
        : box == Short.class ? (Object) (short) value : (Object) (char) value;
  }
}
