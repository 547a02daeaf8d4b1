package org.sparkgpugraph.engine.device;

import java.util.List;

/**
 * Generated CUDA C of one program: a whole translation unit that includes nothing, except that a
 * device may put a prelude of its own before it (the emulator does). Kernels are defined with the
 * macro SGG_KERNEL and take one struct.
 *
 * @param name what it is, for messages: the class and line of the program's send function
 * @param text the source
 * @param kernels names of its kernels
 * @param origins what the program's functions are and where they come from, one line each, shown
 *     with the compiler's log when the source does not compile
 */
public record KernelSource(String name, String text, List<String> kernels, List<String> origins) {
  public KernelSource {
    kernels = List.copyOf(kernels);
    origins = List.copyOf(origins);
  }
}
