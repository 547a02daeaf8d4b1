/**
 * Intersections of neighbourhoods: for every vertex how many of its neighbours are neighbours of
 * each other. {@link io.sparkgpugraph.engine.intersect.SortedIntersection} is the operator, {@link
 * io.sparkgpugraph.engine.intersect.OrientedRows} what it stands on.
 */
package io.sparkgpugraph.engine.intersect;
