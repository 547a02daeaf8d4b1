package org.sparkgpugraph.engine.operator;

import java.util.stream.Stream;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The smallest id of each vertex's connected component, edge directions left out, by sampled
 * union-find ({@link org.sparkgpugraph.engine.Engine#components}).
 *
 * <p>Over shards it takes four rounds, whatever the graph's diameter:
 *
 * <ol start="0">
 *   <li>each contracts its own edges, ghosts included, and tells the home of each ghost the ghost's
 *       label: about a bit where most of a list have the same;
 *   <li>a home links what it is told with its own labels, and tells shard 0 the links that are left
 *       once equal ones are put together: as many as there are components of shards that meet;
 *   <li>shard 0 joins them and tells all others who hangs under whom;
 *   <li>each relabels its roots.
 * </ol>
 *
 * <p>Exchanging labels in rounds instead would take as many of them as a component's path changes
 * shards, thousands for a path; and a link here stands for two whole components, so that one place
 * has room for all where it has room for the boundary.
 */
public record ConnectedComponentsOperator() implements GraphOperator {
  @Override
  public String name() {
    return "ConnectedComponents";
  }

  @Override
  public ValueType result() {
    return new ValueType.Scalar(Kind.LONG);
  }

  /**
   * Roots; on several devices those of another one; on the CPU ids of ghosts and a bitmap. Of a
   * shard the ids and labels of a boundary list, twice: as they are, and written; where dense ids
   * do not ascend with the original ones, who has the smallest.
   */
  @Override
  public long heapBytes(OperatorInput input) {
    ExecutorGraph graph = input.graph();
    long vertices = graph.ids().size();
    long boundary =
        Stream.concat(graph.imports().stream(), graph.exports().stream())
            .mapToLong(list -> list.list().size())
            .max()
            .orElse(0);
    long told = 32 * boundary + (graph.ids().ascending() ? 0 : 4 * vertices);
    int devices = input.engine().deviceCount();
    if (devices > 0) {
      return (devices > 1 ? 8 : 4) * vertices + told;
    }
    long ghosts = graph.partitions().stream().mapToLong(p -> p.ghosts()).sum();
    // Parents and members, and how many edges of a vertex end outside of the largest tree.
    long counts = graph.partitions().size() == 1 && ghosts == 0 ? 4 * vertices : 0;
    return 4 * vertices + vertices / 8 + counts + 4 * ghosts + told;
  }

  @Override
  public OperatorRun open(OperatorInput input) {
    return new ConnectedComponentsRun(input);
  }
}
