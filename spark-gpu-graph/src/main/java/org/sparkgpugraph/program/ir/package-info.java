/**
 * Functions as three-address code over primitive variables, with labels; knows nothing of the JVM
 * or CUDA. Begin with {@link org.sparkgpugraph.program.ir.IrFunction} and {@link
 * org.sparkgpugraph.program.ir.Insn}. May use: nothing else of the project.
 */
package org.sparkgpugraph.program.ir;
