package org.sparkgpugraph.engine.louvain;

import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.memory.KeySort;
import org.sparkgpugraph.engine.device.memory.Scan;

/**
 * {@link Coarsening} on a device ({@code sgg/coarsen.cuh}), and which vertices of the graph
 * communities are made of. While rows are made they take 32 bytes for every record, of which there
 * are as many as different pairs of communities in {@link LouvainTuning#coarsenChunk} entries.
 */
final class DeviceCoarsening {
  /** Where a key has the community, above the other one or the vertex. */
  private static final int COMMUNITY = 32;

  private final DeviceSession session;
  private final FrameLayout.Frame frame;
  private final LouvainTuning tuning;
  private final DeviceMemory flags;
  private final DeviceMemory places;
  private final DeviceMemory tiles;
  private final DeviceMemory label;
  private DeviceMemory smallest;
  private DeviceMemory nextSmallest;
  private DeviceMemory strengths;
  private DeviceMemory nextStrengths;
  private int count;

  /**
   * Takes the memory of all levels, 44 bytes a vertex; every vertex is alone.
   *
   * @param size number of vertices of the graph
   */
  DeviceCoarsening(DeviceSession session, FrameLayout.Frame frame, LouvainTuning tuning, int size) {
    this.session = session;
    this.frame = frame;
    this.tuning = tuning;
    count = size;
    label = session.allocate(Integer.BYTES * (long) size, "communities of vertices");
    smallest = session.allocate(Integer.BYTES * (long) size, "names of communities");
    nextSmallest = session.allocate(Integer.BYTES * (long) size, "names of communities");
    strengths = session.allocate(Long.BYTES * (long) size, "strengths");
    nextStrengths = session.allocate(Long.BYTES * (long) size, "strengths");
    flags = session.allocate(Integer.BYTES * (long) size, "first members");
    places = session.allocate(Integer.BYTES * (size + 1L), "numbers of communities");
    tiles = session.allocate(Scan.tileBytes(size), "numbers of communities");
    frame
        .set("graphSize", size)
        .set("label", label)
        .set("smallest", smallest)
        .set("least", session.allocate(Integer.BYTES * (long) size, "smallest members"))
        .set("numberOf", session.allocate(Integer.BYTES * (long) size, "numbers of communities"))
        .set("tiles", tiles)
        .set("strengths", strengths);
    session.timed(() -> session.launch(LouvainKernels.ALONE, size, 1, frame));
  }

  /** Of the vertices of the first level, where they are not computed here. */
  void strengths(long[] known) {
    session.upload(known, 0, known.length, strengths, 0);
  }

  /** An {@code int} for each vertex, for whoever counts. */
  DeviceMemory flags() {
    return flags;
  }

  /**
   * Finds the communities of a level that has ended.
   *
   * @return whether any vertices have come together
   */
  boolean communities(LevelMemory level) {
    frame.set("flags", flags).set("tiles", tiles);
    session.timed(
        () -> {
          session.launch(LouvainKernels.RESET, level.size(), 1, frame);
          session.launch(LouvainKernels.LEAST, level.size(), 1, frame);
          session.launch(LouvainKernels.FIRSTS, level.size(), 1, frame);
          Scan.queue(session, frame, flags, level.size(), places);
        });
    count = session.readInt(places, level.size());
    return count < level.size();
  }

  /** They are the vertices of the next level. */
  void number(LevelMemory level) {
    frame
        .set("communities", count)
        .set("smallest", smallest)
        .set("nextSmallest", nextSmallest)
        .set("nextStrengths", nextStrengths);
    session.timed(
        () -> {
          session.clear(nextStrengths);
          session.launch(LouvainKernels.NUMBER, level.size(), 1, frame);
          session.launch(LouvainKernels.LABEL, label.bytes() / Integer.BYTES, 1, frame);
        });
    DeviceMemory swap = smallest;
    smallest = nextSmallest;
    nextSmallest = swap;
  }

  /** Number of vertices of the next level; of communities at the end. */
  int count() {
    return count;
  }

  /** Makes the rows of the next level, whose strengths the frame has then. */
  LevelMemory rows(DeviceSession temporary, LevelMemory level) {
    LevelMemory next = made(temporary, level);
    DeviceMemory swap = strengths;
    strengths = nextStrengths;
    nextStrengths = swap;
    frame.set("strengths", strengths);
    return next;
  }

  private LevelMemory made(DeviceSession temporary, LevelMemory level) {
    KeySort vertices = new KeySort(temporary, frame, level.size(), false, "vertices in order");
    int chunk = tuning.coarsenChunk();
    long chunks = (level.entries() + chunk - 1) / chunk;
    DeviceMemory rowPlaces = allocate(temporary, level.size() + 1L, "rows in order");
    DeviceMemory chunkRecords = allocate(temporary, chunks, "connections");
    DeviceMemory chunkPlaces = allocate(temporary, chunks + 1, "connections");
    frame
        .set("order", allocate(temporary, level.size(), "vertices in order"))
        .set("rowPlaces", rowPlaces)
        .set("chunkRecords", chunkRecords)
        .set("chunkPlaces", chunkPlaces)
        .set("chunks", chunks)
        .set(
            "tiles",
            temporary.allocate(
                Scan.tileBytes(Math.max(level.size(), level.entries())), "connections"));
    session.synchronize();
    temporary.timed(
        () -> {
          temporary.launch(LouvainKernels.KEYS, level.size(), 1, frame);
          vertices.sort(COMMUNITY, KeySort.bits(count));
          temporary.launch(LouvainKernels.ORDER, level.size(), 1, frame);
          Scan.queue(temporary, frame, flags, level.size(), rowPlaces);
          chunks(temporary, LouvainKernels.COUNT_RECORDS, level, chunks);
          Scan.queue(temporary, frame, chunkRecords, chunks, chunkPlaces);
        });
    vertices.freeOther();
    vertices.freeKeys();
    int records = temporary.readInt(chunkPlaces, chunks);
    return entries(temporary, level, chunks, records);
  }

  private LevelMemory entries(
      DeviceSession temporary, LevelMemory level, long chunks, int records) {
    DeviceMemory sums = temporary.allocate(Long.BYTES * (long) records, "connections");
    KeySort sort = new KeySort(temporary, frame, records, true, "connections");
    DeviceMemory heads = allocate(temporary, records, "connections");
    DeviceMemory entryPlaces = allocate(temporary, records + 1L, "connections");
    frame.set("recordSums", sums);
    temporary.timed(
        () -> {
          chunks(temporary, LouvainKernels.RECORDS, level, chunks);
          sort.sort(0, KeySort.bits(count));
          sort.sort(COMMUNITY, KeySort.bits(count));
          frame.set("flags", heads).set("count", records);
          temporary.launch(LouvainKernels.HEADS, records, 1, frame);
          Scan.queue(temporary, frame, heads, records, entryPlaces);
        });
    int entries = temporary.readInt(entryPlaces, records);
    DeviceMemory offsets = allocate(session, count + 1L, "connections");
    DeviceMemory neighbours = allocate(session, entries, "connections");
    DeviceMemory weights = session.zeros(Long.BYTES * (long) entries, "connections");
    session.synchronize();
    frame.set("nextOffsets", offsets).set("nextNeighbours", neighbours).set("nextWeights", weights);
    temporary.timed(
        () -> {
          temporary.launch(LouvainKernels.ENTRIES, records, 1, frame);
          temporary.launch(LouvainKernels.OFFSETS, count + 1L, 1, frame);
        });
    return new LevelMemory(count, entries, offsets, neighbours, weights);
  }

  private void chunks(DeviceSession temporary, String kernel, LevelMemory level, long chunks) {
    temporary.launch(LouvainKernels.of(kernel, level.ones()), chunks, LouvainKernels.BLOCK, frame);
  }

  private static DeviceMemory allocate(DeviceSession on, long count, String purpose) {
    return on.allocate(Integer.BYTES * count, purpose);
  }

  /** Vertex of the level by now that each vertex of the graph is in. */
  int[] labels() {
    return session.ints(label, (int) (label.bytes() / Integer.BYTES));
  }

  /** The smallest vertex of the graph in each. */
  int[] smallest() {
    return session.ints(smallest, count);
  }

  /** Strengths of the vertices of the level. */
  long[] strengths() {
    long[] found = new long[count];
    session.download(strengths, found, count);
    return found;
  }
}
