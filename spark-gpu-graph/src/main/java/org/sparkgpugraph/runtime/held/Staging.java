package org.sparkgpugraph.runtime.held;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeStorePool;
import org.sparkgpugraph.graphs.model.EdgeStores;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;

/**
 * Blocks of a source on their way into a graph; a re-run task replaces what it staged before, until
 * somebody has got it, who may be reading it. What they take of the heap is reserved while they
 * come; those that it has no room for, or that are to be elsewhere, are {@linkplain WaitingEdges
 * off it}. Thread-safe.
 */
public final class Staging {
  private final String graph;
  private final ValueType edgeType;
  private final EdgeStorePool stores;

  // Guarded by this.
  private final Map<Integer, Part<List<EdgeBlock>>> edges = new TreeMap<>();
  private final Map<Integer, Part<Supplier<VertexBlock>>> vertices = new TreeMap<>();
  private boolean closed;

  /** Whether edges were handed out, to somebody who may be reading them. */
  private boolean given;

  private String whyOnHost;

  /** Bytes that tasks which have not staged their edges yet have on a device. */
  private long comingOnDevice;

  /** Why no more edges may wait on a device; null: they may. */
  private String whyFull;

  /** The blocks of a partition, and what is reserved for them. */
  private record Part<T>(T blocks, HeapReservation reserved) {}

  /**
   * @param graph key of the graph
   * @param edgeType type of the edge values that are wanted; null: none, which those that go off
   *     the heap lose
   */
  public Staging(String graph, ValueType edgeType) {
    this.graph = graph;
    this.edgeType = edgeType;
    stores = new EdgeStorePool(edgeType);
  }

  /**
   * Takes the edges of a partition, block by block.
   *
   * @param read is told of the number of edges of each
   * @throws GraphMemoryException when there is no room for them; what came of them is let go of
   */
  public void edges(int partition, Iterator<EdgeBlock> blocks, LongConsumer read) {
    edges(partition, blocks, Long.MAX_VALUE, read);
  }

  /**
   * As above, of edges that may wait on a device.
   *
   * @param mostOnDevice bytes that those of all partitions may take there together
   * @throws DeviceFullException when they take more; what came of this partition is let go of, and
   *     no other one is begun
   */
  public void edges(
      int partition, Iterator<EdgeBlock> blocks, long mostOnDevice, LongConsumer read) {
    TaskContext context = TaskContext.get();
    HeapReservation reserved = new HeapReservation(graph, false);
    List<EdgeBlock> onDevice = new ArrayList<>();
    long coming = 0;
    try {
      checkRoom();
      WaitingEdges all = new WaitingEdges(reserved, stores);
      while (blocks.hasNext()) {
        if (context != null) {
          context.killTaskIfInterrupted();
        }
        EdgeBlock block = blocks.next();
        if (block instanceof DeviceEdgeBlock table) {
          onDevice.add(block);
          if (table.stays()) {
            coming += table.copyBytes();
            comes(table.copyBytes(), mostOnDevice);
          }
        }
        all.add(block);
        if (block instanceof DeviceEdgeBlock copied && !copied.stays()) {
          // It was copied, and nothing else is to keep the copy from going off the heap.
          onDevice.remove(block);
        }
        read.accept(block.size());
      }
      putCome(partition, new Part<>(all.all(), reserved), coming);
    } catch (Throwable e) {
      reserved.close();
      free(onDevice);
      hasCome(coming);
      throw e;
    }
  }

  /** More edges have come than may wait on a device. */
  public static final class DeviceFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public DeviceFullException(String why) {
      super(why);
    }
  }

  private synchronized void checkRoom() {
    if (whyFull != null) {
      throw new DeviceFullException(whyFull);
    }
  }

  private synchronized void comes(long bytes, long most) {
    comingOnDevice += bytes;
    long all = comingOnDevice + edges.values().stream().mapToLong(Staging::onDevice).sum();
    if (all > most) {
      whyFull = "edges take %d bytes of a GPU, and may take %d".formatted(all, most);
    }
    checkRoom();
  }

  private static long onDevice(Part<List<EdgeBlock>> part) {
    return part.blocks().stream()
        .mapToLong(block -> block instanceof DeviceEdgeBlock table ? table.copyBytes() : 0)
        .sum();
  }

  private synchronized void hasCome(long bytes) {
    comingOnDevice -= bytes;
  }

  private synchronized void putCome(int partition, Part<List<EdgeBlock>> part, long bytes) {
    hasCome(bytes);
    put(edges, partition, part);
  }

  /** Takes edges whose arrays Spark caches: they cannot go while the graph is built. */
  public void cachedEdges(int partition, List<EdgeBlock> blocks) {
    HeapReservation reserved = new HeapReservation(graph, true);
    try {
      reserved.acquire(blocks.stream().mapToLong(EdgeBlock::bytes).sum());
      put(edges, partition, new Part<>(List.copyOf(blocks), reserved));
    } catch (Throwable e) {
      reserved.close();
      throw e;
    }
  }

  private synchronized <T> void put(Map<Integer, Part<T>> parts, int partition, Part<T> part) {
    if (closed || given && parts.containsKey(partition)) {
      part.reserved().close();
      free(part);
      return;
    }
    Part<T> before = parts.put(partition, part);
    if (before != null) {
      before.reserved().close();
      free(before);
    }
  }

  /** Frees what blocks have on devices. */
  private static void free(Part<?> part) {
    if (part.blocks() instanceof List<?> blocks) {
      free(blocks);
    }
  }

  private static void free(List<?> blocks) {
    for (Object block : blocks) {
      if (block instanceof DeviceEdgeBlock onDevice) {
        onDevice.close();
      }
    }
  }

  /** Whether edges of a partition have come, all of them. */
  public synchronized boolean has(int edgePartition) {
    return edges.containsKey(edgePartition);
  }

  /** Of how many partitions edges have come. */
  public synchronized int edgePartitions() {
    return edges.size();
  }

  /** Why edges that were on a device are on the heap; null: none were. */
  public synchronized String whyOnHost() {
    return whyOnHost;
  }

  /**
   * Has all edges on the heap, where some are on a device.
   *
   * @param why they are needed there
   * @throws GraphMemoryException when there is no room for them; what had room is there
   */
  public synchronized void onHost(String why) {
    if (edges.values().stream()
        .noneMatch(part -> part.blocks().stream().anyMatch(DeviceEdgeBlock.class::isInstance))) {
      return;
    }
    whyOnHost = why;
    edges.replaceAll(
        (partition, part) -> {
          // All of the part or nothing: a task that tries again finds columns or copies.
          long copies = 0;
          for (EdgeBlock block : part.blocks()) {
            copies += block instanceof DeviceEdgeBlock onDevice ? onDevice.copyBytes() : 0;
          }
          part.reserved().acquire(copies);
          List<EdgeBlock> blocks = new ArrayList<>();
          for (EdgeBlock block : part.blocks()) {
            blocks.add(block instanceof DeviceEdgeBlock onDevice ? onDevice.onHost() : block);
          }
          return new Part<>(blocks, part.reserved());
        });
  }

  public void vertices(int partition, List<VertexBlock> blocks) {
    if (blocks.size() != 1) {
      throw new IllegalArgumentException(
          "vertex partition " + partition + " has " + blocks.size() + " blocks, not one");
    }
    VertexBlock block = blocks.get(0);
    HeapReservation reserved = new HeapReservation(graph, false);
    reserved.acquire(block.bytes());
    put(vertices, partition, new Part<>(() -> block, reserved));
  }

  /** As above, of a block that is made when the graph is built. */
  public void vertices(int partition, Supplier<VertexBlock> block) {
    put(vertices, partition, new Part<>(block, new HeapReservation(graph, false)));
  }

  /**
   * Moves edges off the heap, which has no room for the build beside them; those that Spark caches
   * stay, since Spark does not let go of them.
   *
   * @return all edge blocks, as {@link #edges()}
   */
  public synchronized List<EdgeBlock> moved(EdgeMemory home) {
    long count =
        edges.values().stream()
            .filter(part -> !part.reserved().cached)
            .flatMap(part -> part.blocks().stream())
            .filter(block -> !(block instanceof StoredEdgeBlock))
            .mapToLong(EdgeBlock::size)
            .sum();
    EdgeStores to = new EdgeStores(home, edgeType, count);
    edges.replaceAll((partition, part) -> part.reserved().cached ? part : moved(part, to));
    to.seal();
    return edges();
  }

  private Part<List<EdgeBlock>> moved(Part<List<EdgeBlock>> part, EdgeStores to) {
    TaskContext context = TaskContext.get();
    List<EdgeBlock> all = new ArrayList<>();
    for (EdgeBlock block : part.blocks()) {
      if (context != null) {
        context.killTaskIfInterrupted();
      }
      if (block instanceof StoredEdgeBlock) {
        all.add(block);
      } else {
        to.addTo(all, block);
      }
    }
    part.reserved().close();
    return new Part<>(all, new HeapReservation(graph, false));
  }

  /** All edge blocks, in the order of the source's partitions. */
  public synchronized List<EdgeBlock> edges() {
    given = true;
    stores.seal();
    List<EdgeBlock> all = new ArrayList<>();
    edges.values().forEach(part -> all.addAll(part.blocks()));
    return all;
  }

  /** One vertex block per partition, in order; those that are made now by all workers. */
  public List<VertexBlock> vertices(Workers workers) {
    List<Supplier<VertexBlock>> all;
    synchronized (this) {
      all = vertices.values().stream().map(Part::blocks).toList();
    }
    VertexBlock[] blocks = new VertexBlock[all.size()];
    workers.run(blocks.length, i -> blocks[i] = all.get(i).get());
    return List.of(blocks);
  }

  /** The arrays of the edges count with the graph from now on, which keeps them. */
  public synchronized void kept() {
    edges.values().forEach(part -> part.reserved().close());
  }

  /** Whether it takes nothing any more: what it was for has ended. */
  public synchronized boolean isClosed() {
    return closed;
  }

  /** Gives back what is reserved, and takes nothing any more. */
  public synchronized void close() {
    closed = true;
    edges.values().forEach(part -> part.reserved().close());
    edges.values().forEach(Staging::free);
    vertices.values().forEach(part -> part.reserved().close());
  }
}
