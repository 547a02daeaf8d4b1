package org.sparkgpugraph.engine.cuda;

import java.util.List;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.device.KernelSource;

/** Compiles CUDA C. */
interface KernelCompiler {
  /** Asks for line numbers. */
  String LINES = "--generate-line-info";

  /**
   * Options for a compiler of a CUDA version. Java's arithmetic rounds after every operation: no
   * fused multiply-add of two operators. Line numbers are for profilers; CUDA 11.8 crashes when it
   * puts them into machine code for sm_90 (NVRTC takes the process with it), so CUDA 11 does
   * without.
   *
   * @param cudaMajor 11, 12, …
   */
  static List<String> options(int cudaMajor) {
    List<String> always = List.of("--std=c++17", "--fmad=false");
    return cudaMajor < 12 ? always : Stream.concat(always.stream(), Stream.of(LINES)).toList();
  }

  /** What it is told beside the architecture; a part of the cache's key. */
  List<String> options();

  /** Name and version: a part of the cache's key, and shown in messages. */
  String version();

  /** What it makes for a GPU; a part of the cache's key. */
  CompilerTarget target(int architecture);

  /**
   * @throws org.sparkgpugraph.engine.device.KernelCompilationException with the compiler's log
   */
  byte[] compile(KernelSource source, CompilerTarget target);
}
