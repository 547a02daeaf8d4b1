package org.sparkgpugraph.program.fold;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sparkgpugraph.program.LiftedSteps.EdgeMap;
import org.sparkgpugraph.program.LiftedSteps.VertexMap;
import org.sparkgpugraph.program.analysis.StableColumns;
import org.sparkgpugraph.program.ir.Role;

/** What one superstep does: edge maps, which send at once, then vertex maps in their order. */
final class Phase implements Turn {
  /**
   * A vertex map, and the edge maps whose messages it gets.
   *
   * @param sources of this phase or an earlier one
   */
  record Apply(VertexMap map, List<EdgeMap> sources) {}

  private final int width;
  private final String begins;
  private final List<EdgeMap> gathers = new ArrayList<>();
  private final List<Apply> applies = new ArrayList<>();
  private final BitSet changed = new BitSet();

  /**
   * @param width state columns of the user's
   * @param begins why it is not a part of the phase before
   */
  Phase(int width, String begins) {
    this.width = width;
    this.begins = begins;
  }

  @Override
  public long supersteps() {
    return 1;
  }

  void gather(EdgeMap map) {
    gathers.add(map);
  }

  void apply(Apply apply) {
    applies.add(apply);
    boolean[] stable = StableColumns.of(apply.map().function(), width);
    for (int c = 0; c < width; c++) {
      changed.set(c, changed.get(c) || !stable[c]);
    }
  }

  List<EdgeMap> gathers() {
    return gathers;
  }

  List<Apply> applies() {
    return applies;
  }

  /** Why it is not a part of the phase before it. */
  String begins() {
    return begins;
  }

  /** The edge maps whose messages a later phase reads. */
  List<EdgeMap> kept() {
    return gathers.stream()
        .filter(map -> applies.stream().noneMatch(apply -> has(apply.sources(), map)))
        .toList();
  }

  /** Whether it gathers the messages of an edge map. */
  boolean gathers(EdgeMap map) {
    return has(gathers, map);
  }

  private static boolean has(List<EdgeMap> maps, EdgeMap map) {
    return maps.stream().anyMatch(other -> other.number() == map.number());
  }

  /** The first state column that an edge map reads and a vertex map here changes; −1: none. */
  int readsChanged(EdgeMap map) {
    return map.send().parameters().stream()
        .filter(p -> p.role() == Role.SOURCE || p.role() == Role.DESTINATION)
        .mapToInt(p -> p.index())
        .filter(changed::get)
        .min()
        .orElse(-1);
  }

  /** The last vertex map that changes a column. */
  VertexMap lastToChange(int column) {
    for (int i = applies.size() - 1; i >= 0; i--) {
      VertexMap map = applies.get(i).map();
      if (!StableColumns.of(map.function(), width)[column]) {
        return map;
      }
    }
    throw new IllegalArgumentException("no vertex map changes column " + column);
  }

  /** The maps, by their numbers. */
  String maps() {
    return Stream.concat(
            gathers.stream().map(map -> "edgeMap " + map.number()),
            applies.stream().map(apply -> "vertexMap " + apply.map().number()))
        .collect(Collectors.joining(" + "));
  }
}
