package org.sparkgpugraph.files.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.model.VertexBlock;
import scala.Tuple2;

/**
 * Sparse matrices of the Matrix Market as graphs: an entry in row i and column j is the edge i → j,
 * in a symmetric matrix the edge j → i, too, unless i = j. Indexes begin with 1 and are the ids.
 * Every index up to the number of rows or columns is a vertex, with or without an edge.
 *
 * <p>Read are coordinate matrices, {@code pattern}, {@code real} or {@code integer}, {@code
 * general}, {@code symmetric} or {@code skew-symmetric} (the reverse edge has the negative value).
 * Complex, hermitian and dense ({@code array}) ones are refused.
 */
public final class MatrixMarketFiles {
  private static final Logger LOG = LoggerFactory.getLogger(MatrixMarketFiles.class);

  /** Vertices of a full block. */
  private static final int BLOCK_IDS = 1 << 14;

  private final List<FileStatus> files = new ArrayList<>();
  private final List<MatrixMarketHeader> headers = new ArrayList<>();

  private MatrixMarketFiles() {}

  /**
   * Reads the heads of the files.
   *
   * @param path input paths, as Hadoop reads them
   * @param format of the files; an edge list's first file decides
   * @return empty when the files are in another format
   * @throws BadInputException when a path matches nothing or cannot be accessed, or a file's head
   *     cannot be read as that of a matrix
   */
  public static Optional<MatrixMarketFiles> of(
      JavaSparkContext sc, String path, EdgeTextFormat format) {
    Configuration conf = sc.hadoopConfiguration();
    return of(InputFiles.of(path, conf), conf, format);
  }

  public static Optional<MatrixMarketFiles> of(
      InputFiles input, Configuration conf, EdgeTextFormat format) {
    boolean expected = format.style() == EdgeTextFormat.Style.MATRIX_MARKET;
    Path first = input.files().get(0).getPath();
    if (!expected && (format.style() != EdgeTextFormat.Style.EDGE_LIST || !isMatrix(conf, first))) {
      return Optional.empty();
    }
    MatrixMarketFiles matrices = new MatrixMarketFiles();
    for (FileStatus file : input.files()) {
      matrices.files.add(file);
      matrices.headers.add(head(conf, file.getPath(), format));
    }
    return Optional.of(matrices);
  }

  private static boolean isMatrix(Configuration conf, Path file) {
    try (TextLines lines = TextLines.ofWhole(conf, file)) {
      return MatrixMarketParser.begins(lines);
    } catch (BadInputException | IOException | FSError e) {
      // The tasks that read the file say what is wrong with it, if anything is: executors may have
      // the native library of a compressed format that is missing here.
      LOG.debug("{} cannot be opened by the driver", file, e);
      return false;
    }
  }

  private static MatrixMarketHeader head(Configuration conf, Path file, EdgeTextFormat format) {
    MatrixMarketParser parser = new MatrixMarketParser(format.weighted());
    try (TextLines lines = TextLines.ofWhole(conf, file)) {
      lines.header(parser);
      return parser.header();
    } catch (IOException | FSError e) {
      throw Unreachable.exception("read", file.toString(), e);
    }
  }

  /** Number of vertices: that of rows or columns of the largest matrix. */
  public long vertices() {
    return headers.stream().mapToLong(MatrixMarketHeader::order).max().orElse(0);
  }

  /**
   * The ids from 1 to the number of vertices.
   *
   * @param partitions number of tasks that make them
   */
  public JavaRDD<VertexBlock> vertices(JavaSparkContext sc, int partitions) {
    long vertices = vertices();
    int count = (int) Math.max(1, Math.min(partitions, vertices / BLOCK_IDS));
    return sc.parallelize(LongStream.range(0, count).boxed().toList(), count)
        .flatMap(
            slice ->
                blocks(bound(vertices, slice, count) + 1, bound(vertices, slice + 1, count) + 1));
  }

  /**
   * The ids from {@code first} to before {@code end}, in blocks that are made as they are taken.
   */
  private static Iterator<VertexBlock> blocks(long first, long end) {
    return LongStream.iterate(first, from -> from < end, from -> from + BLOCK_IDS)
        .mapToObj(from -> LongStream.range(from, Math.min(end, from + BLOCK_IDS)).toArray())
        .map(ids -> new VertexBlock(ids, null))
        .iterator();
  }

  private static long bound(long vertices, long slice, int count) {
    // Does not overflow: matrices have at most 2^36 rows.
    return vertices * slice / count;
  }

  /** Tells what is read, and of rectangular matrices what becomes of their rows and columns. */
  public void log() {
    for (int i = 0; i < files.size(); i++) {
      MatrixMarketHeader header = headers.get(i);
      LOG.info("{} is read as a Matrix Market file: {}", files.get(i).getPath(), header);
      if (header.rows() != header.columns()) {
        LOG.warn(
            "{} is a rectangular matrix ({} x {}): row i and column i are the same vertex i; if"
                + " they are different things, give columns other numbers first",
            files.get(i).getPath(),
            header.rows(),
            header.columns());
      }
    }
  }

  /**
   * Counts the entries of files that several tasks will read, none of which could tell that some
   * are missing.
   *
   * @param conf configuration of the job that reads
   * @param splitBytes most bytes of a split
   */
  public void checkEntries(JavaSparkContext sc, Configuration conf, long splitBytes) {
    if (files.stream().noneMatch(file -> isSplit(conf, file, splitBytes))) {
      return;
    }
    // A file that is named twice is read twice.
    Map<String, Long> expected = new HashMap<>();
    for (int i = 0; i < files.size(); i++) {
      expected.merge(files.get(i).getPath().toString(), headers.get(i).entries(), Long::sum);
    }
    Map<String, Long> counts = new HashMap<>();
    JavaPairRDD<Text, LongWritable> splits =
        sc.newAPIHadoopRDD(conf, EntryCountFormat.class, Text.class, LongWritable.class);
    for (Tuple2<String, Long> split :
        splits.map(each -> new Tuple2<>(each._1.toString(), each._2.get())).collect()) {
      counts.merge(split._1, split._2, Long::sum);
    }
    for (int i = 0; i < files.size(); i++) {
      String file = files.get(i).getPath().toString();
      long entries = counts.getOrDefault(file, 0L);
      if (entries != expected.get(file)) {
        long times = files.stream().filter(f -> f.getPath().toString().equals(file)).count();
        throw new BadInputException(
            file + ": " + MatrixMarketParser.miscounted(headers.get(i), entries / times));
      }
    }
  }

  private static boolean isSplit(Configuration conf, FileStatus file, long splitBytes) {
    // Hadoop's splits are no larger than a block of the file system.
    return file.getLen() > Math.min(splitBytes, file.getBlockSize())
        && InputBytes.codec(conf, file.getPath()) == null;
  }
}
