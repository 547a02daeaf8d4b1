/**
 * The functions that a vertex program is made of, as a user writes them: lambdas, method
 * references, or objects. They are serializable, so that their bytecode can be read and, on stock
 * GraphX, shipped. Begin with {@link org.sparkgpugraph.function.VertexProgram} and {@link
 * org.sparkgpugraph.function.SendMessage}. May use: nothing of the library.
 */
package org.sparkgpugraph.function;
