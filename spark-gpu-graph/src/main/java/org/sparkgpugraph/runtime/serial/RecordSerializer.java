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
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

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
  private static final Map<Class<?>, Primitive<?>> PRIMITIVES =
      Map.of(
          int.class, new Primitive<Integer>(Output::writeInt, Input::readInt),
          long.class, new Primitive<Long>(Output::writeLong, Input::readLong),
          double.class, new Primitive<Double>(Output::writeDouble, Input::readDouble),
          float.class, new Primitive<Float>(Output::writeFloat, Input::readFloat),
          boolean.class, new Primitive<Boolean>(Output::writeBoolean, Input::readBoolean),
          byte.class, new Primitive<Byte>(Output::writeByte, Input::readByte),
          short.class, new Primitive<Short>(Output::writeShort, Input::readShort),
          char.class, new Primitive<Character>(Output::writeChar, Input::readChar));

  private final Constructor<T> constructor;
  private final Class<?>[] types;
  private final Method[] accessors;

  /** How a primitive type is written and read. */
  private record Primitive<P>(BiConsumer<Output, P> writer, Function<Input, P> reader) {
    @SuppressWarnings("unchecked") // a component's value is of its type
    void write(Output output, Object value) {
      writer.accept(output, (P) value);
    }
  }

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
      Object value = component(record, accessors[i]);
      Primitive<?> primitive = PRIMITIVES.get(types[i]);
      if (primitive == null) {
        kryo.writeClassAndObject(output, value);
      } else {
        primitive.write(output, value);
      }
    }
  }

  private static Object component(Object record, Method accessor) {
    try {
      return accessor.invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new KryoException("cannot read " + accessor, e);
    }
  }

  @Override
  public T read(Kryo kryo, Input input, Class<T> type) {
    Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      Primitive<?> primitive = PRIMITIVES.get(types[i]);
      values[i] =
          primitive == null ? kryo.readClassAndObject(input) : primitive.reader().apply(input);
    }
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new KryoException(
          "cannot make a %s of %s components %s"
              .formatted(type.getName(), values.length, Arrays.toString(values)),
          e);
    }
  }
}
