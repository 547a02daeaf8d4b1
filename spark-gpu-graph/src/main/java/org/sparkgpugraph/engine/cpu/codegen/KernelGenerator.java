package org.sparkgpugraph.engine.cpu.codegen;

import java.lang.invoke.MethodHandles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.objectweb.asm.ClassTooLargeException;
import org.objectweb.asm.Label;
import org.objectweb.asm.LimitExceededException;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.cpu.frame.CpuKernel;
import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.engine.cpu.frame.KernelColumns;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.analysis.ImprovingSends;
import org.sparkgpugraph.program.fuse.FusedGather;
import org.sparkgpugraph.program.hoist.SuperstepKind;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.jvm.CodeBuilder;
import org.sparkgpugraph.program.jvm.CodeGenerationException;
import org.sparkgpugraph.program.jvm.GeneratedClass;

/**
 * Generates the {@link CpuKernel} of a program. Every method works on one block of rows, is called
 * many times, and reads the frame's arrays into locals first, so that the compiler sees invariant
 * arrays and loops of moderate size.
 */
public final class KernelGenerator {
  private static final String BLOCK =
      CodeBuilder.descriptor(void.class, KernelFrame.class, Tally.class, int.class, int.class);

  private static final Logger LOG = LoggerFactory.getLogger(KernelGenerator.class);

  private final LiftedProgram program;
  private final KernelShape shape;
  private final List<FaultSite> sites = new ArrayList<>();
  private final GeneratedClass type =
      new GeneratedClass(KernelGenerator.class, "Kernel", CpuKernel.class);
  private int largest;

  private final Map<IrFunction, Integer> outlined = new IdentityHashMap<>();
  private final Set<String> named = new HashSet<>();
  private final Deque<Runnable> pending = new ArrayDeque<>();
  private final KernelMethod.Kernel kernel;

  /**
   * @param kind what supersteps do
   * @param of the program that decides which columns are shipped
   */
  private KernelGenerator(
      SuperstepKind kind,
      LiftedProgram of,
      KernelShape shape,
      Interleaving interleaving,
      boolean outline) {
    program = kind.program();
    this.shape = shape;
    KernelColumns columns = KernelColumns.of(program, of, shape, interleaving);
    kernel =
        new KernelMethod.Kernel(
            program,
            kind.message(),
            shape,
            columns,
            outline ? this::callOutlined : null,
            outline ? null : FusedGather.of(program),
            sites);
  }

  /**
   * Generates, loads and describes the kernel.
   *
   * @throws CodeGenerationException when the JVM does not take it, not even with loops that call
   *     the functions
   */
  public static CompiledKernel generate(LiftedProgram program, KernelShape shape) {
    return inlinedIfItFits(outline -> whole(program, shape, outline));
  }

  /**
   * A kernel with everything inlined; one with loops that call the functions where the JVM does not
   * take the former, or does not compile it.
   *
   * @param generate gives either, as it is told whether to outline
   */
  private static CompiledKernel inlinedIfItFits(Function<Boolean, CompiledKernel> generate) {
    try {
      CompiledKernel inlined = generate.apply(false);
      if (inlined.largestMethod() <= GeneratedClass.HUGE_METHOD) {
        return inlined;
      }
    } catch (CodeGenerationException e) {
      LOG.debug("a kernel with everything inlined cannot be loaded", e);
    }
    return generate.apply(true);
  }

  /** Generates a kernel with all functions inlined, whatever the size of its loops. */
  public static CompiledKernel generateInlined(LiftedProgram program, KernelShape shape) {
    return whole(program, shape, false);
  }

  /** Generates a kernel whose loops call the functions, whatever their size. */
  public static CompiledKernel generateOutlined(LiftedProgram program, KernelShape shape) {
    return whole(program, shape, true);
  }

  private static CompiledKernel whole(LiftedProgram program, KernelShape shape, boolean outline) {
    KernelGenerator generator =
        new KernelGenerator(
            SuperstepKind.whole(program), program, shape, Interleaving.NONE, outline);
    return generator.loaded(() -> generator.generate(outline));
  }

  /** Whatever fails here is a reason to run the program elsewhere; some of it is no Exception. */
  private CompiledKernel loaded(Supplier<CompiledKernel> kernel) {
    try {
      return kernel.get();
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      IrFunction longest =
          functions(program).max(Comparator.comparingInt(f -> f.code().size())).orElseThrow();
      throw new CodeGenerationException(
          longest.name(),
          longest.code().stream()
              .map(Insn::where)
              .filter(where -> !where.equals(SourcePosition.NONE))
              .findFirst()
              .orElse(SourcePosition.NONE),
          "the JVM does not take the code that is generated from it ("
              + e
              + "); "
              + (isTooLarge(e)
                  ? "it is "
                      + longest.code().size()
                      + " instructions long with all that it calls: split it, or use a loop where"
                      + " lines repeat"
                  : "that is a fault of spark-gpu-graph: please report it with the program"),
          e);
    }
  }

  /** Whether the JVM's limits, or those of the library that writes its code, are what failed. */
  private static boolean isTooLarge(Throwable e) {
    return e instanceof MethodTooLargeException
        || e instanceof ClassTooLargeException
        || e instanceof StackOverflowError
        || e instanceof LimitExceededException;
  }

  /** Instructions of all functions of a program. */
  public static int instructions(LiftedProgram program) {
    return functions(program).mapToInt(f -> f.code().size()).sum();
  }

  /** Instructions of all functions of a program, what these read, and the keys of switches. */
  public static int operands(LiftedProgram program) {
    return functions(program)
        .flatMap(f -> f.code().stream())
        .mapToInt(
            insn -> 1 + insn.read().size() + (insn instanceof Insn.Switch s ? s.keys().size() : 0))
        .sum();
  }

  private static Stream<IrFunction> functions(LiftedProgram program) {
    return Stream.concat(
            Stream.of(
                program.vertexProgram(),
                program.send(),
                program.merge(),
                program.initialState(),
                program.activeWhen(),
                program.resultFunction()),
            Stream.concat(program.aggregates().stream(), program.finalAggregates().stream())
                .map(Aggregate::function))
        .filter(Objects::nonNull);
  }

  /**
   * Generates a kernel that has only supersteps in which every edge counts.
   *
   * @param kind what such a superstep does
   * @param of the whole program
   * @param outline whether loops call the functions, whatever their size
   */
  static CompiledKernel generateDense(
      SuperstepKind kind,
      LiftedProgram of,
      KernelShape shape,
      Interleaving interleaving,
      boolean outline) {
    Function<Boolean, CompiledKernel> generate =
        calls -> {
          KernelGenerator generator = new KernelGenerator(kind, of, shape, interleaving, calls);
          return generator.loaded(generator::generateDense);
        };
    return outline ? generate.apply(true) : inlinedIfItFits(generate);
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
    method("denseAll", m -> new SuperstepMethod(m, SuperstepMethod.Rows.ALL).write());
    if (!shape.everyVertex()) {
      method("dense", m -> new SuperstepMethod(m, SuperstepMethod.Rows.FILTERED).write());
      method("sparse", m -> new SuperstepMethod(m, SuperstepMethod.Rows.CANDIDATES).write());
    }
    Optional<MergeAlgebra> pushed =
        kernel.outlined() == null ? PushMethod.merge(program, shape) : Optional.empty();
    pushed.ifPresent(
        merge -> {
          method("push", m -> new PushMethod(m, merge).write());
          method("pushPart", m -> new PushMethod(m, merge).writePart());
        });
    Optional<MergeAlgebra> ordered = pushed.filter(MergeAlgebra::isOrdered);
    ordered.ifPresent(
        merge -> {
          method("relax", m -> new PushMethod(m, merge).writeRelax(false));
          method("relaxAlone", m -> new PushMethod(m, merge).writeRelax(true));
          method("start", m -> new PushMethod(m, merge).writeStart());
        });
    if (shape.partialMessages()) {
      boolean keeps = shape.keepsPartialMessages();
      method(keeps ? "partials" : "activePartials", m -> PartialLocals.writeGather(m, !keeps));
    }
    boolean stops = kernel.outlined() == null && EarlyStop.applies(program, shape);
    ImprovingSends sends =
        stops || ordered.isPresent() && EarlyStop.asks(program, shape) ? listen(stops) : null;
    if (stops) {
      method("stopping", m -> new SuperstepMethod(m, SuperstepMethod.Rows.STOPPING).write());
    }
    if (!program.finalAggregates().isEmpty()) {
      method("finalAggregates", ResultMethods::writeFinalAggregates);
    }
    if (program.resultFunction() != null) {
      method("result", ResultMethods::writeResult);
    }
    return compiled(
        pushed.isPresent(),
        ordered.isPresent(),
        stops,
        sends,
        new DenseKernels(program, shape, outlined));
  }

  /**
   * Writes the loop that asks active vertices.
   *
   * @param needed whether the kernel is none without it
   * @return what is known of messages; null: the JVM would not compile the loop
   */
  private ImprovingSends listen(boolean needed) {
    ImprovingSends sends = ImprovingSends.of(program).orElseThrow();
    int before = largest;
    method("listen", m -> PushMethod.writeListen(m, sends));
    if (needed || largest <= GeneratedClass.HUGE_METHOD) {
      return sends;
    }
    largest = before;
    return null;
  }

  private CompiledKernel generateDense() {
    method("denseAll", m -> new SuperstepMethod(m, SuperstepMethod.Rows.ALL).write());
    return compiled(false, false, false, null, null);
  }

  private CompiledKernel compiled(
      boolean pushes, boolean relaxes, boolean stops, ImprovingSends sends, DenseKernels special) {
    while (!pending.isEmpty()) {
      pending.remove().run();
    }
    return new CompiledKernel(
        type.instance(MethodHandles.lookup(), CpuKernel.class),
        shape,
        kernel.columns(),
        pushes,
        relaxes,
        stops,
        sends,
        List.copyOf(sites),
        largest,
        special);
  }

  /** The JVM takes a kernel that lacks the methods which are never called. */
  private void method(String name, Consumer<KernelMethod> body) {
    type.method(
        name, BLOCK, code -> measured(code, out -> body.accept(new KernelMethod(kernel, out))));
  }
}
