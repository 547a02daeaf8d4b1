/**
 * What runs told, as something to look at: from {@code event}s a bounded account of each run, from
 * that tables and charts in HTML and SVG that need no script. Begin with {@link
 * org.sparkgpugraph.runtime.report.RunAccount} (what is known of a run) and {@link
 * org.sparkgpugraph.runtime.report.RunPage} (what is drawn of it). May use: {@code event} alone.
 */
package org.sparkgpugraph.runtime.report;
