package io.sparkgpugraph.spark;

import com.esotericsoftware.kryo.Kryo;
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
 * <p>Under {@code spark.kryo.registrationRequired} the user's own records have to be registered as
 * any other class: in a registrator of one's own that is named after this one, separated by a
 * comma. {@code spark.kryo.classesToRegister} cannot name records: Spark makes their serializers
 * before it asks any registrator.
 */
public final class GpuGraphKryoRegistrator implements KryoRegistrator {
  @Override
  public void registerClasses(Kryo kryo) {
    kryo.addDefaultSerializer(Record.class, RecordSerializer.class);
    kryo.register(VertexCell.class);
    kryo.register(VertexCell[].class);
  }
}
