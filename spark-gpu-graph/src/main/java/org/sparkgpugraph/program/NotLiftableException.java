package org.sparkgpugraph.program;

import java.util.List;
import java.util.stream.Collectors;

/** A program that cannot be lifted, or of which no code can be made, with every reason found. */
public final class NotLiftableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<Refusal> refusals;

  public NotLiftableException(List<Refusal> refusals) {
    super(refusals.stream().map(Refusal::toString).collect(Collectors.joining("\n")));
    this.refusals = List.copyOf(refusals);
  }

  /** The reasons, at least one. */
  public List<Refusal> refusals() {
    return refusals;
  }
}
