package org.sparkgpugraph.adapter.data;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.graphx.Edge;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.program.ir.Kind;

/** Collects edges from GraphX's public API into primitive arrays. */
final class EdgeCollector {
  private static final int START = 1024;

  private long[] sources = new long[START];
  private long[] destinations = new long[START];
  private Object values;
  private int size;

  private EdgeCollector() {}

  /** Reads all edges; the iterator may reuse one {@link Edge}. */
  static GlobalEdgeBlock collect(Iterator<? extends Edge<?>> edges) {
    EdgeCollector collector = new EdgeCollector();
    while (edges.hasNext()) {
      collector.add(edges.next());
    }
    return new GlobalEdgeBlock(
        collector.size, collector.sources, collector.destinations, collector.values);
  }

  private void add(Edge<?> edge) {
    Object value = edge.attr();
    if (size == 0) {
      Kind kind = value == null ? null : Kind.of(value.getClass());
      values = Array.newInstance(kind == null ? Object.class : kind.primitive(), START);
    }
    if (size == sources.length) {
      grow();
    }
    sources[size] = edge.srcId();
    destinations[size] = edge.dstId();
    Class<?> component = values.getClass().getComponentType();
    if (component.isPrimitive()
        && (value == null || Kind.of(value.getClass()) != Kind.of(component))) {
      values = box();
    }
    Array.set(values, size, value);
    size++;
  }

  private void grow() {
    if (size > Integer.MAX_VALUE / 2) {
      throw new IllegalArgumentException(
          "an edge partition holds more than " + size + " edges: repartition the graph");
    }
    sources = Arrays.copyOf(sources, 2 * size);
    destinations = Arrays.copyOf(destinations, 2 * size);
    Object larger = Array.newInstance(values.getClass().getComponentType(), 2 * size);
    System.arraycopy(values, 0, larger, 0, size);
    values = larger;
  }

  private Object[] box() {
    Object[] boxes = new Object[sources.length];
    for (int i = 0; i < size; i++) {
      boxes[i] = Array.get(values, i);
    }
    return boxes;
  }
}
