package org.sparkgpugraph.engine.device.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.lanes.LaneForm;
import org.sparkgpugraph.program.lanes.Obstacle;

/**
 * Whether lanes share the arrays of a program where messages are gathered, whether they do so in
 * the functions of vertices, too, and why not: in that case a thread has all of an array, which
 * takes several times as long.
 */
public final class ArraySharing {
  /** Bytes of an array from which on lanes share it. */
  private static final int LEAST_BYTES = 32;

  private final LiftedProgram program;
  private final KernelShape shape;
  private final int length;
  private final int bytes;

  /** Why lanes share nothing. */
  private final List<String> obstacles = new ArrayList<>();

  /** Why they do not share what vertices do. */
  private final List<String> ofVertices = new ArrayList<>();

  /** How teams run vertices in that case, whose arrays may need more room than there is. */
  private Optional<TeamLayout> team = Optional.empty();

  private ArraySharing(LiftedProgram program, KernelShape shape) {
    this.program = program;
    this.shape = shape;
    List<ArrayType> sent = arrays(program.message().columns());
    length = sent.isEmpty() ? 0 : sent.get(0).length();
    List<ArrayType> arrays = new ArrayList<>(sent);
    for (Param p : program.send().parameters()) {
      if (p.role() == Role.SOURCE || p.role() == Role.DESTINATION) {
        arrays.addAll(arrays(List.of(program.state().columns().get(p.index()))));
      } else if (p.role() == Role.EDGE) {
        arrays.addAll(arrays(List.of(program.edge().columns().get(p.index()))));
      }
    }
    bytes = arrays.stream().mapToInt(type -> type.kind().bytes()).max().orElse(0);
    if (length > 0) {
      ofMessages(arrays);
    } else {
      obstacles.add("messages have none");
    }
    if (obstacles.isEmpty()) {
      ofVertices();
    }
  }

  /** Looks at a program. */
  public static ArraySharing of(LiftedProgram program, KernelShape shape) {
    return new ArraySharing(program, shape);
  }

  /** How lanes share arrays; empty where they cannot, or need not. */
  Optional<FeatureLayout> layout() {
    return obstacles.isEmpty() ? Optional.of(sharing()) : Optional.empty();
  }

  private FeatureLayout sharing() {
    return FeatureLayout.of(length, bytes, ofVertices.isEmpty())
        .running(team.filter(TeamLayout::fits).orElse(null))
        .loading(program, shape);
  }

  /**
   * What is shared and what is not, with reasons, to stand in a list; empty: there are no arrays.
   */
  public String description() {
    boolean any =
        length > 0
            || !arrays(program.state().columns()).isEmpty()
            || !arrays(program.edge().columns()).isEmpty();
    if (!any) {
      return "";
    } else if (!obstacles.isEmpty()) {
      return "a thread has all of an array, because " + String.join(", and ", obstacles);
    }
    String selected =
        shape.everyVertex()
            ? ""
            : sharing().selects()
                ? " (those of selected edges, too)"
                : " (not those of selected edges: messages are too long for a warp's room)";
    return "lanes share arrays of "
        + length
        + " elements"
        + selected
        + (ofVertices.isEmpty()
            ? ""
            : " where messages are gathered, but "
                + runs()
                + " a vertex, because "
                + String.join(", and ", ofVertices));
  }

  private String runs() {
    TeamLayout by = sharing().team();
    if (by != null) {
      return "a team of " + by.lanes() + " lanes runs";
    }
    return team.filter(t -> !t.fits())
        .map(
            t ->
                "a thread (for a team of lanes, arrays of %d bytes are more than the %d of a warp) runs"
                    .formatted(t.bytes(), TeamLayout.MOST_BYTES))
        .orElse("a thread runs");
  }

  private static List<ArrayType> arrays(List<? extends ColumnType> columns) {
    return columns.stream().filter(ArrayType.class::isInstance).map(ArrayType.class::cast).toList();
  }

  private void ofMessages(List<ArrayType> arrays) {
    TreeSet<Integer> lengths =
        arrays.stream().map(ArrayType::length).collect(Collectors.toCollection(TreeSet::new));
    if (program.mergesByMode()) {
      obstacles.add("the most frequent message is wanted");
    } else if (lengths.size() > 1) {
      obstacles.add(
          "arrays of messages and what they are made of have several lengths: " + lengths);
    } else if (length * bytes < LEAST_BYTES) {
      obstacles.add("arrays have less than " + LEAST_BYTES + " bytes");
    } else {
      check("mergeMessage", program.merge(), null, obstacles);
      if (!hasIdentities() && obstacles.isEmpty()) {
        obstacles.add("mergeMessage is no sum, minimum, maximum or operation on bits");
      }
      if (shape.inRows()) {
        check("sendMessage", program.send(), Side.DESTINATION, obstacles);
      }
      if (shape.outRows()) {
        check("sendMessage", program.send(), Side.SOURCE, obstacles);
      }
    }
  }

  private void ofVertices() {
    for (ArrayType type : arrays(program.state().columns())) {
      if (type.length() != length || type.kind().bytes() > bytes) {
        ofVertices.add("vertices have an array of " + type + ", messages of " + length);
        break;
      }
    }
    if (shape.inPlace()) {
      ofVertices.add("values are updated in place");
    }
    check("vertexProgram", program.vertexProgram(), null, ofVertices);
    if (!ofVertices.isEmpty() && !shape.inPlace() && isTeamwork()) {
      team = TeamLayout.of(program.vertexProgram());
    }
    if (program.activeWhen() != null) {
      check("activeWhen", program.activeWhen(), null, ofVertices);
    }
    for (Aggregate aggregate : program.aggregates()) {
      check("aggregate " + aggregate.name(), aggregate.function(), null, ofVertices);
    }
  }

  /** Whether a vertex has arrays, of which each element is as long in registers as in memory. */
  private boolean isTeamwork() {
    return Stream.of(program.state().columns(), program.message().columns())
        .flatMap(columns -> arrays(columns).stream())
        .allMatch(type -> type.kind() != Kind.BOOLEAN);
  }

  /** Adds the reason why lanes cannot share what a function does, if there is one. */
  private void check(String name, IrFunction function, Side side, List<String> reasons) {
    Optional<Obstacle> obstacle = CudaPrinter.obstacle(function, side);
    int own = CudaPrinter.lanes(function, side).map(LaneForm::length).orElse(0);
    String reason =
        obstacle.isPresent()
            ? name + " " + obstacle.get()
            : own == 0 || own == length
                ? null
                : name + " has arrays of " + own + " elements, messages of " + length;
    if (reason != null && !reasons.contains(reason)) {
      reasons.add(reason);
    }
  }

  /** Whether messages are merged in any order, and there is one that changes no other. */
  private boolean hasIdentities() {
    List<MergeAlgebra> merge = program.traits().merge();
    List<ColumnType> message = program.message().columns();
    return merge.size() == message.size()
        && IntStream.range(0, merge.size())
            .allMatch(c -> merge.get(c).identity(message.get(c).kind()) != null);
  }
}
