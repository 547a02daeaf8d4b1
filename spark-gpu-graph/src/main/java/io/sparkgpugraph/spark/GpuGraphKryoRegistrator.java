package io.sparkgpugraph.spark;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import io.sparkgpugraph.spark.fallback.VertexCell;
import org.apache.spark.serializer.KryoRegistrator;

/**
 * Makes Spark's Kryo able to serialise records, and registers the library's own classes. Set
 *
 * <pre>
 * spark.serializer        org.apache.spark.serializer.KryoSerializer
 * spark.kryo.registrator  io.sparkgpugraph.spark.GpuGraphKryoRegistrator
 * </pre>
 *
 * <p>(several registrators are separated by commas). Under {@code spark.kryo.registrationRequired}
 * the user's own records have to be registered as any other class; this registrator then gives them
 * the record serializer, in whatever order the two come.
 */
public final class GpuGraphKryoRegistrator implements KryoRegistrator {
  @Override
  public void registerClasses(Kryo kryo) {
    kryo.addDefaultSerializer(Record.class, RecordSerializer.class);
    replaceSerializersOfRecords(kryo);
    kryo.register(VertexCell.class);
    kryo.register(VertexCell[].class);
  }

  /** What {@code spark.kryo.classesToRegister} names was registered before this class was asked. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // the class is only known at run time
  private static void replaceSerializersOfRecords(Kryo kryo) {
    for (int id = 0; id < kryo.getNextRegistrationId(); id++) {
      Registration registration = kryo.getRegistration(id);
      if (registration != null && registration.getType().isRecord()) {
        registration.setSerializer(new RecordSerializer(registration.getType()));
      }
    }
  }
}
