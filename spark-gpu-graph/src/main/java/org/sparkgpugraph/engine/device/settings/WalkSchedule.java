package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who walks the edges of active vertices, or those of rows, and how often threads ask for places in
 * the queue of the next active ones (nested parallelism and cooperative conversion, IrGL: Pai and
 * Pingali 2016, sections 4.2 and 4.3). Each of the first three takes vertices with enough edges for
 * it, the longest first, and the last one of them all that is left; without any, each lane walks
 * the edges of its own vertex ({@code sgg/nested.cuh}, {@code sgg/rows_nested.cuh}).
 *
 * @param block the threads of a block walk a vertex's edges together
 * @param warp the lanes of a warp do
 * @param fine the edges of a warp's vertices are walked in one list
 * @param shelf whether a block takes places for what all its warps have found, by one atomic a
 *     superstep, as long as its shared memory holds that; else a warp does, by one for each round
 */
public record WalkSchedule(boolean block, boolean warp, boolean fine, boolean shelf)
    implements Serializable {
  /** One list for each warp, places for each round. */
  public static final WalkSchedule DEFAULT = new WalkSchedule(false, false, true, false);

  /** Items that a block's shelf holds. */
  private static final int SHELF = 512;

  /** All eight, from that of each lane on its own to all together; places for each round. */
  public static List<WalkSchedule> all() {
    List<WalkSchedule> all = new ArrayList<>();
    for (int set = 0; set < 8; set++) {
      all.add(new WalkSchedule((set & 1) != 0, (set & 2) != 0, (set & 4) != 0, false));
    }
    return all;
  }

  /** Items that a block keeps in shared memory; 0: none. */
  public int shelfItems() {
    return shelf ? SHELF : 0;
  }

  /** The same with or without a shelf. */
  public WalkSchedule withShelf(boolean has) {
    return new WalkSchedule(block, warp, fine, has);
  }

  /** As in options and tables: {@code serial}, {@code block+warp+fine}. */
  public String title() {
    List<String> parts =
        Stream.of(block ? "block" : "", warp ? "warp" : "", fine ? "fine" : "")
            .filter(part -> !part.isEmpty())
            .toList();
    return (parts.isEmpty() ? "serial" : String.join("+", parts)) + (shelf ? "/shelf" : "");
  }

  /**
   * Reads a title.
   *
   * @throws IllegalArgumentException when there is no such schedule
   */
  public static WalkSchedule of(String title) {
    return Stream.concat(all().stream(), all().stream().map(s -> s.withShelf(true)))
        .filter(schedule -> schedule.title().equals(title))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + title
                        + "' is not a way to walk the edges of active vertices; valid: serial,"
                        + " block, warp, fine, block+warp, block+fine, warp+fine, block+warp+fine;"
                        + " behind them /shelf"));
  }
}
