/**
 * Intersections of neighbourhoods: for every vertex how many of its neighbours are neighbours of
 * each other. {@link org.sparkgpugraph.engine.intersect.SortedIntersection} is the operator, {@link
 * org.sparkgpugraph.engine.intersect.OrientedRows} what it stands on.
 */
package org.sparkgpugraph.engine.intersect;
