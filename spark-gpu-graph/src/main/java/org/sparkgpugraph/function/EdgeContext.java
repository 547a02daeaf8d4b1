package org.sparkgpugraph.function;

/**
 * An edge as a send function sees it: its ends, their values, its attribute, and the way to send
 * messages along it. The methods are those of GraphX's class of the same name, so that a function
 * that was written for that one is read for this one by another import.
 *
 * @param <S> vertex value
 * @param <ED> edge attribute
 * @param <A> message
 */
public interface EdgeContext<S, ED, A> {
  /** Id of the source. */
  long srcId();

  /** Id of the destination. */
  long dstId();

  /** Value of the source. */
  S srcAttr();

  /** Value of the destination. */
  S dstAttr();

  /** Attribute of the edge. */
  ED attr();

  /** Sends a message to the source. */
  void sendToSrc(A message);

  /** Sends a message to the destination. */
  void sendToDst(A message);
}
