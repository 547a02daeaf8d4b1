package org.sparkgpugraph;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.VertexCondition;
import org.sparkgpugraph.function.VertexMap;
import org.sparkgpugraph.function.VertexMeasure;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.StepSource;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.run.PregelJob;
import org.sparkgpugraph.runtime.run.PregelRequest;
import org.sparkgpugraph.runtime.run.StepsRequest;

/**
 * A sequence of edge maps and vertex maps on a graph that executors hold, being put together; start
 * with {@link #on}. In an <em>edge map</em> edges send messages to their ends, which are merged
 * there; in a <em>vertex map</em> vertices get new values. Each step is taken by all edges or
 * vertices before the next one: what an edge reads of its ends is what the steps before made of
 * them.
 *
 * <pre>{@code
 * // Multi-manifold ranking: the weighted mean of the neighbours, drawn to where a vertex began.
 * VertexResult<Ranks> ranks =
 *     GraphSteps.on(graph)
 *         .state((id, first, inDegree, outDegree) -> new Ranks(first, first))
 *         .repeat(
 *             20,
 *             steps ->
 *                 steps
 *                     .edgeMap(
 *                         e -> e.sendToDst(Vectors.multiply(e.attr(), e.srcAttr().now())),
 *                         Vectors::add,
 *                         new float[k])
 *                     .edgeMap(e -> e.sendToDst(e.attr()), Vectors::add, new float[k])
 *                     .vertexMap((id, v, sum, weights) -> v.with(mean(sum, weights))))
 *         .runVertices();
 * }</pre>
 *
 * <p><b>Folding.</b> Neighbouring steps become one superstep, hence one kernel, where no value
 * depends on it: vertex maps among each other; edge maps with the vertex map that gets their
 * messages, which a vertex has completely when its row is gathered; edge maps among each other,
 * also with vertex maps between them that change nothing that the later edge map reads. Values
 * between them stay in registers. What is folded, and what not and why, say {@link #explain()},
 * {@link org.sparkgpugraph.run.RunReport#notes} and the log. {@link #withFolding} switches it off.
 *
 * <p>Calls change and return the same object (its type parameters follow what is set), so it
 * describes one run. Functions are read from their bytecode, as those of {@link ProgramBuilder};
 * what cannot be is refused, as these runs never fall back to stock GraphX. After ONYX ("Towards
 * Feature-Aware Graph Processing on the GPU"), {@code edgemap}, {@code vertexmap} and {@code
 * foldmap}. Of its guarantees, <em>ordering</em> holds of all steps, not only of those of one
 * vertex; <em>progress</em> and <em>activation</em> are conditions in the functions: an edge map
 * may send nothing, a vertex map return the value it got.
 *
 * @param <VD> vertex attribute of the graph
 * @param <ED> edge attribute
 * @param <S> value that the steps compute with; VD unless {@link #state} is given
 * @param <R> value of a vertex in the result; S unless {@link #result} is given
 */
public final class GraphSteps<VD, ED, S, R> {
  private final GraphView graph;
  private Object state;
  private Object result;
  private StepsRequest.Until until;

  /** The loop that ends so, for messages. */
  private String measuredBy;

  private boolean folds = true;
  private RunOptions options = RunOptions.DEFAULT;

  /** The steps so far, those of the loop that is described now. */
  private List<StepSource.Step> steps = new ArrayList<>();

  private Object first;
  private int edgeMaps;
  private int vertexMaps;
  private int loops;

  /** Number of edge maps that wait for the vertex map that gets their messages. */
  private int waiting;

  private GraphSteps(GraphView graph) {
    this.graph = graph;
  }

  /** Starts a sequence on a graph that executors hold. */
  public static <VD, ED> GraphSteps<VD, ED, VD, VD> on(ResidentGraph<VD, ED> graph) {
    return new GraphSteps<>(graph.view());
  }

  /**
   * Makes the value that the steps compute with from the attribute and the degrees. Without it that
   * is the attribute itself.
   */
  public <T> GraphSteps<VD, ED, T, T> state(StateFunction<? super VD, T> function) {
    if (edgeMaps + vertexMaps > 0 || result != null) {
      throw new IllegalStateException("call state(...) before the steps, which use it");
    }
    state = Objects.requireNonNull(function, "state");
    return retyped();
  }

  /** Makes the result's value from the attribute and the value behind the last step. */
  public <T> GraphSteps<VD, ED, S, T> result(ResultFunction<? super VD, ? super S, T> function) {
    result = Objects.requireNonNull(function, "result");
    return retyped();
  }

  /**
   * Edges send messages, to be read by the next step.
   *
   * @param send what an edge sends, to either end or to both, or nothing
   * @param merge combines two messages to one vertex; commutative and associative
   * @param empty the message of a vertex to which none was sent
   * @param <A> message
   * @throws IllegalArgumentException when messages are no values: numbers, arrays, records of both
   */
  public <A> Sent<A> edgeMap(SendMessage<S, ED, A> send, MergeMessage<A> merge, A empty) {
    requireRead();
    addEdgeMap(send, merge, empty);
    return new Sent<>();
  }

  /** Vertices get new values from those they have. */
  public GraphSteps<VD, ED, S, R> vertexMap(VertexMap<S> function) {
    return addVertexMap(function, 0);
  }

  /** What an edge map has sent, until a vertex map gets it. */
  public final class Sent<A> {
    private Sent() {}

    /** Vertices get new values from those they have and the merged message. */
    public GraphSteps<VD, ED, S, R> vertexMap(VertexProgram<S, A> function) {
      return addVertexMap(function, 1);
    }

    /** Another edge map, whose messages the next step gets beside those of this one. */
    public <B> SentTwo<A, B> edgeMap(SendMessage<S, ED, B> send, MergeMessage<B> merge, B empty) {
      requireWaiting(1);
      addEdgeMap(send, merge, empty);
      return new SentTwo<>();
    }
  }

  /** What two edge maps have sent, until a vertex map gets it. */
  public final class SentTwo<A, B> {
    private SentTwo() {}

    /** Vertices get new values from those they have and the merged messages of both. */
    public GraphSteps<VD, ED, S, R> vertexMap(VertexMap.OfTwo<S, A, B> function) {
      return addVertexMap(function, 2);
    }
  }

  /**
   * Steps that are taken several times.
   *
   * @param times how often, at least 1
   * @param body adds the steps of a turn to what it is given, and returns that
   * @throws IllegalArgumentException when {@code times} is less than 1
   * @throws IllegalStateException when the body has no steps
   */
  public GraphSteps<VD, ED, S, R> repeat(int times, UnaryOperator<GraphSteps<VD, ED, S, R>> body) {
    if (times < 1) {
      throw new IllegalArgumentException(
          "repeat("
              + times
              + ", …): a loop has at least one turn; leave it out, or pass 1 or more");
    }
    List<StepSource.Step> turn = turn("repeat", body);
    add(new StepSource.Repeat(times, turn));
    return this;
  }

  /**
   * Steps that are taken until a number over all vertices is small enough; the last of a sequence.
   *
   * @param most how often at most, at least 1
   * @param operation how the numbers of vertices are combined
   * @param measure the number of a vertex behind a turn
   * @param bound the loop ends behind a turn at which the combined number is this or less
   * @param body adds the steps of a turn to what it is given, and returns that
   * @throws IllegalArgumentException when {@code most} is less than 1 or {@code bound} is NaN
   * @throws IllegalStateException when the body has no steps, or inside of another loop
   */
  public GraphSteps<VD, ED, S, R> repeatUntil(
      int most,
      AggregateOperation operation,
      VertexMeasure<S> measure,
      double bound,
      UnaryOperator<GraphSteps<VD, ED, S, R>> body) {
    if (Double.isNaN(bound)) {
      throw new IllegalArgumentException(
          "repeatUntil's bound is NaN, which no number is less than: pass a number");
    }
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(measure, "measure");
    return measured("repeatUntil", most, new StepsRequest.Until(measure, operation, bound), body);
  }

  /**
   * Steps that are taken as long as a vertex has something left to do; the last of a sequence. As
   * {@link #repeatUntil} with the number of vertices that have: a loop that ends when its worklist
   * is empty, {@code Pipe} of IrGL (Pai and Pingali, OOPSLA 2016), and {@code Retry} where who has
   * failed has still something to do. {@link org.sparkgpugraph.algorithm.MaximalMatching} is
   * written so. On a GPU all turns are one launch where the graph is small (iteration outlining,
   * ibid.).
   *
   * @param most how often at most, at least 1
   * @param busy whether a vertex has something left to do behind a turn
   * @param body adds the steps of a turn to what it is given, and returns that
   * @throws IllegalArgumentException when {@code most} is less than 1
   * @throws IllegalStateException when the body has no steps, or inside of another loop
   */
  public GraphSteps<VD, ED, S, R> repeatWhile(
      int most, VertexCondition<S> busy, UnaryOperator<GraphSteps<VD, ED, S, R>> body) {
    Objects.requireNonNull(busy, "busy");
    VertexMeasure<S> one = (id, value) -> busy.test(id, value) ? 1.0 : 0.0;
    return measured(
        "repeatWhile", most, new StepsRequest.Until(one, AggregateOperation.SUM, 0), body);
  }

  private GraphSteps<VD, ED, S, R> measured(
      String name, int most, StepsRequest.Until end, UnaryOperator<GraphSteps<VD, ED, S, R>> body) {
    if (most < 1) {
      throw new IllegalArgumentException(
          name + "(" + most + ", …): a loop has at least one turn; pass 1 or more");
    }
    if (loops > 0) {
      throw new IllegalStateException(
          name
              + "(...) inside of another loop: only the last step of a sequence may end early; use"
              + " repeat(...) inside");
    }
    List<StepSource.Step> turn = turn(name, body);
    add(new StepSource.Repeat(most, turn));
    until = end;
    measuredBy = name;
    return this;
  }

  /** Whether neighbouring steps become one superstep; they do unless this says false. */
  public GraphSteps<VD, ED, S, R> withFolding(boolean fold) {
    folds = fold;
    return this;
  }

  /** How the run is carried out: engine, observer. */
  public GraphSteps<VD, ED, S, R> options(RunOptions given) {
    options = Objects.requireNonNull(given, "options");
    return this;
  }

  /**
   * Takes the steps and leaves the values with the executors.
   *
   * @throws org.sparkgpugraph.program.NotLiftableException when a function cannot be lifted, with
   *     every reason
   * @throws IllegalStateException when there are no steps, or messages that no step reads
   */
  public VertexResult<R> runVertices() {
    return new VertexResult<>(job().runVertices());
  }

  /**
   * Tells what a run would do, without running anything: what {@link ProgramBuilder#explain()}
   * says, with a line for each phase: which steps are folded into it, and why it does not begin
   * earlier.
   */
  public String explain() {
    return job().explain();
  }

  /**
   * As {@link #explain()}.
   *
   * @param mode {@link ExplainMode#SOURCE} adds the CUDA source that is generated from the steps
   */
  public String explain(ExplainMode mode) {
    return job().explain(mode);
  }

  private PregelJob job() {
    if (loops > 0) {
      throw new IllegalStateException("run and explain behind a loop's body, not in it");
    }
    requireRead();
    if (steps.isEmpty()) {
      throw new IllegalStateException("there are no steps: add vertexMap(...) or edgeMap(...)");
    }
    return new PregelJob(
        graph.state().source(),
        graph,
        PregelRequest.steps(new StepsRequest(state, steps, until, result, folds), first, options));
  }

  private void addEdgeMap(Object send, Object merge, Object empty) {
    String name = "edgeMap " + (edgeMaps + 1);
    Objects.requireNonNull(send, name + ": send");
    Objects.requireNonNull(merge, name + ": merge");
    Objects.requireNonNull(empty, name + ": the empty message");
    StepSource.EdgeMap map = StepsRequest.edgeMap(edgeMaps + 1, send, merge, empty);
    add(map);
    edgeMaps++;
    waiting++;
    if (first == null) {
      first = send;
    }
  }

  private GraphSteps<VD, ED, S, R> addVertexMap(Object function, int messages) {
    Objects.requireNonNull(function, "vertexMap " + (vertexMaps + 1));
    requireWaiting(messages);
    add(new StepSource.VertexMap(vertexMaps + 1, function, messages));
    vertexMaps++;
    waiting = 0;
    if (first == null) {
      first = function;
    }
    return this;
  }

  private void add(StepSource.Step step) {
    if (until != null) {
      throw new IllegalStateException(
          "a step behind "
              + measuredBy
              + "(...), which is the last one: how many turns it takes is known"
              + " when it has ended; begin another run on its result (withVertices)");
    }
    steps.add(step);
  }

  private List<StepSource.Step> turn(String name, UnaryOperator<GraphSteps<VD, ED, S, R>> body) {
    Objects.requireNonNull(body, name + "'s body");
    requireRead();
    List<StepSource.Step> outer = steps;
    steps = new ArrayList<>();
    loops++;
    try {
      if (body.apply(this) != this) {
        throw new IllegalStateException(
            name + "'s body returns other steps than those that it was given: add to these");
      }
      requireRead();
      if (steps.isEmpty()) {
        throw new IllegalStateException(name + "'s body has no steps");
      }
      return steps;
    } finally {
      steps = outer;
      loops--;
    }
  }

  private void requireRead() {
    requireWaiting(0);
  }

  /** The messages of so many edge maps are read now. */
  private void requireWaiting(int read) {
    if (waiting < read) {
      throw new IllegalStateException(
          "the messages of this edgeMap were read already: call edgeMap(...) again to have others");
    } else if (waiting > read) {
      throw new IllegalStateException(
          "nobody reads the messages of edgeMap "
              + edgeMaps
              + ": let vertexMap(...) follow what edgeMap(...) returned");
    }
  }

  @SuppressWarnings("unchecked")
  private <S2, R2> GraphSteps<VD, ED, S2, R2> retyped() {
    return (GraphSteps<VD, ED, S2, R2>) this;
  }
}
