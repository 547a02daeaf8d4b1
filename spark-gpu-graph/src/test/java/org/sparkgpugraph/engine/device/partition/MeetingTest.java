package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
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
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceExchange;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.run.KernelChoice;

/** Emulated devices that meet behind supersteps, and mistakes planted in that. */
@Tag("any-spark")
@Timeout(300)
class MeetingTest extends MeetingSuite {
  /** A device that waits for nothing gives up sooner. */
  private static final String[] IMPATIENT = {"(unsigned long long)f.peerPatience", "2000000000ull"};

  @Override
  List<Device> openDevices() {
    return emulated();
  }

  @Test
  void aReaderThatIsNotToldIsFound() {
    isFound("bool says = exists && (item", "bool says = exists && v % 8 != 3 && (item");
  }

  @Test
  void aGhostThatIsNotPushedIsFound() {
    isFound(
        "sgg_push_append(f, lane, v >= 0, v, round.nextQueue",
        "sgg_push_append(f, lane, v >= 0 && v % 8 != 3, v, round.nextQueue");
  }

  /** What one device counted is there when another one sees that it has come. */
  @Test
  void aMeetingThatReleasesNothingIsFound() {
    isFound(
        "sgg_store_release_system(&words[SGG_PEER_MEETING], meeting)",
        "sgg_store(&words[SGG_PEER_MEETING], meeting)");
  }

  /** One may be ahead of another one. */
  @Test
  void wordsThatAreThereOnceAreFound() {
    isFound("(meeting & 1ull) * SGG_PEER_STRIDE", "0 * SGG_PEER_STRIDE");
  }

  /** A device that has nothing to do itself goes on as long as another one has. */
  @Test
  void anEndThatIsNotCommonIsFound() {
    isFound("met.items += sgg_load(&heard[SGG_PEER_ITEMS]);", "");
  }

  @Test
  void aDeviceThatDoesNotComeIsWaitedForNotForEver() {
    Random random = new Random(1);
    SimpleGraph graph = graph(4, 100, 2, random);
    List<Device> wrong =
        List.of(
            DeviceProxies.plantingInSome(devices().get(0), IMPATIENT),
            DeviceProxies.plantingInSome(
                devices().get(1),
                IMPATIENT[0],
                IMPATIENT[1],
                "sgg_store_release_system(&words[SGG_PEER_MEETING], meeting);",
                ""));
    assertThatThrownBy(
            () ->
                check(
                    "alone",
                    wrong,
                    push(1),
                    IrPrograms.shortestPaths(),
                    graph,
                    AsyncPartsSuite.start(graph.ids.length),
                    AsyncPartsSuite.paths(KernelChoice.OUTLINED)))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("another device did not come to it within 60 s");
  }

  /** Devices of which one has several partitions, or that do not reach each other, do not. */
  @Test
  void othersDoNotMeet() {
    Random random = new Random(3);
    SimpleGraph three = graph(1, 100, 3, random);
    SimpleGraph two = graph(1, 100, 2, random);
    assertThat(meets(three, DeviceExchange.PEER, true)).isFalse();
    assertThat(meets(two, DeviceExchange.HUB, true)).isFalse();
    assertThat(meets(two, DeviceExchange.PEER, false)).isFalse();
    assertThat(meets(two, DeviceExchange.PEER, true)).isTrue();
  }

  /** On one GPU the kernels of one would wait for those of the other, which wait for them. */
  @Test
  void devicesThatAreOneGpuDoNotMeet() {
    SimpleGraph graph = graph(1, 100, 2, new Random(3));
    List<Device> one = devices().stream().map(device -> DeviceProxies.gpu(device, 0)).toList();
    List<Device> two =
        List.of(DeviceProxies.gpu(devices().get(0), 0), DeviceProxies.gpu(devices().get(1), 1));
    assertThat(meets(one, graph, DeviceExchange.PEER, true)).isFalse();
    assertThat(meets(two, graph, DeviceExchange.PEER, true)).isTrue();
  }

  private boolean meets(SimpleGraph graph, DeviceExchange exchange, boolean asked) {
    return meets(devices(), graph, exchange, asked);
  }

  private static boolean meets(
      List<Device> devices, SimpleGraph graph, DeviceExchange exchange, boolean asked) {
    DeviceSettings how =
        DeviceSettings.DEFAULT
            .withReserve(0)
            .withExchange(exchange)
            .withPush(PushSettings.DEFAULT.withMeets(asked));
    List<DeviceEngine> engines =
        devices.subList(0, 2).stream().map(device -> new DeviceEngine("two", device, how)).toList();
    try (DeviceEngine engine = DeviceEngine.over(engines);
        DeviceRun run =
            engine.open(
                graph,
                IrPrograms.shortestPaths(),
                graph.split(AsyncPartsSuite.start(graph.ids.length)),
                AsyncPartsSuite.paths(KernelChoice.AUTO))) {
      assertThat(run.notes().stream().anyMatch(note -> note.startsWith("devices that push meet")))
          .isEqualTo(run.meets());
      return run.meets();
    }
  }

  private void isFound(String mistake, String instead) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = graph(4 * seed, 400, 2, random);
      List<Device> wrong = new ArrayList<>();
      for (Device device : devices().subList(0, 2)) {
        wrong.add(
            DeviceProxies.plantingInSome(device, mistake, instead, IMPATIENT[0], IMPATIENT[1]));
      }
      try {
        check(
            "seed " + seed,
            wrong,
            new PushSettings(1, 20, 0, 1, 50),
            IrPrograms.shortestPaths(),
            graph,
            AsyncPartsSuite.start(graph.ids.length),
            AsyncPartsSuite.paths(KernelChoice.OUTLINED));
      } catch (AssertionError | DeviceException found) {
        return;
      }
    }
    throw new AssertionError("nobody noticed");
  }
}
