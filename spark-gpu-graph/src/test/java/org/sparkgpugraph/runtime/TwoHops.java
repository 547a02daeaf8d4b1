package org.sparkgpugraph.runtime;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A small operator for tests: the sum of the ids at the other end of all paths of two edges that
 * lead to a vertex. Sums of a vertex's own sources are told to the shards that read it.
 */
public record TwoHops() implements GraphOperator {
  @Override
  public String name() {
    return "two hops";
  }

  @Override
  public ValueType result() {
    return new ValueType.Scalar(Kind.LONG);
  }

  @Override
  public long heapBytes(OperatorInput input) {
    return 16 * input.graph().ids().size();
  }

  @Override
  public OperatorRun open(OperatorInput input) {
    return new Run(input.graph());
  }

  private static final class Run implements OperatorRun {
    private final ExecutorGraph graph;
    private final long[] ones;
    private final Columns twos;

    Run(ExecutorGraph graph) {
      this.graph = graph;
      ones = new long[(int) graph.ids().size()];
      twos = Columns.allocate(List.of(Kind.LONG), ones.length);
    }

    @Override
    public Round round(int number, List<Parcel> arrived) {
      if (number == 0) {
        long[] ids = new long[ones.length];
        graph.ids().originals(0, ids.length, ids);
        gather(ids, ones);
        return new Round(parcels(), true, graph.edgeCount());
      }
      int[] next = new int[graph.imports().size()];
      for (Parcel parcel : arrived) {
        take(parcel, next);
      }
      gather(ones, twos.longs(0));
      return Round.last(graph.edgeCount());
    }

    private void gather(long[] from, long[] into) {
      for (GraphPartition partition : graph.partitions()) {
        int[] offsets = partition.inEdges().offsets();
        for (int v = 0; v < partition.stored(); v++) {
          for (int e = offsets[v]; e < offsets[v + 1]; e++) {
            int u = partition.inEdges().neighbours()[e];
            into[dense(partition, v)] += from[dense(partition, u)];
          }
        }
      }
    }

    private static int dense(GraphPartition partition, int local) {
      return local < partition.stored()
          ? (int) partition.firstVertex() + local
          : (int) partition.ghostIds()[local - partition.stored()];
    }

    private List<Parcel> parcels() {
      List<Parcel> parcels = new ArrayList<>();
      for (RemoteBoundary export : graph.exports()) {
        GraphPartition home = graph.partitions().get(export.list().home());
        ByteBuffer bytes = ByteBuffer.allocate(8 * export.list().size());
        for (int v : export.list().homeVertices()) {
          bytes.putLong(ones[dense(home, v)]);
        }
        if (bytes.capacity() > 0) {
          parcels.add(new Parcel(export.peer(), bytes.array()));
        }
      }
      return parcels;
    }

    /** Parcels of a peer are in the order of its lists, which is that of the imports. */
    private void take(Parcel parcel, int[] taken) {
      for (int i = 0; i < graph.imports().size(); i++) {
        RemoteBoundary list = graph.imports().get(i);
        if (list.peer() == parcel.peer() && taken[i]++ == 0) {
          GraphPartition reader = graph.partitions().get(list.list().reader());
          ByteBuffer bytes = ByteBuffer.wrap(parcel.bytes());
          for (int g = 0; bytes.hasRemaining(); g++) {
            ones[dense(reader, list.list().firstGhost() + g)] = bytes.getLong();
          }
          return;
        }
      }
      throw new IllegalStateException("a parcel that nobody reads");
    }

    @Override
    public Columns results() {
      return twos;
    }
  }
}
