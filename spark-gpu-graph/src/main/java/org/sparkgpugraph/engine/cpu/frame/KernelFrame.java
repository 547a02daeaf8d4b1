package org.sparkgpugraph.engine.cpu.frame;

import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Everything of one partition that generated code reads and writes: plain fields, read into locals
 * at the start of a block of rows. Arrays of columns are indexed by column.
 */
public final class KernelFrame implements Cloneable {
  public GraphPartition partition;

  /** In-edges and out-edges; null when the program does not walk them. */
  public int[] inOffsets;

  public int[] inSources;
  public Object[] inEdges;
  public int[] outOffsets;
  public int[] outDestinations;
  public Object[] outEdges;

  /**
   * Of shapes with partial messages: rows of in-edges begin and end here (the end of row v at v +
   * 1), those of vertices with slots in the edges of hubs.
   */
  public int[] inBegins;

  public int[] inEnds;
  public int[] hubSources;
  public Object[] hubEdges;

  /** First slot of each vertex, and behind the last one. */
  public int[] slots;

  /** By slot: whether there is a message, and the columns of it. */
  public boolean[] slotHas;

  public Object[] messages;

  /** By partial row: local index of the hub, whether it comes to a message, its columns. */
  public int[] partialHubs;

  public boolean[] partialHas;

  public Object[] partials;

  /** The edges that are first in the arrays beside the offsets: 0 where these have all edges. */
  public int inFirst;

  public int outFirst;

  /**
   * Where the neighbours and values of {@link #inFirst} and {@link #outFirst} are off the heap,
   * those by column, of loops that read edges by address.
   */
  public long inSourcesAt;

  public long[] inEdgesAt;
  public long outDestinationsAt;
  public long[] outEdgesAt;

  /**
   * Columns of sources and of destinations, vertex by vertex, each {@code double[]} or {@code
   * float[]}; null while none are needed.
   */
  public Object inWide;

  public Object outWide;

  /** Places of vertices in {@link #inWide}; null: their own indexes. */
  public int[] inPlaces;

  /** Original attributes, for the state and result functions. */
  public Object[] attributes;

  /** State columns as of the superstep before; with the ghosts. */
  public Object[] current;

  /** State columns that are written; the same arrays when updated in place. */
  public Object[] next;

  /** Result columns. */
  public Object[] results;

  /** Original ids of all local indexes, or null when no function in a superstep reads one. */
  public long[] ids;

  /** Vertices that exist, or null when all do. */
  public long[] present;

  /** Vertices that are active in this superstep and in the next one. */
  public VertexBitmap active;

  public VertexBitmap nextActive;

  /** Rows to gather in a sparse superstep; null when the run pushes. */
  public VertexBitmap candidates;

  /** Vertices that ran (sparse supersteps; only when that is not the same as being active). */
  public VertexBitmap ran;

  /** Vertices whose shipped columns changed (only with several partitions). */
  public VertexBitmap changed;

  /** Boxes: captured values, the initial message, the message where none came. */
  public Object[] captures;

  public Object[] initialMessage;
  public Object[] emptyMessage;

  /** Arrays that functions read by index, beside the program. */
  public Object[] tables;

  /** The {@link MessageKey} of the best message of a superstep whose rows stop early. */
  public long bound;

  /** Whether all active vertices say the best message; not known where they say it to two ends. */
  public boolean alike;

  /** The {@link MessageKey} of a value that is no better than any held one. */
  public long worst = MessageKey.NONE;

  /**
   * The least and the largest value of an edge column on which messages depend, as its only one.
   */
  public Object[] edgeBounds;

  public int superstep;
  public long vertexCount;
  public double[] aggregates;

  /** A frame with the same fields, of which some are then replaced. */
  public KernelFrame copy() {
    try {
      return (KernelFrame) clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }
}
