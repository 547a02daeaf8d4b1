package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;

/**
 * The messages of a program: the columns of the buffers of all functions in its aggregate.
 *
 * <p>A vertex that no message came to must be told from others. Where a column can, by a value that
 * no message has (−0.0 of a sum that began with 0.0, 0 of a count), it does; else there is a column
 * for it. Where all columns have identities, an edge without a message sends these, which is the
 * same as none: so a message that depends on one end alone is one value of that vertex.
 */
final class Messages {
  private final Expression aggregate;
  private final Analysis.Resolved resolved;
  private final List<AggregateExpression> calls = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();

  /** By buffer, the layouts of its cells. */
  private List<List<Layout>> layouts;

  /** By buffer and cell: whether it counts 1 for every message. */
  private boolean[][] counts;

  private IrFunction merge;
  private List<MergeAlgebra> algebra;

  /** Number of the column that tells whether there is a message; −1: one of its own, the last. */
  private int teller = -1;

  /** Whether nobody asks whether there is a message. */
  private boolean untold;

  /**
   * @throws UnliftableException when a function in the aggregate cannot be lowered
   */
  Messages(Analysis.Resolved resolved) {
    this.resolved = resolved;
    aggregate = Trees.plain(resolved.trees().get(0));
    if (!resolved.isPlain()) {
      throw new UnliftableException("has " + aggregate.sql() + ", which is no aggregate alone");
    }
    Trees.visit(
        aggregate,
        tree -> {
          if (tree instanceof AggregateExpression call && indexOf(call) < 0) {
            calls.add(call);
            buffers.add(Buffer.of(call, this::isMessage));
          }
        });
    if (calls.isEmpty()) {
      throw new UnliftableException("has no aggregate function in " + aggregate.sql());
    }
  }

  private boolean isMessage(Expression tree) {
    return tree instanceof AttributeReference attribute && resolved.indexOf(attribute) == 0;
  }

  private int indexOf(AggregateExpression call) {
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).semanticEquals(call)) {
        return i;
      }
    }
    return -1;
  }

  // ---- layout -----------------------------------------------------------------------------------

  /**
   * Finds what columns the messages have.
   *
   * @param samples code that computes a message, and the message, for each expression that is sent
   */
  void layOut(List<Supplier<Sample>> samples) {
    layouts = null;
    counts = new boolean[buffers.size()][];
    for (Supplier<Sample> each : samples) {
      Sample sample = each.get();
      List<List<Cell>> cells = first(sample.code(), sample.message());
      for (int b = 0; b < cells.size(); b++) {
        boolean[] ones = new boolean[cells.get(b).size()];
        for (int i = 0; i < ones.length; i++) {
          ones[i] =
              cells.get(b).get(i) instanceof Cell.Scalar scalar
                  && Long.valueOf(1).equals(sample.code().known(scalar.variable()))
                  && (counts[b] == null || counts[b][i]);
        }
        counts[b] = ones;
      }
      layouts = layouts == null ? of(cells) : joined(layouts, of(cells));
    }
    while (true) {
      CodeWriter code = new CodeWriter("merge", "aggregateMessages");
      List<List<Layout>> needed = joined(layouts, of(merged(code)));
      if (needed.equals(layouts)) {
        break;
      }
      layouts = needed;
    }
    algebra = TraitRecognizer.algebra(merge(false));
    teller = teller();
    untold = false;
    merge = merge(isTold());
    algebra = TraitRecognizer.algebra(merge);
  }

  /** Whether there is a column for nothing but whether there is a message. */
  private boolean isTold() {
    return teller < 0 && !untold;
  }

  /** Leaves that column out if the vertex program does not read it; says whether it did. */
  boolean leaveOutUnread(IrFunction vertexProgram) {
    if (isTold() && !vertexProgram.reads(Role.MESSAGE, kinds().size() - 1)) {
      untold = true;
      merge = merge(false);
      algebra = TraitRecognizer.algebra(merge);
      return true;
    }
    return false;
  }

  /** A message, not null, in the code that computes it. */
  record Sample(CodeWriter code, Cell message) {}

  private static List<List<Layout>> of(List<List<Cell>> cells) {
    return cells.stream()
        .map(buffer -> buffer.stream().map(cell -> Layout.of(cell)).toList())
        .toList();
  }

  private static List<List<Layout>> joined(List<List<Layout>> one, List<List<Layout>> other) {
    List<List<Layout>> joined = new ArrayList<>();
    for (int b = 0; b < one.size(); b++) {
      List<Layout> buffer = new ArrayList<>();
      for (int i = 0; i < one.get(b).size(); i++) {
        buffer.add(one.get(b).get(i).or(other.get(b).get(i)));
      }
      joined.add(List.copyOf(buffer));
    }
    return List.copyOf(joined);
  }

  /** Kinds of the columns. */
  List<Kind> kinds() {
    List<Kind> kinds = bufferKinds();
    if (isTold()) {
      kinds.add(Kind.BOOLEAN);
    }
    return kinds;
  }

  private List<Kind> bufferKinds() {
    List<Kind> kinds = new ArrayList<>();
    layouts.forEach(buffer -> buffer.forEach(layout -> kinds.addAll(layout.kinds())));
    return kinds;
  }

  private int teller() {
    int column = 0;
    for (int b = 0; b < buffers.size(); b++) {
      for (int i = 0; i < layouts.get(b).size(); i++) {
        Layout layout = layouts.get(b).get(i);
        boolean isSum =
            layout instanceof Layout.Scalar scalar
                && !layout.nullable()
                && algebra.get(column) == MergeAlgebra.SUM
                && (scalar.kind() == Kind.DOUBLE || scalar.kind() == Kind.LONG && counts[b][i]);
        if (isSum) {
          return column;
        }
        column += layout.kinds().size();
      }
    }
    return -1;
  }

  // ---- functions --------------------------------------------------------------------------------

  private List<List<Cell>> read(CodeWriter code, Role role) {
    List<List<Cell>> cells = new ArrayList<>();
    int column = 0;
    for (List<Layout> buffer : layouts) {
      List<Cell> each = new ArrayList<>();
      for (Layout layout : buffer) {
        each.add(layout.read(code, role, column));
        column += layout.kinds().size();
      }
      cells.add(each);
    }
    return cells;
  }

  private List<Integer> write(CodeWriter code, List<List<Cell>> cells) {
    List<Integer> columns = new ArrayList<>();
    for (int b = 0; b < cells.size(); b++) {
      for (int i = 0; i < cells.get(b).size(); i++) {
        columns.addAll(layouts.get(b).get(i).write(code, cells.get(b).get(i)));
      }
    }
    return columns;
  }

  private List<List<Cell>> merged(CodeWriter code) {
    List<List<Cell>> left = read(code, Role.LEFT);
    List<List<Cell>> right = read(code, Role.RIGHT);
    List<List<Cell>> merged = new ArrayList<>();
    for (int b = 0; b < buffers.size(); b++) {
      merged.add(buffers.get(b).merged(code, left.get(b), right.get(b)));
    }
    return merged;
  }

  private IrFunction merge(boolean tells) {
    CodeWriter code = new CodeWriter("merge", "aggregateMessages");
    List<Integer> columns = write(code, merged(code));
    List<Kind> kinds = bufferKinds();
    if (tells) {
      int column = kinds.size();
      columns.add(
          code.or(
              code.parameter(Role.LEFT, column, Kind.BOOLEAN),
              code.parameter(Role.RIGHT, column, Kind.BOOLEAN)));
      kinds.add(Kind.BOOLEAN);
    }
    return code.end(columns, kinds);
  }

  /** The merge function. */
  IrFunction merge() {
    return merge;
  }

  private List<List<Cell>> first(CodeWriter code, Cell message) {
    ExpressionLowering lowering =
        new ExpressionLowering(code, tree -> isMessage(tree) ? message : null);
    List<List<Cell>> first = new ArrayList<>();
    buffers.forEach(buffer -> first.add(buffer.first(lowering)));
    return first;
  }

  private boolean hasIdentities() {
    List<Kind> kinds = kinds();
    for (int c = 0; c < kinds.size(); c++) {
      if (algebra.get(c).identity(kinds.get(c)) == null) {
        return false;
      }
    }
    return true;
  }

  /** What a vertex is given that no message came to, a box per column. */
  List<Object> none() {
    List<Object> none = new ArrayList<>();
    List<Kind> kinds = kinds();
    for (int c = 0; c < kinds.size(); c++) {
      Object identity = algebra.get(c).identity(kinds.get(c));
      none.add(identity != null ? identity : zero(kinds.get(c)));
    }
    return none;
  }

  private static Object zero(Kind kind) {
    return switch (kind) {
      case BOOLEAN -> false;
      case INT -> 0;
      case LONG -> 0L;
      case FLOAT -> 0f;
      case DOUBLE -> 0d;
    };
  }

  /** Sends a message where it is not null. */
  void send(CodeWriter code, Side side, Cell message) {
    int valid = code.flag(message.valid());
    Cell there = message.valid(Cell.ALWAYS);
    if (hasIdentities()) {
      List<Integer> none = new ArrayList<>();
      code.emit(
          side,
          code.branch(
              valid,
              () -> columns(code, there),
              () -> {
                none().forEach(box -> none.add(constant(code, box)));
                return none;
              }));
      return;
    }
    code.branch(
        valid,
        () -> {
          code.emit(side, columns(code, there));
          return List.of();
        },
        List::of);
  }

  private static int constant(CodeWriter code, Object box) {
    return code.constant(box instanceof Boolean truth ? (Object) (truth ? 1 : 0) : box);
  }

  private List<Integer> columns(CodeWriter code, Cell message) {
    List<Integer> columns = write(code, first(code, message));
    if (isTold()) {
      columns.add(code.constant(1));
    }
    return columns;
  }

  /**
   * The value of one function that keeps one number: nothing in it fails, so it needs no branch.
   */
  private Cell alone(CodeWriter code, List<Cell> buffer, int valid) {
    Cell value = buffers.get(0).value(code, buffer);
    if (value instanceof Cell.Scalar scalar
        && scalar.variable() == ((Cell.Scalar) buffer.get(0)).variable()) {
      code.holdsWhereNull(scalar.variable(), none().get(0));
    }
    return value.valid(code.both(value.valid(), valid));
  }

  /** The aggregate of the messages to a vertex; null where there was none. */
  Cell received(CodeWriter code) {
    List<Kind> kinds = kinds();
    int column = teller < 0 ? kinds.size() - 1 : teller;
    Kind kind = kinds.get(column);
    int told = code.parameter(Role.MESSAGE, column, kind);
    int there = told;
    if (teller >= 0) {
      Object none = none().get(column);
      there =
          kind == Kind.DOUBLE
              ? code.test(
                  Condition.NE,
                  code.call(Intrinsic.TO_RAW_BITS, Kind.LONG, told),
                  code.constant(Double.doubleToRawLongBits((Double) none)))
              : code.test(Condition.NE, told, constant(code, none));
    }
    int valid = code.validity(there);
    List<List<Cell>> cells = read(code, Role.MESSAGE);
    if (aggregate instanceof AggregateExpression && bufferKinds().size() == 1) {
      return alone(code, cells.get(0), valid);
    }
    return Cells.branch(
        code,
        code.flag(valid),
        () ->
            new ExpressionLowering(
                    code,
                    tree ->
                        tree instanceof AggregateExpression call && indexOf(call) >= 0
                            ? buffers.get(indexOf(call)).value(code, cells.get(indexOf(call)))
                            : null)
                .lower(aggregate),
        () -> Cells.none(code, aggregate.dataType()));
  }
}
