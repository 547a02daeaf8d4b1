/**
 * Vertex programs: as they were written ({@link org.sparkgpugraph.program.ProgramSource}), as they
 * are lifted, and why one cannot be ({@link org.sparkgpugraph.program.Refusal}); the types of their
 * values. In the order in which a program passes them, the packages are: {@code lift} (executes
 * {@code bytecode} symbolically, which gives {@code ssa}, then {@code ir}), {@code analysis} and
 * {@code hoist} (what is recognised and moved, by {@code expression}), {@code delta} and {@code
 * fold} (programs made of others, and of sequences of maps), {@code jvm} and {@code cuda}
 * (printers). Begin with {@link org.sparkgpugraph.program.LiftedProgram}. May use: {@code
 * program.ir}.
 */
package org.sparkgpugraph.program;
