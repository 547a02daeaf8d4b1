package org.sparkgpugraph;

import com.esotericsoftware.kryo.Kryo;
import java.util.ArrayList;
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
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
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
  /** Values of the library's algorithms. */
  private static final List<String> ALGORITHM_RECORDS =
      List.of(
          "Hits$Scores",
          "Modularity$Sums",
          "Modularity$Member",
          "Betweenness$Forward",
          "Betweenness$Backward",
          "Betweenness$Dependency",
          "Betweenness$Drawn",
          "PageRank$Ranked",
          "PageRank$Changing",
          "WeightedPageRank$Ranked",
          "ParallelPersonalizedPageRank$Ranked",
          "Graphalytics$Ranked",
          "SvdProgram$Learner",
          "SvdProgram$Told",
          "SVDPlusPlus$Conf",
          "SVDPlusPlus$Totals",
          "MaximalIndependentSet$Member",
          "MaximalIndependentSet$Notice",
          "KCore$Peeled",
          "KCore$Cored",
          "CircuitSimulation$Node",
          "CircuitSimulation$Inflow",
          "MultiSourceBfs$Reached",
          "MultiSourceBfs$Searched",
          "StronglyConnectedComponents$Labelled",
          "StronglyConnectedComponents$Trimmed",
          "StronglyConnectedComponents$Edges",
          "support.Weights$Bad",
          "learning.ManifoldRanking$Ranked",
          "learning.ArrayCheck$Bad",
          "learning.SoftLabels$Labelled",
          "learning.PairCheck$Frequent",
          "learning.BeliefPropagation$Node",
          "learning.MultiModal$Modes",
          "learning.AlsProgram$Learner",
          "learning.AlternatingLeastSquares$Conf",
          "learning.BadRatings$Bad",
          "learning.AlsProgram$Teller",
          "learning.ManifoldRanking$Changing",
          "learning.ManifoldRanking$Sums",
          "learning.ArrayCheck$Values",
          "support.Claim",
          "MaximalMatching$Matched",
          "GraphColouring$Coloured",
          "GraphColouring$Notice",
          "MinimumSpanningForest$Joined",
          "MinimumSpanningForest$Choice",
          "MinimumSpanningForest$Placed",
          "MinimumSpanningForest$Up");

  /** What the library's own RDDs hold and shuffle. New ones go to the end: ids follow the order. */
  public static final List<Class<?>> OWN_CLASSES = ownClasses();

  private static List<Class<?>> ownClasses() {
    List<Class<?>> all = new ArrayList<>();
    all.addAll(blocks());
    for (String record : ALGORITHM_RECORDS) {
      all.add(named("org.sparkgpugraph.algorithm." + record));
    }
    // Blocks of graphs that algorithms load have rows of these.
    for (String record : List.of("support.Claim", "MinimumSpanningForest$Joined")) {
      all.add(named("org.sparkgpugraph.algorithm." + record).arrayType());
    }
    return List.copyOf(all);
  }

  private static List<Class<?>> blocks() {
    return List.of(
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
        HashMap.class,
        ArrayType.class,
        ColumnType[].class);
  }

  /** By name: this class is needed without GraphX, too. */
  private static Class<?> fallback(String name) {
    return named("org.sparkgpugraph.adapter.fallback." + name);
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the jar has lost the class " + name, e);
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
