package org.sparkgpugraph.runtime.load;

import java.util.List;
import java.util.function.Supplier;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.KeyedMaps;
import org.sparkgpugraph.program.ValueType;

/**
 * A graph of another library that a {@link GraphSource} was taken from, and what it can do beyond
 * giving blocks. Results can become graphs of that library again; who makes them knows the class.
 */
public interface GraphOrigin {
  /**
   * Whether Spark keeps the arrays of the edges in memory as they are now, not serialised. Others
   * are made anew by whoever reads them.
   */
  boolean edgesCached();

  /**
   * The blocks of all edge partitions, in their order, taken from this JVM without a job.
   *
   * @return null when not all are there
   */
  List<List<EdgeBlock>> cachedEdges();

  /**
   * The blocks of all vertex partitions, in their order, each made when it is asked for.
   *
   * @return null when not all are in this JVM
   */
  List<Supplier<VertexBlock>> cachedVertices();

  /**
   * The keys of the maps and sets of all vertices. Runs a job over them.
   *
   * @param what the values are, for {@link KeyedMaps#see}
   */
  KeyedMaps keyedMaps(String what, ValueType type);
}
