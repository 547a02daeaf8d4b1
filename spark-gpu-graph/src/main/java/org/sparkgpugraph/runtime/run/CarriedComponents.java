package org.sparkgpugraph.runtime.run;

import java.util.List;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * Components of a result that no function reads: they never leave the GraphX graph that the program
 * runs on, so that there must be one.
 */
final class CarriedComponents {
  private CarriedComponents() {}

  /**
   * Refuses a result whose components the input cannot give.
   *
   * @throws NotLiftableException names the class
   */
  static void check(ValueType result, JobInput input) {
    boolean others = input.resident() != null && !input.resident().state().hasAttributesOfSource();
    if (others || input.source().graph() == null) {
      refuse(result, "the vertex attributes are not those of a GraphX graph");
    }
  }

  /**
   * The input with what is known now of its attributes: of options that have no value at any
   * vertex, and of maps.
   *
   * @throws NotLiftableException when the graph is held without them
   */
  static JobInput completed(JobInput input, ValueType attribute) {
    if (attribute.equals(input.source().vertexType())) {
      return input;
    } else if (input.resident() != null) {
      throw new NotLiftableException(
          List.of(
              new Refusal(
                  "program",
                  new SourcePosition(attribute.className(), "", -1),
                  "the graph was loaded when no vertex's option had a value, or the keys of its maps"
                      + " were not known")));
    }
    return new JobInput(
        input.source().withVertexType(attribute), null, input.options(), input.conf());
  }

  /**
   * Refuses a result with such components.
   *
   * @param why nobody has them
   */
  static void refuse(ValueType result, String why) {
    if (result.hasOpaque()) {
      throw new NotLiftableException(
          List.of(
              new Refusal(
                  "program",
                  new SourcePosition(result.className(), "", -1),
                  why
                      + ", but components of a "
                      + result.className()
                      + " are not numbers and can only be carried from such a graph; call run() on"
                      + " the GraphX graph, or leave them out")));
    }
  }
}
