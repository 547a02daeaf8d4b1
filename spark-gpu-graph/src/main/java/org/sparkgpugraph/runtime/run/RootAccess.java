package org.sparkgpugraph.runtime.run;

import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.load.HeldBlocks;

/**
 * The way behind the classes of the root package, which show users nothing of it. The root package
 * registers itself, and the library's own packages above it ask here.
 */
public abstract class RootAccess {
  private static volatile RootAccess registered;

  /** What is behind a resident graph. */
  public abstract GraphView view(Object graph);

  /** The resident graph of a view, which it frees when it is closed. */
  public abstract Object graph(GraphView view);

  /** What users see of a result. */
  public abstract Object result(RunResult result);

  /** A result whose report is that of another run; it is what is to be closed. */
  public abstract Object reporting(Object result, RunReport report);

  /** Where the values of what users see of a result are. */
  public abstract HeldBlocks held(Object result);

  /** Called once, by the root package. */
  public static void register(RootAccess root) {
    registered = root;
  }

  /** Null until a class of the root package was used. */
  public static RootAccess get() {
    return registered;
  }
}
