package org.sparkgpugraph.engine.device.operators;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.MemoryFit;
import org.sparkgpugraph.engine.device.memory.ResidentArrays;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The in-edges of a graph on one device while an operator walks them, with them the out-edges if it
 * asks for those, and what it needs beside them. They were counted together before either was
 * taken.
 */
public final class InEdges implements AutoCloseable {
  private static final List<String> MEMBERS =
      List.of("inOffsets", "inSources", "present", "ghosts");

  private static final List<String> OUT_MEMBERS = List.of("outOffsets", "outTargets");

  private final DeviceAllocations edges;
  private final DeviceAllocations own;

  private InEdges(ExecutorGraph graph, DeviceHoldings on, DevicePlan plan) {
    int partitions = graph.partitions().size();
    edges = new DeviceAllocations(on.device(), on.resident(), part(plan, true), partitions);
    try {
      own = new DeviceAllocations(on.device(), on.resident(), part(plan, false), partitions);
    } catch (RuntimeException | Error e) {
      Closing.after(e, List.of(edges));
      throw e;
    }
  }

  private static boolean isOfEdges(String member) {
    return MEMBERS.contains(member) || OUT_MEMBERS.contains(member);
  }

  /** What the in-edges are in, or what is beside them. */
  private static DevicePlan part(DevicePlan plan, boolean ofEdges) {
    List<DevicePlan.Item> items =
        plan.items().stream().filter(item -> ofEdges == isOfEdges(item.member())).toList();
    return new DevicePlan(1, false, items, Map.of());
  }

  /**
   * What the in-edges of a partition take: members of {@link OperatorKernels#declareInEdges}. Ids
   * of ghosts are the run's own, all else stays on the device.
   */
  static List<DevicePlan.Item> items(GraphPartition partition) {
    List<DevicePlan.Item> items = new ArrayList<>();
    int p = partition.index();
    Csr rows = partition.inEdges();
    shared(items, p, "inOffsets", "offsets of the in-edges", rows.offsets());
    Object sources = rows.neighboursKey();
    long bytes = ResidentArrays.bytes(sources);
    items.add(
        DevicePlan.Item.perEdge(p, "inSources", "sources of the in-edges", bytes, sources, rows));
    if (partition.present() != null) {
      shared(items, p, "present", "vertices that exist", partition.present());
    }
    if (partition.ghosts() > 0) {
      int[] ghosts = Arrays.stream(partition.ghostIds()).mapToInt(Math::toIntExact).toArray();
      items.add(
          new DevicePlan.Item(p, "ghosts", "ids of ghosts", 4L * ghosts.length, ghosts, false));
    }
    return items;
  }

  /** What the out-edges take: members of {@link OperatorKernels#declareOutEdges}. */
  private static List<DevicePlan.Item> outItems(GraphPartition partition) {
    List<DevicePlan.Item> items = new ArrayList<>();
    int p = partition.index();
    Csr rows = partition.outEdges();
    shared(items, p, "outOffsets", "offsets of the out-edges", rows.offsets());
    Object targets = rows.neighboursKey();
    long bytes = ResidentArrays.bytes(targets);
    items.add(
        DevicePlan.Item.perEdge(
            p, "outTargets", "destinations of the out-edges", bytes, targets, rows));
    return items;
  }

  private static void shared(
      List<DevicePlan.Item> items, int p, String member, String purpose, Object content) {
    items.add(
        new DevicePlan.Item(p, member, purpose, ResidentArrays.bytes(content), content, true));
  }

  /**
   * Memory with undefined content that an operator needs beside the in-edges.
   *
   * @param member its name
   * @param purpose what it is for, in messages
   */
  public static DevicePlan.Item beside(String member, String purpose, long bytes) {
    return new DevicePlan.Item(0, member, purpose, bytes, null, false);
  }

  /** Sets the members of a frame that tell of a partition. */
  static void set(FrameLayout.Frame frame, GraphPartition partition, DeviceAllocations memory) {
    for (String member : MEMBERS) {
      frame.set(member, memory.find(partition.index(), member));
    }
    frame
        .set("first", partition.firstVertex())
        .set("stored", partition.stored())
        .set("edges", partition.inEdges().edges());
  }

  /**
   * Makes room and takes it.
   *
   * @param besides of {@link #beside}
   * @param out whether the out-edges are to be there, too
   * @throws DeviceOutOfMemoryException when there is no room
   */
  public static InEdges open(
      ExecutorGraph graph,
      DeviceHoldings on,
      DeviceSettings settings,
      List<DevicePlan.Item> besides,
      boolean out,
      String purpose) {
    List<DevicePlan.Item> items = new ArrayList<>(besides);
    for (GraphPartition partition : graph.partitions()) {
      ready(partition.inEdges(), on, settings);
      items.addAll(items(partition));
      if (out) {
        ready(partition.outEdges(), on, settings);
        items.addAll(outItems(partition));
      }
    }
    synchronized (on) {
      DevicePlan fitting =
          new MemoryFit(on, settings, 0).take(new DevicePlan(1, false, items, Map.of()), purpose);
      on.remember(graph, fitting);
      return new InEdges(graph, on, fitting);
    }
  }

  private static void ready(Csr rows, DeviceHoldings on, DeviceSettings settings) {
    if (4L * rows.edges() <= settings.edgeBytes()) {
      on.rows().ready(rows, settings.reserveBytes());
    }
  }

  /** All memory of {@link #beside}, by the members' names. */
  public Map<String, DeviceMemory> memory() {
    return own.members(0);
  }

  /** Memory of {@link #beside}. */
  public DeviceMemory memory(String member) {
    return own.get(0, member);
  }

  /**
   * Sets the members of a frame that tell of a partition.
   *
   * @param frame with {@link OperatorKernels#declareInEdges}
   */
  public void set(FrameLayout.Frame frame, GraphPartition partition) {
    set(frame, partition, edges);
  }

  /**
   * The same of the out-edges, if they were asked for.
   *
   * @param frame with {@link OperatorKernels#declareOutEdges}
   */
  public void setOut(FrameLayout.Frame frame, GraphPartition partition) {
    for (String member : OUT_MEMBERS) {
      frame.set(member, edges.find(partition.index(), member));
    }
  }

  /** Offsets of a partition's rows. */
  public DeviceMemory offsets(GraphPartition partition) {
    return edges.get(partition.index(), "inOffsets");
  }

  /** Sources of a partition's in-edges, row by row. */
  public DeviceMemory sources(GraphPartition partition) {
    return edges.get(partition.index(), "inSources");
  }

  /** Ends the use of the edges, which then may be evicted; nothing that reads them is queued. */
  public void release() {
    edges.close();
  }

  @Override
  public void close() {
    Closing.all(List.of(edges, own));
  }
}
