package org.sparkgpugraph.files.input;

import java.io.Serializable;
import java.util.Objects;
import org.sparkgpugraph.program.ValueType;

/**
 * How edges are written in text. Start with {@link #edgeList()}, {@link #csv()} or {@link
 * #matrixMarket()}; the other methods return changed copies.
 *
 * @param style edge list, delimited columns or matrix
 * @param weighted whether a weight is read for every edge; without it a weight column is ignored
 * @param length numbers of the array that is read in the place of one weight, from the weight's
 *     column and those behind it; 0: one number
 * @param undirected whether every line is two edges, one in each direction (a self-loop too: it
 *     counts twice, as an undirected self-loop does in a degree)
 * @param delimiter between CSV columns: one ASCII character
 * @param header whether the first line of each CSV file names the columns
 * @param sourceColumn CSV column, by name or by position from 1; null: {@code src} or else the
 *     first
 * @param destinationColumn likewise; null: {@code dst} or else the second
 * @param weightColumn likewise; null: {@code weight} or else the third
 */
public record EdgeTextFormat(
    Style style,
    boolean weighted,
    int length,
    boolean undirected,
    char delimiter,
    Header header,
    String sourceColumn,
    String destinationColumn,
    String weightColumn)
    implements Serializable {
  /** Names that columns have unless others are given. */
  public static final String DEFAULT_SOURCE = "src";

  public static final String DEFAULT_DESTINATION = "dst";
  public static final String DEFAULT_WEIGHT = "weight";

  /** What lines look like. */
  public enum Style {
    /**
     * {@code source destination [weight …]}, separated by blanks; comments begin with # or %. Where
     * the first file begins with {@code %%MatrixMarket}, all are read as matrices.
     */
    EDGE_LIST,
    /** Delimited columns, possibly quoted. */
    CSV,
    /** Vertices instead of edges, one id a line; each comes as an edge to itself. */
    VERTEX_LIST,
    /** Sparse matrices in coordinate format: an edge from row to column for each entry. */
    MATRIX_MARKET
  }

  /** Whether CSV files have a header. */
  public enum Header {
    /** The first line is a header iff none of its fields is a number. */
    AUTO,
    YES,
    NO
  }

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException for a delimiter that is not one ASCII character, or is a quote
   *     or a line end, and for arrays of matrices or of no or too many numbers
   */
  public EdgeTextFormat {
    Objects.requireNonNull(style, "style");
    Objects.requireNonNull(header, "header");
    if (delimiter >= 128 || delimiter == '"' || delimiter == '\n' || delimiter == '\r') {
      throw new IllegalArgumentException(
          "the delimiter must be one ASCII character that is no quote and no line end, not '"
              + delimiter
              + "'");
    }
    if (length < 0 || length > ValueType.Vector.MOST) {
      throw new IllegalArgumentException(
          "an array of "
              + length
              + " weights: arrays have 1 to "
              + ValueType.Vector.MOST
              + " numbers");
    }
    if (length > 0 && style == Style.MATRIX_MARKET) {
      throw new IllegalArgumentException(
          "the entries of a matrix are single numbers: give arrays of weights as an edge list");
    }
  }

  /** Lines {@code source destination [weight]}. */
  public static EdgeTextFormat edgeList() {
    return new EdgeTextFormat(Style.EDGE_LIST, false, 0, false, ' ', Header.NO, null, null, null);
  }

  /** Lines of a vertex each. */
  public static EdgeTextFormat vertexList() {
    return new EdgeTextFormat(Style.VERTEX_LIST, false, 0, false, ' ', Header.NO, null, null, null);
  }

  /** Sparse matrices as the Matrix Market exchanges them; see {@link MatrixMarketFiles}. */
  public static EdgeTextFormat matrixMarket() {
    return edgeList().withStyle(Style.MATRIX_MARKET);
  }

  /** Comma-separated columns. */
  public static EdgeTextFormat csv() {
    return new EdgeTextFormat(Style.CSV, false, 0, false, ',', Header.AUTO, null, null, null);
  }

  public EdgeTextFormat withStyle(Style style) {
    return with(style, weighted, length, undirected, delimiter, header);
  }

  /** With a weight for every edge, or none. */
  public EdgeTextFormat withWeights(boolean weighted) {
    return with(style, weighted, 0, undirected, delimiter, header);
  }

  /**
   * With an array of weights for every edge; of a list of vertices, for every vertex.
   *
   * @param length how many numbers each has, 1 to 1024
   */
  public EdgeTextFormat withWeights(int length) {
    if (length < 1) {
      throw new IllegalArgumentException("an array of " + length + " weights");
    }
    return with(style, true, length, undirected, delimiter, header);
  }

  public EdgeTextFormat withBothDirections(boolean undirected) {
    return with(style, weighted, length, undirected, delimiter, header);
  }

  public EdgeTextFormat withDelimiter(char delimiter) {
    return with(style, weighted, length, undirected, delimiter, header);
  }

  public EdgeTextFormat withHeader(Header header) {
    return with(style, weighted, length, undirected, delimiter, header);
  }

  /** With the columns of this one. */
  private EdgeTextFormat with(
      Style style,
      boolean weighted,
      int length,
      boolean undirected,
      char delimiter,
      Header header) {
    return new EdgeTextFormat(
        style,
        weighted,
        length,
        undirected,
        delimiter,
        header,
        sourceColumn,
        destinationColumn,
        weightColumn);
  }

  /** Columns by name or by position from 1; null keeps the usual one. */
  public EdgeTextFormat withColumns(String source, String destination, String weight) {
    return new EdgeTextFormat(
        style, weighted, length, undirected, delimiter, header, source, destination, weight);
  }

  EdgeLineParser parser() throws LineException {
    return switch (style) {
      case EDGE_LIST -> new EdgeListParser(weighted, length);
      case CSV -> new CsvParser(this);
      case VERTEX_LIST -> new VertexListParser(length);
      case MATRIX_MARKET -> new MatrixMarketParser(weighted);
    };
  }
}
