/**
 * Graphs over several executors whose vertices are placed by their neighbours instead of by ranges
 * of ids: how many boundary updates ways to place them would need ({@link
 * org.sparkgpugraph.benchmarks.placement.PlacementTrial}, without engines), and what travels
 * ({@link org.sparkgpugraph.benchmarks.placement.PlacementBytes}).
 */
package org.sparkgpugraph.benchmarks.placement;
