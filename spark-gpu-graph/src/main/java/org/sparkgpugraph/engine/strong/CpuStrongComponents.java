package org.sparkgpugraph.engine.strong;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.operator.RowWindow;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Strongly connected components on the processor's cores: all threads trim and find the component
 * of a vertex of many edges both ways, one finds those that are left.
 */
final class CpuStrongComponents {
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);

  /** Nobody knows the component yet. */
  private static final int LEFT = -1;

  /** Vertices that a thread takes at a time. */
  private static final int CHUNK = 256;

  /** Vertices of a wave below which waking others takes longer than it saves. */
  private static final int ALONE = 4 * CHUNK;

  private static final byte FORWARD = 1;
  private static final byte BACKWARD = 2;

  private final GraphPartition partition;
  private final long[] present;
  private final int size;
  private final int[] components;
  private final int[] inLeft;
  private final int[] outLeft;
  private final WorkerTeam team;
  private final Member[] members;

  private CpuStrongComponents(GraphPartition partition, WorkerTeam team) {
    this.partition = partition;
    present = partition.present();
    size = partition.stored();
    components = new int[size];
    inLeft = new int[size];
    outLeft = new int[size];
    this.team = team;
    members = new Member[team.size()];
    Arrays.setAll(members, m -> new Member());
  }

  /**
   * Finds them.
   *
   * @param partition the only one
   * @return by dense id the smallest dense id of the component
   * @throws java.util.concurrent.CancellationException when the caller is interrupted
   */
  static int[] find(GraphPartition partition, int threads) {
    try (WorkerTeam team = new WorkerTeam("strong", threads)) {
      return new CpuStrongComponents(partition, team).find();
    }
  }

  private int[] find() {
    // Made here once, not by whichever thread comes first.
    partition.outEdges();
    long start = System.nanoTime();
    Arrays.fill(components, LEFT);
    ranges((member, v) -> count(member, v));
    takeOut(select(v -> (inLeft[v] == 0 || outLeft[v] == 0) && claim(v, v)));
    start = PhaseTimes.ended("strong: trimming", start);
    int pivot = pivot();
    if (pivot >= 0) {
      byte[] reached = new byte[size];
      reach(pivot, reached, FORWARD);
      reach(pivot, reached, BACKWARD);
      int[] met = select(v -> reached[v] == (FORWARD | BACKWARD));
      // They ascend.
      int label = met[0];
      for (int v : met) {
        components[v] = label;
      }
      start = PhaseTimes.ended("strong: the largest component", start);
      // Where all are found nobody is left to be told.
      if (pivot() >= 0) {
        takeOut(met);
        start = PhaseTimes.ended("strong: trimming again", start);
        Tarjan.find(partition, components);
        PhaseTimes.ended("strong: the other components", start);
      }
    }
    return components;
  }

  private boolean exists(int v) {
    return GraphPartition.exists(present, v);
  }

  private boolean claim(int v, int component) {
    return INTS.compareAndSet(components, v, LEFT, component);
  }

  private boolean isLeft(int v) {
    return (int) INTS.getOpaque(components, v) == LEFT;
  }

  // ---- waves ------------------------------------------------------------------------------------

  /** What one thread has. */
  private static final class Member {
    private final RowWindow edges = new RowWindow();
    private int[] next = new int[64];
    private int count;

    void add(int v) {
      if (count == next.length) {
        next = Arrays.copyOf(next, 2 * count);
      }
      next[count++] = v;
    }
  }

  private interface Vertex {
    void visit(Member member, int v);
  }

  private void ranges(Vertex work) {
    chunks(size, (member, i) -> work.visit(member, i));
  }

  private void chunks(int count, Vertex work) {
    team.each(
        count > ALONE,
        (int) ((count + CHUNK - 1L) / CHUNK),
        (who, chunk) -> {
          int end = Math.min(count, (chunk + 1) * CHUNK);
          for (int i = chunk * CHUNK; i < end; i++) {
            work.visit(members[who], i);
          }
        });
  }

  /** What the members have added since. */
  private int[] added() {
    int[] all = new int[Arrays.stream(members).mapToInt(member -> member.count).sum()];
    int at = 0;
    for (Member member : members) {
      System.arraycopy(member.next, 0, all, at, member.count);
      at += member.count;
      member.count = 0;
    }
    return all;
  }

  /** Those for which that holds, ascending. */
  private int[] select(IntPredicate which) {
    ranges(
        (member, v) -> {
          if (which.test(v)) {
            member.add(v);
          }
        });
    int[] all = added();
    Arrays.parallelSort(all);
    return all;
  }

  private interface Edge {
    /** Whether the other end is in the next wave. */
    boolean visit(int other);
  }

  private void walk(Member member, Csr rows, int v, Edge edge) {
    int begin = rows.offsets()[v];
    int end = rows.offsets()[v + 1];
    member.edges.open(rows, null, begin, end);
    int[] neighbours = member.edges.neighbours();
    for (int e = begin - member.edges.first(); e < end - member.edges.first(); e++) {
      if (edge.visit(neighbours[e])) {
        member.add(neighbours[e]);
      }
    }
  }

  // ---- steps ------------------------------------------------------------------------------------

  private void count(Member member, int v) {
    if (exists(v)) {
      inLeft[v] = count(member, partition.inEdges(), v);
      outLeft[v] = count(member, partition.outEdges(), v);
    }
  }

  private int count(Member member, Csr rows, int v) {
    int begin = rows.offsets()[v];
    int end = rows.offsets()[v + 1];
    member.edges.open(rows, null, begin, end);
    int count = 0;
    for (int e = begin - member.edges.first(); e < end - member.edges.first(); e++) {
      int other = member.edges.neighbours()[e];
      count += other != v && exists(other) ? 1 : 0;
    }
    return count;
  }

  /** Takes the edges of some vertices away, and trims who has none left. */
  private void takeOut(int[] found) {
    Edge targets = other -> isLeft(other) && takes(inLeft, other);
    Edge sources = other -> isLeft(other) && takes(outLeft, other);
    for (int[] wave = found; wave.length > 0; wave = added()) {
      int[] now = wave;
      chunks(
          now.length,
          (member, i) -> {
            if (exists(now[i])) {
              walk(member, partition.outEdges(), now[i], targets);
              walk(member, partition.inEdges(), now[i], sources);
            }
          });
    }
  }

  private boolean takes(int[] left, int v) {
    return (int) INTS.getAndAdd(left, v, -1) == 1 && claim(v, v);
  }

  /** The vertex of most edges both ways among those who are left, the first of them; −1: nobody. */
  private int pivot() {
    int best = -1;
    int most = -1;
    for (int v = 0; v < size; v++) {
      int both = Math.min(inLeft[v], outLeft[v]);
      if (components[v] == LEFT && both > most) {
        most = both;
        best = v;
      }
    }
    return best;
  }

  private void reach(int from, byte[] reached, byte mark) {
    reached[from] |= mark;
    Csr rows = mark == FORWARD ? partition.outEdges() : partition.inEdges();
    Edge edge =
        other ->
            components[other] == LEFT
                && ((byte) BYTES.getOpaque(reached, other) & mark) == 0
                && ((byte) BYTES.getAndBitwiseOr(reached, other, mark) & mark) == 0;
    for (int[] wave = {from}; wave.length > 0; wave = added()) {
      int[] now = wave;
      chunks(now.length, (member, i) -> walk(member, rows, now[i], edge));
    }
  }
}
