package io.sparkgpugraph.engine.cpu;

import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.program.LiftedProgram;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Kernels of the programs that ran last, by representation and shape. Runs that differ only in
 * captured values share one, with the machine code that the JVM has made of it.
 */
final class KernelCache {
  /** More programs than an application has; a hidden class takes some ten kilobytes. */
  static final int CAPACITY = 64;

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
    return kernels.computeIfAbsent(
        new Key(program, shape), key -> KernelGenerator.generate(program, shape));
  }

  /** Number of kernels held. */
  synchronized int size() {
    return kernels.size();
  }
}
