/**
 * The tab "Graph" of Spark's UI, of applications that run and in the history server. Begin with
 * {@link org.sparkgpugraph.runtime.ui.GraphUi} and {@link
 * org.sparkgpugraph.runtime.ui.GraphHistoryPlugin}; what is on the pages is in {@code report}. May
 * use: {@code event} and {@code report}.
 */
package org.sparkgpugraph.runtime.ui;
