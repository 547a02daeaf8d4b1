/**
 * Communities of high modularity. Begin with {@link
 * org.sparkgpugraph.engine.louvain.LouvainOperator}, the operator, and {@link
 * org.sparkgpugraph.engine.louvain.LouvainRun}, its rounds; {@link
 * org.sparkgpugraph.engine.louvain.LocalMoving} moves the vertices of a level, {@link
 * org.sparkgpugraph.engine.louvain.Coarsening} makes the next level of their communities, and
 * {@link org.sparkgpugraph.engine.louvain.InOrder} ends it when few are left. {@link
 * org.sparkgpugraph.engine.louvain.DeviceLouvain} does the same on a device. May use: {@code
 * engine.operator} and what that may use.
 */
package org.sparkgpugraph.engine.louvain;
