package org.sparkgpugraph.runtime.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * Serialises a record for Kryo: its components in their order, read back through the canonical
 * constructor. The Kryo of Spark (4.0) writes into fields, which Java 17 refuses for records.
 *
 * <p>Format: a component of a primitive type as its bytes (int and long fixed, not as varints, for
 * they are mostly large or negative); any other component as its class and object, null included.
 *
 * @param <T> the record
 */
public final class RecordSerializer<T> extends Serializer<T> {
  private final Constructor<T> constructor;
  private final Class<?>[] types;
  private final Method[] accessors;

  /**
   * @param type a record class
   * @throws IllegalArgumentException when it is none
   */
  public RecordSerializer(Class<T> type) {
    super(false, true);
    if (!type.isRecord()) {
      throw new IllegalArgumentException(type.getName() + " is not a record");
    }
    RecordComponent[] components = type.getRecordComponents();
    types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    accessors = Arrays.stream(components).map(RecordComponent::getAccessor).toArray(Method[]::new);
    try {
      constructor = type.getDeclaredConstructor(types);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type.getName() + " has no canonical constructor", e);
    }
    // Records may be private, or nested in classes that are.
    constructor.setAccessible(true);
    for (Method accessor : accessors) {
      accessor.setAccessible(true);
    }
  }

  @Override
  public void write(Kryo kryo, Output output, T record) {
    for (int i = 0; i < types.length; i++) {
      writeComponent(kryo, output, types[i], component(record, accessors[i]));
    }
  }

  private static Object component(Object record, Method accessor) {
    try {
      return accessor.invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new KryoException("cannot read " + accessor, e);
    }
  }

  private static void writeComponent(Kryo kryo, Output output, Class<?> type, Object value) {
    if (type == int.class) {
      output.writeInt((Integer) value);
    } else if (type == long.class) {
      output.writeLong((Long) value);
    } else if (type == double.class) {
      output.writeDouble((Double) value);
    } else if (type == float.class) {
      output.writeFloat((Float) value);
    } else if (type == boolean.class) {
      output.writeBoolean((Boolean) value);
    } else if (type == byte.class) {
      output.writeByte((Byte) value);
    } else if (type == short.class) {
      output.writeShort((Short) value);
    } else if (type == char.class) {
      output.writeChar((Character) value);
    } else {
      kryo.writeClassAndObject(output, value);
    }
  }

  @Override
  public T read(Kryo kryo, Input input, Class<T> type) {
    Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      values[i] = readComponent(kryo, input, types[i]);
    }
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new KryoException(
          "cannot make a "
              + type.getName()
              + " of "
              + values.length
              + " components "
              + Arrays.toString(values),
          e);
    }
  }

  private static Object readComponent(Kryo kryo, Input input, Class<?> type) {
    if (type == int.class) {
      return input.readInt();
    } else if (type == long.class) {
      return input.readLong();
    } else if (type == double.class) {
      return input.readDouble();
    } else if (type == float.class) {
      return input.readFloat();
    } else if (type == boolean.class) {
      return input.readBoolean();
    } else if (type == byte.class) {
      return input.readByte();
    } else if (type == short.class) {
      return input.readShort();
    } else if (type == char.class) {
      return input.readChar();
    }
    return kryo.readClassAndObject(input);
  }
}
