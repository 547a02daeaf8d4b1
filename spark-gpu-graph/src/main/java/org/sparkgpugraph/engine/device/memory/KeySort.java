package org.sparkgpugraph.engine.device.memory;

import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.RowKernels;

/**
 * Keys of 64 bits on a device that are sorted by a part of them, stable ({@code sgg/radix.cuh}), in
 * one of two buffers. All memory is the session's.
 */
public final class KeySort {
  static final int KEY_BYTES = 8;

  private static final int DIGIT_BITS = 8;

  private final DeviceSession session;
  private final FrameLayout.Frame frame;
  private final long count;
  private final boolean numbered;
  private final int blocks;
  private DeviceMemory keys;
  private DeviceMemory otherKeys;
  private DeviceMemory numbers;
  private DeviceMemory otherNumbers;

  /**
   * @param session of the kernels
   * @param frame their parameter, with what {@link RowKernels#declareSort} adds; it has {@code
   *     count} keys
   * @param numbered whether the numbers of keys travel with them
   * @param purpose what for, in messages
   */
  public KeySort(
      DeviceSession session,
      FrameLayout.Frame frame,
      long count,
      boolean numbered,
      String purpose) {
    this.session = session;
    this.frame = frame;
    this.count = count;
    this.numbered = numbered;
    keys = session.allocate(KEY_BYTES * count, purpose);
    otherKeys = session.allocate(KEY_BYTES * count, purpose);
    if (numbered) {
      numbers = session.allocate(Integer.BYTES * count, purpose);
      otherNumbers = session.allocate(Integer.BYTES * count, purpose);
    }
    int tile = RowKernels.tile(numbered);
    blocks =
        (int)
            Math.max(
                1,
                Math.min((count + tile - 1) / tile, session.resident(RowKernels.move(numbered))));
    frame
        .set("blocks", blocks)
        .set(
            "digitCounts",
            session.allocate((long) Integer.BYTES * RowKernels.DIGITS * blocks, purpose))
        .set("digitTotals", session.allocate(Integer.BYTES * RowKernels.DIGITS, purpose));
    buffers();
  }

  /** Bits of the largest of some numbers from 0 on. */
  public static int bits(long numbers) {
    return Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, numbers - 1)));
  }

  private void buffers() {
    frame.set("keys", keys).set("otherKeys", otherKeys);
    if (numbered) {
      frame.set("numbers", numbers).set("otherNumbers", otherNumbers);
    }
  }

  /** The buffer that has no keys now. */
  DeviceMemory other() {
    return otherKeys;
  }

  /** Where the numbers of the keys are, of numbered ones. */
  long numbers() {
    return numbers.address();
  }

  /** Frees what only sorts need. */
  public void freeOther() {
    session.free(otherKeys);
  }

  /** Frees the keys, too; their numbers stay. */
  public void freeKeys() {
    session.free(keys);
  }

  /**
   * Sorts by a part of the keys.
   *
   * @param from its lowest bit
   * @param bits how many it has
   */
  public void sort(int from, int bits) {
    if (count == 0) {
      return;
    }
    frame.set("count", count);
    int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    for (int pass = 0; pass < passes; pass++) {
      int shift = bits * pass / passes;
      int digitBits = bits * (pass + 1) / passes - shift;
      frame.set("shift", from + shift).set("digitBits", digitBits);
      session.launchBlocks(RowKernels.count(numbered), blocks, frame);
      session.launchBlocks(RowKernels.SCAN, 1 << digitBits, frame);
      session.launchBlocks(RowKernels.move(numbered), blocks, frame);
      DeviceMemory swap = keys;
      keys = otherKeys;
      otherKeys = swap;
      swap = numbers;
      numbers = otherNumbers;
      otherNumbers = swap;
      buffers();
    }
  }
}
