package org.sparkgpugraph.engine.cpu;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.SentMessages;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.engine.cpu.frame.RowBlocks;
import org.sparkgpugraph.engine.cpu.frame.Tally;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.exchange.VertexBitmap;
import org.sparkgpugraph.graphs.hub.PartialRows;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.FaultSite;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.jvm.CodeFault;

/** Gathers the partial rows of a partition, over its values as they are, and sends what changed. */
final class PartialGather {
  /** Edges of a block of rows that a thread takes at a time. */
  private static final int BLOCK = RowBlocks.TARGET;

  /** Looking for the rows of changed vertices costs more than gathering all from so many edges. */
  private static final double FEW = 0.25;

  private final KernelFrame frame;
  private final GraphPartition partition;
  private final PartialRows rows;
  private final CompiledKernel compiled;
  private final List<ColumnType> kinds;
  private final Object[] edges;
  private final boolean keeps;
  private final boolean[] has;
  private final Columns messages;

  /** What hubs have of each row; null where they keep nothing. */
  private final SentMessages sent;

  /** First row of each block, and behind the last one. */
  private final int[] blocks;

  /** Rows that were gathered last; null: all. */
  private VertexBitmap gathered;

  private final VertexBitmap some;
  private boolean first = true;

  PartialGather(
      KernelFrame frame,
      GraphPartition partition,
      PartialRows rows,
      LiftedProgram program,
      CompiledKernel compiled) {
    this.frame = frame;
    this.partition = partition;
    this.rows = rows;
    this.compiled = compiled;
    kinds = program.message().columns();
    edges = program.send().reads(Role.EDGE) ? rows.values(partition).arrays() : null;
    keeps = compiled.shape().keepsPartialMessages();
    has = new boolean[rows.size()];
    messages = Columns.allocate(kinds, rows.size());
    sent = keeps ? new SentMessages(program, rows.size()) : null;
    some = new VertexBitmap(rows.size());
    blocks = blocks(rows.offsets());
  }

  private static int[] blocks(int[] offsets) {
    int[] starts = new int[offsets.length];
    int count = 0;
    for (int row = 0; row + 1 < offsets.length; row++) {
      if (count == 0 || offsets[row] - offsets[starts[count - 1]] >= BLOCK) {
        starts[count++] = row;
      }
    }
    starts[count++] = offsets.length - 1;
    return Arrays.copyOf(starts, count);
  }

  /** Bytes that it takes, beside the layout. */
  static long bytes(LiftedProgram program, PartialRows rows, boolean keeps) {
    long message = 1 + program.message().columns().stream().mapToLong(ColumnType::bytes).sum();
    long edge = program.send().reads(Role.EDGE) ? program.edge().bytes() : 0;
    return message * rows.size() * (keeps ? 2 : 1)
        + edge * rows.sources().length
        + VertexBitmap.bytes(rows.size());
  }

  /** Hubs have nothing any more: all rows are gathered next. */
  void restart() {
    first = true;
    if (keeps) {
      sent.restart();
    }
  }

  /**
   * Gathers the rows that may have changed.
   *
   * @param sources the vertices that changed since the last time, or, where only active ones speak,
   *     those that are active
   * @param oneThread up to so many edges are gathered by the caller alone
   * @return number of edges that were evaluated
   */
  long gather(VertexBitmap sources, WorkerTeam team, Tally[] tallies, long oneThread) {
    for (Tally tally : tallies) {
      tally.reset();
    }
    KernelFrame walked = frame.copy();
    walked.inOffsets = rows.offsets();
    walked.inSources = rows.sources();
    walked.inEdges = edges;
    walked.inFirst = 0;
    walked.partialHubs = rows.hubs();
    walked.partialHas = has;
    walked.partials = messages.arrays();
    some.clear();
    // In place hubs have heard all that sources said before: they walked whole rows until now.
    boolean few = (!first || !keeps || compiled.shape().inPlace()) && mark(sources);
    first = false;
    gathered = few ? some : null;
    if (few) {
      for (int s = 0; s < some.summary.length; s++) {
        for (int row : some.members(s)) {
          call(walked, tallies[0], row, row + 1);
        }
      }
    } else {
      team.each(
          rows.sources().length > oneThread,
          blocks.length - 1,
          (member, i) -> call(walked, tallies[member], blocks[i], blocks[i + 1]));
    }
    return Arrays.stream(tallies).mapToLong(tally -> tally.edges).sum();
  }

  /** Marks the rows of some vertices; returns whether these are few. */
  private boolean mark(VertexBitmap sources) {
    Csr out = partition.outEdges();
    int[] starts = out.offsets();
    int[] neighbours = out.neighbours();
    int stored = partition.stored();
    long left = (long) (rows.sources().length * FEW);
    for (int s = 0; s < sources.summary.length; s++) {
      for (int v : sources.members(s)) {
        if (v >= stored) {
          return true;
        }
        left -= 1 + starts[v + 1] - starts[v];
        if (left < 0) {
          return false;
        }
        for (int e = starts[v]; e < starts[v + 1]; e++) {
          int row = rows.row(neighbours[e], stored);
          if (row >= 0) {
            some.add(row);
          }
        }
      }
    }
    return true;
  }

  private void call(KernelFrame walked, Tally tally, int from, int to) {
    try {
      if (keeps) {
        compiled.kernel().partials(walked, tally, from, to);
      } else {
        compiled.kernel().activePartials(walked, tally, from, to);
      }
    } catch (CodeFault fault) {
      FaultSite site = compiled.sites().get(fault.site());
      ProgramFault located =
          new ProgramFault(
              site.fail().code(),
              site.fail().detail(),
              site.fail().where(),
              site.function(),
              partition.originalId(fault.row()));
      located.initCause(fault);
      throw located;
    }
  }

  /**
   * Puts what hubs do not have yet into updates.
   *
   * @param list the rows that it is about
   */
  void collect(int firstRow, int size, RefinedUpdates updates) {
    updates.clear();
    if (gathered == null) {
      for (int row = firstRow; row < firstRow + size; row++) {
        add(row, row - firstRow, updates);
      }
    } else {
      for (int w = firstRow >>> 6; w << 6 < firstRow + size; w++) {
        for (long bits = gathered.words[w]; bits != 0; bits &= bits - 1) {
          int row = (w << 6) + Long.numberOfTrailingZeros(bits);
          if (row >= firstRow && row < firstRow + size) {
            add(row, row - firstRow, updates);
          }
        }
      }
    }
    if (keeps) {
      sent.pack(firstRow, messages, updates);
    } else {
      int[] columns = IntStream.range(0, kinds.size()).toArray();
      updates.pack(messages.arrays(), columns, position -> firstRow + position);
    }
  }

  private void add(int row, int position, RefinedUpdates updates) {
    if (keeps) {
      sent.add(row, position, has[row], messages, updates);
    } else if (has[row]) {
      updates.add(position, true, true);
    }
  }
}
