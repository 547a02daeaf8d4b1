package org.sparkgpugraph.frame.table;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.hash;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.monotonically_increasing_id;
import static org.apache.spark.sql.functions.pmod;
import static org.apache.spark.sql.functions.when;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.runtime.load.ShardTables;
import org.sparkgpugraph.runtime.rapids.ColumnarTables;

/**
 * Edges that RAPIDS sends to their shards by a query: owners are columns, and the exchange is one
 * of Spark SQL, which RAPIDS runs on the GPU. An edge between two shards is there twice; one query
 * for both of them reads the table once. Several tasks read what is sent to a shard, each the edges
 * between other vertices. Where edges have weights they are put back into the order of the table
 * behind the exchange, so that those between the same vertices are merged in the order in which
 * they would be on the host; without weights nobody can tell them apart.
 */
final class SentEdges implements ShardTables {
  private static final Logger LOG = LoggerFactory.getLogger(SentEdges.class);

  private static final String SHARD = "shard";
  private static final String PLACE = "place";
  private static final String KEY = "key";

  private final Dataset<Row> edges;
  private final String[] read;
  private final Function<Dataset<Row>, String> end;

  /**
   * @param edges two bigints, and a double where edges have weights
   * @param end the operator with which a plan ends
   */
  SentEdges(Dataset<Row> edges, Function<Dataset<Row>, String> end) {
    this.edges = edges;
    this.end = end;
    read = edges.columns();
  }

  @Override
  public Sent send(IdRanges ranges, int tasks) {
    int partitions = ranges.shards() * tasks;
    try {
      JavaRDD<EdgeBlock> tables =
          ColumnarTables.edges(
              query(ranges, tasks),
              hasWeights(),
              ColumnarTables.To.DEVICE,
              () -> end.apply(query(ranges, tasks)));
      if (tables.getNumPartitions() != partitions) {
        return refused(
            "an exchange into %d partitions has %d"
                .formatted(partitions, tables.getNumPartitions()));
      }
      return new Sent(tables, null);
    } catch (ColumnarTables.RowsException e) {
      return refused(e.getMessage());
    }
  }

  private static Sent refused(String why) {
    LOG.info("RAPIDS does not send edges to their shards: {}", why);
    return new Sent(null, why);
  }

  private boolean hasWeights() {
    return read.length > 2;
  }

  /**
   * Partitions {@code i · tasks} to {@code (i + 1) · tasks − 1} have the edges of shard i, those
   * between the same vertices one of them.
   */
  Dataset<Row> query(IdRanges ranges, int tasks) {
    OwnerKeys keys = new OwnerKeys(ranges, tasks);
    Column ofSource = keys.shard(col(read[0]));
    Column ofDestination = keys.shard(col(read[1]));
    Column alsoOfSource = when(ofSource.notEqual(ofDestination), ofSource);
    Column partition =
        tasks == 1
            ? col(SHARD)
            : col(SHARD)
                .multiply(lit(tasks))
                .plus(pmod(hash(col(read[0]), col(read[1])), lit(tasks)));
    Dataset<Row> sent =
        (hasWeights() ? edges.withColumn(PLACE, monotonically_increasing_id()) : edges)
            .select(with(explode(array(ofDestination, alsoOfSource)).as(SHARD)))
            .where(col(SHARD).isNotNull())
            .select(with(partition.as(SHARD)))
            .select(with(keys.of(col(SHARD)).as(KEY)))
            .repartition(ranges.shards() * tasks, col(KEY));
    Dataset<Row> inOrder = hasWeights() ? sent.sortWithinPartitions(PLACE) : sent;
    return inOrder.select(columns().toArray(Column[]::new));
  }

  /** What travels: the edges, with their places where they have weights, and another column. */
  private Column[] with(Column other) {
    List<Column> columns = columns();
    if (hasWeights()) {
      columns.add(col(PLACE));
    }
    columns.add(other);
    return columns.toArray(Column[]::new);
  }

  private List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    for (String name : read) {
      columns.add(col(name));
    }
    return columns;
  }
}
