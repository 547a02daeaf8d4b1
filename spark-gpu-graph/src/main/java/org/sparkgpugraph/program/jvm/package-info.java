/**
 * Prints functions as bytecode of hidden classes. Begin with {@link
 * org.sparkgpugraph.program.jvm.FunctionCompiler}. May use: {@code program}, {@code program.ir},
 * ASM.
 */
package org.sparkgpugraph.program.jvm;
