package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * A program in column expressions as the code that engines run. A vertex's state are the columns
 * that it gets, and behind them those of its table that expressions read; all of them Spark
 * computes before the first iteration. Every iteration evaluates every edge and updates every
 * vertex.
 */
public final class ColumnProgram {
  /** Name of the aggregate that counts the vertices of which {@code stopWhen} is not true yet. */
  public static final String UNFINISHED = "unfinished";

  private static final String ID = "id";

  private final Analysis analysis;
  private final List<Refusal> refusals = new ArrayList<>();

  /** Numbers of the columns of the vertices' table, and of the edges', that expressions read. */
  private final Set<Integer> vertexColumns = new TreeSet<>();

  private final Set<Integer> edgeColumns = new TreeSet<>();

  /** Layouts of the columns that vertices get, and of those that are read of the vertices. */
  private List<Layout> own;

  private List<Layout> read;
  private List<Layout> edge;
  private Messages messages;
  private LiftedProgram program;

  private ColumnProgram(Analysis analysis) {
    this.analysis = analysis;
  }

  /** Which columns may be null, of those that a program reads. */
  public interface Nulls {
    /** Of the vertices' table. */
    boolean inVertices(String column);

    /** Of the edges' table. */
    boolean inEdges(String column);

    /** Of the first values of a column that vertices get. */
    boolean inInitial(String column);

    /** Everywhere. */
    Nulls ANYWHERE =
        new Nulls() {
          @Override
          public boolean inVertices(String column) {
            return true;
          }

          @Override
          public boolean inEdges(String column) {
            return true;
          }

          @Override
          public boolean inInitial(String column) {
            return true;
          }
        };
  }

  /**
   * Lowers a program.
   *
   * @throws NotLiftableException with every reason that was found
   */
  public static ColumnProgram of(Analysis analysis, Nulls nulls) {
    ColumnProgram program = new ColumnProgram(analysis);
    program.lower(nulls);
    return program;
  }

  // ---- what is read -----------------------------------------------------------------------------

  private void findColumns() {
    for (Expression tree : analysis.sends().trees()) {
      findEnds(tree);
    }
    List<Analysis.Resolved> told = new ArrayList<>(List.of(analysis.updates()));
    if (analysis.stop() != null) {
      told.add(analysis.stop());
    }
    for (Analysis.Resolved resolved : told) {
      for (Expression each : resolved.trees()) {
        Trees.visit(
            each,
            tree -> {
              if (tree instanceof AttributeReference attribute) {
                note(resolved.indexOf(attribute));
              }
            });
      }
    }
  }

  private void findEnds(Expression tree) {
    Expression plain = Trees.plain(tree);
    if (plain instanceof GetStructField field
        && field.child() instanceof AttributeReference attribute) {
      noteEnd(analysis.sends().indexOf(attribute), field.ordinal());
    } else if (plain instanceof AttributeReference attribute) {
      int input = analysis.sends().indexOf(attribute);
      int fields = input < 0 ? 0 : ((StructType) attribute.dataType()).size();
      for (int i = 0; i < fields; i++) {
        noteEnd(input, i);
      }
    } else {
      Trees.children(plain).forEach(this::findEnds);
    }
  }

  private void noteEnd(int input, int field) {
    if (input == 1) {
      edgeColumns.add(field);
    } else if (input >= 0) {
      note(field);
    }
  }

  private void note(int column) {
    if (column >= 0 && column < analysis.vertices().size() && !isId(column)) {
      vertexColumns.add(column);
    }
  }

  /** Whether a column is the vertex's own number, which engines know. */
  private boolean isId(int column) {
    StructField field = analysis.vertices().fields()[column];
    return field.name().equals(ID)
        && (field.dataType() instanceof LongType || field.dataType() instanceof IntegerType);
  }

  // ---- lowering ---------------------------------------------------------------------------------

  private void lower(Nulls nulls) {
    for (Analysis.Resolved resolved : List.of(analysis.sends(), analysis.updates())) {
      if (!resolved.isPlain()) {
        refuse("expressions", "uses window functions, subqueries or generators");
      }
    }
    findColumns();
    read = layouts(vertexColumns, analysis.vertices(), nulls::inVertices);
    edge = layouts(edgeColumns, analysis.edges(), nulls::inEdges);
    own = new ArrayList<>();
    for (int i = 0; i < analysis.columnTypes().size(); i++) {
      String name = analysis.spec().columns().get(i).name();
      DataType type = analysis.columnTypes().get(i);
      trying(name, () -> own.add(Layout.of(type, nulls.inInitial(name), "column " + name)));
    }
    trying("aggregateMessages", () -> messages = new Messages(analysis.aggregate()));
    throwIfAny();
    IrFunction vertexProgram = null;
    IrFunction send = null;
    List<Aggregate> aggregates = List.of();
    while (vertexProgram == null) {
      trySends();
      throwIfAny();
      send = send();
      List<Layout> before = own;
      vertexProgram = vertexProgram();
      throwIfAny();
      if (!own.equals(before)) {
        // A column may become null: everything is written anew.
        vertexProgram = null;
      }
    }
    if (messages.leaveOutUnread(vertexProgram)) {
      send = send();
    }
    if (analysis.stop() != null) {
      List<Aggregate> stop = new ArrayList<>();
      trying(
          "stopWhen",
          () -> stop.add(new Aggregate(UNFINISHED, AggregateOperation.SUM, unfinished())));
      throwIfAny();
      aggregates = stop;
    }
    IrFunction merge = messages.merge();
    program =
        LiftedProgram.builder()
            .attribute(new ValueType.Row(List.copyOf(stateKinds())))
            .edge(edgeType())
            .state(new ValueType.Row(List.copyOf(stateKinds())))
            .message(new ValueType.Row(List.copyOf(messages.kinds())))
            .result(new ValueType.Row(List.copyOf(kinds(own))))
            .vertexProgram(vertexProgram)
            .send(send)
            .merge(merge)
            .aggregates(aggregates)
            .traits(TraitRecognizer.recognize(vertexProgram, send, merge, null, aggregates))
            .build();
  }

  private void trying(String function, Runnable step) {
    try {
      step.run();
    } catch (UnliftableException e) {
      refuse(function, e.getMessage());
    }
  }

  private void refuse(String function, String reason) {
    refusals.add(new Refusal(function, SourcePosition.NONE, reason));
  }

  private void throwIfAny() {
    if (!refusals.isEmpty()) {
      throw new NotLiftableException(refusals);
    }
  }

  private List<Layout> layouts(
      Set<Integer> columns, StructType table, Predicate<String> mayBeNull) {
    List<Layout> layouts = new ArrayList<>();
    for (int column : columns) {
      StructField field = table.fields()[column];
      layouts.add(null);
      trying(
          field.name(),
          () ->
              layouts.set(
                  layouts.size() - 1,
                  Layout.of(
                      field.dataType(),
                      field.nullable() && mayBeNull.test(field.name()),
                      "column " + field.name())));
    }
    return layouts;
  }

  private static List<Kind> kinds(List<Layout> layouts) {
    List<Kind> kinds = new ArrayList<>();
    layouts.forEach(layout -> kinds.addAll(layout.kinds()));
    return kinds;
  }

  private List<Kind> stateKinds() {
    List<Kind> kinds = kinds(own);
    kinds.addAll(kinds(read));
    return kinds;
  }

  /** The columns of a vertex: those of its table, and then those that it gets. */
  private List<Cell> vertex(CodeWriter code, Role role, Role id) {
    StructField[] fields = analysis.vertices().fields();
    List<Cell> cells = new ArrayList<>();
    int next = kinds(own).size();
    int at = 0;
    for (int i = 0; i < fields.length; i++) {
      if (isId(i)) {
        Kind kind = Layout.kind(fields[i].dataType());
        int number = code.convert(code.parameter(id, 0, Kind.LONG), kind);
        cells.add(new Cell.Scalar(kind, number, Cell.ALWAYS));
      } else if (vertexColumns.contains(i)) {
        Layout layout = read.get(at++);
        cells.add(layout.read(code, role, next));
        next += layout.kinds().size();
      } else {
        cells.add(new Cell.Absent("it is not loaded"));
      }
    }
    int column = 0;
    for (Layout layout : own) {
      cells.add(layout.read(code, role, column));
      column += layout.kinds().size();
    }
    return cells;
  }

  private Cell edge(CodeWriter code) {
    List<Cell> cells = new ArrayList<>();
    int next = 0;
    int at = 0;
    for (int i = 0; i < analysis.edges().size(); i++) {
      if (edgeColumns.contains(i)) {
        Layout layout = edge.get(at++);
        cells.add(layout.read(code, Role.EDGE, next));
        next += layout.kinds().size();
      } else {
        cells.add(new Cell.Absent("it is not loaded"));
      }
    }
    return new Cell.Struct(cells, Cell.ALWAYS);
  }

  private ExpressionLowering ofTriplet(CodeWriter code) {
    Cell source = new Cell.Struct(vertex(code, Role.SOURCE, Role.SOURCE_ID), Cell.ALWAYS);
    Cell destination =
        new Cell.Struct(vertex(code, Role.DESTINATION, Role.DESTINATION_ID), Cell.ALWAYS);
    List<Cell> cells = List.of(source, edge(code), destination);
    return new ExpressionLowering(code, inputs(analysis.sends(), cells));
  }

  private static Function<Expression, Cell> inputs(Analysis.Resolved resolved, List<Cell> cells) {
    return tree -> {
      int index = tree instanceof AttributeReference attribute ? resolved.indexOf(attribute) : -1;
      return index < 0 ? null : cells.get(index);
    };
  }

  private String sendMethod(int index) {
    return index < analysis.spec().toSource().size() ? "sendMessageToSrc" : "sendMessageToDst";
  }

  /** Lays the messages out, or says why they cannot be lowered. */
  private void trySends() {
    List<Supplier<Messages.Sample>> samples = new ArrayList<>();
    for (int i = 0; i < analysis.sends().trees().size(); i++) {
      Expression tree = analysis.sends().trees().get(i);
      Supplier<Messages.Sample> sample =
          () -> {
            CodeWriter code = new CodeWriter("send", "");
            return new Messages.Sample(code, ofTriplet(code).lower(tree).valid(Cell.ALWAYS));
          };
      trying(sendMethod(i), sample::get);
      samples.add(sample);
    }
    if (refusals.isEmpty()) {
      trying("aggregateMessages", () -> messages.layOut(samples));
    }
  }

  private IrFunction send() {
    CodeWriter code = new CodeWriter("send", "sendMessage");
    ExpressionLowering lowering = ofTriplet(code);
    for (int i = 0; i < analysis.sends().trees().size(); i++) {
      Side side = i < analysis.spec().toSource().size() ? Side.SOURCE : Side.DESTINATION;
      messages.send(code, side, lowering.lower(analysis.sends().trees().get(i)));
    }
    return code.end(List.of(), List.of());
  }

  /** The next values; where they may be null and nothing has room for it, room is made first. */
  private IrFunction vertexProgram() {
    CodeWriter code = new CodeWriter("vertexProgram", "withVertexColumn");
    List<Cell> cells = vertex(code, Role.VALUE, Role.ID);
    Cell[] received = new Cell[1];
    trying("aggregateMessages", () -> received[0] = messages.received(code));
    throwIfAny();
    cells.add(received[0]);
    ExpressionLowering lowering = new ExpressionLowering(code, inputs(analysis.updates(), cells));
    List<Cell> updated = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      Expression tree = analysis.updates().trees().get(i);
      Cell none = null;
      if (tree.dataType() instanceof NullType) {
        none = Cells.none(code, analysis.columnTypes().get(i));
      }
      Cell[] cell = {none};
      if (none == null) {
        trying(analysis.spec().columns().get(i).name(), () -> cell[0] = lowering.lower(tree));
      }
      updated.add(cell[0]);
    }
    throwIfAny();
    List<Layout> needed = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      needed.add(own.get(i).or(Layout.of(updated.get(i))));
    }
    if (!needed.equals(own)) {
      own = needed;
      return null;
    }
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      columns.addAll(own.get(i).write(code, updated.get(i)));
    }
    List<Kind> kinds = stateKinds();
    for (int column = columns.size(); column < kinds.size(); column++) {
      columns.add(code.parameter(Role.VALUE, column, kinds.get(column)));
    }
    return code.end(columns, kinds);
  }

  /** 1 where {@code stopWhen} is not true yet. */
  private IrFunction unfinished() {
    CodeWriter code = new CodeWriter(UNFINISHED, "stopWhen");
    List<Cell> cells = vertex(code, Role.AFTER, Role.ID);
    cells.add(new Cell.Absent("messages are gone when it is asked"));
    List<Cell> before = vertex(code, Role.BEFORE, Role.ID);
    int size = before.size();
    cells.add(new Cell.Struct(before.subList(size - own.size(), size), Cell.ALWAYS));
    ExpressionLowering lowering = new ExpressionLowering(code, inputs(analysis.stop(), cells));
    Cell.Scalar finished = lowering.scalar(analysis.stop().trees().get(0));
    int yes = code.and(code.flag(finished.valid()), finished.variable());
    return code.end(List.of(code.convert(code.not(yes), Kind.DOUBLE)), List.of(Kind.DOUBLE));
  }

  // ---- what came out ----------------------------------------------------------------------------

  /** The program. */
  public ProgramInstance instance() {
    return new ProgramInstance(program, List.of());
  }

  /** What a vertex is given that no message came to. */
  public Columns noMessage() {
    return RowColumns.row(messages.kinds(), messages.none());
  }

  /** Columns of the vertices' table that the program reads. */
  public List<String> vertexColumns() {
    return names(vertexColumns, analysis.vertices());
  }

  /** Columns of the edges' table that the program reads. */
  public List<String> edgeColumns() {
    return names(edgeColumns, analysis.edges());
  }

  private static List<String> names(Set<Integer> columns, StructType table) {
    return columns.stream().map(column -> table.fields()[column].name()).toList();
  }

  private List<String> ownNames() {
    List<String> names = new ArrayList<>();
    analysis.spec().columns().forEach(column -> names.add(column.name()));
    return names;
  }

  /** How rows of first values, and behind them of {@link #vertexColumns}, become columns. */
  public RowColumns vertexRows() {
    List<Layout> all = new ArrayList<>(own);
    all.addAll(read);
    List<String> names = ownNames();
    names.addAll(vertexColumns());
    return new RowColumns(all, names);
  }

  /** How rows of {@link #edgeColumns} become columns. */
  public RowColumns edgeRows() {
    return new RowColumns(edge, edgeColumns());
  }

  /** How columns become rows of what vertices get. */
  public RowColumns resultRows() {
    return new RowColumns(own, ownNames());
  }

  /** Type of the edges' values. */
  public ValueType edgeType() {
    return edge.isEmpty()
        ? ValueType.of(Object.class)
        : new ValueType.Row(List.copyOf(kinds(edge)));
  }
}
