package org.sparkgpugraph.engine.device.memory;

import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.graphs.build.ShardPlace;
import org.sparkgpugraph.graphs.model.IdRanges;

/**
 * Which ids a shard holds, as kernels know it ({@code sgg/tables.cuh}).
 *
 * @param least of them; more than the largest where there are none
 * @param largest of them
 * @param forward whether edges whose destination another shard holds become no rows
 */
record HeldIds(long least, long largest, boolean forward) {
  /** Those of a shard whose vertices are a range of the ids. */
  static HeldIds of(ShardPlace place) {
    if (!(place.owners() instanceof IdRanges ranges)) {
      throw new IllegalArgumentException("the vertices of a shard are no range of ids: " + place);
    }
    return new HeldIds(
        ranges.least(place.shard()), ranges.largest(place.shard()), !place.outEdges());
  }

  /** Puts it into the parameter of kernels. */
  void tell(FrameLayout.Frame frame) {
    frame.set("heldLeast", least).set("heldLargest", largest).set("forward", forward ? 1 : 0);
  }
}
