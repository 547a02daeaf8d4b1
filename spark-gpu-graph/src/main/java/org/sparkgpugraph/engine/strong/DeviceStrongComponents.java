package org.sparkgpugraph.engine.strong;

import java.util.List;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.operators.FrontierWords;
import org.sparkgpugraph.engine.device.operators.InEdges;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Strongly connected components on a device ({@code sgg/strong.cuh}): 24 bytes and two bits a
 * vertex beside the edges of both sides, and 16 for every part of a row ({@link
 * FrontierWords#parts}).
 */
final class DeviceStrongComponents {
  private DeviceStrongComponents() {}

  /**
   * What is found.
   *
   * @param components by dense id the smallest dense id of the component
   */
  record Found(int[] components, OperatorRun.DeviceNanos nanos) {}

  /**
   * Finds them.
   *
   * @param graph of one partition; at least one vertex
   * @throws DeviceOutOfMemoryException when there is no room for it
   */
  static Found find(OperatorDevice device, ExecutorGraph graph) {
    GraphPartition partition = graph.partitions().get(0);
    int size = partition.stored();
    int edges = partition.inEdges().edges();
    List<DevicePlan.Item> needed = plan(size, edges);
    String purpose = "strongly connected components of " + size + " vertices";
    long start = System.nanoTime();
    try (DeviceSession session = device.session(StrongKernels.source());
        InEdges both = device.allEdges(graph, needed, purpose)) {
      FrameLayout.Frame frame = StrongKernels.FRAME.newFrame(both.memory());
      both.set(frame, partition);
      both.setOut(frame, partition);
      frame.set("size", size);
      start = PhaseTimes.ended("strong: edges on the device", start);
      try {
        session.timed(
            () -> {
              for (String member : List.of("state", "forward", "backward")) {
                session.clear(both.memory(member));
              }
              session.launch(StrongKernels.START, size, 1, frame);
              session.launch(StrongKernels.IN_LOOPS, edges, 1, frame);
              session.launch(StrongKernels.OUT_LOOPS, edges, 1, frame);
              session.launchCooperative(StrongKernels.SEARCH, Math.max(size, edges), frame);
              session.launch(StrongKernels.SMALLEST, size, 1, frame);
            });
        start = PhaseTimes.ended("strong: components", start);
        int[] components = session.ints(both.memory("component"), size);
        PhaseTimes.ended("strong: components to the host", start);
        return new Found(
            components,
            new OperatorRun.DeviceNanos(session.kernelNanos(), session.transferNanos()));
      } finally {
        // Nothing is freed while a kernel may still use it.
        session.synchronize();
      }
    }
  }

  private static List<DevicePlan.Item> plan(long size, long edges) {
    long ints = Integer.BYTES * size;
    long bits = Integer.BYTES * ((size + Integer.SIZE - 1) / Integer.SIZE);
    long parts = Long.BYTES * FrontierWords.parts(2 * size, 2 * edges);
    return List.of(
        InEdges.beside("component", "components", ints),
        InEdges.beside("inLeft", "in-degrees", ints),
        InEdges.beside("outLeft", "out-degrees", ints),
        InEdges.beside("colour", "colours", ints),
        InEdges.beside("stamp", "waves", ints),
        InEdges.beside("least", "smallest members", ints),
        InEdges.beside("forward", "vertices that are reached", bits),
        InEdges.beside("backward", "vertices that reach", bits),
        InEdges.beside("parts", "rows of a wave", parts),
        InEdges.beside("nextParts", "rows of the next wave", parts),
        InEdges.beside("state", "status", StrongKernels.WORDS.stateBytes()));
  }
}
