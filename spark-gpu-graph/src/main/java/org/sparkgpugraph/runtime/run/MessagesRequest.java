package org.sparkgpugraph.runtime.run;

import org.apache.spark.graphx.TripletFields;
import org.sparkgpugraph.run.RunOptions;
import scala.reflect.ClassTag;

/**
 * An {@code aggregateMessages} as the user asks for it.
 *
 * @param send the user's own: a SendMessage, or a scala.Function1 of GraphX's EdgeContext
 * @param merge the user's own: a MergeMessage, or a scala.Function2
 * @param fields what {@code send} may read
 * @param tag class of the messages; null: as the lifted functions say
 */
public record MessagesRequest<A>(
    Object send, Object merge, TripletFields fields, ClassTag<A> tag, RunOptions options) {}
