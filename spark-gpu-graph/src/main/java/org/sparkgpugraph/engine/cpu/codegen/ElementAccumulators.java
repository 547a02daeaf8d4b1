package org.sparkgpugraph.engine.cpu.codegen;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.program.fuse.FusedGather;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.jvm.CodeBuilder;
import org.sparkgpugraph.program.lanes.ElementFunction;

/**
 * The row's merged message where arrays are merged element by element. Short arrays have a local
 * variable for each element: the JVM keeps them in registers, and there is no loop for each edge,
 * which costs as much as some elements. Where the send function delivers elements ({@link
 * FusedGather}) each is merged when it comes; otherwise messages are arrays.
 */
final class ElementAccumulators {
  private final KernelMethod method;
  private final CodeBuilder code;

  /** Null where messages are arrays. */
  private final FusedGather fused;

  /** The merge of the elements of all arrays; null where each array has its own. */
  private final IrFunction merge;

  private final int[] slots;

  /** The variables of each array; null where elements are in the arrays of all rows. */
  private final int[][] locals;

  private ElementAccumulators(
      KernelMethod method, FusedGather fused, IrFunction merge, int[] slots) {
    this.method = method;
    this.fused = fused;
    this.merge = merge;
    this.slots = slots;
    code = method.code;
    locals = fused == null || fused.inLocals() ? new int[slots.length][] : null;
    for (int c = 0; locals != null && c < slots.length; c++) {
      Kind kind = kind(c);
      locals[c] = type(c).isArray() ? new int[type(c).width()] : new int[0];
      Arrays.setAll(locals[c], i -> code.local(kind));
    }
  }

  /**
   * Allocates the local variables; null where messages are something else.
   *
   * @param slots of the message's columns: arrays that are there for all rows, and numbers
   */
  static ElementAccumulators of(KernelMethod method, int[] slots) {
    if (method.kernel.fused() != null) {
      return new ElementAccumulators(method, method.kernel.fused(), null, slots);
    }
    List<ColumnType> message = method.message;
    int length = message.isEmpty() ? 0 : message.get(0).width();
    if (method.kernel.outlined() != null
        || !message.stream().allMatch(type -> type.isArray() && type.width() == length)
        || !FusedGather.isShort(message)) {
      return null;
    }
    Optional<IrFunction> merge =
        message.isEmpty() ? Optional.empty() : ElementFunction.of(method.program.merge());
    return merge.map(m -> new ElementAccumulators(method, null, m, slots)).orElse(null);
  }

  private ColumnType type(int c) {
    return method.message.get(c);
  }

  private Kind kind(int c) {
    return type(c).kind();
  }

  /** Whether elements come one by one, the numbers of a message behind them. */
  boolean areDelivered() {
    return fused != null;
  }

  /**
   * No message yet: what changes nothing when it is merged, where elements come one by one;
   * elsewhere the verifier wants variables to have a value.
   */
  void reset() {
    for (int c = 0; c < slots.length; c++) {
      Object none = fused == null ? null : fused.identities()[c];
      if (!type(c).isArray()) {
        push(c, none).store(kind(c), slots[c]);
      } else if (locals == null) {
        code.loadReference(slots[c]);
        push(c, none);
        Class<?> element = kind(c).primitive();
        code.invokeStatic(Arrays.class, "fill", void.class, element.arrayType(), element);
      } else {
        for (int slot : locals[c]) {
          push(c, none).store(kind(c), slot);
        }
      }
    }
  }

  private CodeBuilder push(int c, Object value) {
    return value == null ? code.pushZero(kind(c)) : code.push(kind(c), value);
  }

  // ---- elements that come one by one ----------------------------------------------------------

  /**
   * Merges an element.
   *
   * @param indexes the constants that indexes are, by variable
   * @param load pushes a variable of the instruction
   */
  void merge(Insn.EmitElement element, Map<Integer, Integer> indexes, IntConsumer load) {
    int c = element.column();
    int mark = code.mark();
    int value = code.local(kind(c));
    load.accept(element.value());
    code.store(kind(c), value);
    IrFunction piece = fused.merge().elements().get(c);
    if (locals != null) {
      int slot = locals[c][indexes.get(element.index())];
      write(piece, List.of(c), new int[] {slot}, p -> local(c, slot), p -> local(c, value));
    } else {
      int index = code.local(Kind.INT);
      int merged = code.local(kind(c));
      load.accept(element.index());
      code.storeInt(index).loadReference(slots[c]).loadInt(index).arrayLoad(kind(c));
      code.store(kind(c), merged);
      write(piece, List.of(c), new int[] {merged}, p -> local(c, merged), p -> local(c, value));
      code.loadReference(slots[c]).loadInt(index);
      local(c, merged);
      code.arrayStore(kind(c));
    }
    code.release(mark);
  }

  /**
   * Merges the numbers of a message whose elements were merged.
   *
   * @param message slots of its columns
   */
  void mergeRest(int[] message) {
    List<Integer> numbers = fused.merge().numbers();
    if (!numbers.isEmpty()) {
      write(
          fused.merge().ofNumbers(),
          numbers,
          numbers.stream().mapToInt(c -> slots[c]).toArray(),
          p -> local(p.index(), slots[p.index()]),
          p -> local(p.index(), message[p.index()]));
    }
  }

  private void local(int c, int slot) {
    code.load(kind(c), slot);
  }

  // ---- messages that are arrays ---------------------------------------------------------------

  /**
   * Takes a message.
   *
   * @param message slots of its arrays
   */
  void assign(int[] message) {
    for (int c = 0; c < locals.length; c++) {
      for (int i = 0; i < locals[c].length; i++) {
        load(message, c, i);
        code.store(kind(c), locals[c][i]);
      }
    }
  }

  /** Merges a message. */
  void merge(int[] message) {
    List<Integer> all = IntStream.range(0, locals.length).boxed().toList();
    for (int i = 0; i < locals[0].length; i++) {
      int element = i;
      int[] targets = Arrays.stream(locals).mapToInt(array -> array[element]).toArray();
      write(
          merge,
          all,
          targets,
          p -> local(p.index(), locals[p.index()][element]),
          p -> load(message, p.index(), element));
    }
  }

  private void load(int[] arrays, int c, int i) {
    at(arrays[c], i);
    code.arrayLoad(kind(c));
  }

  private void at(int array, int i) {
    code.loadReference(array).loadInt(array + 1);
    if (i > 0) {
      code.push(i).op(Opcodes.IADD);
    }
  }

  // ---- both -----------------------------------------------------------------------------------

  /** Makes arrays of local variables. */
  void store() {
    for (int c = 0; locals != null && c < locals.length; c++) {
      for (int i = 0; i < locals[c].length; i++) {
        at(slots[c], i);
        local(c, locals[c][i]);
        code.arrayStore(kind(c));
      }
    }
  }

  /**
   * Writes a part of the merge function.
   *
   * @param columns that it merges, each a number
   * @param targets slots of the merged ones
   */
  private void write(
      IrFunction part,
      List<Integer> columns,
      int[] targets,
      Consumer<Param> left,
      Consumer<Param> right) {
    List<ColumnType> kinds = columns.stream().<ColumnType>map(this::kind).toList();
    new PartBinding(part, kinds, targets, left, right).write();
  }

  /** A part of the merge function, of numbers. */
  private final class PartBinding extends FunctionBinding {
    private final Consumer<Param> left;
    private final Consumer<Param> right;

    PartBinding(
        IrFunction part,
        List<ColumnType> kinds,
        int[] targets,
        Consumer<Param> left,
        Consumer<Param> right) {
      super(ElementAccumulators.this.method, part, targets, kinds);
      this.left = left;
      this.right = right;
    }

    @Override
    public void parameter(CodeBuilder out, Param parameter, ColumnType type) {
      switch (parameter.role()) {
        case LEFT -> left.accept(parameter);
        case RIGHT -> right.accept(parameter);
        default -> super.parameter(out, parameter, type);
      }
    }
  }
}
