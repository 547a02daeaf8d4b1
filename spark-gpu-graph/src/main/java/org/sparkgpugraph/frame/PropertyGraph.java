package org.sparkgpugraph.frame;

import java.util.Objects;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.algorithm.support.BadWeightException;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.files.input.TableColumns;
import org.sparkgpugraph.frame.algorithm.Betweenness;
import org.sparkgpugraph.frame.algorithm.ClusteringCoefficient;
import org.sparkgpugraph.frame.algorithm.ConnectedComponents;
import org.sparkgpugraph.frame.algorithm.Coreness;
import org.sparkgpugraph.frame.algorithm.Distances;
import org.sparkgpugraph.frame.algorithm.GraphColouring;
import org.sparkgpugraph.frame.algorithm.GraphTables;
import org.sparkgpugraph.frame.algorithm.Hits;
import org.sparkgpugraph.frame.algorithm.Hops;
import org.sparkgpugraph.frame.algorithm.IndependentSet;
import org.sparkgpugraph.frame.algorithm.KCore;
import org.sparkgpugraph.frame.algorithm.Katz;
import org.sparkgpugraph.frame.algorithm.LabelPropagation;
import org.sparkgpugraph.frame.algorithm.Louvain;
import org.sparkgpugraph.frame.algorithm.MaximalMatching;
import org.sparkgpugraph.frame.algorithm.MinimumSpanningForest;
import org.sparkgpugraph.frame.algorithm.MultiSourceBfs;
import org.sparkgpugraph.frame.algorithm.PageRank;
import org.sparkgpugraph.frame.algorithm.ParallelPersonalizedPageRank;
import org.sparkgpugraph.frame.algorithm.ShortestPaths;
import org.sparkgpugraph.frame.algorithm.StronglyConnectedComponents;
import org.sparkgpugraph.frame.algorithm.SvdPlusPlus;
import org.sparkgpugraph.frame.algorithm.TriangleCount;
import org.sparkgpugraph.frame.algorithm.WidestPaths;
import org.sparkgpugraph.frame.draw.Drawing;
import org.sparkgpugraph.frame.table.EdgeValues;
import org.sparkgpugraph.frame.table.FrameEstimate;
import org.sparkgpugraph.frame.table.VertexKeys;
import org.sparkgpugraph.run.GraphEstimate;
import org.sparkgpugraph.run.RunOptions;

/**
 * A directed graph of two tables: vertices with a column {@code id} and edges with columns {@code
 * src} and {@code dst}, of any one type that Spark can group by; further columns are properties. An
 * algorithm gives the vertices with a column more.
 *
 * <pre>{@code
 * PropertyGraph people = PropertyGraph.of(persons, follows);
 * Dataset<Row> groups = people.connectedComponents().run();      // persons and component
 * Dataset<Row> ranks = people.pageRank().tol(0.001).run();       // persons and pagerank
 * }</pre>
 *
 * <p>Columns, options and results have the names that they have in GraphFrames; a GraphFrame is
 * taken as {@code of(frame.vertices(), frame.edges())}.
 *
 * <p>Nothing is read before an algorithm runs. Each run loads the graph ({@code id}, {@code src},
 * {@code dst} and a weight if it needs one) into the executors and frees it, unless it was loaded
 * by {@link #persistOnDevice}. Tables that give other rows each time they are read ({@code rand()},
 * say) give other graphs: cache such first.
 */
public final class PropertyGraph implements AutoCloseable {
  /** Column of the vertices: what names one. */
  public static final String ID = "id";

  /** Column of the edges: the id of the source. */
  public static final String SRC = "src";

  /** Column of the edges: the id of the destination. */
  public static final String DST = "dst";

  /** Null: the ends of the edges. */
  private final Dataset<Row> vertices;

  private final Dataset<Row> edges;
  private final VertexKeys keys;
  private final Missing missing;
  private final RunOptions options;

  /** The loaded graph, while it stays in the executors, and the column of its weights or null. */
  private FrameGraph held;

  private EdgeValues heldValues;

  /** What algorithms see of this. */
  private final GraphTables tables = new Tables();

  private PropertyGraph(
      Dataset<Row> vertices,
      Dataset<Row> edges,
      VertexKeys keys,
      Missing missing,
      RunOptions options) {
    this.vertices = vertices;
    this.edges = edges;
    this.keys = keys;
    this.missing = missing;
    this.options = options;
  }

  /**
   * A graph of two tables.
   *
   * @param vertices with a column {@code id}, unique and never null
   * @param edges with columns {@code src} and {@code dst}, never null
   * @throws FrameException when a column is missing, doubled, or of another type than the others
   */
  public static PropertyGraph of(Dataset<Row> vertices, Dataset<Row> edges) {
    Objects.requireNonNull(vertices, "vertices is null; ofEdges takes edges alone");
    Objects.requireNonNull(edges, "edges is null");
    DataType id = Names.require(vertices, "vertices", ID).dataType();
    DataType ends = endType(edges);
    boolean integers = TableColumns.isInteger(id) && TableColumns.isInteger(ends);
    if (!integers && !id.sameType(ends)) {
      throw new FrameException(
          "ids of vertices are of type %s, but ends of edges are of type %s: cast one"
              .formatted(id.simpleString(), ends.simpleString()));
    }
    // A smaller type would lose ends that are no vertices.
    DataType type = integers && !id.equals(ends) ? DataTypes.LongType : id;
    return new PropertyGraph(vertices, edges, keysOf(type), Missing.ERROR, RunOptions.DEFAULT);
  }

  /** A graph whose vertices are the ends of its edges; their table has the column {@code id}. */
  public static PropertyGraph ofEdges(Dataset<Row> edges) {
    Objects.requireNonNull(edges, "edges is null");
    return new PropertyGraph(null, edges, keysOf(endType(edges)), Missing.ADD, RunOptions.DEFAULT);
  }

  private static VertexKeys keysOf(DataType type) {
    if (type instanceof MapType) {
      throw new FrameException("ids are of type map, which Spark cannot group by: cast them");
    }
    // Strings that are equal though their bytes differ, which Spark 4 has: their hashes differ.
    if (type.simpleString().contains(" collate ")) {
      throw new FrameException(
          "ids are of type %s, in which different bytes may be equal: use collate(id, 'UTF8_BINARY'),"
                  .formatted(type.simpleString())
              + " of lower(id), say, so that equal ids are equal in their bytes");
    }
    return VertexKeys.of(type);
  }

  private static DataType endType(Dataset<Row> edges) {
    DataType source = Names.require(edges, "edges", SRC).dataType();
    DataType destination = Names.require(edges, "edges", DST).dataType();
    if (source.sameType(destination)) {
      return source;
    }
    if (TableColumns.isInteger(source) && TableColumns.isInteger(destination)) {
      return DataTypes.LongType;
    }
    throw new FrameException(
        "column 'src' of the edges is of type %s, but 'dst' of type %s: cast one"
            .formatted(source.simpleString(), destination.simpleString()));
  }

  /** The same tables, with another treatment of edges whose ends are no vertices. */
  public PropertyGraph missing(Missing treatment) {
    return new PropertyGraph(
        vertices, edges, keys, Objects.requireNonNull(treatment, "treatment is null"), options);
  }

  /** The same tables, whose algorithms run and load with these options. */
  public PropertyGraph options(RunOptions how) {
    return new PropertyGraph(
        vertices, edges, keys, missing, Objects.requireNonNull(how, "options are null"));
  }

  /** The vertices. */
  public Dataset<Row> vertices() {
    return vertices != null ? vertices : FrameGraph.ends(edges, keys);
  }

  /** The edges. */
  public Dataset<Row> edges() {
    return edges;
  }

  /** {@code id} and {@code degree}: edges in and out, of the vertices that have one. */
  public Dataset<Row> degrees() {
    return edges
        .select(
            functions
                .explode(functions.array(TableColumns.named(SRC), TableColumns.named(DST)))
                .as(ID))
        .groupBy(ID)
        .agg(edgeCount("degree"));
  }

  /** {@code id} and {@code inDegree}, of the vertices that have an edge that comes in. */
  public Dataset<Row> inDegrees() {
    return edges.groupBy(TableColumns.named(DST).as(ID)).agg(edgeCount("inDegree"));
  }

  /** {@code id} and {@code outDegree}, of the vertices that have an edge that goes out. */
  public Dataset<Row> outDegrees() {
    return edges.groupBy(TableColumns.named(SRC).as(ID)).agg(edgeCount("outDegree"));
  }

  private static Column edgeCount(String name) {
    return functions.count(functions.lit(1)).cast(DataTypes.IntegerType).as(name);
  }

  /** Each edge between its ends, as columns {@code src}, {@code edge} and {@code dst}. */
  public Dataset<Row> triplets() {
    Dataset<Row> all = vertices();
    Dataset<Row> from = all.select(whole(all).as("src"));
    Dataset<Row> to = all.select(whole(all).as("dst"));
    return edges
        .select(whole(edges).as("edge"))
        .join(from, functions.col("edge.src").equalTo(functions.col("src.id")))
        .join(to, functions.col("edge.dst").equalTo(functions.col("dst.id")))
        .select("src", "edge", "dst");
  }

  private static Column whole(Dataset<Row> table) {
    Column[] columns = new Column[table.columns().length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = TableColumns.named(table.columns()[i]);
    }
    return functions.struct(columns);
  }

  /** The vertices that a condition takes, and the edges between them. */
  public PropertyGraph filterVertices(Column condition) {
    Dataset<Row> kept = vertices().filter(condition);
    Dataset<Row> ids = kept.select(TableColumns.named(ID).as("__kept"));
    Dataset<Row> between = edges;
    for (String end : new String[] {SRC, DST}) {
      between =
          between.join(ids, TableColumns.named(end).equalTo(functions.col("__kept")), "left_semi");
    }
    return new PropertyGraph(kept, between, keys, missing, options);
  }

  /** All vertices, and the edges that a condition takes. */
  public PropertyGraph filterEdges(Column condition) {
    return new PropertyGraph(vertices(), edges.filter(condition), keys, missing, options);
  }

  /** The vertices that have an edge, with all edges. */
  public PropertyGraph dropIsolatedVertices() {
    Dataset<Row> touched =
        edges
            .select(TableColumns.named(SRC).as("__end"))
            .union(edges.select(TableColumns.named(DST).as("__end")));
    Dataset<Row> kept =
        vertices()
            .join(touched, TableColumns.named(ID).equalTo(functions.col("__end")), "left_semi");
    return new PropertyGraph(kept, edges, keys, missing, options);
  }

  /**
   * Small graphs, and parts of large ones, as files that Gephi, Cytoscape or Graphviz draw, with
   * the other columns as attributes. Edges without vertices are treated as algorithms treat them.
   */
  public Drawing draw() {
    Dataset<Row> all = vertices();
    if (missing == Missing.DROP) {
      return new Drawing(all, FrameGraph.known(all, edges, keys));
    }
    return new Drawing(
        vertices == null || missing == Missing.ERROR
            ? all
            : FrameGraph.withStrangers(all, edges, keys),
        edges);
  }

  /** A program of the user's own, in column expressions. */
  public Pregel pregel() {
    return new Pregel(this);
  }

  /** Connected components: {@code component}. */
  public ConnectedComponents connectedComponents() {
    return new ConnectedComponents(tables);
  }

  /** Strongly connected components: {@code component}. */
  public StronglyConnectedComponents stronglyConnectedComponents() {
    return new StronglyConnectedComponents(tables);
  }

  /** PageRank, also of weighted edges and for one source: {@code pagerank}. */
  public PageRank pageRank() {
    return new PageRank(tables);
  }

  /** Communities by label propagation: {@code label}. */
  public LabelPropagation labelPropagation() {
    return new LabelPropagation(tables);
  }

  /** Communities by modularity: {@code community}. */
  public Louvain louvain() {
    return new Louvain(tables);
  }

  /** Hops to landmarks: {@code distances}. */
  public ShortestPaths shortestPaths() {
    return new ShortestPaths(tables);
  }

  /** Hops from a source: {@code hops}. */
  public Hops hops() {
    return new Hops(tables);
  }

  /** Lengths of shortest paths from a source: {@code distance}. */
  public Distances distances() {
    return new Distances(tables);
  }

  /** Triangles that pass through each vertex: {@code count}. */
  public TriangleCount triangleCount() {
    return new TriangleCount(tables);
  }

  /** How many of a vertex's neighbours are neighbours: {@code coefficient}. */
  public ClusteringCoefficient clusteringCoefficient() {
    return new ClusteringCoefficient(tables);
  }

  /** Hubs and authorities: {@code hub} and {@code authority}. */
  public Hits hits() {
    return new Hits(tables);
  }

  /** On how many shortest paths a vertex is: {@code betweenness}. */
  public Betweenness betweenness() {
    return new Betweenness(tables);
  }

  /** The largest k whose k-core a vertex is in: {@code coreness}. */
  public Coreness coreness() {
    return new Coreness(tables);
  }

  /** Katz centrality: {@code katz}. */
  public Katz katz() {
    return new Katz(tables);
  }

  /** The k-core: {@code coreDegree}. */
  public KCore kCore() {
    return new KCore(tables);
  }

  /** Widest paths from a source: {@code width}. */
  public WidestPaths widestPaths() {
    return new WidestPaths(tables);
  }

  /** How many of several sources reach a vertex: {@code reachedBy} and {@code totalHops}. */
  public MultiSourceBfs multiSourceBfs() {
    return new MultiSourceBfs(tables);
  }

  /** PageRank for each of several sources: {@code pageranks}. */
  public ParallelPersonalizedPageRank parallelPersonalizedPageRank() {
    return new ParallelPersonalizedPageRank(tables);
  }

  /** Recommendations from ratings: {@code column1} to {@code column4}. */
  public SvdPlusPlus svdPlusPlus() {
    return new SvdPlusPlus(tables);
  }

  /** A maximal independent set: {@code member}. */
  public IndependentSet independentSet() {
    return new IndependentSet(tables);
  }

  /** A maximal matching: {@code partner}. */
  public MaximalMatching maximalMatching() {
    return new MaximalMatching(tables);
  }

  /** Numbers for vertices, another one for each neighbour: {@code colour}. */
  public GraphColouring graphColouring() {
    return new GraphColouring(tables);
  }

  /** A minimum spanning forest: {@code component}, {@code parent} and {@code weight}. */
  public MinimumSpanningForest minimumSpanningForest() {
    return new MinimumSpanningForest(tables);
  }

  /**
   * The modularity of communities, in [-1, 1]: how many more edges they have inside than chance
   * would give them. Directions are left out.
   *
   * @param community column of the vertices, of any type, that members of one have in common
   * @throws FrameException when there is no such column, or it is null somewhere
   */
  public double modularity(String community) {
    return modularity(community, null, 1);
  }

  /**
   * As above, with weights.
   *
   * @param weight column of the edges, not negative; null: each counts 1
   * @param resolution above 0; 1 is usual
   */
  public double modularity(String community, String weight, double resolution) {
    Names.require(vertices(), "vertices", community);
    double[] found = new double[1];
    loaded(
        EdgeValues.weight(weight),
        (on, running) -> {
          found[0] =
              on.modularity(on.vertices(edges), community, weight != null, resolution, running);
          return null;
        });
    return found[0];
  }

  /**
   * Loads the graph into the executors and keeps it there, so that algorithms need not load it
   * again; on a GPU its structure stays in the memory of the GPU, too. {@link #close} frees it.
   */
  public PropertyGraph persistOnDevice() {
    return persistOnDevice(null);
  }

  /**
   * As above, with weights.
   *
   * @param weight column of the edges, of a numeric type
   */
  public synchronized PropertyGraph persistOnDevice(String weight) {
    EdgeValues values = EdgeValues.weight(weight);
    if (held == null || !values.equals(heldValues)) {
      FrameGraph loaded = load(values);
      close();
      held = loaded;
      heldValues = values;
    }
    return this;
  }

  /**
   * What the graph without weights, and an algorithm with a number for each vertex, would take in
   * executors and on GPUs. Counts the tables; loads nothing.
   */
  public GraphEstimate estimate() {
    return FrameEstimate.of(
        vertices, edges, keys, vertices == null || missing == Missing.ADD, options);
  }

  /** Frees what {@link #persistOnDevice} loaded. The tables stay as they are. */
  @Override
  public synchronized void close() {
    if (held != null) {
      held.close();
      held = null;
      heldValues = null;
    }
  }

  private FrameGraph load(EdgeValues values) {
    tables.requireWeight(values.weight());
    return FrameGraph.load(vertices, edges, keys, values, missing, options);
  }

  /** How it is run. */
  RunOptions options() {
    return options;
  }

  /** The columns of the vertices. */
  StructType vertexSchema() {
    return vertices != null ? vertices.schema() : new StructType().add(ID, keys.type(), false);
  }

  /** Refuses a column of a result that the vertices have already. */
  void requireNew(String column) {
    if (vertices != null) {
      Names.requireNew(vertices, "vertices", column);
    }
  }

  /** What is done with a loaded graph. */
  interface Use {
    Dataset<Row> with(FrameGraph graph, RunOptions options);
  }

  /**
   * Does something with the loaded graph; it is freed afterwards, unless it is to stay.
   *
   * @param values of the edges, that are loaded
   */
  Dataset<Row> loaded(EdgeValues values, Use use) {
    FrameGraph kept;
    synchronized (this) {
      kept =
          held != null && (values.equals(EdgeValues.NONE) || values.equals(heldValues))
              ? held
              : null;
    }
    // What says how to load a graph is of no use to a run on it.
    RunOptions running = Sources.loaded(options);
    if (kept != null) {
      return used(kept, running, use);
    }
    try (FrameGraph once = load(values)) {
      return used(once, running, use);
    }
  }

  private Dataset<Row> used(FrameGraph on, RunOptions running, Use use) {
    try {
      return use.with(on, running);
    } catch (BadWeightException e) {
      throw on.named(e, edges);
    }
  }

  /** This graph as its algorithms see it, which users do not. */
  private final class Tables implements GraphTables {
    @Override
    public void requireNew(String column) {
      PropertyGraph.this.requireNew(column);
    }

    @Override
    public void requireWeight(String column) {
      if (column != null) {
        FrameGraph.requireWeight(edges, column);
      }
    }

    @Override
    public StructType idColumn() {
      return vertices != null ? new StructType() : new StructType().add(ID, keys.type());
    }

    @Override
    public DataType idType() {
      return keys.type();
    }

    @Override
    public Dataset<Row> loaded(EdgeValues values, GraphTables.Use use) {
      return PropertyGraph.this.loaded(values, use::with);
    }
  }
}
