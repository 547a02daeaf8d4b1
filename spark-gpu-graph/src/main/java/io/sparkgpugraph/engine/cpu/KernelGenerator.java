package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.jvm.CodeBuilder;
import io.sparkgpugraph.program.jvm.GeneratedClass;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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
  private final List<CompiledKernel.Site> sites = new ArrayList<>();
  private final GeneratedClass type =
      new GeneratedClass(KernelGenerator.class, "Kernel", CpuKernel.class);
  private int largest;

  private KernelGenerator(LiftedProgram program, KernelShape shape) {
    this.program = program;
    this.shape = shape;
    stable = FunctionTraits.stableColumns(program);
  }

  /** Generates, loads and describes the kernel. */
  static CompiledKernel generate(LiftedProgram program, KernelShape shape) {
    return new KernelGenerator(program, shape).generate();
  }

  private CompiledKernel generate() {
    method("initialise", w -> w.initialise(sites));
    method("denseAll", w -> w.rows(false, false, sites));
    if (shape.everyVertex()) {
      method("dense", KernelMethod::unsupported);
      method("sparse", KernelMethod::unsupported);
    } else {
      method("dense", w -> w.rows(false, !shape.inPlace(), sites));
      method("sparse", w -> w.rows(true, true, sites));
    }
    method(
        "finalAggregates",
        program.finalAggregates().isEmpty()
            ? KernelMethod::unsupported
            : w -> w.finalAggregates(sites));
    method(
        "result",
        program.resultFunction() == null ? KernelMethod::unsupported : w -> w.result(sites));
    return new CompiledKernel(
        type.instance(MethodHandles.lookup(), CpuKernel.class),
        shape,
        stable,
        FunctionTraits.shippedColumns(program),
        FunctionTraits.readsIds(program),
        List.copyOf(sites),
        largest);
  }

  private void method(String name, Consumer<KernelMethod> body) {
    type.method(
        name,
        BLOCK,
        code -> {
          org.objectweb.asm.Label start = new org.objectweb.asm.Label();
          code.label(start);
          body.accept(new KernelMethod(program, shape, stable, code));
          org.objectweb.asm.Label end = new org.objectweb.asm.Label();
          code.label(end);
          largest = Math.max(largest, end.getOffset() - start.getOffset());
        });
  }

  /** Bytecode of a return. */
  static void leave(CodeBuilder code) {
    code.op(Opcodes.RETURN);
  }
}
