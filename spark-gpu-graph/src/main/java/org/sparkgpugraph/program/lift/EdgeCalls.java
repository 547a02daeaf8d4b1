package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.ssa.Ssa;

/** What a send function asks of its edge, and the messages that it sends along it. */
final class EdgeCalls {
  private final SymbolicMachine machine;
  private final ValueColumns columns;
  private final Signature.Sending types;

  /** Null until the first message says it, where nobody else does. */
  private ValueType messageType;

  /**
   * @param types of a send function; null in others
   */
  EdgeCalls(SymbolicMachine machine, ValueColumns columns, Signature.Sending types) {
    this.machine = machine;
    this.columns = columns;
    this.types = types;
    messageType = types == null ? null : types.message();
  }

  /** Executes a call of one of the edge's methods; returns false when the path has ended. */
  boolean invoke(Sym.Edge of, String name, List<Sym> arguments) {
    Frame frame = machine.top();
    // Scala specialises Edge.attr for primitives: attr$mcD$sp and so on.
    String plain = name.startsWith("attr$mc") ? "attr" : name;
    Sym value =
        switch (plain) {
          case "srcId" -> id(Role.SOURCE_ID);
          case "dstId" -> id(Role.DESTINATION_ID);
          case "srcAttr" -> columns.parameters(Role.SOURCE, types.vertex());
          case "dstAttr" -> columns.parameters(Role.DESTINATION, types.vertex());
          case "attr" -> columns.parameters(Role.EDGE, types.edge());
          case "toEdgeTriplet" -> new Sym.Edge(true);
          case "vertexAttr" -> end(isSource(arguments.get(0), name));
          case "otherVertexAttr" -> end(!isSource(arguments.get(0), name));
          case "otherVertexId" ->
              id(isSource(arguments.get(0), name) ? Role.DESTINATION_ID : Role.SOURCE_ID);
          case "toTuple" -> tuple();
          default -> null;
        };
    if (value instanceof Sym.Box box && !plain.equals(name)) {
      value = new Sym.Prim(MachineState.variableKind(box), box.variable());
    }
    if (value != null) {
      frame.push(value);
      return true;
    }
    if (!of.triplet() && (plain.equals("sendToSrc") || plain.equals("sendToDst"))) {
      Sym sent = arguments.get(0);
      if (sent instanceof Sym.Null && types.message() == null) {
        throw machine.refuse("sends null; send a message only where there is one");
      }
      List<Integer> message = new ArrayList<>();
      if (!columns.flatten(sent, typeOf(sent), false, message)) {
        return false;
      }
      send(plain.equals("sendToSrc") ? Side.SOURCE : Side.DESTINATION, message);
      return true;
    }
    throw machine.refuse(
        "calls "
            + name
            + " on "
            + of.describe()
            + "; a send function may use srcId, dstId, srcAttr, dstAttr, attr, sendToSrc and"
            + " sendToDst");
  }

  /** Type of the messages; null when none was sent and nobody says it. */
  ValueType messageType() {
    return messageType;
  }

  private ValueType typeOf(Sym sent) {
    if (messageType == null) {
      messageType = columns.typeOf(sent);
    }
    return messageType;
  }

  private Sym end(boolean source) {
    return columns.parameters(source ? Role.SOURCE : Role.DESTINATION, types.vertex());
  }

  /** Whether an id is the source's; it must be one of the ends'. */
  private boolean isSource(Sym id, String name) {
    int given = machine.prim(id).variable();
    if (!ends().contains(given)) {
      throw machine.refuse("calls " + name + " with an id other than srcId and dstId");
    }
    return given == variable(Role.SOURCE_ID);
  }

  private Sym tuple() {
    StructClass pair = StructClass.of(scala.Tuple2.class);
    Sym source = new Sym.Box(Kind.LONG, variable(Role.SOURCE_ID));
    Sym destination = new Sym.Box(Kind.LONG, variable(Role.DESTINATION_ID));
    return new Sym.Rec(
        StructClass.of(scala.Tuple3.class),
        List.of(
            new Sym.Rec(pair, List.of(source, end(true))),
            new Sym.Rec(pair, List.of(destination, end(false))),
            columns.parameters(Role.EDGE, types.edge())));
  }

  private Sym id(Role role) {
    return new Sym.Prim(Kind.LONG, variable(role));
  }

  /** The variables of the ids of both ends: they tell where a message goes that has an id. */
  Set<Integer> ends() {
    return Set.of(variable(Role.SOURCE_ID), variable(Role.DESTINATION_ID));
  }

  private int variable(Role role) {
    return machine.ssa.parameter(role, 0, Kind.LONG);
  }

  /** Sends the messages that a closure returned; false when the path has ended. */
  boolean sendAll(Sym value) {
    if (!(value instanceof Sym.Elements messages)) {
      throw machine.refuse(
          "returns "
              + value.describe()
              + "; return Iterator.empty, Iterator((id, message)) or Iterator((id, message), …)");
    }
    int source = variable(Role.SOURCE_ID);
    int destination = variable(Role.DESTINATION_ID);
    for (Sym pair : messages.values()) {
      if (!(pair instanceof Sym.Rec tuple
          && tuple.fields().size() == 2
          && tuple.fields().get(0) instanceof Sym.Box id
          && id.kind() == Kind.LONG)) {
        throw machine.refuse(
            "a message is " + pair.describe() + "; it must be a pair (id, message)");
      }
      List<Integer> message = new ArrayList<>();
      if (!columns.flatten(tuple.fields().get(1), types.message(), false, message)) {
        return false;
      }
      if (id.variable() == destination) {
        send(Side.DESTINATION, message);
      } else if (id.variable() == source) {
        send(Side.SOURCE, message);
      } else {
        sendById(id.variable(), source, destination, message);
      }
    }
    return true;
  }

  private void send(Side side, List<Integer> message) {
    if (machine.isTrying()) {
      throw machine.refuse("sends in a function that is called with what is in a Map or Set");
    }
    machine.block.body.add(new Insn.Emit(side, message, machine.where()));
  }

  /** An id that is computed: to the source if it is the source's, so that a loop counts once. */
  private void sendById(int id, int source, int destination, List<Integer> message) {
    SourcePosition where = machine.where();
    Ssa.Block after = new Ssa.Block();
    Ssa.Block stranger = new Ssa.Block();
    stranger.end = new Ssa.Stop(FaultCode.MESSAGE_TO_STRANGER, "", where);
    Ssa.Block other = new Ssa.Block();
    other.end =
        new Ssa.If(
            Condition.EQ,
            id,
            destination,
            sending(Side.DESTINATION, message, after),
            new Ssa.Edge(stranger),
            where);
    machine.end(
        new Ssa.If(
            Condition.EQ,
            id,
            source,
            sending(Side.SOURCE, message, after),
            new Ssa.Edge(other),
            where));
    machine.block = after;
  }

  /** The edge into a block that sends a message and goes on. */
  private Ssa.Edge sending(Side side, List<Integer> message, Ssa.Block next) {
    Ssa.Block sends = new Ssa.Block();
    sends.body.add(new Insn.Emit(side, message, machine.where()));
    sends.end = new Ssa.Goto(new Ssa.Edge(next), machine.where());
    return new Ssa.Edge(sends);
  }
}
