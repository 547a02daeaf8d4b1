/**
 * Prints functions as bytecode of hidden classes. Begin with {@link
 * org.sparkgpugraph.program.jvm.IrEmitter}, which writes one into the middle of a method, or {@link
 * org.sparkgpugraph.program.jvm.FunctionCompiler}, which makes a class of one. May use: {@code
 * program.ir}.
 */
package org.sparkgpugraph.program.jvm;
