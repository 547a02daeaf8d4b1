package org.sparkgpugraph.benchmarks.engine;

import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.HotVertices;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;

/**
 * What a device engine walks all rows with: {@code stream}, {@code segmentation}, {@code lanes1} …
 * {@code lanes32}, {@code waves}, {@code waves4} … {@code waves32}, {@code nested-serial} … {@code
 * nested-block+warp+fine}; and behind slashes constants: {@code stream/depth=4/hub=2048}.
 *
 * @param name as it was given
 * @param lanes of the virtual warp that takes a row; 0: a warp takes 32 rows
 * @param tuning how it takes them
 * @param hubDegree see {@link DeviceSettings}
 * @param chunkEdges see {@link DeviceSettings}
 */
record DenseKernel(String name, int lanes, DenseTuning tuning, int hubDegree, int chunkEdges) {
  /** What may be asked for, for messages. */
  static final String VALID =
      "stream, segmentation, lanes1, lanes2, lanes4, lanes8, lanes16, lanes32, waves, waves4, waves8,"
          + " waves16, waves32, nested-serial, nested-block, … nested-block+warp+fine; behind them /depth=, /serial=, /blocks=, /piece=, /hub=, /chunk=,"
          + " /tasks=, /contexts=, /contexts-from=, /hot, /hot= (most bytes near; -1: off), /hot-threads=";

  private static final String LANES = "lanes";

  private static final String NESTED = "nested-";

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException when there is no such kernel
   */
  static DenseKernel of(String name) {
    String[] parts = name.split("/");
    DenseKernel kernel = base(name, parts[0]);
    for (int i = 1; i < parts.length; i++) {
      kernel = kernel.with(parts[i]);
    }
    return kernel;
  }

  private static DenseKernel base(String name, String base) {
    DeviceSettings defaults = DeviceSettings.DEFAULT;
    if (base.matches(LANES + "(1|2|4|8|16|32)")) {
      int lanes = Integer.parseInt(base.substring(LANES.length()));
      return new DenseKernel(
          name, lanes, defaults.tuning(), defaults.hubDegree(), defaults.chunkEdges());
    }
    if (base.startsWith(NESTED)) {
      WalkSchedule schedule = WalkSchedule.of(base.substring(NESTED.length()));
      return new DenseKernel(
          name, 0, DenseTuning.nested(schedule), defaults.hubDegree(), defaults.chunkEdges());
    }
    DenseTuning tuning =
        switch (base) {
          case "stream" -> DenseTuning.DEFAULT;
          case "segmentation" -> DenseTuning.SEGMENTATION;
          case "waves" -> DenseTuning.WAVES;
          case "waves4", "waves8", "waves16", "waves32" ->
              DenseTuning.WAVES.withGroups(Integer.parseInt(base.substring("waves".length())));
          default -> null;
        };
    if (tuning != null) {
      return new DenseKernel(name, 0, tuning, defaults.hubDegree(), defaults.chunkEdges());
    }
    throw new IllegalArgumentException("'" + base + "' is not a dense kernel; valid: " + VALID);
  }

  private DenseKernel with(String assignment) {
    if (assignment.equals("hot")) {
      return tuned(tuning.withHot(tuning.hot().with(HotVertices.Choice.ON)));
    }
    String[] parts = assignment.split("=", 2);
    String key = parts[0];
    if (parts.length < 2) {
      throw new IllegalArgumentException("'" + assignment + "' lacks a value; valid: " + VALID);
    }
    DenseTuning t = tuning;
    int value;
    try {
      value = Integer.parseInt(parts[1]);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + assignment + "' has no number behind =", e);
    }
    return switch (key) {
      case "depth" -> tuned(t.withConstants(value, t.serialPart(), t.residentBlocks()));
      case "serial" -> tuned(t.withConstants(t.depth(), value, t.residentBlocks()));
      case "blocks" -> tuned(t.withConstants(t.depth(), t.serialPart(), value));
      case "tasks" -> tuned(t.withTasks(value != 0));
      case "contexts" -> tuned(t.withContexts(value));
      case "contexts-from" -> tuned(t.withContextsFrom(value));
      case "hot" ->
          tuned(
              t.withHot(
                  value < 0
                      ? t.hot().with(HotVertices.Choice.OFF)
                      : t.hot().with(HotVertices.Choice.ON).withNear(value)));
      case "hot-threads" -> tuned(t.withHot(t.hot().withThreads(value)));
      case "piece" -> tuned(t.withPieces(value));
      case "hub" -> new DenseKernel(name, lanes, tuning, value, chunkEdges);
      case "chunk" -> new DenseKernel(name, lanes, tuning, hubDegree, value);
      default ->
          throw new IllegalArgumentException(
              "'" + key + "' is not a constant of a dense kernel; valid: " + VALID);
    };
  }

  private DenseKernel tuned(DenseTuning other) {
    return new DenseKernel(name, lanes, other, hubDegree, chunkEdges);
  }

  /** The settings with this kernel. */
  DeviceSettings in(DeviceSettings settings) {
    return settings.withVirtualWarp(lanes).withTuning(tuning).withHubs(hubDegree, chunkEdges);
  }

  @Override
  public String toString() {
    return name;
  }
}
