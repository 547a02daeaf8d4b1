package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.exchange.VertexBitmap;
import io.sparkgpugraph.graph.GraphPartition;

/**
 * Everything of one partition that generated code reads and writes: plain fields, read into locals
 * at the start of a block of rows. Arrays of columns are indexed by column.
 */
final class KernelFrame {
  GraphPartition partition;

  /** In-edges and out-edges; null when the program does not walk them. */
  int[] inOffsets;

  int[] inSources;
  Object[] inEdges;
  int[] outOffsets;
  int[] outDestinations;
  Object[] outEdges;

  /** Columns of sources and of destinations, vertex by vertex; null while none are needed. */
  double[] inWide;

  double[] outWide;

  /** Original attributes, for the state and result functions. */
  Object[] attributes;

  /** State columns as of the superstep before; with the ghosts. */
  Object[] current;

  /** State columns that are written; the same arrays when updated in place. */
  Object[] next;

  /** Result columns. */
  Object[] results;

  /** Original ids of all local indexes, or null when no function in a superstep reads one. */
  long[] ids;

  /** Vertices that exist, or null when all do. */
  long[] present;

  /** Vertices that are active in this superstep and in the next one. */
  VertexBitmap active;

  VertexBitmap nextActive;

  /** Rows to gather in a sparse superstep; null when the run pushes. */
  VertexBitmap candidates;

  /** Vertices that ran (sparse supersteps; only when that is not the same as being active). */
  VertexBitmap ran;

  /** Vertices whose shipped columns changed (only with several partitions). */
  VertexBitmap changed;

  /** Boxes: captured values, the initial message, the message where none came. */
  Object[] captures;

  Object[] initialMessage;
  Object[] emptyMessage;

  int superstep;
  long vertexCount;
  double[] aggregates;
}
