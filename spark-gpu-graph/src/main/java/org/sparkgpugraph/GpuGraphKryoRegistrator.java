package org.sparkgpugraph;

import com.esotericsoftware.kryo.Kryo;
import java.util.HashMap;
import java.util.List;
import org.apache.spark.serializer.KryoRegistrator;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.shard.EdgeParcel;
import org.sparkgpugraph.graphs.shard.EdgeSample;
import org.sparkgpugraph.graphs.shard.GhostReply;
import org.sparkgpugraph.graphs.shard.GhostRequest;
import org.sparkgpugraph.graphs.shard.VertexParcel;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.Neighborhood;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.runtime.serial.SlotPart;
import org.sparkgpugraph.runtime.serial.VertexCapacity;

/**
 * Makes Spark's Kryo able to serialise records, and registers the library's own classes. Set
 *
 * <pre>
 * spark.serializer        org.apache.spark.serializer.KryoSerializer
 * spark.kryo.registrator  org.sparkgpugraph.GpuGraphKryoRegistrator
 * </pre>
 *
 * <p>Under {@code spark.kryo.registrationRequired} the user's own records have to be registered as
 * any other class: in a registrator of one's own that is named after this one, separated by a
 * comma. {@code spark.kryo.classesToRegister} cannot name records: Spark makes their serializers
 * before it asks any registrator.
 */
public final class GpuGraphKryoRegistrator implements KryoRegistrator {
  /** What the library's own RDDs hold and shuffle. New ones go to the end: ids follow the order. */
  public static final List<Class<?>> OWN_CLASSES =
      List.of(
          fallback("VertexCell"),
          fallback("VertexCell").arrayType(),
          LocalEdgeBlock.class,
          IntEdgeBlock.class,
          GlobalEdgeBlock.class,
          VertexBlock.class,
          EdgeParcel.class,
          Columns.class,
          Kind.class,
          Kind[].class,
          double[][].class,
          VertexParcel.class,
          VertexCapacity.class,
          EdgeSample.class,
          GhostRequest.class,
          GhostReply.class,
          SlotPart.class,
          Neighborhood.class,
          Neighborhood[].class,
          fallback("MessageBag"),
          fallback("MessageBag").arrayType(),
          // What a bag holds.
          HashMap.class);

  /** By name: this class is needed without GraphX, too. */
  private static Class<?> fallback(String name) {
    try {
      return Class.forName("org.sparkgpugraph.adapter.fallback." + name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the jar has lost classes of the GraphX adapter", e);
    }
  }

  @Override
  public void registerClasses(Kryo kryo) {
    kryo.addDefaultSerializer(Record.class, RecordSerializer.class);
    for (Class<?> type : OWN_CLASSES) {
      kryo.register(type);
    }
  }
}
