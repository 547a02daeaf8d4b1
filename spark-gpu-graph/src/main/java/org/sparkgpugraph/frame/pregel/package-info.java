/**
 * Pregel in column expressions: Catalyst's trees become the same code that lambdas become. Begin
 * with {@link org.sparkgpugraph.frame.pregel.ColumnProgram}. May use: what is below frame.
 */
package org.sparkgpugraph.frame.pregel;
