package org.sparkgpugraph.files.input;

import java.io.Serializable;
import java.util.Objects;

/**
 * How edges are written in text. Start with {@link #edgeList()}, {@link #csv()} or {@link
 * #matrixMarket()}; the other methods return changed copies.
 *
 * @param style edge list, delimited columns or matrix
 * @param weighted whether a weight is read for every edge; without it a weight column is ignored
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
     * {@code source destination [weight]}, separated by blanks; comments begin with # or %. Where
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
   *     or a line end
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
  }

  /** Lines {@code source destination [weight]}. */
  public static EdgeTextFormat edgeList() {
    return new EdgeTextFormat(Style.EDGE_LIST, false, false, ' ', Header.NO, null, null, null);
  }

  /** Lines of a vertex each. */
  public static EdgeTextFormat vertexList() {
    return new EdgeTextFormat(Style.VERTEX_LIST, false, false, ' ', Header.NO, null, null, null);
  }

  /** Sparse matrices as the Matrix Market exchanges them; see {@link MatrixMarketFiles}. */
  public static EdgeTextFormat matrixMarket() {
    return edgeList().withStyle(Style.MATRIX_MARKET);
  }

  /** Comma-separated columns. */
  public static EdgeTextFormat csv() {
    return new EdgeTextFormat(Style.CSV, false, false, ',', Header.AUTO, null, null, null);
  }

  public EdgeTextFormat withStyle(Style style) {
    return with(style, weighted, undirected, delimiter, header);
  }

  public EdgeTextFormat withWeights(boolean weighted) {
    return with(style, weighted, undirected, delimiter, header);
  }

  public EdgeTextFormat withBothDirections(boolean undirected) {
    return with(style, weighted, undirected, delimiter, header);
  }

  public EdgeTextFormat withDelimiter(char delimiter) {
    return with(style, weighted, undirected, delimiter, header);
  }

  public EdgeTextFormat withHeader(Header header) {
    return with(style, weighted, undirected, delimiter, header);
  }

  /** With the columns of this one. */
  private EdgeTextFormat with(
      Style style, boolean weighted, boolean undirected, char delimiter, Header header) {
    return new EdgeTextFormat(
        style,
        weighted,
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
        style, weighted, undirected, delimiter, header, source, destination, weight);
  }

  EdgeLineParser parser() throws LineException {
    return switch (style) {
      case EDGE_LIST -> new EdgeListParser(weighted);
      case CSV -> new CsvParser(this);
      case VERTEX_LIST -> new VertexListParser();
      case MATRIX_MARKET -> new MatrixMarketParser(weighted);
    };
  }
}
