package org.sparkgpugraph.adapter.fallback;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.graphx.EdgeRDD;
import org.apache.spark.graphx.Graph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.runtime.cluster.ScalaCompat;

/**
 * The graphs of successive supersteps: persists the new, unpersists what nothing needs any more,
 * and cuts the lineage every few generations, without which a job's description grows until
 * serialising it overflows the stack.
 *
 * <p>The edges of generation i are made by the job of generation i + 1, from the vertices of i and
 * i − 1 and the edges of i − 1; so two generations are kept, and the newest one whose lineage was
 * cut, because everything after it would be rebuilt from there.
 *
 * <p>Lineage is cut by a checkpoint where the context has a checkpoint directory, every {@code
 * spark.graphx.pregel.checkpointInterval} generations, and else by a local checkpoint (blocks on
 * the executors' memory and disk), which does not survive the loss of an executor.
 */
final class GraphGenerations<V, E> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GraphGenerations.class);
  private static final String INTERVAL_KEY = "spark.graphx.pregel.checkpointInterval";
  private static final int DEFAULT_INTERVAL = 25;

  private final boolean reliable;
  private final int interval;
  private final Deque<Generation<V, E>> kept = new ArrayDeque<>();
  private int count;

  /**
   * One graph.
   *
   * @param edges its edges as they were at first: GraphX replaces them inside the graph when it
   *     ships attributes, and the first ones would stay persisted for ever
   */
  private record Generation<V, E>(Graph<V, E> graph, EdgeRDD<E> edges, boolean cut) {
    void release() {
      graph.unpersistVertices(false);
      edges.unpersist(false);
      if (graph.edges() != edges) {
        graph.edges().unpersist(false);
      }
      if (cut) {
        deleteCheckpoint(graph);
      }
    }
  }

  GraphGenerations(SparkContext context) {
    this.reliable = context.getCheckpointDir().isDefined();
    int asked = context.getConf().getInt(INTERVAL_KEY, -1);
    this.interval = asked > 0 ? asked : DEFAULT_INTERVAL;
  }

  /** Whether GraphX's own Pregel cuts its lineage. */
  static boolean graphxCheckpoints(SparkContext context) {
    return context.getCheckpointDir().isDefined() && context.getConf().getInt(INTERVAL_KEY, -1) > 0;
  }

  /** The graph of the last superstep. */
  Graph<V, E> newest() {
    return kept.getLast().graph();
  }

  /** Takes a new graph of which nothing has been computed yet. */
  void add(Graph<V, E> graph) {
    graph.cache();
    count++;
    boolean cut = count % interval == 0;
    if (cut) {
      cutLineage(graph);
    }
    kept.addLast(new Generation<>(graph, graph.edges(), cut));
  }

  /** Takes a graph that stands between two supersteps; it is made by the next one's job. */
  Graph<V, E> between(Graph<V, E> graph) {
    add(graph);
    return graph;
  }

  /** A job has made the newest graph's vertices, and with them everything before. */
  void materialised() {
    boolean cutFollows = false;
    // From young to old: the newest two stay, then the youngest cut generation; what is older goes.
    Iterator<Generation<V, E>> all = kept.descendingIterator();
    for (int age = 0; all.hasNext(); age++) {
      Generation<V, E> generation = all.next();
      if (age >= 2 && generation.cut() && !cutFollows) {
        cutFollows = true;
      } else if (age >= 2) {
        all.remove();
        generation.release();
      }
    }
  }

  /**
   * Persists and makes the result, so that it needs none of the generations any more.
   *
   * @param graph derived from {@link #newest()}
   */
  <R, F> Graph<R, F> result(Graph<R, F> graph) {
    graph.cache();
    if (count >= interval) {
      // Its lineage would lead to a local checkpoint that is about to be released.
      cutVertices(graph);
    }
    graph.vertices().count();
    graph.edges().count();
    return graph;
  }

  private void cutLineage(Graph<?, ?> graph) {
    cutVertices(graph);
    if (reliable) {
      graph.edges().checkpoint();
    } else {
      graph.edges().partitionsRDD().localCheckpoint();
    }
  }

  private void cutVertices(Graph<?, ?> graph) {
    if (reliable) {
      graph.vertices().checkpoint();
    } else {
      graph.vertices().partitionsRDD().localCheckpoint();
    }
  }

  private static void deleteCheckpoint(Graph<?, ?> graph) {
    for (String file : ScalaCompat.asJava(graph.getCheckpointFiles())) {
      Path path = new Path(file);
      try {
        path.getFileSystem(graph.vertices().sparkContext().hadoopConfiguration())
            .delete(path, true);
      } catch (IOException | RuntimeException | FSError e) {
        LOG.warn("checkpoint {} could not be removed", path, e);
      }
    }
  }

  /** Unpersists every generation. */
  @Override
  public void close() {
    kept.forEach(Generation::release);
    kept.clear();
  }
}
