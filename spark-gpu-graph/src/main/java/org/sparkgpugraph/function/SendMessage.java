package org.sparkgpugraph.function;

import java.io.Serializable;

/**
 * Sends messages along one edge, to its source, its destination, both or neither, any number of
 * times, as in GraphX's {@code aggregateMessages}.
 *
 * @param <S> vertex value
 * @param <ED> edge attribute
 * @param <A> message
 */
@FunctionalInterface
public interface SendMessage<S, ED, A> extends Serializable {
  /** Calls {@code edge.sendToSrc} and {@code edge.sendToDst}. */
  void send(EdgeContext<S, ED, A> edge);

  /** A send function that also asks about the run it is in. */
  @FunctionalInterface
  interface WithContext<S, ED, A> extends Serializable {
    /** Calls {@code edge.sendToSrc} and {@code edge.sendToDst}. */
    void send(EdgeContext<S, ED, A> edge, SuperstepContext context);
  }
}
