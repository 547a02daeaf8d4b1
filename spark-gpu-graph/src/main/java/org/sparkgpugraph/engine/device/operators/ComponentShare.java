package org.sparkgpugraph.engine.device.operators;

import static org.sparkgpugraph.engine.device.kernels.ComponentKernels.MIRRORED_ASKED;
import static org.sparkgpugraph.engine.device.kernels.ComponentKernels.MIRRORED_NO;
import static org.sparkgpugraph.engine.device.kernels.ComponentKernels.MIRRORED_YES;
import static org.sparkgpugraph.engine.device.kernels.ComponentKernels.STATE_MIRROR;
import static org.sparkgpugraph.engine.device.kernels.ComponentKernels.STATE_ONE_WAY;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceEvent;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.kernels.ComponentKernels;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.KernelLauncher;
import org.sparkgpugraph.engine.device.memory.Closing;
import org.sparkgpugraph.engine.device.memory.DeviceAllocations;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The part of a search for connected components that one device has: trees over all dense ids, of
 * the edges of its partitions. Commands are queued; {@link #finish} waits for them.
 */
final class ComponentShare implements AutoCloseable {
  /** The plan's name for the trees of another device. */
  private static final String OTHER = "other";

  /** The largest tree grows from a vertex that at least one of so many vertices is next to. */
  private static final int HUB_SHARE = 256;

  private static final int NO_HUB = -1;

  /** Kernels of every run without a hub, and of every one with it. */
  private static final List<String> SAMPLING =
      List.of(
          ComponentKernels.HANG,
          ComponentKernels.COMPRESS,
          ComponentKernels.SAMPLE,
          ComponentKernels.LARGEST,
          ComponentKernels.MARK,
          ComponentKernels.REST,
          ComponentKernels.SETTLE);

  private static final List<String> GROWING =
      List.of(ComponentKernels.GROW, ComponentKernels.REST, ComponentKernels.SETTLE);

  private final Device device;
  private final int size;
  private final int held;
  private final DeviceAllocations memory;
  private final DeviceStream stream;
  private final KernelLauncher launcher;
  private final List<FrameLayout.Frame> frames = new ArrayList<>();
  private final List<GraphPartition> partitions = new ArrayList<>();
  private final List<AutoCloseable> resources = new ArrayList<>();
  private final int graphLevel;
  private final int hub;
  private boolean asksMirror;
  private DeviceEvent begin;
  private DeviceEvent end;

  /**
   * What a device needs.
   *
   * @param on its partitions, by index
   * @param joins whether it joins what other devices find
   */
  static DevicePlan plan(ExecutorGraph graph, List<Integer> on, boolean joins) {
    long size = graph.ids().size();
    List<DevicePlan.Item> items = new ArrayList<>();
    for (int p : on) {
      items.addAll(InEdges.items(graph.partitions().get(p)));
    }
    int first = on.get(0);
    long trees = Integer.BYTES * size;
    long bitmap = Integer.BYTES * ((size + Integer.SIZE - 1) / Integer.SIZE);
    long state = (long) Long.BYTES * ComponentKernels.STATE_WORDS;
    items.add(new DevicePlan.Item(first, "parents", "trees", trees, null, false));
    items.add(
        new DevicePlan.Item(first, "members", "members of the largest tree", bitmap, null, false));
    items.add(new DevicePlan.Item(first, "opened", "open rows", bitmap, null, false));
    items.add(new DevicePlan.Item(first, "state", "status", state, null, false));
    if (joins) {
      items.add(new DevicePlan.Item(first, OTHER, "trees of others", trees, null, false));
    }
    return new DevicePlan(1, false, items, Map.of());
  }

  /**
   * Allocates and uploads.
   *
   * @param on its partitions, by index
   * @param module the kernels; the caller's
   */
  ComponentShare(
      ExecutorGraph graph,
      List<Integer> on,
      DeviceHoldings holdings,
      DeviceModule module,
      DevicePlan plan) {
    device = holdings.device();
    size = Math.toIntExact(graph.ids().size());
    graphLevel = on.get(0);
    try {
      memory =
          keep(new DeviceAllocations(device, holdings.resident(), plan, graph.partitions().size()));
      stream = keep(device.newStream());
      launcher = new KernelLauncher(device, stream, module);
      int stored = 0;
      for (int p : on) {
        GraphPartition partition = graph.partitions().get(p);
        partitions.add(partition);
        frames.add(frame(partition));
        stored += partition.stored();
      }
      held = stored;
      hub = hub(holdings);
      frames.forEach(frame -> frame.set("hub", hub));
    } catch (RuntimeException | Error e) {
      Closing.after(e, resources);
      throw e;
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    resources.add(resource);
    return resource;
  }

  private FrameLayout.Frame frame(GraphPartition partition) {
    FrameLayout.Frame frame = ComponentKernels.FRAME.newFrame(memory.members(graphLevel));
    InEdges.set(frame, partition, memory);
    return frame.set("size", size);
  }

  private DeviceMemory parents() {
    return memory.get(graphLevel, "parents");
  }

  /** The vertex that the largest tree grows from. */
  private int hub(DeviceHoldings holdings) {
    if (!hasBothEnds()) {
      return NO_HUB;
    }
    GraphPartition partition = partitions.get(0);
    int[] offsets = partition.inEdges().offsets();
    int longest = holdings.derived().longestRow(partition.inEdges());
    boolean isNear = (long) HUB_SHARE * (offsets[longest + 1] - offsets[longest]) >= size;
    long[] present = partition.present();
    boolean exists = GraphPartition.exists(present, longest);
    return isNear && exists ? longest : NO_HUB;
  }

  // ---- launches -------------------------------------------------------------------------------

  /** Whether every edge is in a row here at both of its ends, if the graph is its own reverse. */
  private boolean hasBothEnds() {
    return partitions.size() == 1 && held == size && partitions.get(0).ghosts() == 0;
  }

  /** Has kernels know, or find out, whether the graph is its own reverse. */
  private void mirror() {
    Optional<Boolean> known = partitions.get(0).inEdges().isMirrored();
    asksMirror = hasBothEnds() && known.isEmpty();
    int mirrored = hasBothEnds() && known.orElse(false) ? MIRRORED_YES : MIRRORED_NO;
    FrameLayout.Frame frame = frames.get(0);
    frame.set("mirrored", asksMirror ? MIRRORED_ASKED : mirrored);
    if (asksMirror) {
      frame.set("seed", ThreadLocalRandom.current().nextLong());
      launcher.launch(ComponentKernels.PROBE, 1, frame);
      edges(ComponentKernels.MIRROR, 0);
    }
  }

  private void edges(String kernel, int i) {
    int edges = partitions.get(i).inEdges().edges();
    launcher.launch(kernel, launcher.blocks(kernel, edges, 1), frames.get(i));
  }

  /** Queues all that is done with the device's own edges. */
  void contract() {
    // Looked up here, not while the device waits for the first launches.
    for (String kernel : hub == NO_HUB ? SAMPLING : GROWING) {
      launcher.resident(kernel);
    }
    begin = keep(stream.record());
    DeviceMemory state = memory.get(graphLevel, "state");
    stream.fill(state, 0, state.bytes(), (byte) 0);
    if (hub == NO_HUB) {
      sample();
    } else {
      grow();
    }
    for (int i = 0; i < frames.size(); i++) {
      edges(ComponentKernels.REST, i);
    }
    vertices(ComponentKernels.SETTLE);
    end = keep(stream.record());
  }

  /** Finds most of the largest tree by two neighbours of every vertex. */
  private void sample() {
    if (held < size) {
      vertices(ComponentKernels.START);
    }
    rows(ComponentKernels.HANG);
    vertices(ComponentKernels.COMPRESS);
    rows(ComponentKernels.SAMPLE);
    launcher.launch(ComponentKernels.LARGEST, 1, frames.get(0));
    vertices(ComponentKernels.MARK);
    mirror();
  }

  /** Finds most of the largest tree from a vertex that has many neighbours. */
  private void grow() {
    Optional<Boolean> known = partitions.get(0).inEdges().isMirrored();
    FrameLayout.Frame frame = frames.get(0);
    frame.set("mirrored", known.orElse(false) ? MIRRORED_YES : MIRRORED_NO);
    int blocks = launcher.blocks(ComponentKernels.GROW, size, 1);
    launcher.launchCooperative(ComponentKernels.GROW, blocks, frame);
    if (known.isEmpty()) {
      mirror();
      vertices(ComponentKernels.OPEN);
    }
  }

  /**
   * Queues what joins the trees of another device, which has finished.
   *
   * @param direct whether they are copied from device to device; else over the host
   */
  void join(ComponentShare other, boolean direct) {
    DeviceMemory to = memory.get(graphLevel, OTHER);
    if (direct) {
      stream.copy(other.parents(), 0, to, 0, to.bytes());
    } else {
      // What reads the last one's trees is done before they are overwritten.
      stream.synchronize();
      int[] trees = other.roots();
      device.upload(trees, 0, size, to, 0);
    }
    vertices(ComponentKernels.JOIN);
  }

  /** Queues what makes the joined trees flat. */
  void flatten() {
    vertices(ComponentKernels.COMPRESS);
    end = keep(stream.record());
  }

  private void vertices(String kernel) {
    launcher.launch(kernel, launcher.blocks(kernel, size, 1), frames.get(0));
  }

  private void rows(String kernel) {
    for (int i = 0; i < frames.size(); i++) {
      int rows = partitions.get(i).stored();
      launcher.launch(kernel, launcher.blocks(kernel, rows, 1), frames.get(i));
    }
  }

  // ---- results --------------------------------------------------------------------------------

  /**
   * Waits for what is queued.
   *
   * @return device time since {@link #contract} began
   */
  long finish() {
    stream.synchronize();
    if (asksMirror) {
      asksMirror = false;
      long[] state = new long[ComponentKernels.STATE_WORDS];
      device.download(memory.get(graphLevel, "state"), 0, state, 0, state.length);
      partitions.get(0).inEdges().mirrored(state[STATE_ONE_WAY] == 0 && state[STATE_MIRROR] == 0);
    }
    return end.nanosSince(begin);
  }

  /** Downloads the roots; what is queued must have finished. */
  int[] roots() {
    int[] roots = new int[size];
    device.download(parents(), 0, roots, 0, size);
    return roots;
  }

  /** Time of uploads. */
  long uploadNanos() {
    return memory.structureNanos() + memory.valueNanos();
  }

  @Override
  public void close() {
    // Nothing is freed while a kernel may still use it.
    resources.add(stream::synchronize);
    Closing.all(resources);
  }
}
