package org.sparkgpugraph.program.messages;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.LiftedMessages;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.IrBuilder;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * {@code aggregateMessages} as a vertex program of one superstep. Superstep 0 changes nothing, so
 * that in superstep 1 every edge is evaluated and a vertex runs if a message came: it keeps the
 * message and notes that there is one. No message says that by its value.
 *
 * <p>The state is the attribute, if the send function reads it, the message, and the note. The
 * result is a pair of the message and the note.
 */
public final class MessageAggregation {
  /** Class of the result. */
  private static final String PAIR = "scala.Tuple2";

  private static final ValueType NOTE = new ValueType.Scalar(Kind.BOOLEAN);

  private final LiftedMessages messages;
  private final List<ColumnType> attribute;
  private final List<ColumnType> message;
  private final List<ColumnType> all;

  private MessageAggregation(LiftedMessages messages) {
    this.messages = messages;
    boolean reads = messages.send().reads(Role.SOURCE) || messages.send().reads(Role.DESTINATION);
    attribute = reads ? messages.attribute().columns() : List.of();
    message = messages.message().columns();
    all = new ArrayList<>(attribute);
    all.addAll(message);
    all.add(Kind.BOOLEAN);
  }

  /** The program; to be run for one superstep after superstep 0. */
  public static ProgramInstance program(LiftedMessages messages) {
    return new ProgramInstance(
        new MessageAggregation(messages).program(), messages.captures(), messages.tableArrays());
  }

  /** What a program that was made here gives for a vertex, without the note. */
  public static ValueType message(ValueType result) {
    return ((ValueType.Struct) result).fields().get(0).type();
  }

  private LiftedProgram program() {
    IrFunction vertexProgram = vertexProgram();
    return LiftedProgram.builder()
        .attribute(messages.attribute())
        .edge(messages.edge())
        .state(state())
        .message(messages.message())
        .result(
            new ValueType.Struct(
                PAIR,
                List.of(
                    new ValueType.Field("_1", messages.message()),
                    new ValueType.Field("_2", NOTE))))
        .initialState(initialState())
        .vertexProgram(vertexProgram)
        .send(messages.send())
        .merge(messages.merge())
        .resultFunction(result())
        .captureKinds(messages.captureKinds())
        .tables(messages.tables())
        .traits(
            TraitRecognizer.recognize(
                vertexProgram, messages.send(), messages.merge(), null, List.of()))
        .build();
  }

  /** No class: its values stay in columns. */
  private ValueType state() {
    List<ValueType.Field> fields = new ArrayList<>();
    for (ColumnType type : all) {
      fields.add(new ValueType.Field("column " + fields.size(), ValueType.of(type)));
    }
    return new ValueType.Struct("the attribute and the message", fields);
  }

  private static IrBuilder function(String name) {
    return new IrBuilder(name, MessageAggregation.class);
  }

  private IrFunction initialState() {
    IrBuilder f = function("state");
    List<Integer> state = new ArrayList<>();
    for (int i = 0; i < attribute.size(); i++) {
      state.add(f.parameter(Role.ATTRIBUTE, i, attribute.get(i)));
    }
    for (ColumnType type : all.subList(attribute.size(), all.size())) {
      int zero = f.constant(type.kind().zero());
      state.add(type.isArray() ? f.filled(type.width(), zero) : zero);
    }
    f.leave(state);
    return f.build(all);
  }

  private IrFunction vertexProgram() {
    IrBuilder f = function("vertexProgram");
    List<Integer> before = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      before.add(f.parameter(Role.VALUE, i, all.get(i)));
    }
    List<Integer> after = new ArrayList<>(before.subList(0, attribute.size()));
    for (int i = 0; i < message.size(); i++) {
      after.add(f.parameter(Role.MESSAGE, i, message.get(i)));
    }
    int first = f.label();
    f.branch(Condition.EQ, f.parameter(Role.SUPERSTEP, Kind.INT), f.constant(0), first);
    after.add(f.constant(1));
    f.leave(after);
    f.place(first);
    f.leave(before);
    return f.build(all);
  }

  private IrFunction result() {
    IrBuilder f = function("result");
    List<Integer> result = new ArrayList<>();
    for (int i = attribute.size(); i < all.size(); i++) {
      result.add(f.parameter(Role.VALUE, i, all.get(i)));
    }
    f.leave(result);
    return f.build(all.subList(attribute.size(), all.size()));
  }
}
