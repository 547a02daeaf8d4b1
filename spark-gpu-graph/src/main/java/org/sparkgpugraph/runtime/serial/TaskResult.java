package org.sparkgpugraph.runtime.serial;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/**
 * Brings one of the library's own objects back from a task, serialised by Java whatever {@code
 * spark.serializer} says: Spark's Kryo reads neither records nor the JDK's immutable lists.
 */
public final class TaskResult {
  private TaskResult() {}

  /** Packs an object in the task. */
  public static byte[] pack(Serializable object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new IllegalStateException("a " + object.getClass().getName() + " cannot be sent", e);
    }
    return bytes.toByteArray();
  }

  /** Unpacks it on the driver. */
  public static <T> T unpack(byte[] bytes, Class<T> type) {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return type.cast(in.readObject());
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("a " + type.getName() + " cannot be received", e);
    }
  }
}
