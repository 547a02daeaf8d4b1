/**
 * Prints functions as bytecode of hidden classes. Begin with {@link
 * org.sparkgpugraph.program.jvm.FunctionCompiler}.
 */
package org.sparkgpugraph.program.jvm;
