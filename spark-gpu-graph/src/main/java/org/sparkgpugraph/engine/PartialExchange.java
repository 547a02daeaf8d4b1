package org.sparkgpugraph.engine;

import java.util.List;
import org.sparkgpugraph.exchange.RefinedUpdates;

/**
 * What a run sends and takes where hubs are sent partial messages ({@link
 * org.sparkgpugraph.graphs.hub.HubLayout}). All runs of a program, one on each executor graph, do
 * so from one exchange on or none does. From then on they are asked for {@link #outgoing} instead
 * of {@link EngineRun#outgoing}, until one is {@linkplain EngineRun#restore restored}: then all
 * are.
 */
public interface PartialExchange {
  /**
   * What others are sent.
   *
   * @param values by export, in positions of the list of what is read there for something else than
   *     hubs
   * @param messages by import, to the home of that list, in positions of the list of hubs there;
   *     without a value: there is no message any more
   */
  record Outgoing(List<RefinedUpdates> values, List<RefinedUpdates> messages) {}

  /** What others are sent, see {@link EngineRun#outgoing()}. */
  Outgoing outgoing();

  /**
   * Takes values, see {@link EngineRun#incoming}.
   *
   * @param list which of the imports
   */
  void incomingValues(int list, List<RefinedUpdates> parts);

  /**
   * Takes partial messages, for the next step.
   *
   * @param list the export whose reader sends them
   * @param parts no hub is in two of them; in any order
   */
  void incomingMessages(int list, List<RefinedUpdates> parts);
}
