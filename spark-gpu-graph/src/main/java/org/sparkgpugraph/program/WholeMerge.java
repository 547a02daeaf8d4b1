package org.sparkgpugraph.program;

/**
 * Merges that are no function of two messages: they look at all messages of a vertex at once.
 * Stands where a program's merge function would stand.
 */
public enum WholeMerge {
  /**
   * The most frequent message, of several the smallest. Messages are of one INT or LONG column;
   * each message counts once, also when an edge sends several.
   */
  MODE
}
