package org.sparkgpugraph.engine.device.partition;

import static org.sparkgpugraph.run.KernelChoice.ASYNC;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;

/** Partitions that relax without supersteps on emulated devices, and mistakes planted in that. */
@Tag("any-spark")
@Timeout(300)
class AsyncPartsTest extends AsyncPartsSuite {
  @Override
  List<Device> openDevices() {
    return emulated();
  }

  @Override
  AsyncSettings async(int seed) {
    return AsyncSuite.SMALL
        .withBlocks(2 + seed % 2)
        .withTaken(1 + seed % 4)
        .withWidth(Math.scalb(1.0, 3 * (seed % 5) - 4), seed % 2 == 0);
  }

  /** What has come from others wakes ghosts, whose edges are here. */
  @Test
  void aGhostThatIsNotPushedIsFound() {
    isFound("v < (int)sgg_push_rows(f)", "v < (int)f.stored");
  }

  /** Readers are told of those with a bit only. */
  @Test
  void aLostBitOfAChangeIsFound() {
    isFound(
        "sgg_push_changed(f, edges[t].row);",
        "if (edges[t].row % 8 != 3) { sgg_push_changed(f, edges[t].row); }");
  }

  @Test
  void aVertexThatIsLostBehindTheHorizonIsFound() {
    isFound(
        "!sgg_overtaken(value, bits) && sgg_first(",
        "!sgg_overtaken(value, bits) && v % 8 != 3 && sgg_first(");
  }

  /** Vertices wait, but nobody counts them: the run ends when nothing is told either. */
  @Test
  void anEndBeforeTheHorizonIsReachedIsFound() {
    isFound(
        "tally.spilled += !sgg_overtaken(value, bits) && sgg_first(f.nextActive, v) ? 1 : 0",
        "tally.spilled += !sgg_overtaken(value, bits) && sgg_first(f.nextActive, v) ? 0 : 0");
  }

  /** Edge values are read in the order of the transposes. */
  @Test
  void valuesOfOtherEdgesAreFound() {
    isFound(
        "edge.toDestination = In::told(f, outEdge,",
        "edge.toDestination = In::told(f, outEdge ^ 1,");
  }

  private void isFound(String mistake, String instead) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = graph(4 * seed, 400, random);
      List<Device> wrong =
          devices().subList(0, 2).stream()
              .map(device -> DeviceProxies.plantingInSome(device, mistake, instead))
              .toList();
      try {
        check(
            "seed " + seed,
            wrong,
            device(async(seed), random),
            IrPrograms.shortestPaths(),
            graph,
            start(graph.ids.length),
            paths(ASYNC));
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed");
  }
}
