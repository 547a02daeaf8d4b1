package io.sparkgpugraph.engine.cpu;
public final class CpuEngine implements io.sparkgpugraph.engine.Engine {
  public String name() { return "cpu"; }
  public io.sparkgpugraph.engine.EngineRun open(io.sparkgpugraph.graph.ExecutorGraph g, io.sparkgpugraph.program.ProgramInstance p, java.util.List<io.sparkgpugraph.graph.Columns> a, io.sparkgpugraph.engine.RunSettings s) { throw new IllegalStateException(); }
}
