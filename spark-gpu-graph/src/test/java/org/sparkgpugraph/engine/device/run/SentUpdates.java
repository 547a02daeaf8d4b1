package org.sparkgpugraph.engine.device.run;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.exchange.DeviceOutbox;
import org.sparkgpugraph.engine.device.exchange.Route;
import org.sparkgpugraph.engine.device.partition.BoundaryLink;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * The refined updates that the last superstep of a run left in a boundary list, ascending by
 * position.
 *
 * @param positions positions in the boundary list
 * @param flags as in {@link org.sparkgpugraph.exchange.RefinedUpdates}
 * @param values rows of the columns that travel; those without a value mean nothing
 */
public record SentUpdates(int[] positions, int[] flags, Columns values) {
  /** Those of all lists, in the order of the homes. */
  public static List<SentUpdates> of(DeviceRun run) {
    run.exchange.team.drain();
    return run.exchange.links.stream().map(link -> of(run, link)).toList();
  }

  private static SentUpdates of(DeviceRun run, LocalExchange.Link link) {
    LocalExchange exchange = run.exchange;
    BoundaryLink of = link.link();
    int holder = of.route() == Route.PEER ? of.list().reader() : of.list().home();
    boolean fixedSlots = of.home().fixedSlots();
    int count = fixedSlots ? of.list().size() : exchange.team.updates(link.home(), link.outbox());
    DeviceOutbox outbox = of.home().outboxes(run.superstep & 1).get(link.outbox());
    return read(outbox, exchange.team.share(holder).device(), count, fixedSlots, exchange.kinds);
  }

  /**
   * @param count how many there are; where each is in a place of its own, how many places
   * @param fixedSlots whether each is in a place of its own
   * @param kinds kinds of the columns that travel
   */
  private static SentUpdates read(
      DeviceOutbox outbox, Device device, int count, boolean fixedSlots, List<ColumnType> kinds) {
    int[] place = new int[count];
    if (fixedSlots) {
      Arrays.setAll(place, i -> i);
    } else {
      device.download(outbox.positions(), 0, place, 0, count);
    }
    int[] packed = new int[(count + 3) >> 2];
    device.download(outbox.flags(), 0, packed, 0, packed.length);
    Columns rows = Columns.allocate(kinds, count);
    for (int c = 0; c < kinds.size(); c++) {
      device.download(outbox.values().get(c), 0, rows.array(c), 0, count);
    }
    int[] order =
        IntStream.range(0, count)
            .filter(i -> flag(packed, i) != 0)
            .boxed()
            .sorted(Comparator.comparingInt(i -> place[i]))
            .mapToInt(i -> i)
            .toArray();
    Columns sorted = Columns.allocate(kinds, order.length);
    for (int i = 0; i < order.length; i++) {
      sorted.copyFrom(rows, order[i], i, 1);
    }
    return new SentUpdates(
        Arrays.stream(order).map(i -> place[i]).toArray(),
        Arrays.stream(order).map(i -> flag(packed, i)).toArray(),
        sorted);
  }

  private static int flag(int[] packed, int i) {
    return packed[i >> 2] >>> 8 * (i & 3) & 255;
  }
}
