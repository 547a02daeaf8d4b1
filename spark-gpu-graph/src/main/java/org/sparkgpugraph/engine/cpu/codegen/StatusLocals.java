package org.sparkgpugraph.engine.cpu.codegen;

import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.program.LiftedProgram;

/** Bitmaps that record what happened to the row's vertex; null where they are not read. */
public final class StatusLocals {
  private final KernelMethod method;
  private BitmapLocals nextActive;
  private BitmapLocals ran;
  private BitmapLocals changed;

  /**
   * Reads them from the frame.
   *
   * @param sparse keeps the summaries too; behind a dense superstep they are made at once
   */
  StatusLocals(KernelMethod method, boolean sparse) {
    this.method = method;
    if (!method.shape.everyVertex()) {
      nextActive = bitmap("nextActive", sparse);
    }
    if (sparse && recordsRan(method.shape, method.program)) {
      ran = bitmap("ran", true);
    }
    if (method.shape.tracksChanges()) {
      changed = bitmap("changed", sparse);
    }
  }

  private BitmapLocals bitmap(String field, boolean summarised) {
    return summarised ? BitmapLocals.summarised(method, field) : BitmapLocals.words(method, field);
  }

  /** Whether sparse supersteps keep the vertices that ran apart from those that are active. */
  public static boolean recordsRan(KernelShape shape, LiftedProgram program) {
    return !shape.inPlace() && program.activeWhen() != null;
  }

  void setRan() {
    set(ran);
  }

  void setActive() {
    set(nextActive);
  }

  void setChanged() {
    set(changed);
  }

  private void set(BitmapLocals bitmap) {
    if (bitmap != null) {
      bitmap.set(method.vertex.v());
    }
  }
}
