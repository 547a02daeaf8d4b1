package org.sparkgpugraph.algorithm.support;

/** A weight that an algorithm cannot compute with, whose edge is known. */
public final class BadWeightException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final long source;
  private final long destination;
  private final double value;
  private final String remedy;

  BadWeightException(
      String what, long source, long destination, double value, String remedy, Throwable cause) {
    super(text(what, source, destination, value, remedy), cause);
    this.what = what;
    this.source = source;
    this.destination = destination;
    this.value = value;
    this.remedy = remedy;
  }

  private static String text(
      String what, Object source, Object destination, double value, String remedy) {
    return "the %s of edge %s → %s is %s: %s".formatted(what, source, destination, value, remedy);
  }

  /** Id of the edge's source. */
  public long source() {
    return source;
  }

  /** Id of its destination. */
  public long destination() {
    return destination;
  }

  /** The same where users know the ends by other names. */
  public IllegalArgumentException of(Object sourceName, Object destinationName) {
    return new IllegalArgumentException(
        text(what, sourceName, destinationName, value, remedy), getCause());
  }
}
