package org.sparkgpugraph.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.shard.EdgeParcel;
import org.sparkgpugraph.graphs.shard.EdgeRouter;
import org.sparkgpugraph.graphs.shard.EdgeSample;
import org.sparkgpugraph.graphs.shard.GhostHandshake;
import org.sparkgpugraph.graphs.shard.GhostReply;
import org.sparkgpugraph.graphs.shard.GhostRequest;
import org.sparkgpugraph.graphs.shard.ShardBuilder;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Measures how fast blocks of edges become connected shards on one core, without Spark: sampling,
 * routing, building and the handshake, in CPU time of the one thread, so that a busy machine does
 * not matter much.
 *
 * <pre>ShardLoadBenchmark [scale = 20] [shards = 4] [repetitions = 4] [source partitions = 8]
 *     [SMALL | INT | DICTIONARY | LONG; default all]</pre>
 */
public final class ShardLoadBenchmark {
  private static final int EDGE_FACTOR = 16;
  private static final long SEED = 42;

  private ShardLoadBenchmark() {}

  /** In which form a source delivers edges. */
  private enum Form {
    /** 32-bit ids with weights in many small blocks, as generators and edge lists do. */
    SMALL,
    /** 32-bit ids in one block for each partition. */
    INT,
    /** A dictionary for each partition, as GraphX does. */
    DICTIONARY,
    /** Ids that need 64 bits. */
    LONG
  }

  /** Runs it and prints a line per repetition. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int shards = args.length > 1 ? Integer.parseInt(args[1]) : 4;
    int repetitions = args.length > 2 ? Integer.parseInt(args[2]) : 4;
    int partitions = args.length > 3 ? Integer.parseInt(args[3]) : 8;
    List<Form> forms = args.length > 4 ? List.of(Form.valueOf(args[4])) : List.of(Form.values());
    for (Form form : forms) {
      List<List<EdgeBlock>> blocks = new ArrayList<>();
      for (int p = 0; p < partitions; p++) {
        blocks.add(
            blocks(
                new RmatGraph(scale, EDGE_FACTOR, SEED)
                    .slice(p, partitions, form == Form.SMALL, false),
                form));
      }
      for (boolean outEdges : new boolean[] {false, true}) {
        for (int i = 0; i < repetitions; i++) {
          load(form, blocks, shards, outEdges);
        }
      }
    }
  }

  private static void load(Form form, List<List<EdgeBlock>> blocks, int shards, boolean outEdges) {
    ValueType weights = form == Form.SMALL ? new ValueType.Scalar(Kind.DOUBLE) : null;
    long start = cpu();
    EdgeSample sample = EdgeSample.empty();
    for (int p = 0; p < blocks.size(); p++) {
      sample = sample.merge(EdgeSample.of(blocks.get(p).iterator(), SEED + p));
    }
    IdRanges ranges = sample.split(shards, outEdges);
    long sampled = cpu();
    List<List<EdgeParcel>> parcels = new ArrayList<>();
    for (int s = 0; s < shards; s++) {
      parcels.add(new ArrayList<>());
    }
    long bytes = 0;
    for (int p = 0; p < blocks.size(); p++) {
      Iterator<EdgeParcel> routed =
          new EdgeRouter(ranges, outEdges, weights).route(p, blocks.get(p).iterator());
      while (routed.hasNext()) {
        EdgeParcel parcel = routed.next();
        parcels.get(parcel.shard()).add(parcel);
        bytes += parcel.bytes();
      }
    }
    long routed = cpu();
    List<ExecutorGraph> graphs = new ArrayList<>();
    for (int s = 0; s < shards; s++) {
      ShardBuilder builder =
          new ShardBuilder(s, ranges, new ShardBuilder.Options(1, 1, weights, outEdges, false));
      parcels.get(s).forEach(builder::add);
      parcels.set(s, null);
      graphs.add(builder.build());
    }
    long built = cpu();
    long messages = connect(graphs);
    long end = cpu();
    long edges = sample.edges();
    long most = graphs.stream().mapToLong(ExecutorGraph::edgeCount).max().orElse(0);
    long ghosts = graphs.stream().mapToLong(g -> g.partitions().get(0).ghosts()).sum();
    System.out.printf(
        "%s%s, %d shards: %.1f M edges/s of one core (%d ms: sample %d, route %d, build %d, connect"
            + " %d); parcels %.1f bytes an edge, handshake %.1f bytes a ghost, %d ghosts; largest"
            + " shard %.2f of the mean%n",
        form,
        outEdges ? " with out-edges" : "",
        shards,
        edges * 1e3 / (end - start),
        (end - start) / 1_000_000,
        (sampled - start) / 1_000_000,
        (routed - sampled) / 1_000_000,
        (built - routed) / 1_000_000,
        (end - built) / 1_000_000,
        bytes / (double) edges,
        messages / (double) Math.max(1, ghosts),
        ghosts,
        most * shards / (double) edges);
  }

  /** Connects shards; returns the bytes that travel. */
  private static long connect(List<ExecutorGraph> graphs) {
    List<List<GhostRequest>> requests = new ArrayList<>();
    List<List<GhostReply>> replies = new ArrayList<>();
    graphs.forEach(
        graph -> {
          requests.add(new ArrayList<>());
          replies.add(new ArrayList<>());
        });
    long bytes = 0;
    for (ExecutorGraph graph : graphs) {
      new GhostHandshake(graph).requests().forEachRemaining(r -> requests.get(r.home()).add(r));
    }
    for (int s = 0; s < graphs.size(); s++) {
      bytes += requests.get(s).stream().mapToLong(GhostRequest::bytes).sum();
      new GhostHandshake(graphs.get(s))
          .answer(requests.get(s).iterator(), null)
          .forEachRemaining(r -> replies.get(r.reader()).add(r));
    }
    for (int s = 0; s < graphs.size(); s++) {
      bytes += replies.get(s).stream().mapToLong(GhostReply::bytes).sum();
      new GhostHandshake(graphs.get(s)).accept(replies.get(s).iterator(), null);
    }
    return bytes;
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** The blocks of a source partition in the form asked for. */
  private static List<EdgeBlock> blocks(Iterator<EdgeBlock> pieces, Form form) {
    List<EdgeBlock> parts = new ArrayList<>();
    pieces.forEachRemaining(parts::add);
    return form == Form.SMALL ? parts : List.of(block(parts, form));
  }

  private static EdgeBlock block(List<EdgeBlock> parts, Form form) {
    int size = parts.stream().mapToInt(EdgeBlock::size).sum();
    int[] sources = new int[size];
    int[] destinations = new int[size];
    int next = 0;
    for (EdgeBlock part : parts) {
      for (int i = 0; i < part.size(); i++) {
        sources[next] = (int) part.source(i);
        destinations[next++] = (int) part.destination(i);
      }
    }
    return switch (form) {
      case SMALL -> throw new IllegalArgumentException("blocks of " + form + " stay as they are");
      case INT -> new IntEdgeBlock(size, sources, destinations, null);
      case DICTIONARY -> dictionary(size, sources, destinations);
      case LONG -> {
        long[] from = new long[size];
        long[] to = new long[size];
        for (int i = 0; i < size; i++) {
          from[i] = sources[i] * 0x9E3779B97F4A7C15L;
          to[i] = destinations[i] * 0x9E3779B97F4A7C15L;
        }
        yield new GlobalEdgeBlock(size, from, to, null);
      }
    };
  }

  private static EdgeBlock dictionary(int size, int[] sources, int[] destinations) {
    Map<Integer, Integer> numbers = new HashMap<>();
    List<Integer> ids = new ArrayList<>();
    for (int[] ends : new int[][] {sources, destinations}) {
      for (int i = 0; i < size; i++) {
        Integer known = numbers.putIfAbsent(ends[i], ids.size());
        if (known == null) {
          ids.add(ends[i]);
        }
        ends[i] = known == null ? ids.size() - 1 : known;
      }
    }
    return new LocalEdgeBlock(
        size, sources, destinations, ids.stream().mapToLong(i -> i).toArray(), null);
  }
}
