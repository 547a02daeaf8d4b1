package org.sparkgpugraph.examples.algorithms;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.Kind;
import scala.Tuple2;

/** Vertices of a GraphX graph as blocks. */
public final class StockResult {
  private static final int BLOCK = 1 << 14;

  private StockResult() {}

  public static JavaRDD<VertexBlock> blocks(Graph<?, ?> graph, Kind kind) {
    return graph.vertices().toJavaRDD().mapPartitions(vertices -> new Blocks(vertices, kind));
  }

  private static final class Blocks implements Iterator<VertexBlock> {
    private final Iterator<? extends Tuple2<Object, ?>> vertices;
    private final Kind kind;

    Blocks(Iterator<? extends Tuple2<Object, ?>> vertices, Kind kind) {
      this.vertices = vertices;
      this.kind = kind;
    }

    @Override
    public boolean hasNext() {
      return vertices.hasNext();
    }

    @Override
    public VertexBlock next() {
      long[] ids = new long[BLOCK];
      Object values = Array.newInstance(kind.primitive(), BLOCK);
      int size = 0;
      while (size < BLOCK && vertices.hasNext()) {
        Tuple2<Object, ?> vertex = vertices.next();
        ids[size] = (Long) vertex._1();
        Array.set(values, size++, vertex._2());
      }
      return new VertexBlock(size, Arrays.copyOf(ids, size), null, BLOCK, values);
    }
  }
}
