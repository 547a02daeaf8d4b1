/**
 * Functions as three-address code over primitive variables, with labels. Begin with {@link
 * org.sparkgpugraph.program.ir.IrFunction} and {@link org.sparkgpugraph.program.ir.Insn}. May use:
 * nothing; it knows neither the JVM nor CUDA.
 */
package org.sparkgpugraph.program.ir;
