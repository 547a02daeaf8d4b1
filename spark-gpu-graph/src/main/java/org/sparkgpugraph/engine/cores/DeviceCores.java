package org.sparkgpugraph.engine.cores;

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
 * Peels a graph on a device ({@code sgg/cores.cuh}): 12 bytes a vertex beside the in-edges, and 8
 * for every part of a row ({@link FrontierWords#parts}).
 */
final class DeviceCores {
  private DeviceCores() {}

  /**
   * What is found.
   *
   * @param degrees of each vertex how many edges it had to who was left when it went, at most the
   *     level; or, of one level, has to who is left
   */
  record Peeled(int[] degrees, OperatorRun.DeviceNanos nanos) {}

  /**
   * Peels.
   *
   * @param graph of one partition; at least one vertex
   * @param level whose degree is no more than this goes
   * @param all whether the levels that follow are peeled, too
   * @throws DeviceOutOfMemoryException when there is no room for it
   */
  static Peeled peel(OperatorDevice device, ExecutorGraph graph, int level, boolean all) {
    GraphPartition partition = graph.partitions().get(0);
    int size = partition.stored();
    int edges = partition.inEdges().edges();
    List<DevicePlan.Item> needed = plan(size, edges);
    long start = System.nanoTime();
    try (DeviceSession session = device.session(CoreKernels.source());
        InEdges in = device.inEdges(graph, needed, "cores of " + size + " vertices")) {
      FrameLayout.Frame frame = CoreKernels.FRAME.newFrame(in.memory());
      in.set(frame, partition);
      frame.set("size", size).set("level", level).set("all", all ? 1 : 0);
      start = PhaseTimes.ended("cores: edges on the device", start);
      try {
        session.timed(
            () -> {
              session.clear(in.memory("state"));
              session.launch(CoreKernels.DEGREES, size, 1, frame);
              session.launch(CoreKernels.LOOPS, edges, 1, frame);
              session.launchCooperative(CoreKernels.PEEL, Math.max(size, edges), frame);
            });
        start = PhaseTimes.ended("cores: peeling", start);
        int[] degrees = session.ints(in.memory("degrees"), size);
        PhaseTimes.ended("cores: degrees to the host", start);
        return new Peeled(
            degrees, new OperatorRun.DeviceNanos(session.kernelNanos(), session.transferNanos()));
      } finally {
        // Nothing is freed while a kernel may still use it.
        session.synchronize();
      }
    }
  }

  private static List<DevicePlan.Item> plan(long size, long edges) {
    return List.of(
        InEdges.beside("degrees", "degrees", Integer.BYTES * size),
        InEdges.beside("left", "vertices that are left", Integer.BYTES * size),
        InEdges.beside("nextLeft", "vertices that are left next", Integer.BYTES * size),
        InEdges.beside(
            "parts", "rows of who has gone", Long.BYTES * FrontierWords.parts(size, edges)),
        InEdges.beside("state", "status", CoreKernels.WORDS.stateBytes()));
  }
}
