/**
 * Communities of high modularity. Begin with {@link
 * org.sparkgpugraph.engine.louvain.LouvainOperator}, then {@link
 * org.sparkgpugraph.engine.louvain.LouvainRun}, its rounds; {@link
 * org.sparkgpugraph.engine.louvain.LocalMoving} moves the vertices of a level, {@link
 * org.sparkgpugraph.engine.louvain.Coarsening} makes the next level of their communities, and
 * {@link org.sparkgpugraph.engine.louvain.InOrder} ends it when few are left. May use: {@code
 * engine.operator}, {@code graph}.
 */
package org.sparkgpugraph.engine.louvain;
