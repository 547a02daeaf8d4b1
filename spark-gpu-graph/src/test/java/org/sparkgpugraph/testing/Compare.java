package org.sparkgpugraph.testing;

import static org.assertj.core.api.Assertions.fail;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.spark.graphx.Graph;
import scala.Tuple2;

/**
 * Compares results vertex by vertex, to the bit, and says everything needed to repeat a failure.
 */
public final class Compare {
  private Compare() {}

  /** The vertices of a GraphX graph. */
  public static <V> Map<Long, V> vertices(Graph<V, ?> graph) {
    Map<Long, V> vertices = new TreeMap<>();
    for (Tuple2<Object, V> vertex : graph.vertices().toJavaRDD().collect()) {
      vertices.put((Long) vertex._1(), vertex._2());
    }
    return vertices;
  }

  /**
   * Fails unless both maps are equal. Boxes and records compare floating values by their bits (NaN
   * equals NaN, 0.0 does not equal −0.0).
   */
  public static <R> void assertSame(
      Map<Long, R> expected,
      Map<Long, R> actual,
      TestGraph<?, ?> graph,
      TestProgram<?, ?, ?, ?, ?> program,
      String how) {
    if (expected.equals(actual)) {
      return;
    }
    Map<Long, String> differences = new TreeMap<>();
    Map<Long, R> all = new HashMap<>(expected);
    all.putAll(actual);
    for (Long id : all.keySet()) {
      if (!Objects.equals(expected.get(id), actual.get(id))) {
        differences.put(id, "expected " + expected.get(id) + ", got " + actual.get(id));
      }
    }
    String description = graph.describe();
    fail(
        "%s%n%s%n%s%n%s",
        how,
        program,
        differences,
        description.length() > 4000 ? description.substring(0, 4000) + " …" : description);
  }
}
