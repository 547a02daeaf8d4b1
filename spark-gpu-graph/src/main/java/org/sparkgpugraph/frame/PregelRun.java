package org.sparkgpugraph.frame;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.files.input.InternalRows;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.pregel.Analysis;
import org.sparkgpugraph.frame.pregel.BlockRows;
import org.sparkgpugraph.frame.pregel.ColumnProgram;
import org.sparkgpugraph.frame.pregel.ColumnSpec;
import org.sparkgpugraph.frame.pregel.PregelJoins;
import org.sparkgpugraph.frame.pregel.RowColumns;
import org.sparkgpugraph.frame.table.EdgeValues;
import org.sparkgpugraph.frame.table.FrameResult;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.load.ResidentState;
import org.sparkgpugraph.runtime.observe.ApplicationCalls;
import org.sparkgpugraph.runtime.observe.ApplicationCalls.Instead;
import org.sparkgpugraph.runtime.run.PregelJob;
import org.sparkgpugraph.runtime.run.PregelRequest;

/**
 * One run of a program in column expressions: lowered, and run by an engine; or by Spark's joins
 * where it cannot be lowered.
 */
final class PregelRun {
  private static final Logger LOG = LoggerFactory.getLogger(PregelRun.class);

  private final PropertyGraph graph;
  private final ColumnSpec spec;
  private final Analysis analysis;

  PregelRun(PropertyGraph graph, ColumnSpec spec) {
    this.graph = graph;
    this.spec = spec;
    analysis =
        Analysis.of(
            graph.edges().sparkSession(), graph.vertexSchema(), graph.edges().schema(), spec);
  }

  Dataset<Row> run() {
    RunConf conf = RunConf.of(graph.edges().sparkSession().sparkContext(), graph.options());
    if (conf.asksForStock()) {
      return joined(conf, List.of());
    }
    try {
      ColumnProgram program = ColumnProgram.of(analysis, ColumnProgram.Nulls.ANYWHERE);
      return withProgram(program, (ran, on, options) -> on.join(values(ran, on, options)));
    } catch (NotLiftableException e) {
      // Also of the job, when its code is too large.
      if (conf.fallback() == RunOptions.Fallback.NEVER) {
        throw e;
      }
      for (Refusal refusal : e.refusals()) {
        LOG.warn("! {}; the program runs on Spark's joins (spark.gpugraph.fallback)", refusal);
      }
      return joined(conf, e.refusals().stream().map(Refusal::toString).toList());
    }
  }

  String explain(ExplainMode mode) {
    ColumnProgram program;
    try {
      program = ColumnProgram.of(analysis, ColumnProgram.Nulls.ANYWHERE);
    } catch (NotLiftableException e) {
      StringBuilder text = new StringBuilder("runs on Spark's joins:\n");
      e.refusals().forEach(refusal -> text.append("! ").append(refusal).append('\n'));
      return text.toString();
    }
    String[] text = new String[1];
    withProgram(
        program,
        (ran, on, options) -> {
          text[0] = onGraph(ran, on, options, job -> job.explain(mode));
          return null;
        });
    return text[0];
  }

  /**
   * @param why no engine runs it; empty: it was to
   */
  private Dataset<Row> joined(RunConf conf, List<String> why) {
    SparkContext sc = graph.edges().sparkSession().sparkContext();
    try (ApplicationCalls.Call call =
        ApplicationCalls.begin(sc, conf.explain() != ExplainMode.NONE)) {
      if (!why.isEmpty()) {
        call.refused(why, Instead.JOINS);
      }
      Dataset<Row> result =
          graph.loaded(
              EdgeValues.NONE,
              (on, options) ->
                  new PregelJoins(analysis, on.vertices(graph.edges()), graph.edges()).run());
      call.ranOnJoins();
      return result;
    }
  }

  // ---- on an engine -----------------------------------------------------------------------------

  private interface Use {
    Dataset<Row> with(ColumnProgram program, FrameGraph on, RunOptions options);
  }

  /** Columns without nulls have no column for them: which these are, Spark is asked first. */
  private Dataset<Row> withProgram(ColumnProgram general, Use use) {
    Set<String> edgeNulls = nulls(graph.edges(), general.edgeColumns());
    ColumnProgram loaded = ColumnProgram.of(analysis, nulls(Set.of(), edgeNulls, true));
    EdgeValues values = EdgeValues.columns(loaded.edgeColumns(), loaded.edgeRows());
    return graph.loaded(
        values,
        (on, options) -> {
          List<String> asked = new ArrayList<>(loaded.vertexColumns());
          asked.addAll(names());
          Set<String> vertexNulls = nulls(initial(on.vertices(graph.edges())), asked);
          ColumnProgram program = ColumnProgram.of(analysis, nulls(vertexNulls, edgeNulls, false));
          return use.with(program, on, options);
        });
  }

  /**
   * @param vertices columns of the vertices, and those that they get, that have a null
   * @param edges columns of the edges that have one
   * @param others whether all of the vertices may have one
   */
  private static ColumnProgram.Nulls nulls(
      Set<String> vertices, Set<String> edges, boolean others) {
    return new ColumnProgram.Nulls() {
      @Override
      public boolean inVertices(String column) {
        return others || vertices.contains(column);
      }

      @Override
      public boolean inEdges(String column) {
        return edges.contains(column);
      }

      @Override
      public boolean inInitial(String column) {
        return others || vertices.contains(column);
      }
    };
  }

  private List<String> names() {
    return spec.columns().stream().map(ColumnSpec.VertexColumn::name).toList();
  }

  /** Which of some columns have a null. */
  private static Set<String> nulls(Dataset<Row> table, List<String> columns) {
    List<Column> asked = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String name : columns) {
      StructField field = Names.require(table, "table", name);
      if (field.nullable()) {
        names.add(name);
        asked.add(functions.max(TableColumns.named(name).isNull()).as(name));
      }
    }
    Set<String> found = new HashSet<>();
    if (!asked.isEmpty()) {
      Row row = table.select(asked.toArray(Column[]::new)).head();
      for (int i = 0; i < names.size(); i++) {
        if (!row.isNullAt(i) && row.getBoolean(i)) {
          found.add(names.get(i));
        }
      }
    }
    return found;
  }

  /** The first values of the columns that vertices get, behind the vertices' own columns. */
  private Dataset<Row> initial(Dataset<Row> vertices) {
    List<Column> columns = new ArrayList<>();
    for (String name : vertices.columns()) {
      columns.add(TableColumns.named(name));
    }
    for (int i = 0; i < spec.columns().size(); i++) {
      ColumnSpec.VertexColumn column = spec.columns().get(i);
      DataType type = RowColumns.readable(analysis.columnTypes().get(i));
      columns.add(column.initial().cast(type).as(column.name()));
    }
    return vertices.select(columns.toArray(Column[]::new));
  }

  private Dataset<Row> values(ColumnProgram program, FrameGraph on, RunOptions options) {
    StructType columns = new StructType();
    List<DataType> types = analysis.columnTypes();
    for (int i = 0; i < types.size(); i++) {
      columns = columns.add(spec.columns().get(i).name(), types.get(i), true);
    }
    StructType schema = columns;
    RowColumns rows = program.resultRows();
    boolean java8 =
        Boolean.parseBoolean(on.spark().conf().get("spark.sql.datetime.java8API.enabled", "false"));
    return onGraph(
        program,
        on,
        options,
        job -> {
          try (VertexResult<?> result = Internals.result(job.runVertices())) {
            return FrameResult.ofColumns(
                on.spark(),
                result,
                schema,
                RowColumns.areNumbers(types) ? rows::expressions : null,
                (block, at) -> rows.cells((Columns) block.values(), block.slot(at), types, java8));
          }
        });
  }

  private interface JobUse<T> {
    T of(PregelJob job);
  }

  private <T> T onGraph(ColumnProgram program, FrameGraph on, RunOptions options, JobUse<T> use) {
    GraphView view = Internals.view(on.graph());
    RowColumns rows = program.vertexRows();
    ResidentState with =
        view.state()
            .withAttributes(
                attributes(program, on, rows),
                rows.type(),
                Columns.allocate(rows.type().columns(), 1));
    try {
      PregelRequest request =
          PregelRequest.written(
              program.instance(),
              program.noMessage(),
              spec.maxIterations(),
              new Pregel(graph),
              options);
      if (spec.stopWhen() != null) {
        request.stopWhen = run -> run.aggregate(ColumnProgram.UNFINISHED) == 0;
      }
      GraphView changed = new GraphView(with, view.reversed());
      return use.of(new PregelJob(with.source(), changed, request));
    } finally {
      with.close();
    }
  }

  private JavaRDD<VertexBlock> attributes(ColumnProgram program, FrameGraph on, RowColumns rows) {
    Dataset<Row> table = initial(on.vertices(graph.edges()));
    List<Column> columns = new ArrayList<>();
    columns.add(on.keys().of(TableColumns.named(PropertyGraph.ID)));
    List<String> read = new ArrayList<>(names());
    read.addAll(program.vertexColumns());
    for (String name : read) {
      DataType type = Names.require(table, "vertices", name).dataType();
      columns.add(TableColumns.named(name).cast(RowColumns.readable(type)));
    }
    return InternalRows.of(table.select(columns.toArray(Column[]::new)))
        .toJavaRDD()
        .mapPartitions(each -> BlockRows.vertices(each, rows));
  }
}
