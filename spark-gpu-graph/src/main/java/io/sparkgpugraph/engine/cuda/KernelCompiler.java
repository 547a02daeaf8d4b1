package io.sparkgpugraph.engine.cuda;

import io.sparkgpugraph.engine.device.KernelSource;
import java.util.List;

/** Compiles CUDA C. */
interface KernelCompiler {
  /** Java's arithmetic rounds after every operation: no fused multiply-add of two operators. */
  List<String> OPTIONS = List.of("--std=c++17", "--fmad=false", "--generate-line-info");

  /** Name and version: a part of the cache's key, and shown in messages. */
  String version();

  /** What it makes for a GPU; a part of the cache's key. */
  CompilerTarget target(int architecture);

  /**
   * @throws io.sparkgpugraph.engine.device.KernelCompilationException with the compiler's log
   */
  byte[] compile(KernelSource source, CompilerTarget target);
}
