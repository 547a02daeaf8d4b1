/**
 * Intersections of neighbourhoods: for every vertex how many of its neighbours are neighbours of
 * each other. Begin with {@link org.sparkgpugraph.engine.intersect.SortedIntersection}, the
 * operator, then {@link org.sparkgpugraph.engine.intersect.OrientedRows}, what it stands on. May
 * use: {@code engine.operator}, {@code engine.device}, {@code graph}.
 */
package org.sparkgpugraph.engine.intersect;
