/**
 * Intersections of neighbourhoods: for every vertex how many of its neighbours are neighbours of
 * each other. Begin with {@link org.sparkgpugraph.engine.intersect.SortedIntersection}, the
 * operator, and {@link org.sparkgpugraph.engine.intersect.OrientedRows}, what it stands on. May
 * use: {@code engine.operator} and what that may use.
 */
package org.sparkgpugraph.engine.intersect;
