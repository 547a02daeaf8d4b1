package org.sparkgpugraph.engine.cpu;

import java.util.Map;
import java.util.WeakHashMap;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Role;

/**
 * Vertices that push, {@linkplain DegreeGroups grouped} by their in-degree: rows, the other ends of
 * their edges and, while a run pushes, values are in this order, so that the values at which most
 * messages arrive are side by side and stay in a core's cache. What a run pushes along is a copy of
 * the rows, made once for a graph; a row's edges keep their order.
 *
 * @param places of the vertices, by their index
 * @param csr a row for each place, with places as neighbours
 * @param values of the edges, as they were last asked for
 */
record PushOrder(int[] places, Csr csr, Values values) {
  /** What a report tells of a run that has one, behind how it pushes. */
  static final String NOTE = ", vertices grouped by in-degree";

  /**
   * Runs over a graph after which it pays to make its copy, which takes as long as some of them
   * gain.
   */
  private static final int PATIENCE = 8;

  /** Vertices whose values stay in a core's cache anyhow. */
  private static final int FEW = 1 << 20;

  /** By how much more of all edges few lines have to serve than without groups. */
  private static final double GAIN = 0.15;

  /** Rows that a thread takes at a time. */
  private static final int RANGE = 1 << 10;

  /** Of graphs where it does not pay. */
  private static final PushOrder NONE = new PushOrder(null, null, null);

  /** Those of an engine's graphs, kept as long as these. Thread-safe. */
  static final class Cache {
    private final int few;
    private final double gain;
    private final int patience;

    // A Csr equals itself only: what is made of it goes when it goes.
    private final Map<Csr, PushOrder> made = new WeakHashMap<>();

    /** Runs that went without. */
    private final Map<Csr, Integer> missed = new WeakHashMap<>();

    /** Of graphs for which it pays. */
    Cache() {
      this(FEW, GAIN, PATIENCE);
    }

    /**
     * Of graphs with more vertices and a gain of more than these, after as many runs; for tests.
     */
    Cache(int few, double gain, int patience) {
      this.few = few;
      this.gain = gain;
      this.patience = patience;
    }

    /**
     * The order in which a run pushes along rows; null: that of the vertices.
     *
     * @param graph of one partition
     */
    PushOrder of(
        ExecutorGraph graph,
        SentRows rows,
        LiftedProgram program,
        KernelShape shape,
        RunSettings settings) {
      GraphPartition partition = graph.partitions().get(0);
      if (!suits(partition, program, shape)) {
        return null;
      }
      Csr key = partition.inEdges();
      synchronized (made) {
        PushOrder order = made.get(key);
        if (order == null && missed.getOrDefault(key, 0) >= patience) {
          order = PushOrder.of(graph, rows.csr(), gain, settings.threads());
          if (order != null) {
            made.put(key, order);
          }
        } else if (order == null) {
          missed.merge(key, 1, Integer::sum);
        }
        boolean any =
            order != null && order != NONE && order.values.fit(graph, edgeBytes(program, key));
        return any ? order : null;
      }
    }

    /**
     * Bytes of a run's values in another order, at most; 0: the run has none. The copy of the rows
     * counts with the graph.
     */
    long bytes(GraphPartition partition, LiftedProgram program, KernelShape shape) {
      if (!suits(partition, program, shape)) {
        return 0;
      }
      Csr key = partition.inEdges();
      synchronized (made) {
        PushOrder order = made.get(key);
        if (order == NONE || order == null && missed.getOrDefault(key, 0) < patience) {
          return 0;
        }
      }
      long values = program.state().columns().stream().mapToLong(ColumnType::bytes).sum();
      return partition.stored() * values;
    }

    private static long edgeBytes(LiftedProgram program, Csr rows) {
      return program.send().reads(Role.EDGE) ? rows.edges() * program.edge().bytes() : 0;
    }

    /**
     * Whether runs may: nothing that a kernel reads beside values, activity and edges is by vertex.
     */
    private boolean suits(GraphPartition partition, LiftedProgram program, KernelShape shape) {
      return partition.stored() > few
          && partition.ghosts() == 0
          && partition.present() == null
          && !shape.tracksChanges()
          && !FunctionTraits.readsIds(program)
          && program.state().columns().stream().noneMatch(ColumnType::isArray);
    }
  }

  /** Null: there is no room. */
  private static PushOrder of(ExecutorGraph graph, Csr rows, double gain, int threads) {
    int[] degrees = graph.partitions().get(0).degrees(true);
    int[] places = DegreeGroups.places(degrees);
    if (!DegreeGroups.pays(degrees, places, gain)) {
      return NONE;
    }
    if (!graph.keep(Integer.BYTES * (2L * places.length + 1 + rows.edges()))) {
      return null;
    }
    int[] vertices = new int[places.length];
    for (int v = 0; v < places.length; v++) {
      vertices[places[v]] = v;
    }
    int[] offsets = new int[rows.rows() + 1];
    for (int p = 0; p < vertices.length; p++) {
      int v = vertices[p];
      offsets[p + 1] = offsets[p] + rows.offsets()[v + 1] - rows.offsets()[v];
    }
    int[] from = rows.neighbours();
    int[] to = new int[from.length];
    Moves moves = new Moves(vertices, rows.offsets(), offsets, threads);
    moves.each(
        (begin, end, at) -> {
          for (int e = begin, i = at; e < end; e++, i++) {
            to[i] = places[from[e]];
          }
        });
    return new PushOrder(places, new Csr(offsets, to), new Values(moves));
  }

  /** The rows, with values that come in the order of the ones which they are copies of. */
  SentRows of(SentRows rows) {
    return new SentRows(csr, () -> values.of(rows.values()));
  }

  /** The vertex at a place. */
  int vertex(int place) {
    int v = 0;
    while (places[v] != place) {
      v++;
    }
    return v;
  }

  /**
   * Where rows are moved.
   *
   * @param vertices by place
   * @param from offsets of the rows by vertex
   * @param to offsets of the rows by place
   */
  private record Moves(int[] vertices, int[] from, int[] to, int threads) {
    /** Moves the edges {@code [begin, end)} of a row. */
    @FunctionalInterface
    interface Row {
      void move(int begin, int end, int at);
    }

    void each(Row row) {
      int ranges = (vertices.length + RANGE - 1) / RANGE;
      try (Workers workers = new Workers(threads)) {
        workers.run(
            ranges,
            r -> {
              int last = (int) Math.min(vertices.length, (r + 1L) * RANGE);
              for (int p = r * RANGE; p < last; p++) {
                int v = vertices[p];
                row.move(from[v], from[v + 1], to[p]);
              }
            });
      }
    }
  }

  /** Copies of edge values, of those that were last asked for. Thread-safe. */
  private static final class Values {
    private final Moves moves;
    private Columns copied;
    private Columns copy;

    /** For which there was room. */
    private long bytes;

    Values(Moves moves) {
      this.moves = moves;
    }

    /** Whether copies of so many bytes have room. */
    synchronized boolean fit(ExecutorGraph graph, long wanted) {
      if (wanted > bytes && !graph.keep(wanted - bytes)) {
        return false;
      }
      bytes = Math.max(bytes, wanted);
      return true;
    }

    synchronized Columns of(Columns values) {
      if (values == null) {
        return null;
      }
      if (copied != values) {
        Columns made = Columns.allocate(values.kinds(), values.length());
        for (int c = 0; c < values.kinds().size(); c++) {
          Object from = values.array(c);
          Object to = made.array(c);
          int width = values.kinds().get(c).width();
          moves.each(
              (begin, end, at) ->
                  System.arraycopy(from, begin * width, to, at * width, (end - begin) * width));
        }
        copied = values;
        copy = made;
      }
      return copy;
    }
  }
}
