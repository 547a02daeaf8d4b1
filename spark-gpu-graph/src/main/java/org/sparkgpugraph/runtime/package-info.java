/**
 * What ties the engines to Spark, in the order of a run's life: {@code event} (what Spark's
 * listeners get), {@code report} (what is drawn of it), {@code ui} (in Spark's UI), {@code conf}
 * (what is in force), {@code serial} (what travels), {@code cluster} (executors, and tasks that run
 * on a certain one), {@code device} (finding and choosing engines), {@code held} (what stays in an
 * executor), {@code observe} (metrics, events, progress), {@code load}, {@code stage} (work on all
 * shards that is done once), {@code run}. Each uses those before it only. Begin with {@link
 * org.sparkgpugraph.runtime.run.PregelJob}.
 */
package org.sparkgpugraph.runtime;
