/**
 * Writes the loops of a program as a hidden class, with its functions inlined. Begin with {@link
 * org.sparkgpugraph.engine.cpu.codegen.KernelGenerator}, then {@link
 * org.sparkgpugraph.engine.cpu.codegen.SuperstepMethod}. May use: {@code frame}.
 */
package org.sparkgpugraph.engine.cpu.codegen;
