package org.sparkgpugraph.program;

import java.util.ArrayList;
import java.util.List;

/**
 * What the functions of a program tell of options that have no value in the graph or in the initial
 * message: the types of the values that they put in.
 */
public final class OptionTypes {
  /** How often a program is lifted again with more types known: it has not more of them. */
  public static final int MOST = 16;

  private record Found(ValueType of, List<Integer> indexes, ValueType option) {}

  private final List<Found> found = new ArrayList<>();

  /**
   * Notes a type.
   *
   * @param of the type that the option is a component of, the very object
   * @param indexes of the components that lead to it
   * @param option its type
   */
  public void found(ValueType of, List<Integer> indexes, ValueType option) {
    found.add(new Found(of, indexes, option));
  }

  /** The program with what was found; null when nothing was. */
  public ProgramSource complete(ProgramSource source) {
    ValueType attribute = source.attribute();
    ValueType message = source.message();
    for (Found one : found) {
      // The attribute and the message may be equal, but are not one type.
      if (one.of == source.attribute()) {
        attribute = attribute.with(one.indexes, one.option);
      } else if (one.of == source.message()) {
        message = message.with(one.indexes, one.option);
      }
    }
    return attribute == source.attribute() && message == source.message()
        ? null
        : source.with(attribute, message);
  }
}
