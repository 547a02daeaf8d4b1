package org.sparkgpugraph.engine.device.kernels;

import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.device.ChunkSide;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.settings.DelegateLayout;
import org.sparkgpugraph.engine.device.settings.PeerLayout;
import org.sparkgpugraph.engine.device.settings.StopLayout;
import org.sparkgpugraph.engine.device.settings.TileLayout;
import org.sparkgpugraph.exchange.RefinedUpdates;

/**
 * Numbers that host and kernels share, as macros: they are defined in Java alone, and every
 * translation unit begins with them.
 */
final class SharedWords {
  private SharedWords() {}

  /**
   * {@code #define} lines of what all kernels share.
   *
   * @param threads of a block
   */
  static String macros(int threads) {
    StringBuilder out = new StringBuilder();
    define(out, "WARP", DeviceProperties.WARP);
    define(out, "BLOCK", threads);
    define(out, "BLOCK_WARPS", threads / DeviceProperties.WARP);
    return out.toString();
  }

  /** The same of the kernels of programs. */
  static String programMacros() {
    StringBuilder out = new StringBuilder();
    define(out, "STATUS_", StatusWord.values());
    define(out, "STATUS_AGGREGATES", StatusWord.COUNT);
    define(out, "STATUS_COUNTED", StatusWord.COUNTED);
    define(out, "RING_", RingWord.values());
    define(out, "RING_COUNTED", RingWord.COUNTED);
    define(out, "RING_WORDS", RingWord.COUNT);
    define(out, "QUEUE_", QueueWord.values());
    define(out, "STOP_WORDS", StopLayout.WORDS);
    define(out, "STOPS_", StopLayout.Behind.values());
    define(out, "PUSH_PART", PushLayout.PART);
    define(out, "QUEUE_WORDS", QueueWord.COUNT);
    define(out, "SEARCH_ALL", PushLayout.SEARCH_ALL);
    define(out, "SEARCH_ROUNDS", PushLayout.SEARCH_ROUNDS);
    define(out, "SEARCH_BEGAN", PushLayout.SEARCH_BEGAN);
    define(out, "SEARCH_WORDS", PushLayout.SEARCH_WORDS);
    define(out, "SEARCH_RING", PushLayout.SEARCH_RING);
    define(out, "SEARCH_STOPPED", PushLayout.SEARCH_STOPPED);
    define(out, "SEARCH_ENTRY", PushLayout.SEARCH_ENTRY);
    define(out, "SEARCH_CALM", PushLayout.SEARCH_CALM);
    define(out, "PEER_", PeerLayout.Word.values());
    define(out, "PEER_", PeerLayout.Entry.values());
    define(out, "PEER_OTHERS", PeerLayout.OTHERS);
    define(out, "PEER_ENTRIES", PeerLayout.ENTRIES);
    define(out, "PEER_STRIDE", PeerLayout.STRIDE);
    define(out, "ASYNC_", AsyncWord.values());
    define(out, "ASYNC_BUCKETS", AsyncLayout.BUCKETS);
    define(out, "ASYNC_SEGMENT", AsyncLayout.SEGMENT);
    define(out, "ASYNC_LOCAL", AsyncLayout.LOCAL);
    define(out, "ASYNC_STRIDE", AsyncLayout.STRIDE);
    define(out, "ASYNC_RESERVED_AT", AsyncLayout.RESERVED);
    define(out, "ASYNC_LIMIT_AT", AsyncLayout.LIMIT);
    define(out, "ASYNC_DONE_AT", AsyncLayout.DONE);
    define(out, "TILE_", TileLayout.Word.values());
    define(out, "TILE_BLOCKS_AT", TileLayout.BLOCKS);
    define(out, "TILE_STRIDE", TileLayout.STRIDE);
    int servants = TileLayout.SERVANTS;
    define(out, "TILE_SERVANTS", servants);
    define(out, "TILE_THREADS", TileLayout.MOST_THREADS + servants * DeviceProperties.WARP);
    define(out, "TILE_MAILS", TileLayout.MAILS);
    define(out, "DELEGATE_MOST_SERVERS", DelegateLayout.MOST_SERVERS);
    define(out, "DELEGATE_LOCKS", DelegateLayout.LOCKS);
    define(out, "DELEGATE_FINISHED", DelegateLayout.FINISHED);
    define(out, "DELEGATE_FULL", DelegateLayout.FULL);
    define(out, "DELEGATE_STUCK", DelegateLayout.STUCK);
    define(out, "DELEGATE_STRIDE", DelegateLayout.STRIDE);
    define(out, "DELEGATE_WRITTEN_AT", DelegateLayout.WRITTEN);
    define(out, "DELEGATE_READ_AT", DelegateLayout.READ);
    define(out, "DELEGATE_SHARED_BYTES", DelegateLayout.SHARED_BYTES);
    define(out, "FILTER_", KernelShape.Filter.values());
    define(out, "CHUNK_", ChunkSide.values());
    define(out, "UPDATE_VALUED", RefinedUpdates.VALUED);
    define(out, "UPDATE_ACTIVE", RefinedUpdates.ACTIVE);
    define(out, "MODE_WARP_SLOTS", ModeLayout.WARP_SLOTS);
    return out.toString();
  }

  private static void define(StringBuilder out, String prefix, Enum<?>[] words) {
    for (Enum<?> word : words) {
      define(out, prefix + word.name(), word.ordinal());
    }
  }

  static void define(StringBuilder out, String name, boolean value) {
    define(out, name, value ? 1 : 0);
  }

  static void define(StringBuilder out, String name, int value) {
    out.append("#define SGG_").append(name).append(' ').append(value).append('\n');
  }
}
