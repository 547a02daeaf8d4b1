/**
 * Prints functions as bytecode of hidden classes. Begin with {@link
 * org.sparkgpugraph.program.jvm.IrEmitter}, which writes one into the middle of a method. May use:
 * {@code program.ir}.
 */
package org.sparkgpugraph.program.jvm;
