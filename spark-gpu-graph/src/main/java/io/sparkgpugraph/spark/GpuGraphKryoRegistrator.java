package io.sparkgpugraph.spark;

import com.esotericsoftware.kryo.Kryo;
import io.sparkgpugraph.Neighborhood;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.EdgeParcel;
import io.sparkgpugraph.graph.EdgeSample;
import io.sparkgpugraph.graph.GhostReply;
import io.sparkgpugraph.graph.GhostRequest;
import io.sparkgpugraph.graph.GlobalEdgeBlock;
import io.sparkgpugraph.graph.IntEdgeBlock;
import io.sparkgpugraph.graph.LocalEdgeBlock;
import io.sparkgpugraph.graph.VertexBlock;
import io.sparkgpugraph.graph.VertexParcel;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.spark.fallback.MessageBag;
import io.sparkgpugraph.spark.fallback.VertexCell;
import java.util.HashMap;
import java.util.List;
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
  /** What the library's own RDDs hold and shuffle. New ones go to the end: ids follow the order. */
  static final List<Class<?>> OWN_CLASSES =
      List.of(
          VertexCell.class,
          VertexCell[].class,
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
          MessageBag.class,
          MessageBag[].class,
          // What a bag holds.
          HashMap.class);

  @Override
  public void registerClasses(Kryo kryo) {
    kryo.addDefaultSerializer(Record.class, RecordSerializer.class);
    for (Class<?> type : OWN_CLASSES) {
      kryo.register(type);
    }
  }
}
