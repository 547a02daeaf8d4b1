/**
 * Writes the loops of a program as a hidden class, with its functions inlined. Begin with {@link
 * org.sparkgpugraph.engine.cpu.codegen.KernelGenerator}, then {@link
 * org.sparkgpugraph.engine.cpu.codegen.SuperstepMethod}. May use: {@code frame}, {@code
 * program.jvm}, {@code program.hoist}, {@code program.fuse}, and what {@code engine} may use.
 */
package org.sparkgpugraph.engine.cpu.codegen;
