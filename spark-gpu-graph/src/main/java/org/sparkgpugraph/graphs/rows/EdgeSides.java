package org.sparkgpugraph.graphs.rows;

import java.util.List;
import org.sparkgpugraph.graphs.model.EdgeBlock;

/**
 * The edges that an executor graph is built from, by which of its rows they belong to. Only the
 * order of edges that share both ends matters, and those are always on the same side.
 *
 * @param all the blocks: those of in-edges only, of both, of out-edges only
 * @param inEnd behind the last block of in-edges
 * @param outStart the first block of out-edges that are stored; all.size() where out-edges are
 *     derived from in-edges
 */
public record EdgeSides(List<EdgeBlock> all, int inEnd, int outStart) {
  /** In-edges, of which out-edges are derived if need be. */
  public static EdgeSides inEdges(List<? extends EdgeBlock> blocks) {
    return new EdgeSides(List.copyOf(blocks), blocks.size(), blocks.size());
  }

  /** What a list over the blocks has for in-edges. */
  public <T> List<T> in(List<T> list) {
    return list.subList(0, inEnd);
  }

  /** What a list over the blocks has for out-edges. */
  public <T> List<T> out(List<T> list) {
    return list.subList(outStart, list.size());
  }

  /** The blocks of in-edges. */
  public List<EdgeBlock> in() {
    return in(all);
  }

  /** The blocks of out-edges. */
  public List<EdgeBlock> out() {
    return out(all);
  }
}
