package org.sparkgpugraph.engine.cpu;

import java.util.List;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.codegen.StatusLocals;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Role;

/**
 * Builds the {@link KernelFrame} of each partition: what the kernel's shape needs, no more.
 *
 * @param pushed over which rows all supersteps push; null: they do not
 * @param vertexCount vertices of the whole graph
 */
record FrameBuilder(
    ProgramInstance instance,
    CompiledKernel compiled,
    RunSettings settings,
    SentRows pushed,
    long vertexCount) {
  /**
   * A frame with allocated values.
   *
   * @throws IllegalStateException when the program reads edge values that were not loaded
   */
  KernelFrame build(GraphPartition partition, Columns attributes) {
    KernelFrame frame = new KernelFrame();
    frame.partition = partition;
    edges(frame);
    frame.attributes = attributes.arrays();
    values(frame);
    if (compiled.columns().readsIds()) {
      frame.ids = partition.originalIds();
    }
    bitmaps(frame);
    frame.captures = instance.captureArray();
    frame.tables = instance.tables().toArray();
    frame.initialMessage = settings.initialMessage();
    frame.emptyMessage = settings.emptyMessage();
    frame.vertexCount = vertexCount;
    return frame;
  }

  private void edges(KernelFrame frame) {
    GraphPartition partition = frame.partition;
    boolean readsEdges = instance.program().send().reads(Role.EDGE);
    if (pushed != null) {
      frame.outOffsets = pushed.csr().offsets();
      frame.outDestinations = pushed.csr().neighbours();
      frame.outEdges = readsEdges ? edgeValues(pushed.values()) : null;
      if (compiled.stops() && UnsortedEdges.of(partition) == null) {
        // Made already: rows may stop early along them.
        frame.inOffsets = partition.inEdges().offsets();
        frame.inSources = neighbours(partition.inEdges());
      }
      return;
    }
    if (compiled.shape().inRows()) {
      frame.inOffsets = partition.inEdges().offsets();
      frame.inSources = neighbours(partition.inEdges());
      frame.inEdges = readsEdges ? edgeValues(partition.inEdgeValues()) : null;
      if (compiled.shape().partialMessages()) {
        HubFrames.withoutHubs(frame, instance.program());
      }
    }
    if (compiled.shape().outRows()) {
      frame.outOffsets = partition.outEdges().offsets();
      frame.outDestinations = neighbours(partition.outEdges());
      frame.outEdges = readsEdges ? edgeValues(partition.outEdgeValues()) : null;
    }
  }

  private static Object[] edgeValues(Columns values) {
    if (values == null) {
      throw new IllegalStateException(
          "the send function reads the edge's value, but the graph was loaded without edge values");
    }
    return values.onHeap() ? values.arrays() : null;
  }

  /** Null where they are off the heap: {@link EdgeWindows} have them. */
  private static int[] neighbours(Csr rows) {
    return rows.onHeap() ? rows.neighbours() : null;
  }

  private void values(KernelFrame frame) {
    int locals = locals(frame.partition);
    List<ColumnType> state = instance.program().state().columns();
    frame.current = Columns.allocate(state, locals).arrays();
    frame.next = frame.current;
    if (!compiled.shape().inPlace()) {
      frame.next = frame.current.clone();
      for (int c = 0; c < frame.next.length; c++) {
        if (!compiled.columns().stable()[c]) {
          frame.next[c] = Columns.newArray(state.get(c), locals);
        }
      }
    }
  }

  private void bitmaps(KernelFrame frame) {
    int locals = locals(frame.partition);
    int stored = frame.partition.stored();
    frame.present = frame.partition.present();
    if (compiled.shape().missingVertices() && frame.present == null) {
      VertexBitmap all = new VertexBitmap(locals);
      all.addRange(0, locals);
      frame.present = all.words;
    }
    if (!compiled.shape().everyVertex()) {
      frame.active = new VertexBitmap(locals);
      frame.nextActive = new VertexBitmap(locals);
      frame.candidates = pushed != null ? null : new VertexBitmap(stored);
      frame.ran =
          StatusLocals.recordsRan(compiled.shape(), instance.program())
              ? new VertexBitmap(stored)
              : frame.nextActive;
    }
    if (compiled.shape().tracksChanges()) {
      frame.changed = new VertexBitmap(stored);
    }
  }

  /** Held vertices and ghosts. */
  private static int locals(GraphPartition partition) {
    return partition.stored() + partition.ghosts();
  }
}
