/**
 * The user's code as it lies in class files: which method a lambda runs, its instructions, the
 * fields of its records, and which methods of the Java library have a place in lifted code. Begin
 * with {@link org.sparkgpugraph.program.bytecode.FunctionObject}. May use: {@code program.ir}.
 */
package org.sparkgpugraph.program.bytecode;
