/**
 * Vertex programs once they are lifted: the representation ({@code ir}), how it is made of bytecode
 * ({@code lift}), what is recognised of it ({@code analysis}, {@code hoist}), and its printers
 * ({@code jvm}, {@code cuda}). Begin with {@link org.sparkgpugraph.program.LiftedProgram}. May use:
 * {@code program.ir}, {@code function}.
 */
package org.sparkgpugraph.program;
