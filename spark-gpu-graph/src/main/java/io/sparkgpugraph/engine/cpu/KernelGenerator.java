package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.engine.FunctionTraits;
import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.MergeAlgebra;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Side;
import io.sparkgpugraph.program.jvm.CodeBuilder;
import io.sparkgpugraph.program.jvm.GeneratedClass;
import java.lang.invoke.MethodHandles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/**
 * Generates the {@link CpuKernel} of a program. Every method works on one block of rows, is called
 * many times, and reads the frame's arrays into locals first, so that the compiler sees invariant
 * arrays and loops of moderate size.
 */
final class KernelGenerator {
  private static final String BLOCK =
      CodeBuilder.descriptor(void.class, KernelFrame.class, Tally.class, int.class, int.class);

  private final LiftedProgram program;
  private final KernelShape shape;
  private final boolean[] stable;
  private final int[] shipped;
  private final Interleaving interleaving;
  private final List<CompiledKernel.Site> sites = new ArrayList<>();
  private final GeneratedClass type =
      new GeneratedClass(KernelGenerator.class, "Kernel", CpuKernel.class);
  private int largest;

  private final Map<IrFunction, Integer> outlined = new IdentityHashMap<>();
  private final Set<String> named = new HashSet<>();
  private final Deque<Runnable> pending = new ArrayDeque<>();
  private final Outlines outlines;

  /**
   * @param of the program that decides which columns have two buffers and are shipped
   */
  private KernelGenerator(
      LiftedProgram program,
      LiftedProgram of,
      KernelShape shape,
      Interleaving interleaving,
      boolean outline) {
    outlines = outline ? this::callOutlined : null;
    this.program = program;
    this.shape = shape;
    this.interleaving = interleaving;
    stable = FunctionTraits.stableColumns(of);
    shipped = FunctionTraits.shippedColumns(of);
  }

  /** Generates, loads and describes the kernel. */
  static CompiledKernel generate(LiftedProgram program, KernelShape shape) {
    CompiledKernel inlined = generateInlined(program, shape);
    return inlined.largestMethod() <= GeneratedClass.HUGE_METHOD
        ? inlined
        : generateOutlined(program, shape);
  }

  /** Generates a kernel with all functions inlined, whatever the size of its loops. */
  static CompiledKernel generateInlined(LiftedProgram program, KernelShape shape) {
    return new KernelGenerator(program, program, shape, Interleaving.NONE, false).generate(false);
  }

  /** Generates a kernel whose loops call the functions, whatever their size. */
  static CompiledKernel generateOutlined(LiftedProgram program, KernelShape shape) {
    return new KernelGenerator(program, program, shape, Interleaving.NONE, true).generate(true);
  }

  /**
   * Generates a kernel that has only supersteps in which every edge counts.
   *
   * @param program what such a superstep does
   * @param of the whole program
   * @param outline whether loops call the functions, whatever their size
   */
  static CompiledKernel generateDense(
      LiftedProgram program,
      LiftedProgram of,
      KernelShape shape,
      Interleaving interleaving,
      boolean outline) {
    CompiledKernel kernel =
        new KernelGenerator(program, of, shape, interleaving, outline).generateDense();
    return outline || kernel.largestMethod() <= GeneratedClass.HUGE_METHOD
        ? kernel
        : generateDense(program, of, shape, interleaving, true);
  }

  private void callOutlined(
      IrFunction function,
      Side side,
      String descriptor,
      Consumer<CodeBuilder> body,
      CodeBuilder from) {
    int number = outlined.computeIfAbsent(function, f -> outlined.size());
    String name = "function" + number + (side == null ? "" : side.name());
    from.out().visitMethodInsn(Opcodes.INVOKESTATIC, type.internalName(), name, descriptor, false);
    if (named.add(name)) {
      // Written later: one method at a time.
      pending.add(() -> type.staticMethod(name, descriptor, code -> measured(code, body)));
    }
  }

  private void measured(CodeBuilder code, Consumer<CodeBuilder> body) {
    Label start = new Label();
    Label end = new Label();
    code.label(start);
    body.accept(code);
    code.label(end);
    largest = Math.max(largest, end.getOffset() - start.getOffset());
  }

  private CompiledKernel generate(boolean outlined) {
    method("initialise", m -> new InitialiseMethod(m).write());
    method("denseAll", m -> new SuperstepMethod(m, false, false).write());
    if (shape.everyVertex()) {
      method("dense", KernelMethod::unsupported);
      method("sparse", KernelMethod::unsupported);
    } else {
      method("dense", m -> new SuperstepMethod(m, false, true).write());
      method("sparse", m -> new SuperstepMethod(m, true, true).write());
    }
    Optional<MergeAlgebra> pushed =
        outlines == null ? PushMethod.merge(program, shape) : Optional.empty();
    method(
        "push",
        pushed.isEmpty()
            ? KernelMethod::unsupported
            : m -> new PushMethod(m, pushed.get()).write());
    method(
        "finalAggregates",
        program.finalAggregates().isEmpty()
            ? KernelMethod::unsupported
            : m -> new FinalAggregatesMethod(m).write());
    method(
        "result",
        program.resultFunction() == null
            ? KernelMethod::unsupported
            : m -> new ResultMethod(m).write());
    return compiled(pushed.isPresent(), new DenseKernels(program, shape, outlined));
  }

  private CompiledKernel generateDense() {
    method("denseAll", m -> new SuperstepMethod(m, false, false).write());
    for (String name :
        List.of("initialise", "dense", "sparse", "push", "finalAggregates", "result")) {
      method(name, KernelMethod::unsupported);
    }
    return compiled(false, null);
  }

  private CompiledKernel compiled(boolean pushes, DenseKernels special) {
    while (!pending.isEmpty()) {
      pending.remove().run();
    }
    return new CompiledKernel(
        type.instance(MethodHandles.lookup(), CpuKernel.class),
        shape,
        stable,
        shipped,
        FunctionTraits.readsIds(program),
        pushes,
        List.copyOf(sites),
        largest,
        special,
        shape.inRows() ? interleaving.columns(program, Side.DESTINATION) : new int[0],
        shape.outRows() ? interleaving.columns(program, Side.SOURCE) : new int[0]);
  }

  private void method(String name, Consumer<KernelMethod> body) {
    type.method(
        name,
        BLOCK,
        code ->
            measured(
                code,
                out ->
                    body.accept(
                        new KernelMethod(
                            program, shape, stable, shipped, interleaving, outlines, sites, out))));
  }
}
