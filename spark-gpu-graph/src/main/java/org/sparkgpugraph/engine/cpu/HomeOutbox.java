package org.sparkgpugraph.engine.cpu;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.exchange.BoundaryIndex;
import org.sparkgpugraph.exchange.ExchangeMode;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.UpdateCollector;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ir.Kind;

/** The updates of a home for one reader, by the mode of the exchange. */
interface HomeOutbox {
  /** The boundary list. */
  BoundaryList list();

  /**
   * Collects the updates.
   *
   * @param changed vertices whose shipped columns changed; null: all
   * @param activity vertices that are active next; null: activity does not travel
   * @param state state columns at home
   */
  void fill(VertexBitmap changed, VertexBitmap activity, Object[] state);

  /** Makes it empty. */
  void clear();

  /** The updates collected last. */
  RefinedUpdates updates();

  /** Makes the outboxes of a graph. */
  final class Maker {
    private final List<? extends GraphPartition> partitions;
    private final int[] shipped;
    private final List<Kind> state;
    private final ExchangeMode mode;

    Maker(
        List<? extends GraphPartition> partitions,
        int[] shipped,
        List<Kind> state,
        ExchangeMode mode) {
      this.partitions = partitions;
      this.shipped = shipped;
      this.state = state;
      this.mode = mode;
    }

    HomeOutbox make(BoundaryList list) {
      int stored = partitions.get(list.home()).stored();
      if (mode == ExchangeMode.ALL) {
        List<Kind> kinds = Arrays.stream(shipped).mapToObj(state::get).toList();
        return new Whole(list, stored, shipped, new RefinedUpdates(kinds));
      }
      UpdateCollector collector =
          new UpdateCollector(new BoundaryIndex(list, stored), shipped, state);
      return new Boundary(collector, mode == ExchangeMode.BOUNDARY);
    }
  }

  /**
   * Vertices of the list.
   *
   * @param full all of them, always
   */
  record Boundary(UpdateCollector collector, boolean full) implements HomeOutbox {
    @Override
    public BoundaryList list() {
      return collector.list();
    }

    @Override
    public void fill(VertexBitmap changed, VertexBitmap activity, Object[] state) {
      collector.collect(full ? null : changed, activity, state);
    }

    @Override
    public void clear() {
      collector.updates().clear();
    }

    @Override
    public RefinedUpdates updates() {
      return collector.updates();
    }
  }

  /** All vertices of the home. */
  record Whole(BoundaryList list, int stored, int[] shipped, RefinedUpdates updates)
      implements HomeOutbox {
    @Override
    public void fill(VertexBitmap changed, VertexBitmap activity, Object[] state) {
      updates.all(stored, activity, state, shipped);
    }

    @Override
    public void clear() {
      updates.clear();
    }
  }
}
