package org.sparkgpugraph.engine.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.program.ir.Kind;

/** Connected components of one executor graph; see {@link ConnectedComponentsOperator}. */
final class ConnectedComponentsRun implements OperatorRun {
  /** The shard that joins the links of all. */
  private static final int JOINING = 0;

  private final OperatorInput input;
  private final ExecutorGraph graph;
  private Contraction contraction;
  private int[] smallest;

  /** Links between components of several shards, as far as this one knows them. */
  private LabelForest links = new LabelForest();

  ConnectedComponentsRun(OperatorInput input) {
    this.input = input;
    graph = input.graph();
  }

  @Override
  public Round round(int number, List<Parcel> arrived) {
    return switch (number) {
      case 0 -> contract();
      case 1 -> link(arrived);
      case 2 -> join(arrived);
      default -> learn(arrived);
    };
  }

  // ---- rounds -----------------------------------------------------------------------------------

  private Round contract() {
    contraction = input.engine().components(graph, input.threads());
    smallest = smallest();
    List<Parcel> parcels = new ArrayList<>();
    for (RemoteBoundary ghosts : graph.imports()) {
      GraphPartition reader = graph.partitions().get(ghosts.list().reader());
      long[] ids = new long[ghosts.list().size()];
      long[] labels = new long[ids.length];
      for (int i = 0; i < ids.length; i++) {
        int ghost = ghosts.list().firstGhost() + i;
        ids[i] = reader.originalId(ghost);
        labels[i] = label((int) reader.ghostIds()[ghost - reader.stored()]);
      }
      parcels.add(new Parcel(ghosts.peer(), LabelCodec.writeLabels(ids, labels)));
    }
    return new Round(parcels, false, graph.edgeCount());
  }

  /** The smallest original id of what a vertex is connected with here. */
  private long label(int dense) {
    int root = contraction.roots()[dense];
    return graph.ids().original(smallest == null ? root : smallest[root]);
  }

  /** By root: the dense id of the smallest original one; null: that of the root itself. */
  private int[] smallest() {
    VertexIds ids = graph.ids();
    if (ids.ascending()) {
      return null;
    }
    int[] roots = contraction.roots();
    int[] least = roots.clone();
    for (int v = 0; v < roots.length; v++) {
      if (ids.original(v) < ids.original(least[roots[v]])) {
        least[roots[v]] = v;
      }
    }
    return least;
  }

  /** Parcels of one sender come in the order of the lists, which both know. */
  private Round link(List<Parcel> arrived) {
    int next = 0;
    for (RemoteBoundary told : graph.exports()) {
      Parcel parcel = next < arrived.size() ? arrived.get(next++) : null;
      if (parcel == null || parcel.peer() != told.peer()) {
        throw new IllegalStateException("shard " + told.peer() + " has said nothing of its ghosts");
      }
      GraphPartition home = graph.partitions().get(told.list().home());
      long[] ids = new long[told.list().size()];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = home.originalId(told.list().homeVertices()[i]);
      }
      int first = (int) home.firstVertex();
      int[] vertex = {0};
      LabelCodec.readLabels(
          parcel.bytes(),
          ids,
          (id, label) -> links.link(label(first + told.list().homeVertices()[vertex[0]++]), label));
    }
    if (input.shard() == JOINING) {
      // The others may have nothing to say.
      return new Round(List.of(), links.size() > 0, 0);
    }
    byte[] bytes = LabelCodec.writeLinks(links);
    links = new LabelForest();
    return bytes.length == 0
        ? Round.last(0)
        : new Round(List.of(new Parcel(JOINING, bytes)), false, 0);
  }

  private Round join(List<Parcel> arrived) {
    if (input.shard() != JOINING) {
      return Round.last(0);
    }
    learn(arrived);
    byte[] bytes = LabelCodec.writeLinks(links);
    IntStream others = IntStream.range(0, bytes.length == 0 ? 0 : input.shards());
    return new Round(
        others.filter(s -> s != JOINING).mapToObj(s -> new Parcel(s, bytes)).toList(), false, 0);
  }

  private Round learn(List<Parcel> arrived) {
    for (Parcel parcel : arrived) {
      LabelCodec.readLinks(parcel.bytes(), links::link);
    }
    return Round.last(0);
  }

  // ---- results ----------------------------------------------------------------------------------

  @Override
  public Columns results() {
    int[] roots = contraction.roots();
    Columns columns = Columns.allocate(List.of(Kind.LONG), roots.length);
    long[] labels = columns.longs(0);
    LongUnaryOperator joined = links.roots();
    try (Workers workers = new Workers(input.threads())) {
      workers.forEachChunk(
          roots.length,
          (from, to) -> {
            for (int v = from; v < to; v++) {
              if (roots[v] == v) {
                labels[v] = joined.applyAsLong(label(v));
              }
            }
          });
      workers.forEachChunk(
          roots.length,
          (from, to) -> {
            for (int v = from; v < to; v++) {
              if (roots[v] != v) {
                labels[v] = labels[roots[v]];
              }
            }
          });
    }
    return columns;
  }

  @Override
  public DeviceNanos deviceNanos() {
    return contraction == null
        ? new DeviceNanos(0, 0)
        : new DeviceNanos(contraction.kernelNanos(), contraction.transferNanos());
  }
}
