/**
 * Translates the bytecode of a user's functions: executes it symbolically, inlines calls, takes
 * records apart. What cannot be translated is refused with class, method, line and reason.
 *
 * <p>Begin with {@link org.sparkgpugraph.program.lift.ProgramLifter}, which lifts a program
 * function by function. A {@link org.sparkgpugraph.program.lift.FunctionLifter} puts together what
 * lifts one: the {@link org.sparkgpugraph.program.lift.BytecodeInterpreter} executes its
 * instructions on the {@link org.sparkgpugraph.program.lift.SymbolicMachine}, whose {@link
 * org.sparkgpugraph.program.lift.MachineState} holds {@link org.sparkgpugraph.program.lift.Sym}
 * where the JVM would hold values; {@link org.sparkgpugraph.program.lift.ExecutionPaths} says which
 * way is taken next; each kind of instruction, and each kind of call ({@link
 * org.sparkgpugraph.program.lift.CallInliner}), has its class. May use: {@code program} with {@code
 * ir}, {@code bytecode}, {@code ssa} and {@code analysis}.
 */
package org.sparkgpugraph.program.lift;
