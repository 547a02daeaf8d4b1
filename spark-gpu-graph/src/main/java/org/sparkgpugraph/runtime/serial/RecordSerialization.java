package org.sparkgpugraph.runtime.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.FieldSerializer;
import java.io.Serializable;
import java.lang.reflect.RecordComponent;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.serializer.KryoSerializer;
import org.sparkgpugraph.program.ValueType;

/** Refuses record graphs under a serializer that cannot carry them, before anything runs. */
public final class RecordSerialization {
  private static final String SERIALIZER = "spark.serializer";
  private static final String REGISTRATOR = "spark.kryo.registrator";

  /** For messages; Spark finds it by its name, too. */
  private static final String OWN_REGISTRATOR = "org.sparkgpugraph.GpuGraphKryoRegistrator";

  private RecordSerialization() {}

  /**
   * Checks that records of these classes (nested ones too) can travel in the context's RDDs.
   *
   * @param types value classes; those that are not records are not looked at
   * @throws IllegalStateException when one cannot; the message names the key to set
   */
  public static void check(SparkContext context, Class<?>... types) {
    check(context.getConf(), types);
  }

  /**
   * As {@link #check}, but for Kryo alone: an engine never serialises values, and so a record that
   * is not Serializable may pass through it under Java serialization.
   */
  public static void checkKryo(SparkContext context, Class<?>... types) {
    if (usesKryo(context.getConf())) {
      check(context.getConf(), types);
    }
  }

  /**
   * Refuses results that no RDD could carry.
   *
   * @param loader that knows the result's class
   * @throws IllegalStateException as {@link #check}, for Kryo alone
   */
  public static void checkResult(SparkContext context, ValueType type, ClassLoader loader) {
    if (type instanceof ValueType.Struct) {
      checkKryo(context, ValueClasses.of(type, loader));
    }
  }

  public static void check(SparkConf conf, Class<?>... types) {
    boolean usesKryo = usesKryo(conf);
    Kryo kryo = null;
    for (Class<?> type : types) {
      if (!type.isRecord()) {
        continue;
      }
      if (usesKryo) {
        kryo = kryo == null ? kryo(conf, type) : kryo;
        checkKryo(kryo, type);
      } else {
        checkJava(type);
      }
    }
  }

  private static boolean usesKryo(SparkConf conf) {
    return conf.get(SERIALIZER, "").equals(KryoSerializer.class.getName());
  }

  private static Kryo kryo(SparkConf conf, Class<?> type) {
    try {
      return new KryoSerializer(conf).newKryo();
    } catch (Exception e) {
      // A record in spark.kryo.classesToRegister, whose serializer cannot be made: a
      // SparkException,
      // which is checked and which Scala does not declare.
      throw new IllegalStateException(refusal(type) + " (" + e.getMessage() + ")", e);
    }
  }

  private static void checkKryo(Kryo kryo, Class<?> type) {
    Serializer<?> serializer;
    try {
      serializer = kryo.getSerializer(type);
    } catch (RuntimeException e) {
      // Not registered though registration is required, or a field that cannot be opened.
      throw new IllegalStateException(refusal(type) + " (" + e.getMessage() + ")", e);
    }
    if (serializer instanceof FieldSerializer) {
      throw new IllegalStateException(refusal(type));
    }
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType().isRecord()) {
        checkKryo(kryo, component.getType());
      }
    }
  }

  private static String refusal(Class<?> type) {
    return ("Spark's Kryo cannot serialise the record %s on this Java; set %s=%s (with"
            + " spark.kryo.registrationRequired, register the record in a registrator named after"
            + " it, not in spark.kryo.classesToRegister), or use the Java serializer")
        .formatted(type.getName(), REGISTRATOR, OWN_REGISTRATOR);
  }

  private static void checkJava(Class<?> type) {
    if (!Serializable.class.isAssignableFrom(type)) {
      throw new IllegalStateException(
          ("the record %s is not Serializable; declare 'implements java.io.Serializable',"
                  + " or set %s=%s and %s=%s")
              .formatted(
                  type.getName(),
                  SERIALIZER,
                  KryoSerializer.class.getName(),
                  REGISTRATOR,
                  OWN_REGISTRATOR));
    }
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType().isRecord()) {
        checkJava(component.getType());
      }
    }
  }
}
