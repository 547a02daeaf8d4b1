package org.sparkgpugraph.program.fold;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.LiftedSteps;
import org.sparkgpugraph.program.LiftedSteps.VertexMap;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.ir.IrFunction;

/**
 * Makes a program of a sequence of maps. Neighbours are folded into one superstep where that
 * changes no value: the results are those of the maps one after the other, each at all vertices or
 * edges. Only the order in which lanes of a GPU add floating numbers may be another.
 */
public final class Folding {
  private final LiftedSteps steps;
  private final List<String> lines = new ArrayList<>();

  private Folding(LiftedSteps steps) {
    this.steps = steps;
  }

  /**
   * The program.
   *
   * @param operation how the measure of vertices is combined; null without a measure
   * @param folds false: every map is a superstep of its own, and messages wait in hidden columns
   *     for the one that reads them
   * @throws IllegalArgumentException when there are more supersteps than an int counts
   */
  public static FoldedSteps apply(LiftedSteps steps, AggregateOperation operation, boolean folds) {
    return new Folding(steps).folded(operation, folds);
  }

  private FoldedSteps folded(AggregateOperation operation, boolean folds) {
    boolean measured = steps.measure() != null;
    List<Turn> turns =
        new ArrayList<>(new PhasePlanner(steps.state(), folds).plan(steps.steps(), measured));
    List<VertexMap> first = folds ? first(turns) : List.of();
    List<Phase> phases = phases(turns);
    int supersteps = count(turns);
    MessageLayout layout = new MessageLayout(phases);
    StepColumns columns = new StepColumns(steps.state(), phases);
    describe(phases, folds);

    IrFunction vertexProgram = PhaseVertex.vertexProgram(turns, columns, layout);
    IrFunction send = PhaseMessages.send(turns, layout);
    IrFunction merge = PhaseMessages.merge(layout);
    List<Aggregate> aggregates =
        measured
            ? List.of(new Aggregate(FoldedSteps.MEASURE, operation, steps.measure()))
            : List.of();
    LiftedProgram program =
        LiftedProgram.builder()
            .attribute(steps.attribute())
            .edge(steps.edge())
            .state(columns.state())
            .message(new ValueType.Row(layout.types()))
            .result(steps.result())
            .initialState(
                PhaseVertex.initialState(steps.initialState(), first, steps.state(), columns))
            .vertexProgram(vertexProgram)
            .send(send)
            .merge(merge)
            .aggregates(aggregates)
            .resultFunction(steps.resultFunction())
            .captureKinds(steps.captureKinds())
            .tables(steps.tables())
            .phased(phases.size() > 1)
            .build();
    if (folds && steps.resultFunction() != null) {
      describeUnstored(UnreadColumns.kept(program));
      program = UnreadColumns.removed(program);
    }
    program = program.with().traits(traits(program)).build();
    Turn last = turns.get(turns.size() - 1);
    return new FoldedSteps(
        new ProgramInstance(program, steps.captures(), steps.tableArrays()),
        PhaseMessages.empty(layout),
        supersteps,
        measured ? (int) Turn.supersteps(((Turn.Loop) last).body()) : 0,
        measured ? supersteps - (int) last.supersteps() : 0,
        lines);
  }

  private ProgramTraits traits(LiftedProgram program) {
    ProgramTraits traits =
        TraitRecognizer.recognize(
            program.vertexProgram(), program.send(), program.merge(), null, program.aggregates());
    for (String line : lines) {
      traits = traits.noting(line);
    }
    return traits;
  }

  /** Names the components of which no column is stored. */
  private void describeUnstored(List<Integer> kept) {
    if (!(steps.state() instanceof ValueType.Struct struct)) {
      return;
    }
    List<String> names = new ArrayList<>();
    int begin = 0;
    for (ValueType.Field field : struct.fields()) {
      int end = begin + field.type().columns().size();
      int first = begin;
      if (kept.stream().noneMatch(c -> c >= first && c < end) && end > begin) {
        names.add("'" + field.name() + "'");
      }
      begin = end;
    }
    if (!names.isEmpty()) {
      lines.add(
          String.join(", ", names)
              + (names.size() == 1 ? " is" : " are")
              + " never stored: only maps of the same phase read what others made of "
              + (names.size() == 1 ? "it" : "them"));
    }
  }

  /** Takes the vertex maps away that can run where the values are made. */
  private List<VertexMap> first(List<Turn> turns) {
    if (turns.size() == 1 || !(turns.get(0) instanceof Phase phase) || !phase.gathers().isEmpty()) {
      return List.of();
    }
    turns.remove(0);
    lines.add(
        phase.maps()
            + (phase.applies().size() == 1 ? " runs" : " run")
            + " where the first values are made, before superstep 1");
    return phase.applies().stream().map(Phase.Apply::map).toList();
  }

  private static List<Phase> phases(List<Turn> turns) {
    List<Phase> phases = new ArrayList<>();
    for (Turn turn : turns) {
      if (turn instanceof Turn.Loop loop) {
        phases.addAll(phases(loop.body()));
      } else {
        phases.add((Phase) turn);
      }
    }
    return phases;
  }

  private static int count(List<Turn> turns) {
    try {
      return Math.toIntExact(Turn.supersteps(turns));
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          "the steps take more than " + Integer.MAX_VALUE + " supersteps: repeat them less often",
          e);
    }
  }

  private void describe(List<Phase> phases, boolean folds) {
    for (int i = 0; i < phases.size(); i++) {
      Phase phase = phases.get(i);
      lines.add(
          "phase %d of %d: %s (%s)%s"
              .formatted(
                  i + 1,
                  phases.size(),
                  phase.maps(),
                  gather(phase),
                  i == 0 || !folds ? "" : "; not folded with what is before: " + phase.begins()));
    }
    if (!folds) {
      lines.add("nothing is folded, since withFolding(false) says so");
    }
  }

  private static String gather(Phase phase) {
    int messages = phase.gathers().size();
    return switch (messages) {
      case 0 -> "no edges are walked";
      case 1 -> "one gather";
      default -> "one gather of " + messages + " messages";
    };
  }
}
