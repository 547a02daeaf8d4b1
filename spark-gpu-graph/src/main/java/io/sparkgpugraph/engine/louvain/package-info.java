/**
 * Communities of high modularity. {@link io.sparkgpugraph.engine.louvain.LouvainOperator} is the
 * operator, {@link io.sparkgpugraph.engine.louvain.LouvainRun} its rounds; {@link
 * io.sparkgpugraph.engine.louvain.LocalMoving} moves the vertices of a level, {@link
 * io.sparkgpugraph.engine.louvain.Coarsening} makes the next level of their communities, and {@link
 * io.sparkgpugraph.engine.louvain.InOrder} ends it when few are left.
 */
package io.sparkgpugraph.engine.louvain;
