package org.sparkgpugraph.engine.cpu.codegen;

import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.jvm.CodeBuilder;

/**
 * The row's vertex and the local variables of what is read by vertex. A method reads from the frame
 * only what it needs: slots of the rest stay at -1.
 */
final class VertexLocals {
  private final KernelMethod method;
  private final CodeBuilder code;
  private int v;
  private int[] current;
  private int[] attributes;
  private int partition = -1;
  private int ids = -1;
  private int blockIds = -1;
  private int blockStart;
  private BitmapLocals present;

  VertexLocals(KernelMethod method, int v) {
    this.method = method;
    this.v = v;
    code = method.code;
  }

  /** Slot of the row's vertex. */
  int v() {
    return v;
  }

  /** Allocates the slot of the row's vertex, where it is not the parameter. */
  int allocate() {
    v = code.local(Kind.INT);
    return v;
  }

  void readState() {
    current = method.fields.columns("current", method.state);
  }

  /** Only the attributes that the function reads; all where there is none. */
  void readAttributes(IrFunction function) {
    List<ColumnType> kinds = method.program.attribute().columns();
    attributes =
        function == null
            ? method.fields.columns("attributes", kinds)
            : method.fields.columnsRead("attributes", kinds, Role.ATTRIBUTE, function);
  }

  void readPartition() {
    partition = method.fields.reference("partition", GraphPartition.class);
  }

  void readIds() {
    ids = method.fields.reference("ids", long[].class);
  }

  /**
   * Reads the ids of the block's rows at once, before the first, if one of the functions reads them
   * (nulls are skipped): to ask for each would take a search.
   */
  void readBlockIds(IrFunction... functions) {
    for (IrFunction function : functions) {
      if (function != null && function.reads(Role.ID) && ids < 0 && blockIds < 0) {
        makeBlockIds();
      }
    }
  }

  /** The same if one of the aggregates reads them. */
  void readBlockIds(List<Aggregate> aggregates) {
    aggregates.forEach(a -> readBlockIds(a.function()));
  }

  private void makeBlockIds() {
    if (FunctionTraits.readsIds(method.program)) {
      // The supersteps have them all in the frame.
      readIds();
      return;
    }
    blockStart = code.local(Kind.INT);
    code.loadInt(v).storeInt(blockStart);
    blockIds = code.localReference();
    code.loadReference(method.tally).loadReference(partition);
    code.loadInt(v).loadInt(KernelMethod.TO);
    code.invokeVirtual(
        Tally.class, "ids", long[].class, GraphPartition.class, int.class, int.class);
    code.storeReference(blockIds);
  }

  /** Reads which vertices exist, where some may not. */
  void readPresent() {
    if (method.shape.missingVertices()) {
      present = BitmapLocals.of(code, method.fields.reference("present", long[].class));
    }
  }

  /** Jumps to the next row when the vertex does not exist. */
  void skipMissing(Label nextRow) {
    skipMissing(v, nextRow);
  }

  /** Jumps when a vertex does not exist. */
  void skipMissing(int vertex, Label missing) {
    if (present != null) {
      present.test(vertex);
      code.jump(Opcodes.IFEQ, missing);
    }
  }

  /** Clears the bits of vertices that do not exist in a word of a bitmap. */
  void keepPresent(int bits, int word) {
    if (present != null) {
      code.load(Kind.LONG, bits).loadReference(present.words()).loadInt(word).op(Opcodes.LALOAD);
      code.op(Opcodes.LAND).store(Kind.LONG, bits);
    }
  }

  /** Slots of the current state columns. */
  int[] state() {
    return current;
  }

  /** Pushes a state column: from locals, or from the array when {@code value} is null. */
  void loadState(int[] value, int c) {
    if (value != null) {
      code.load(method.state.get(c), value[c]);
    } else {
      loadStateOf(v, c);
    }
  }

  /** Pushes a state column of any vertex. */
  void loadStateOf(int vertex, int c) {
    code.loadRow(method.state.get(c), current[c], vertex);
  }

  void loadAttribute(int c) {
    code.loadRow(method.program.attribute().columns().get(c), attributes[c], v);
  }

  /** Pushes the original id of any vertex. */
  void loadId(int vertex) {
    if (ids >= 0) {
      code.loadReference(ids).loadInt(vertex).op(Opcodes.LALOAD);
    } else if (blockIds >= 0) {
      code.loadReference(blockIds).loadInt(vertex).loadInt(blockStart).op(Opcodes.ISUB);
      code.op(Opcodes.LALOAD);
    } else {
      askPartition("originalId", vertex, "(I)J");
    }
  }

  void loadInDegree() {
    askPartition("inDegree", v, "(I)I");
  }

  void loadOutDegree() {
    askPartition("outDegree", v, "(I)I");
  }

  private void askPartition(String name, int vertex, String descriptor) {
    code.loadReference(partition).loadInt(vertex);
    code.out()
        .visitMethodInsn(
            Opcodes.INVOKEINTERFACE,
            Type.getInternalName(GraphPartition.class),
            name,
            descriptor,
            true);
  }
}
