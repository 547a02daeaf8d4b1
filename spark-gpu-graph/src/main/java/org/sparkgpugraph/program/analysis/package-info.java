/**
 * What is recognised of a program and never declared: its merge algebra, the sides that messages go
 * to, whether it is monotone. Begin with {@link
 * org.sparkgpugraph.program.analysis.TraitRecognizer}. May use: {@code program}, {@code
 * program.ir}.
 */
package org.sparkgpugraph.program.analysis;
