package org.sparkgpugraph.engine.cpu;

import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.codegen.KernelGenerator;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.jvm.GeneratedClass;

/**
 * Kernels of the programs that ran last, by representation and shape. Runs that differ only in
 * captured values share one, with the machine code that the JVM has made of it.
 */
final class CompiledKernels {
  /** More programs than an application has; a hidden class takes some ten kilobytes. */
  static final int CAPACITY = 64;

  private static final Logger LOG = LoggerFactory.getLogger(CompiledKernels.class);

  private record Key(LiftedProgram program, KernelShape shape) {}

  private final Map<Key, CompiledKernel> kernels =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CompiledKernel> eldest) {
          return size() > CAPACITY;
        }
      };

  /** The kernel of a program, generated now if it is not there. */
  synchronized CompiledKernel get(LiftedProgram program, KernelShape shape) {
    return kernels.computeIfAbsent(new Key(program, shape), key -> generate(program, shape));
  }

  private static CompiledKernel generate(LiftedProgram program, KernelShape shape) {
    CompiledKernel kernel = KernelGenerator.generate(program, shape);
    if (kernel.largestMethod() > GeneratedClass.HUGE_METHOD) {
      LOG.warn(
          "a program of {} instructions runs slowly on the CPU: a method generated from it has {}"
              + " bytes of code, and the JVM interprets those of more than {}; split its functions"
              + " or use loops, or set -XX:-DontCompileHugeMethods",
          KernelGenerator.instructions(program),
          kernel.largestMethod(),
          GeneratedClass.HUGE_METHOD);
    }
    return kernel;
  }

  /** Number of kernels held. */
  synchronized int size() {
    return kernels.size();
  }
}
