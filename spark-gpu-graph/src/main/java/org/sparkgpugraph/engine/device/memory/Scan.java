package org.sparkgpugraph.engine.device.memory;

import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.settings.LaunchSize;

/**
 * Where each of some parts begins if they stand one behind the other, found on a device ({@code
 * sgg/scan.cuh}, which stands on {@code sgg/radix.cuh}).
 */
public final class Scan {
  private static final String TILES = "scan_tiles";
  private static final String TOPS = "scan_tops";
  private static final String PLACES = "scan_places";

  /** Its kernels. */
  public static final List<String> KERNELS = List.of(TILES, TOPS, PLACES);

  private static final int TILE = 4096;

  private Scan() {}

  /** What the header looks at. */
  public static String macros() {
    return "#define SGG_SCAN_TILE " + TILE + "\n";
  }

  /** Adds what it reads of a frame. */
  public static void declare(FrameLayout frame) {
    frame.integer("parts");
    frame.pointer("amounts", "const int");
    frame.pointers("int", "places", "tiles");
  }

  /** Bytes of {@code tiles}, for as many parts. */
  public static long tileBytes(long parts) {
    return Integer.BYTES * (parts / TILE + 1);
  }

  /**
   * Queues it; the frame has {@code tiles}.
   *
   * @param amounts lengths of the parts
   * @param places one more than there are parts; the last is the sum of all, which must be an int
   */
  public static void queue(
      DeviceSession session,
      FrameLayout.Frame frame,
      DeviceMemory amounts,
      long parts,
      DeviceMemory places) {
    frame.set("amounts", amounts).set("parts", parts).set("places", places);
    long tiles = (parts + TILE - 1) / TILE;
    session.launch(TILES, tiles, LaunchSize.BLOCK, frame);
    session.launchBlocks(TOPS, 1, frame);
    session.launch(PLACES, tiles, LaunchSize.BLOCK, frame);
  }
}
