package org.sparkgpugraph.files;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.EdgeTextFormat;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;

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

  private static VertexBlock sources(EdgeBlock block) {
    long[] ids = new long[block.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = block.source(i);
    }
    return new VertexBlock(ids, null);
  }
}
