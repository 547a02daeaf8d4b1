package org.sparkgpugraph.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.EdgeBytes;

/** An executor graph from edge arrays, built the plain way: what the real builder must equal. */
public final class SimpleGraph implements ExecutorGraph {
  public final long[] ids;
  public final boolean[] present;
  public final int[] sources;
  public final int[] destinations;
  public final Columns edgeValues;

  /** Bytes that may be kept beside it. */
  public long room = Long.MAX_VALUE;

  private long kept;
  private boolean knowsDegrees;
  private final int[] inDegrees;
  private final int[] outDegrees;
  private final List<Partition> partitions = new ArrayList<>();
  private final List<BoundaryList> boundaries = new ArrayList<>();
  private EdgeMemory memory;

  /**
   * @param ids original ids, ascending
   * @param present which exist; null: all
   * @param sources dense id of each edge's source
   * @param destinations dense id of each edge's destination
   * @param edgeValues may be null
   * @param cuts first vertex of each partition but the first, ascending
   */
  public SimpleGraph(
      long[] ids,
      boolean[] present,
      int[] sources,
      int[] destinations,
      Columns edgeValues,
      int... cuts) {
    this.ids = ids;
    this.present = present;
    this.sources = sources;
    this.destinations = destinations;
    this.edgeValues = edgeValues;
    inDegrees = new int[ids.length];
    outDegrees = new int[ids.length];
    for (int e = 0; e < sources.length; e++) {
      inDegrees[destinations[e]]++;
      outDegrees[sources[e]]++;
    }
    for (int p = 0; p <= cuts.length; p++) {
      int from = p == 0 ? 0 : cuts[p - 1];
      int to = p == cuts.length ? ids.length : cuts[p];
      partitions.add(new Partition(p, from, to));
    }
    for (Partition reader : partitions) {
      for (Partition home : partitions) {
        int[] members =
            Arrays.stream(reader.ghostIds())
                .filter(g -> g >= home.from && g < home.to)
                .mapToInt(g -> (int) g - home.from)
                .toArray();
        if (members.length > 0) {
          int first = reader.local(members[0] + home.from);
          boundaries.add(new BoundaryList(home.index(), reader.index(), members, first));
        }
      }
    }
  }

  @Override
  public VertexIds ids() {
    return new VertexIds() {
      @Override
      public long size() {
        return ids.length;
      }

      @Override
      public long original(long dense) {
        return ids[(int) dense];
      }

      @Override
      public long dense(long original) {
        int at = Arrays.binarySearch(ids, original);
        return at < 0 ? -1 : at;
      }

      @Override
      public long bytes() {
        return 8L * ids.length;
      }
    };
  }

  @Override
  public long vertexCount() {
    int count = ids.length;
    if (present != null) {
      count = 0;
      for (boolean p : present) {
        count += p ? 1 : 0;
      }
    }
    return count;
  }

  @Override
  public long edgeCount() {
    return sources.length;
  }

  @Override
  public List<Partition> partitions() {
    return partitions;
  }

  @Override
  public List<BoundaryList> boundaries() {
    return boundaries;
  }

  /** What is kept beside it, and no more. */
  @Override
  public long bytes() {
    return kept;
  }

  @Override
  public boolean keep(long bytes) {
    boolean fits = bytes <= room - kept;
    kept += fits ? bytes : 0;
    return fits;
  }

  @Override
  public int partitionOf(long dense) {
    for (Partition p : partitions) {
      if (p.held((int) dense)) {
        return p.index();
      }
    }
    throw new IllegalArgumentException("no vertex " + dense);
  }

  @Override
  public ValueType edgeType() {
    return null;
  }

  @Override
  public void loadEdgeValues(ValueType type, List<? extends EdgeBlock> blocks) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ExecutorGraph reversed() {
    throw new UnsupportedOperationException();
  }

  @Override
  public ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges) {
    throw new UnsupportedOperationException();
  }

  /** Has all edges off the heap from now on. */
  public SimpleGraph movedTo(EdgeMemory home) {
    memory = home;
    partitions.forEach(partition -> partition.move(true));
    return this;
  }

  /** Has neighbours off the heap from now on, and values on it. */
  public SimpleGraph neighboursMovedTo(EdgeMemory home) {
    memory = home;
    partitions.forEach(partition -> partition.move(false));
    return this;
  }

  private Csr placed(Csr csr) {
    return memory == null ? csr : moved(csr);
  }

  private Csr moved(Csr csr) {
    OffHeapArray away = memory.allocate(Kind.INT, csr.edges());
    away.put(0, csr.neighbours(), 0, csr.edges());
    return new Csr(csr.offsets(), away);
  }

  private Columns moved(Columns values) {
    if (values == null) {
      return null;
    }
    Columns away = Columns.allocate(memory, values.kinds(), values.length());
    away.put(0, values, 0, values.length());
    return away;
  }

  /** Has degrees at hand from now on. */
  public SimpleGraph withDegrees() {
    knowsDegrees = true;
    return this;
  }

  /** Makes what partitions make on first use. */
  public SimpleGraph withTransposes() {
    for (Partition partition : partitions) {
      partition.inTranspose();
      partition.outTranspose();
    }
    return this;
  }

  /** Vertices [from, to). */
  public final class Partition implements GraphPartition {
    private final int index;
    public final int from;
    public final int to;
    private final long[] ghosts;
    private final int[] inOrder;
    private final int[] outOrder;
    private final Csr heapIn;
    private final Csr heapOut;
    private Csr inEdges;
    private Csr outEdges;
    private final Columns heapInValues;
    private final Columns heapOutValues;
    private Columns inValues;
    private Columns outValues;
    private Csr inTranspose;
    private Csr outTranspose;

    /** Made once; null: nobody has asked. */
    private long[] presentBits;

    Partition(int index, int from, int to) {
      this.index = index;
      this.from = from;
      this.to = to;
      boolean[] isGhost = new boolean[ids.length];
      for (int e = 0; e < sources.length; e++) {
        if (held(destinations[e]) != held(sources[e])) {
          isGhost[held(sources[e]) ? destinations[e] : sources[e]] = true;
        }
      }
      int count = 0;
      for (boolean g : isGhost) {
        count += g ? 1 : 0;
      }
      ghosts = new long[count];
      count = 0;
      for (int v = 0; v < isGhost.length; v++) {
        if (isGhost[v]) {
          ghosts[count++] = v;
        }
      }
      inOrder = order(destinations, sources);
      outOrder = order(sources, destinations);
      heapIn = rows(inOrder, destinations, sources);
      heapOut = rows(outOrder, sources, destinations);
      inEdges = heapIn;
      outEdges = heapOut;
      heapInValues = values(inOrder);
      heapOutValues = values(outOrder);
      inValues = heapInValues;
      outValues = heapOutValues;
    }

    private void move(boolean values) {
      inEdges = moved(heapIn);
      outEdges = moved(heapOut);
      inValues = values ? moved(heapInValues) : heapInValues;
      outValues = values ? moved(heapOutValues) : heapOutValues;
    }

    private boolean held(int v) {
      return v >= from && v < to;
    }

    public int local(int v) {
      return held(v) ? v - from : to - from + Arrays.binarySearch(ghosts, v);
    }

    /** Edges with a held row, by (row, neighbour, position): two stable counting sorts. */
    private int[] order(int[] rows, int[] neighbours) {
      int[] selected = new int[sources.length];
      int count = 0;
      for (int e = 0; e < sources.length; e++) {
        if (held(rows[e])) {
          selected[count++] = e;
        }
      }
      return sort(sort(Arrays.copyOf(selected, count), neighbours), rows);
    }

    private int[] sort(int[] edges, int[] key) {
      int[] start = new int[ids.length + 1];
      for (int e : edges) {
        start[key[e] + 1]++;
      }
      for (int v = 0; v < ids.length; v++) {
        start[v + 1] += start[v];
      }
      int[] sorted = new int[edges.length];
      for (int e : edges) {
        sorted[start[key[e]]++] = e;
      }
      return sorted;
    }

    private Csr rows(int[] order, int[] rows, int[] neighbours) {
      int[] offsets = new int[stored() + 1];
      int[] targets = new int[order.length];
      for (int i = 0; i < order.length; i++) {
        offsets[rows[order[i]] - from + 1]++;
        targets[i] = local(neighbours[order[i]]);
      }
      for (int r = 0; r < stored(); r++) {
        offsets[r + 1] += offsets[r];
      }
      return new Csr(offsets, targets);
    }

    private Columns values(int[] order) {
      if (edgeValues == null) {
        return null;
      }
      Columns values = Columns.allocate(edgeValues.kinds(), order.length);
      for (int i = 0; i < order.length; i++) {
        values.copyFrom(edgeValues, order[i], i, 1);
      }
      return values;
    }

    private Csr transpose(Csr rows) {
      int n = stored() + ghosts();
      int[] offsets = new int[n + 1];
      for (int t : rows.neighbours()) {
        offsets[t + 1]++;
      }
      for (int v = 0; v < n; v++) {
        offsets[v + 1] += offsets[v];
      }
      int[] at = offsets.clone();
      int[] targets = new int[rows.edges()];
      for (int r = 0; r < rows.rows(); r++) {
        for (int e = rows.offsets()[r]; e < rows.offsets()[r + 1]; e++) {
          targets[at[rows.neighbours()[e]]++] = r;
        }
      }
      return new Csr(offsets, targets);
    }

    @Override
    public int index() {
      return index;
    }

    @Override
    public long firstVertex() {
      return from;
    }

    @Override
    public int stored() {
      return to - from;
    }

    @Override
    public int ghosts() {
      return ghosts.length;
    }

    @Override
    public long[] ghostIds() {
      return ghosts;
    }

    public int global(int local) {
      return local < stored() ? from + local : (int) ghosts[local - stored()];
    }

    @Override
    public long originalId(int local) {
      return ids[global(local)];
    }

    @Override
    public synchronized long[] present() {
      if (present == null) {
        return null;
      }
      // The same each time: a device has a copy of it as long as somebody holds it.
      if (presentBits == null) {
        int n = stored() + ghosts();
        presentBits = new long[(n + 63) >>> 6];
        for (int v = 0; v < n; v++) {
          if (present[global(v)]) {
            presentBits[v >>> 6] |= 1L << v;
          }
        }
      }
      return presentBits;
    }

    @Override
    public Csr edges(boolean in) {
      return in ? inEdges : outEdges;
    }

    @Override
    public Columns edgeValues(boolean in) {
      return in ? inValues : outValues;
    }

    @Override
    public boolean hasTranspose(boolean in) {
      return (in ? inTranspose : outTranspose) != null;
    }

    @Override
    public synchronized Csr transpose(boolean in) {
      if (in && inTranspose == null) {
        inTranspose = placed(transpose(heapIn));
      }
      if (!in && outTranspose == null) {
        outTranspose = placed(transpose(heapOut));
      }
      return in ? inTranspose : outTranspose;
    }

    @Override
    public int degree(int local, boolean in) {
      return (in ? inDegrees : outDegrees)[global(local)];
    }

    @Override
    public int[] degreesIfKnown(boolean in) {
      return knowsDegrees ? degrees(in) : null;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public EdgeBytes edgeBytes() {
      return EdgeBytes.NONE;
    }
  }

  /** Rows of a table of all vertices, by partition, for {@code Engine.open}. */
  public List<Columns> split(Columns table) {
    List<Columns> parts = new ArrayList<>();
    for (Partition p : partitions) {
      Columns part = Columns.allocate(table.kinds(), p.stored() + p.ghosts());
      for (int v = 0; v < part.length(); v++) {
        part.copyFrom(table, p.global(v), v, 1);
      }
      parts.add(part);
    }
    return parts;
  }
}
