package org.sparkgpugraph.runtime.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.sparkgpugraph.program.KeyedMaps;
import org.sparkgpugraph.program.LiftedMessages;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.runtime.load.GraphSource;

/**
 * Programs whose functions read Scala maps or sets: those that the values of the vertices and the
 * initial message hold say which keys there are.
 */
final class GraphMaps {
  private static final String ATTRIBUTE = "the vertices";
  private static final String MESSAGE = "the initial message";

  private GraphMaps() {}

  /**
   * Lifts a program. Only one that cannot be lifted without has the keys of its maps looked for,
   * which is a job over all vertices: maps that nobody reads are carried along.
   *
   * @param initialMessage null: there is none
   * @throws NotLiftableException with every reason, when a function cannot be lifted
   */
  static ProgramInstance lift(GraphSource graph, ProgramSource source, Object initialMessage) {
    return lift(graph, source, initialMessage, ProgramLifter::lift);
  }

  /** As {@link #lift}, of an {@code aggregateMessages}, which has no initial message. */
  static LiftedMessages liftMessages(GraphSource graph, ProgramSource source) {
    return lift(graph, source, null, ProgramLifter::liftMessages);
  }

  private static <T> T lift(
      GraphSource graph,
      ProgramSource source,
      Object initialMessage,
      Function<ProgramSource, T> lifter) {
    try {
      return lifter.apply(source);
    } catch (NotLiftableException e) {
      KeyedMaps maps = find(graph, source, initialMessage);
      ValueType attribute = maps.complete(ATTRIBUTE, source.attribute());
      ValueType message =
          source.message() == null ? null : maps.complete(MESSAGE, source.message());
      List<Refusal> problems = refusals(source, maps);
      if (attribute.equals(source.attribute())
          && (message == null || message.equals(source.message()))) {
        throw problems.isEmpty() ? e : new NotLiftableException(problems);
      }
      try {
        return lifter.apply(source.with(attribute, message));
      } catch (NotLiftableException still) {
        problems.addAll(still.refusals());
        throw new NotLiftableException(problems);
      }
    }
  }

  private static KeyedMaps find(GraphSource graph, ProgramSource source, Object initialMessage) {
    KeyedMaps maps = new KeyedMaps();
    if (source.message() != null && initialMessage != null) {
      maps.see(MESSAGE, source.message(), initialMessage);
    }
    return graph.origin() != null && KeyedMaps.areIn(source.attribute())
        ? maps.join(graph.origin().keyedMaps(ATTRIBUTE, source.attribute()))
        : maps;
  }

  private static List<Refusal> refusals(ProgramSource source, KeyedMaps maps) {
    List<Refusal> refusals = new ArrayList<>();
    for (String problem : maps.problems()) {
      SourcePosition where = new SourcePosition(source.attribute().className(), "", -1);
      refusals.add(new Refusal("program", where, problem));
    }
    return refusals;
  }
}
