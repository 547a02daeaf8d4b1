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
    if (others || input.source().origin() == null) {
      refuse(result, "the vertex attributes are not those of a GraphX graph");
    }
    requireOuters(result, result, input.source().vertexType());
  }

  /**
   * Refuses values of a class whose objects refer to others that the input's values do not have.
   */
  private static void requireOuters(ValueType result, ValueType part, ValueType before) {
    if (!(part instanceof ValueType.Struct struct)) {
      return;
    }
    for (int i = 0; i < struct.fields().size(); i++) {
      ValueType field = struct.fields().get(i).type();
      ValueType old =
          before instanceof ValueType.Struct same && i < same.fields().size()
              ? same.fields().get(i).type()
              : null;
      if (field instanceof ValueType.Outer && !field.equals(old)) {
        throw refusal(
            result,
            "the result has objects of class "
                + struct.className()
                + ", which refer to an object of the class around it, where the vertex attributes"
                + " have none; use a record, tuple or case class of a package or object");
      }
      requireOuters(result, field, old);
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
    if (result.hasCarried()) {
      throw refusal(
          result,
          why
              + ", but components of a "
              + result.className()
              + " are not numbers and can only be carried from such a graph; call run() on the"
              + " GraphX graph, or leave them out");
    }
  }

  private static NotLiftableException refusal(ValueType result, String why) {
    return new NotLiftableException(
        List.of(new Refusal("program", new SourcePosition(result.className(), "", -1), why)));
  }
}
