package org.sparkgpugraph.program.ssa;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * A function while it is lifted: basic blocks in static single assignment form. Block parameters
 * stand for phi functions; every edge passes one argument per parameter of its target. Variables
 * are those of the final function.
 */
public final class Ssa {
  /** A basic block; {@code end} is null only while the block is being filled. */
  public static final class Block {
    public final List<Integer> parameters = new ArrayList<>();
    public List<Insn> body = new ArrayList<>();
    public End end;
  }

  /** A transfer of control. */
  public static final class Edge {
    public Block target;
    public List<Integer> arguments;

    /** To a block without parameters. */
    public Edge(Block target) {
      this(target, List.of());
    }

    public Edge(Block target, List<Integer> arguments) {
      this.target = target;
      this.arguments = new ArrayList<>(arguments);
    }
  }

  /** How a block ends. */
  public sealed interface End {
    /** The edges out of the block. */
    List<Edge> edges();

    /** Position in the user source. */
    SourcePosition where();
  }

  public record Goto(Edge edge, SourcePosition where) implements End {
    @Override
    public List<Edge> edges() {
      return List.of(edge);
    }
  }

  public record If(
      Condition condition, int left, int right, Edge then, Edge otherwise, SourcePosition where)
      implements End {
    @Override
    public List<Edge> edges() {
      return List.of(then, otherwise);
    }
  }

  /**
   * Goes where the key leads that the value is, or along the last edge.
   *
   * @param keys ascending
   * @param edges one per key, and one for all other values
   */
  public record Switch(int value, List<Integer> keys, List<Edge> edges, SourcePosition where)
      implements End {
    /** The edge of all values that are no key. */
    Edge otherwise() {
      return edges.get(keys.size());
    }

    /** The edge that a value takes. */
    Edge taken(Object known) {
      int at = Collections.binarySearch(keys, ((Number) known).intValue());
      return at >= 0 ? edges.get(at) : otherwise();
    }
  }

  public record Leave(List<Integer> values, SourcePosition where) implements End {
    @Override
    public List<Edge> edges() {
      return List.of();
    }
  }

  public record Stop(FaultCode code, String detail, SourcePosition where) implements End {
    @Override
    public List<Edge> edges() {
      return List.of();
    }
  }

  private record ParamKey(Role role, int index, int length) {}

  public final List<Kind> kinds = new ArrayList<>();
  public final Block entry = new Block();
  private final Map<ParamKey, Integer> parameters = new LinkedHashMap<>();

  /** A new variable. */
  public int variable(Kind kind) {
    kinds.add(kind);
    return kinds.size() - 1;
  }

  /** The variable of a parameter of the function. */
  public int parameter(Role role, int index, ColumnType type) {
    ParamKey key = new ParamKey(role, index, Param.length(type));
    return parameters.computeIfAbsent(key, k -> variable(type.kind()));
  }

  /** All parameters asked for so far. */
  public List<Param> parameters() {
    List<Param> list = new ArrayList<>();
    parameters.forEach(
        (key, variable) -> list.add(new Param(key.role, key.index, variable, key.length)));
    return list;
  }

  /** The blocks that can be reached, in depth-first preorder, the fall-through side first. */
  public Set<Block> reachable() {
    Set<Block> seen = new LinkedHashSet<>();
    List<Block> stack = new ArrayList<>(List.of(entry));
    while (!stack.isEmpty()) {
      Block block = stack.remove(stack.size() - 1);
      if (seen.add(block)) {
        for (Edge edge : block.end.edges()) {
          stack.add(edge.target);
        }
      }
    }
    return seen;
  }
}
