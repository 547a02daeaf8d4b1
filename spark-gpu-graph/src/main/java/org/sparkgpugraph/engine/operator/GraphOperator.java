package org.sparkgpugraph.engine.operator;

import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.program.ValueType;

/**
 * A computation on a graph that is no vertex program, such as the intersection of neighbourhoods:
 * it gets whole executor graphs and gives a value for each vertex.
 *
 * <p>Where one executor holds the graph it is opened there once. Where several do, each opens its
 * own shard, and they work in rounds: what a shard says in a round ({@link Parcel}) is there for
 * the others in the next one. All end together, behind the first round in which nobody has said
 * anything and nobody wants more. When an executor is lost, the graph is restored and the operator
 * starts again from round 0 on all shards.
 *
 * <p>Written by Java's serialisation, once per task: small.
 */
public interface GraphOperator extends Serializable {
  /** A name for the log, Spark's UI and events. */
  String name();

  /** Type of the values, one for each vertex. */
  ValueType result();

  /**
   * Whether shards need the out-edges of the vertices that they hold ({@link
   * org.sparkgpugraph.graphs.model.GraphPartition#outEdges}); then an end of an edge on either side
   * is a ghost. A graph on one executor has them always.
   */
  default boolean readsOutEdges() {
    return false;
  }

  /** Whether edge values are to be loaded. */
  default boolean readsEdgeValues() {
    return false;
  }

  /** Whether vertex attributes are to be loaded. */
  default boolean readsAttributes() {
    return false;
  }

  /**
   * Bytes of the heap that a run takes at most beside the graph and the results, about; room is
   * made for them before it opens.
   *
   * @param input what {@link #open} would get: a run on a device, or of fewer threads, may take
   *     less
   */
  long heapBytes(OperatorInput input);

  /**
   * Looks at the engine that was chosen, before anything is opened: {@link #open} and explain()
   * ask.
   *
   * @param shards number of executor graphs
   * @throws org.sparkgpugraph.engine.device.DeviceException when it cannot run the operator; under
   *     engine AUTO the CPU does
   */
  default void check(Engine engine, int shards) {}

  /**
   * Opens a run on an executor graph.
   *
   * @throws IllegalArgumentException when the graph is not what the operator takes
   * @throws org.sparkgpugraph.engine.device.DeviceException when the engine's device refuses; under
   *     engine AUTO it is then opened on the CPU
   */
  OperatorRun open(OperatorInput input);

  /**
   * Something for another shard, or from it.
   *
   * @param peer number of the reader; in what arrives, of the sender
   * @param bytes what is said, of the operator's own format; at least one byte
   */
  record Parcel(int peer, byte[] bytes) {
    public Parcel {
      if (bytes.length == 0) {
        throw new IllegalArgumentException("an empty parcel for shard " + peer);
      }
    }
  }

  /**
   * What a round has done.
   *
   * @param parcels for other shards, any number for each; those of one sender arrive in this order
   * @param more whether another round is wanted, even if nobody says anything
   * @param edges edges that were looked at, for the statistics
   * @param aggregates what the round has found about the whole graph, for the statistics; of
   *     several shards those of the first are told
   */
  record Round(List<Parcel> parcels, boolean more, long edges, double[] aggregates) {
    public Round {
      parcels = List.copyOf(parcels);
    }

    /** A round that has nothing to tell about the whole graph. */
    public Round(List<Parcel> parcels, boolean more, long edges) {
      this(parcels, more, edges, new double[0]);
    }

    /** A last round, unless other shards go on. */
    public static Round last(long edges) {
      return new Round(List.of(), false, edges);
    }
  }
}
