package org.sparkgpugraph.files;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.EdgeTextFormat;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import scala.Tuple2;

/**
 * Vertices from files, for graphs whose edges do not touch all of them. Paths are those of {@link
 * EdgeLoader}.
 */
public final class VertexLoader {
  private VertexLoader() {}

  /**
   * Vertex ids from text: one 64-bit integer at the beginning of each line; what follows it after a
   * blank is ignored, and so are blank lines and lines that begin with # or %. Nothing is read yet,
   * but the files are looked for.
   *
   * @param path input paths
   * @param minPartitions about how many tasks share large files
   * @throws BadInputException when a path matches nothing or cannot be accessed; inside the job
   *     that reads, for a line that is no vertex (with file, line number and text)
   */
  public static JavaRDD<VertexBlock> text(JavaSparkContext sc, String path, int minPartitions) {
    return EdgeLoader.text(sc, path, EdgeTextFormat.vertexList(), minPartitions)
        .map(VertexLoader::sources);
  }

  /**
   * Vertices with an array each, from text: lines of an id and the array's numbers, separated by
   * blanks or tabs; what follows is ignored, and so are blank lines and lines that begin with # or
   * %. Nothing is read yet, but the files are looked for.
   *
   * @param path input paths
   * @param length numbers of an array, 1 to 1024
   * @param minPartitions about how many tasks share large files
   * @throws BadInputException as {@link #text}, and for a line with fewer numbers
   */
  public static JavaPairRDD<Long, double[]> arrays(
      JavaSparkContext sc, String path, int length, int minPartitions) {
    EdgeTextFormat format = EdgeTextFormat.vertexList().withWeights(length);
    return EdgeLoader.text(sc, path, format, minPartitions)
        .flatMapToPair(block -> arrays(block, length).iterator());
  }

  private static List<Tuple2<Long, double[]>> arrays(EdgeBlock block, int length) {
    double[] all = ((Columns) block.values()).doubles(0);
    List<Tuple2<Long, double[]>> vertices = new ArrayList<>();
    for (int i = 0; i < block.size(); i++) {
      double[] own = Arrays.copyOfRange(all, i * length, (i + 1) * length);
      vertices.add(new Tuple2<>(block.source(i), own));
    }
    return vertices;
  }

  private static VertexBlock sources(EdgeBlock block) {
    long[] ids = new long[block.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = block.source(i);
    }
    return new VertexBlock(ids, null);
  }
}
