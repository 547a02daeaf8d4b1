/**
 * Reading values into columns and making values of columns, compiled for each class of them. Begin
 * with {@link org.sparkgpugraph.program.codec.ValueForm}, then {@link
 * org.sparkgpugraph.program.codec.CompiledForm}. May use: {@code program}, {@code program.ir}.
 */
package org.sparkgpugraph.program.codec;
