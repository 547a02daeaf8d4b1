package org.sparkgpugraph.engine.louvain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.graphs.memory.ByteReader;
import org.sparkgpugraph.graphs.memory.ByteWriter;
import org.sparkgpugraph.graphs.memory.Varint;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RemoteBoundary;

/** What shards tell each other while communities are found, and who holds which vertices. */
final class LouvainMessages {
  /** Most vertices of a graph. */
  private static final int MOST = Integer.MAX_VALUE - 64;

  private final ExecutorGraph graph;
  private final int shard;
  private final int shards;

  /** Number of the first vertex that each shard holds; behind them that of all. */
  private final int[] firsts;

  private Part whole;
  private long[] strengths;
  private long loops;
  private long ownLoops;
  private long ownChange;

  LouvainMessages(ExecutorGraph graph, int shard, int shards) {
    this.graph = graph;
    this.shard = shard;
    this.shards = shards;
    firsts = new int[shards + 1];
  }

  /** Something for each of the others. */
  private List<Parcel> toOthers(IntFunction<byte[]> bytes) {
    return IntStream.range(0, shards)
        .filter(peer -> peer != shard)
        .mapToObj(peer -> new Parcel(peer, bytes.apply(peer)))
        .toList();
  }

  /** The same for all others. */
  List<Parcel> toAll(byte[] bytes) {
    return toOthers(peer -> bytes);
  }

  /** One parcel of each other shard. */
  private Map<Integer, ByteReader> readers(List<Parcel> arrived) {
    Map<Integer, ByteReader> readers = new TreeMap<>();
    arrived.forEach(parcel -> readers.put(parcel.peer(), new ByteReader(parcel.bytes())));
    if (readers.size() != shards - 1 || arrived.size() != shards - 1) {
      throw new IllegalStateException(
          "shard " + shard + " hears " + arrived.size() + " parcels of " + readers.keySet());
    }
    return readers;
  }

  /** Number of the first vertex that a shard holds. */
  int first(int ofShard) {
    return firsts[ofShard];
  }

  // ---- the graph ------------------------------------------------------------------------------

  /**
   * What a shard holds, or all do.
   *
   * @param largest weight
   * @param symmetric whether every edge is there in both directions
   */
  record Part(long vertices, long edges, double largest, boolean symmetric) {
    byte[] bytes() {
      return new ByteWriter(0)
          .putVarying(vertices)
          .putVarying(edges)
          .putVarying(Double.doubleToLongBits(largest))
          .putVarying(symmetric ? 1 : 0)
          .toBytes();
    }

    static Part read(ByteReader in) {
      return new Part(
          in.getVarying(),
          in.getVarying(),
          Double.longBitsToDouble(in.getVarying()),
          in.getVarying() != 0);
    }
  }

  /** Takes the parts of all others; {@code own} was told them. */
  void takeParts(List<Parcel> arrived, Part own) {
    List<Part> parts = new ArrayList<>();
    Map<Integer, ByteReader> readers = readers(arrived);
    for (int s = 0; s < shards; s++) {
      parts.add(s == shard ? own : Part.read(readers.get(s)));
    }
    parts(parts);
  }

  /** Puts the parts together, one of each shard. */
  void parts(List<Part> parts) {
    long vertices = 0;
    long edges = 0;
    double largest = 0;
    boolean symmetric = true;
    for (int s = 0; s < shards; s++) {
      Part part = parts.get(s);
      vertices += part.vertices();
      if (vertices > MOST) {
        throw new IllegalArgumentException(
            "Louvain: the graph has more than "
                + MOST
                + " vertices: leave out those without edges");
      }
      firsts[s + 1] = (int) vertices;
      edges += part.edges();
      largest = Math.max(largest, part.largest());
      symmetric &= part.symmetric();
    }
    whole = new Part(vertices, edges, largest, symmetric);
    strengths = new long[(int) vertices];
  }

  /** What all hold. */
  Part whole() {
    return whole;
  }

  /** Strengths of all vertices, of those held here to begin with. */
  long[] strengths() {
    return strengths;
  }

  /** Sum of the weights of all loops. */
  long loops() {
    return loops;
  }

  /** Adds those of the vertices that are held here. */
  void own(long ofLoops) {
    ownLoops = ofLoops;
    loops = ofLoops;
  }

  /** The strengths of what is held here, and to each reader which vertices it has as ghosts. */
  List<Parcel> strengthsAndExports() {
    return toOthers(this::strengthsAndExports);
  }

  private byte[] strengthsAndExports(int peer) {
    ByteWriter out = new ByteWriter(0).putVarying(ownLoops);
    for (int v = firsts[shard]; v < firsts[shard + 1]; v++) {
      out.putVarying(strengths[v]);
    }
    for (RemoteBoundary list : graph.exports()) {
      if (list.peer() == peer) {
        GraphPartition home = graph.partitions().get(list.list().home());
        int first = firsts[shard] + (int) (home.firstVertex() - graph.firstHeld());
        for (int local : list.list().homeVertices()) {
          out.putVarying(first + local);
        }
      }
    }
    return out.toBytes();
  }

  /** Takes them; lists come in the order in which they are exported. */
  void takeStrengths(List<Parcel> arrived, GraphRows rows) {
    Map<Integer, ByteReader> readers = readers(arrived);
    readers.forEach(
        (peer, in) -> {
          loops += in.getVarying();
          for (int v = firsts[peer]; v < firsts[peer + 1]; v++) {
            strengths[v] = in.getVarying();
          }
        });
    for (RemoteBoundary list : graph.imports()) {
      ByteReader in = readers.get(list.peer());
      int reader = list.list().reader();
      int first = list.list().firstGhost() - graph.partitions().get(reader).stored();
      for (int i = 0; i < list.list().size(); i++) {
        rows.place(reader, first + i, (int) in.getVarying());
      }
    }
  }

  // ---- moves ----------------------------------------------------------------------------------

  /** The moves of vertices held here, and whom of theirs they make decide again. */
  List<Parcel> moves(long[] moves, LocalMoving moving) {
    Arrays.sort(moves);
    return toOthers(peer -> moves(moves, moving.takeMarked(firsts[peer], firsts[peer + 1])));
  }

  private static byte[] moves(long[] moves, int[] marked) {
    ByteWriter out = new ByteWriter(3L * moves.length + 16);
    int before = 0;
    out.putVarying(moves.length);
    for (long move : moves) {
      int vertex = (int) (move >>> 32);
      out.putVarying(vertex - before).putVarying((int) move);
      before = vertex;
    }
    return out.putAscending(marked, 0, marked.length).toBytes();
  }

  /** Takes the moves of others' vertices. */
  long[] takeMoves(List<Parcel> arrived, LocalMoving moving) {
    long[] all = new long[0];
    for (ByteReader in : readers(arrived).values()) {
      int had = all.length;
      all = Arrays.copyOf(all, had + in.getVaryingSize());
      long vertex = 0;
      for (int i = had; i < all.length; i++) {
        vertex += in.getVarying();
        all[i] = vertex << 32 | in.getVarying();
      }
      int marked = 0;
      while (in.hasMore()) {
        marked += (int) in.getVarying();
        moving.mark(marked);
      }
    }
    return all;
  }

  /** By how much the moves of one class changed the weight inside of communities. */
  void changed(long byOwnMoves) {
    ownChange += byOwnMoves;
  }

  /** By how much those of a sweep did. */
  byte[] change() {
    return number(ownChange);
  }

  /** A number that all are to add up. */
  static byte[] number(long value) {
    return new ByteWriter(0).putVarying(Varint.zigzag(value)).toBytes();
  }

  /** The change of a sweep by all. */
  long takeChanges(List<Parcel> arrived) {
    long own = ownChange;
    ownChange = 0;
    return sum(arrived, own);
  }

  /** The sum of what all others have said, and of the own number. */
  long sum(List<Parcel> arrived, long own) {
    long sum = own;
    for (ByteReader in : readers(arrived).values()) {
      sum += Varint.unzigzag(in.getVarying());
    }
    return sum;
  }

  // ---- parts ----------------------------------------------------------------------------------

  /** What each vertex is connected with inside of its community, as far as it is known here. */
  static byte[] links(ConnectedParts parts) {
    int[] smallest = parts.smallest();
    ByteWriter out = new ByteWriter(0).putVarying(0);
    int before = 0;
    for (int v = 0; v < smallest.length; v++) {
      if (smallest[v] != v) {
        out.putVarying(v - before).putVarying(v - smallest[v]);
        before = v;
      }
    }
    return out.toBytes();
  }

  /** Joins what others know to be connected. */
  void takeLinks(List<Parcel> arrived, ConnectedParts parts) {
    for (ByteReader in : readers(arrived).values()) {
      in.getVarying();
      int vertex = 0;
      while (in.hasMore()) {
        vertex += (int) in.getVarying();
        parts.join(vertex, vertex - (int) in.getVarying());
      }
    }
  }

  // ---- levels ---------------------------------------------------------------------------------

  /**
   * Says who holds the communities of the next level: all the same number, or shard 0 all.
   *
   * @param alone whether it holds all
   */
  void hold(int communities, boolean alone) {
    for (int s = 0; s <= shards; s++) {
      firsts[s] = alone ? s == 0 ? 0 : communities : (int) ((long) communities * s / shards);
    }
  }

  /** To each holder what is known here of its communities. */
  List<Parcel> rows(CoarseRows sums) {
    return IntStream.range(0, shards)
        .filter(peer -> peer != shard)
        .mapToObj(
            peer ->
                Coarsening.parcels(sums, firsts[peer], firsts[peer + 1], peer, Coarsening.PARCEL))
        .flatMap(List::stream)
        .toList();
  }

  /**
   * What one shard has found out alone.
   *
   * @param community of each vertex of the level
   */
  record End(int[] community, double modularity, int levels) {
    byte[] bytes() {
      return new ByteWriter(4L * community.length)
          .putVarying(Double.doubleToLongBits(modularity))
          .putVarying(levels)
          .putVarying(community, 0, community.length)
          .toBytes();
    }
  }

  /** What shard 0 says of a level of so many vertices. */
  End takeEnd(List<Parcel> arrived, int vertices) {
    if (arrived.size() != 1) {
      throw new IllegalStateException("shard " + shard + " hears " + arrived.size() + " ends");
    }
    ByteReader in = new ByteReader(arrived.get(0).bytes());
    double modularity = Double.longBitsToDouble(in.getVarying());
    int levels = (int) in.getVarying();
    int[] community = new int[vertices];
    in.getVarying(community, 0, vertices);
    return new End(community, modularity, levels);
  }

  // ---- names ----------------------------------------------------------------------------------

  /**
   * What is known here of the smallest original ids of communities: where ids ascend with shards
   * those of the smallest members that are held here, otherwise one for each community with members
   * here, since any shard may hold the smallest.
   *
   * @param smallest member of each community, ascending
   * @param communities of the vertices that are held, in the order of their ids
   */
  byte[] names(int[] smallest, int[] communities, GraphRows rows) {
    return graph.ids().ascending()
        ? heldNames(smallest, rows)
        : knownNames(communities, smallest.length);
  }

  private byte[] heldNames(int[] smallest, GraphRows rows) {
    ByteWriter out = new ByteWriter(0).putVarying(0);
    long before = 0;
    for (int v : smallest) {
      if (v >= rows.first() && v < rows.end()) {
        long id = graph.ids().original(graph.firstHeld() + v - rows.first());
        out.putVarying(id - before);
        before = id;
      }
    }
    return out.toBytes();
  }

  private byte[] knownNames(int[] communities, int count) {
    int[] members = new int[count];
    Arrays.fill(members, -1);
    for (int v = 0; v < communities.length; v++) {
      if (members[communities[v]] < 0) {
        members[communities[v]] = v;
      }
    }
    ByteWriter out = new ByteWriter(0).putVarying(0);
    int before = -1;
    long last = 0;
    for (int c = 0; c < count; c++) {
      if (members[c] >= 0) {
        long id = graph.ids().original(graph.firstHeld() + members[c]);
        out.putVarying(c - before).putVarying(Varint.zigzag(id - last));
        before = c;
        last = id;
      }
    }
    return out.toBytes();
  }

  /** The smallest original id of each community: of what all shards say. */
  long[] takeNames(List<Parcel> arrived, int[] smallest, int[] communities, GraphRows rows) {
    Map<Integer, ByteReader> readers = readers(arrived);
    readers.put(shard, new ByteReader(names(smallest, communities, rows)));
    return graph.ids().ascending()
        ? ofHeld(readers, smallest.length)
        : ofKnown(readers, smallest.length);
  }

  /** Shards hold ascending ranges. */
  private static long[] ofHeld(Map<Integer, ByteReader> readers, int count) {
    long[] names = new long[count];
    int at = 0;
    for (ByteReader in : readers.values()) {
      in.getVarying();
      long id = 0;
      while (in.hasMore()) {
        id += in.getVarying();
        names[at++] = id;
      }
    }
    if (at != count) {
      throw new IllegalStateException(count + " communities, " + at + " names");
    }
    return names;
  }

  private static long[] ofKnown(Map<Integer, ByteReader> readers, int count) {
    long[] names = new long[count];
    Arrays.fill(names, Long.MAX_VALUE);
    for (ByteReader in : readers.values()) {
      in.getVarying();
      int c = -1;
      long id = 0;
      while (in.hasMore()) {
        c += (int) in.getVarying();
        id += Varint.unzigzag(in.getVarying());
        names[c] = Math.min(names[c], id);
      }
    }
    return names;
  }
}
