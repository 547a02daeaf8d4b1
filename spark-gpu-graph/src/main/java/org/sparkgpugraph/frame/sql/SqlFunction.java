package org.sparkgpugraph.frame.sql;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.types.StructType;

/**
 * An algorithm as a function of SQL. Its parameters are the algorithm's options, in lower case with
 * underscores.
 *
 * @param <A> the algorithm, on which options are set
 */
public final class SqlFunction<A> implements TableFunction {
  /** What is done about edges whose ends are no vertices. */
  private static final String MISSING = "missing";

  private static final List<String> TREATMENTS = List.of("error", "add", "drop");
  private static final String ID = "id";
  private static final String SRC = "src";
  private static final String DST = "dst";

  /** What a function runs. */
  public interface Algorithm<A> {
    /**
     * The algorithm on two tables.
     *
     * @param vertices null: there is no such table
     * @param missing error, add or drop
     */
    A on(Dataset<Row> vertices, Dataset<Row> edges, String missing);

    /** See {@link GraphQuery#resultColumns}. */
    StructType resultColumns(A algorithm);

    /** Runs it. */
    Dataset<Row> run(A algorithm);
  }

  private final String name;
  private final Algorithm<A> algorithm;
  private final String usage;
  private final Map<String, Parameter<A, ?>> parameters = new LinkedHashMap<>();

  private record Parameter<A, T>(
      ArgumentKind<T> kind, boolean required, BiConsumer<A, T> option, String text) {
    void set(A algorithm, Object value) {
      option.accept(algorithm, kind.convert().apply(value).orElseThrow());
    }
  }

  /**
   * @param usage what it computes, and the columns that the vertices get
   */
  public SqlFunction(String name, Algorithm<A> algorithm, String usage) {
    this.name = name;
    this.algorithm = algorithm;
    this.usage = usage;
  }

  /** With a parameter that may be left out. */
  public <T> SqlFunction<A> option(
      String parameter, ArgumentKind<T> kind, BiConsumer<A, T> option, String text) {
    parameters.put(parameter, new Parameter<>(kind, false, option, text));
    return this;
  }

  /** With a parameter that must be given. */
  public <T> SqlFunction<A> required(
      String parameter, ArgumentKind<T> kind, BiConsumer<A, T> option, String text) {
    parameters.put(parameter, new Parameter<>(kind, true, option, text));
    return this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<String> parameters() {
    Set<String> all = new LinkedHashSet<>(List.of(MISSING));
    all.addAll(parameters.keySet());
    return all;
  }

  @Override
  public ExpressionInfo info() {
    StringBuilder all = new StringBuilder("\n    Arguments:\n");
    describe(all, EDGES, "the table of the edges, with src and dst; must be given");
    describe(
        all,
        VERTICES,
        "a table with id and any columns, which the result has, too; without it the ends of the"
            + " edges are the vertices");
    describe(
        all,
        MISSING,
        "'error', 'add' or 'drop': what is done about edges whose ends are not among the"
            + " vertices; an error unless it is given");
    parameters.forEach(
        (parameter, is) ->
            describe(
                all,
                parameter,
                is.kind().text() + ": " + is.text() + (is.required() ? "; must be given" : "")));
    describe(all, "Tables", "names in quotes, 'sales.edges', or queries: TABLE(SELECT ...)");
    return new ExpressionInfo(
        SqlFunction.class.getName(),
        null,
        name,
        "_FUNC_(edges, name => value, ...) - " + usage,
        all.toString());
  }

  private static void describe(StringBuilder text, String parameter, String is) {
    text.append("      * ").append(parameter).append(" - ").append(is).append('\n');
  }

  @Override
  public GraphQuery query(Map<String, Argument> arguments, boolean withVertices) {
    String missing = missing(arguments.get(MISSING), withVertices);
    Map<String, Object> values = new TreeMap<>();
    parameters.forEach(
        (parameter, is) -> {
          Argument given = arguments.get(parameter);
          if (given != null) {
            if (is.kind().convert().apply(given.value()).isEmpty()) {
              throw refused(
                  "argument '%s' is %s, but %s is expected"
                      .formatted(parameter, given, is.kind().text()));
            }
            values.put(parameter, given.value());
          } else if (is.required()) {
            throw refused(
                "argument '%s' is missing: give %s, %s"
                    .formatted(parameter, is.kind().text(), is.text()));
          }
        });
    return new Call<>(this, missing, values);
  }

  private String missing(Argument given, boolean withVertices) {
    if (given == null) {
      return withVertices ? "error" : "add";
    }
    if (!withVertices) {
      throw refused(
          "argument 'missing' goes with 'vertices', which is not given: without it the ends of the"
              + " edges are the vertices");
    }
    String treatment = given.value().toString().toLowerCase(Locale.ROOT);
    if (!TREATMENTS.contains(treatment)) {
      throw refused(
          "argument 'missing' is %s, but 'error', 'add' or 'drop' is expected".formatted(given));
    }
    return treatment;
  }

  private IllegalArgumentException refused(String message) {
    return new IllegalArgumentException(name + ": " + message);
  }

  /** What an algorithm refuses by its Java names, told by those of SQL. */
  private <T> T named(Supplier<T> action) {
    try {
      return action.get();
    } catch (IllegalArgumentException | NullPointerException e) {
      if (e.getMessage() == null) {
        throw e;
      }
      String message = e.getMessage();
      for (String parameter : parameters.keySet()) {
        message = message.replaceAll("\\b" + camelCase(parameter) + "\\b", parameter);
      }
      throw new IllegalArgumentException(name + ": " + message, e);
    }
  }

  private static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_")) {
      camel.append(
          camel.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return camel.toString();
  }

  /**
   * A call.
   *
   * @param values by the parameter
   */
  private record Call<A>(SqlFunction<A> function, String missing, Map<String, Object> values)
      implements GraphQuery {

    @Override
    public List<String> edgeColumns() {
      Object weight = values.get("weight");
      return weight == null ? List.of(SRC, DST) : List.of(SRC, DST, (String) weight);
    }

    @Override
    public String vertexColumn() {
      return ID;
    }

    @Override
    public StructType resultColumns(Dataset<Row> vertices, Dataset<Row> edges) {
      return function.named(() -> function.algorithm.resultColumns(algorithm(vertices, edges)));
    }

    @Override
    public Dataset<Row> run(Dataset<Row> vertices, Dataset<Row> edges) {
      return function.named(() -> function.algorithm.run(algorithm(vertices, edges)));
    }

    private A algorithm(Dataset<Row> vertices, Dataset<Row> edges) {
      A algorithm = function.algorithm.on(vertices, edges, missing);
      values.forEach(
          (parameter, value) -> function.parameters.get(parameter).set(algorithm, value));
      return algorithm;
    }

    @Override
    public String toString() {
      StringJoiner text = new StringJoiner(", ", function.name + "(", ")");
      values.forEach((parameter, value) -> text.add(parameter + " => " + value));
      return text.toString();
    }
  }
}
