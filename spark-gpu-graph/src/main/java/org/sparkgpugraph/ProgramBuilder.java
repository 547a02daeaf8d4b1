package org.sparkgpugraph;

import java.util.List;
import java.util.Objects;
import org.sparkgpugraph.function.ActiveWhen;
import org.sparkgpugraph.function.AggregateFunction;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.StateFunction;
import org.sparkgpugraph.function.StopWhen;
import org.sparkgpugraph.function.SuperstepContext;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ProgramSource.AggregateSource;
import org.sparkgpugraph.program.WholeMerge;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.run.PregelJob;
import org.sparkgpugraph.runtime.run.PregelRequest;

/**
 * A vertex program being put together on a graph that executors hold; start with {@link #on}. Calls
 * change and return the same object (its type parameters follow what is set), so a builder
 * describes one run. {@link PregelBuilder} is the same with GraphX's types: this class needs none
 * of them, nor GraphX's jar.
 *
 * <p>Set the parts that fix types first: {@link #state}, then {@link #initialMessage} or {@link
 * #everyVertex}, then the functions.
 *
 * <pre>{@code
 * try (ResidentGraph<Object, Double> graph = ResidentGraph.load(edges, Double.class, options);
 *     VertexResult<Double> strengths =
 *         ProgramBuilder.on(graph)
 *             .state((id, attribute, inDegree, outDegree) -> 0.0)
 *             .everyVertex(0.0)
 *             .maxIterations(1)
 *             .vertexProgram((id, before, sum) -> sum)
 *             .sendMessage(edge -> edge.sendToDst(edge.attr()))
 *             .mergeMessage(Double::sum)
 *             .runVertices()) {
 *   strengths.toPairs().saveAsTextFile(path);
 * }
 * }</pre>
 *
 * @param <VD> vertex attribute of the input graph
 * @param <ED> edge attribute
 * @param <S> value that the program computes with; VD unless {@link #state} is given
 * @param <A> message
 * @param <R> value of a vertex in the result; S unless {@link #result} is given
 */
public class ProgramBuilder<VD, ED, S, A, R> {
  private final GraphView resident;
  private final GraphSource source;

  private final PregelRequest request = new PregelRequest();

  ProgramBuilder(GraphSource source) {
    this.source = source;
    this.resident = null;
  }

  ProgramBuilder(ResidentGraph<?, ?> resident) {
    this.resident = resident.view();
    this.source = this.resident.state().source();
  }

  /** Starts a program on a graph that executors hold. */
  public static <VD, ED> ProgramBuilder<VD, ED, VD, Object, VD> on(ResidentGraph<VD, ED> graph) {
    return new ProgramBuilder<>(graph);
  }

  /**
   * The message that every vertex receives in superstep 0. A {@code null} is refused.
   *
   * @param <B> type of the messages
   */
  public <B> ProgramBuilder<VD, ED, S, B, R> initialMessage(B message) {
    Objects.requireNonNull(message, "initialMessage is null");
    checkMessage(message, request.initialMessage, request.emptyMessage);
    request.initialMessage = message;
    return retyped();
  }

  /**
   * Makes every superstep evaluate every edge and run every vertex, with {@code emptyMessage} where
   * none came: GraphX's {@code aggregateMessages} with {@code outerJoinVertices}. There is no
   * superstep 0 then, unless {@link #initialMessage} is given too. Needs a bound: {@link
   * #maxIterations}, {@link #activeWhen} or {@link #stopWhen}.
   *
   * @param <B> type of the messages
   */
  public <B> ProgramBuilder<VD, ED, S, B, R> everyVertex(B emptyMessage) {
    Objects.requireNonNull(emptyMessage, "everyVertex's message is null");
    checkMessage(emptyMessage, request.emptyMessage, request.initialMessage);
    request.emptyMessage = emptyMessage;
    return retyped();
  }

  /**
   * All messages are of one class. One may be replaced by another of the same class, and by any as
   * long as nothing refers to it.
   */
  private void checkMessage(Object message, Object replaced, Object other) {
    boolean used = request.vertexProgram != null || request.send != null || request.merge != null;
    Object fixed = other != null ? other : used ? replaced : null;
    if (fixed != null && fixed.getClass() != message.getClass()) {
      throw new IllegalStateException(
          ("the messages are of %s, but %s is of %s: initialMessage(…), everyVertex(…)"
                  + " and the functions use one class")
              .formatted(fixed.getClass(), message, message.getClass()));
    }
  }

  /**
   * Makes the value that the program computes with from the attribute and the degrees. Without it
   * the program computes with the attribute itself.
   */
  public <T> ProgramBuilder<VD, ED, T, A, T> state(StateFunction<? super VD, T> function) {
    if (request.vertexProgram != null
        || request.send != null
        || request.result != null
        || request.activeWhen != null
        || !request.aggregates.isEmpty()
        || !request.finalAggregates.isEmpty()) {
      throw new IllegalStateException("call state(...) before the functions that use the state");
    }
    request.state = Objects.requireNonNull(function, "state");
    return retyped();
  }

  /** Makes the result's attribute from the original attribute and the final value. */
  public <T> ProgramBuilder<VD, ED, S, A, T> result(
      ResultFunction<? super VD, ? super S, T> function) {
    request.result = Objects.requireNonNull(function, "result");
    return retyped();
  }

  /**
   * As {@link #result(ResultFunction)}, with access to the number of supersteps and to the {@link
   * #finalAggregate final aggregates}.
   */
  public <T> ProgramBuilder<VD, ED, S, A, T> result(
      ResultFunction.WithContext<? super VD, ? super S, T> function) {
    request.result = Objects.requireNonNull(function, "result");
    return retyped();
  }

  /** The new value of a vertex from its value and the merged message. */
  public ProgramBuilder<VD, ED, S, A, R> vertexProgram(VertexProgram<S, A> program) {
    request.vertexProgram = Objects.requireNonNull(program, "vertexProgram");
    return this;
  }

  /** As {@link #vertexProgram(VertexProgram)}, with access to superstep and aggregates. */
  public ProgramBuilder<VD, ED, S, A, R> vertexProgram(VertexProgram.WithContext<S, A> program) {
    request.vertexProgram = Objects.requireNonNull(program, "vertexProgram");
    return this;
  }

  /** The messages that an edge sends. */
  public ProgramBuilder<VD, ED, S, A, R> sendMessage(SendMessage<S, ED, A> function) {
    request.send = Objects.requireNonNull(function, "sendMessage");
    return this;
  }

  /** As {@link #sendMessage(SendMessage)}, with access to superstep and aggregates. */
  public ProgramBuilder<VD, ED, S, A, R> sendMessage(SendMessage.WithContext<S, ED, A> function) {
    request.send = Objects.requireNonNull(function, "sendMessage");
    return this;
  }

  /** Combines two messages to one vertex; commutative and associative. */
  public ProgramBuilder<VD, ED, S, A, R> mergeMessage(MergeMessage<A> function) {
    request.merge = Objects.requireNonNull(function, "mergeMessage");
    return this;
  }

  /**
   * Gives a vertex the most frequent of the messages that were sent to it in a superstep, of
   * several the smallest: in place of {@link #mergeMessage}, for messages of one int or long. It
   * looks at all messages of a vertex at once; none is stored, and no map is made per vertex.
   *
   * <pre>{@code
   * VertexResult<Long> communities =
   *     ProgramBuilder.on(graph)
   *         .state((id, attribute, inDegree, outDegree) -> id)
   *         .initialMessage(0L)
   *         .maxIterations(10)
   *         .vertexProgram((id, label, message, run) -> run.superstep() == 0 ? label : message)
   *         .sendMessage(edge -> {
   *           edge.sendToDst(edge.srcAttr());
   *           edge.sendToSrc(edge.dstAttr());
   *         })
   *         .mergeMode()
   *         .runVertices();
   * }</pre>
   */
  public ProgramBuilder<VD, ED, S, A, R> mergeMode() {
    request.merge = WholeMerge.MODE;
    return this;
  }

  /** Which edges are evaluated after superstep 0; GraphX's default, Either, unless set. */
  public ProgramBuilder<VD, ED, S, A, R> activeDirection(ActiveDirection direction) {
    request.activeDirection = Objects.requireNonNull(direction, "activeDirection");
    return this;
  }

  /** Which of its edges a vertex evaluates; ACTIVE, as in GraphX, unless set. */
  public ProgramBuilder<VD, ED, S, A, R> gather(Gather gather) {
    request.gather = Objects.requireNonNull(gather, "gather");
    return this;
  }

  /** Decides whether a vertex that ran is active next; without it, all that ran are. */
  public ProgramBuilder<VD, ED, S, A, R> activeWhen(ActiveWhen<S> predicate) {
    request.activeWhen = Objects.requireNonNull(predicate, "activeWhen");
    return this;
  }

  /**
   * Makes the run change-driven: an edge sends the difference of what its sender told last, and
   * only when the sender's value moved by more than {@code epsilon} since. For programs that add up
   * their messages until nothing moves any more: ranks, soft labels, beliefs. It stands for the run
   * of {@link #everyVertex} whose initial message is the empty one; superstep 0 runs every vertex
   * with that message, later ones run the vertices that hear of a change, and the run ends when
   * none tells any.
   *
   * <p>What it asks of the program: {@link #mergeMessage} adds (numbers, columns of records,
   * elements of arrays); a message depends on its sender, the edge, and what never changes at the
   * receiver; {@link #vertexProgram} makes the value of the sum, the id and what never changes, not
   * of the value before, the superstep or an aggregate. Otherwise it is refused with the reason; it
   * never runs on stock GraphX. {@link #activeWhen}, {@link #activeDirection} and {@link #gather}
   * are the engine's to choose.
   *
   * <p>At the end each number that senders read differs from what its receivers were told by at
   * most {@code epsilon}. So a vertex's sum differs from that of its neighbours' values by at most
   * {@code epsilon} times the sum of how fast each of its messages changes with its sender's value
   * (for {@code weight * value} the weights' absolute sum), and by rounding. Whole numbers are told
   * whenever they change. A number that is told must be finite.
   *
   * @param epsilon not negative; 0 tells every change
   * @throws IllegalArgumentException when it is negative, infinite or NaN
   */
  public ProgramBuilder<VD, ED, S, A, R> deltas(double epsilon) {
    if (!(epsilon >= 0 && epsilon < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "deltas(" + epsilon + "): epsilon must be a finite number that is not negative");
    }
    request.deltas = epsilon;
    return this;
  }

  /**
   * Combines a value over the vertices that ran in a superstep; readable in the next one through
   * {@link SuperstepContext#aggregate} and by {@link #stopWhen}.
   */
  public ProgramBuilder<VD, ED, S, A, R> aggregate(
      String name, AggregateOperation operation, AggregateFunction<S> function) {
    add(request.aggregates, name, operation, function);
    return this;
  }

  /**
   * Combines a value over all vertices once, after the last superstep; readable through the context
   * of {@link #result(ResultFunction.WithContext)}. The function is called with the final value as
   * both before and after.
   */
  public ProgramBuilder<VD, ED, S, A, R> finalAggregate(
      String name, AggregateOperation operation, AggregateFunction<S> function) {
    add(request.finalAggregates, name, operation, function);
    return this;
  }

  private static void add(
      List<AggregateSource> list, String name, AggregateOperation operation, Object function) {
    Objects.requireNonNull(name, "aggregate's name");
    Objects.requireNonNull(operation, "aggregate's operation");
    Objects.requireNonNull(function, "aggregate's function");
    if (list.stream().anyMatch(other -> other.name().equals(name))) {
      throw new IllegalArgumentException("two aggregates are named '" + name + "'");
    }
    list.add(new AggregateSource(name, operation, function));
  }

  /**
   * Asked after every superstep; the run ends when it answers true. An {@link
   * org.sparkgpugraph.run.AggregateAtMost} a GPU answers itself, so that supersteps of a small
   * graph follow each other in one launch.
   */
  public ProgramBuilder<VD, ED, S, A, R> stopWhen(StopWhen predicate) {
    request.stopWhen = Objects.requireNonNull(predicate, "stopWhen");
    return this;
  }

  /**
   * Bounds the supersteps after superstep 0.
   *
   * @throws IllegalArgumentException when not positive, in GraphX's words
   */
  public ProgramBuilder<VD, ED, S, A, R> maxIterations(int iterations) {
    if (iterations <= 0) {
      throw new IllegalArgumentException(
          "Maximum number of iterations must be greater than 0, but got " + iterations);
    }
    request.maxIterations = iterations;
    return this;
  }

  /**
   * Declares that the program may be run in any order and in place (docs/compatibility.md says what
   * that asks of it). Programs whose code shows it need not be declared.
   */
  public ProgramBuilder<VD, ED, S, A, R> monotone() {
    request.declaredMonotone = true;
    return this;
  }

  /** Which engine; {@code spark.gpugraph.engine} unless set. */
  public ProgramBuilder<VD, ED, S, A, R> engine(EngineChoice engine) {
    request.options = request.options.withEngine(Objects.requireNonNull(engine, "engine"));
    return this;
  }

  /**
   * Number of executors that the graph is spread over when the run loads it; 0: chosen. {@code
   * spark.gpugraph.executors} unless set.
   */
  public ProgramBuilder<VD, ED, S, A, R> executors(int executors) {
    request.options = request.options.withExecutors(executors);
    return this;
  }

  /** How the run is carried out: engine, kernel, partitions, fallback, observer. */
  public ProgramBuilder<VD, ED, S, A, R> options(RunOptions options) {
    request.options = Objects.requireNonNull(options, "options");
    return this;
  }

  /**
   * Runs the program and leaves its values with the executors. Never falls back to GraphX.
   *
   * @throws org.sparkgpugraph.program.NotLiftableException when a function cannot be lifted, with
   *     every reason
   */
  public VertexResult<R> runVertices() {
    return new VertexResult<>(job().runVertices());
  }

  /**
   * Tells what a run would do, without running anything: engine and kernels and why, partitions,
   * bytes, what was recognised of the program, and one line for each part that cannot be lifted;
   * under {@code spark.gpugraph.explain = source} the CUDA source too.
   */
  public String explain() {
    return job().explain();
  }

  /**
   * As {@link #explain()}.
   *
   * @param mode {@link ExplainMode#SOURCE} adds the CUDA source that is generated from the program
   */
  public String explain(ExplainMode mode) {
    return job().explain(mode);
  }

  /** The run of what was asked for. */
  PregelJob job() {
    return new PregelJob(source, resident, request());
  }

  /** What was asked for, checked. */
  PregelRequest request() {
    require(request.vertexProgram, "vertexProgram");
    require(request.send, "sendMessage");
    require(request.merge, "mergeMessage");
    if (request.merge == WholeMerge.MODE) {
      checkMode();
    }
    if (request.initialMessage == null && request.emptyMessage == null) {
      throw new IllegalStateException("set initialMessage(...) or everyVertex(...)");
    }
    if (request.deltas != null) {
      checkDeltas();
    } else if (request.emptyMessage != null
        && request.maxIterations == Integer.MAX_VALUE
        && request.activeWhen == null
        && request.stopWhen == null) {
      throw new IllegalStateException(
          "everyVertex(...) runs for ever: set maxIterations(...), activeWhen(...) or stopWhen(...)");
    }
    return request.copy();
  }

  private void checkDeltas() {
    String other =
        request.activeWhen != null
            ? "activeWhen(...)"
            : request.gather != Gather.ACTIVE
                ? "gather(" + request.gather + ")"
                : request.declaredMonotone ? "monotone()" : null;
    if (other != null) {
      throw new IllegalStateException(
          "deltas(...) decides itself which edges are evaluated: leave out " + other);
    }
    if (request.initialMessage != null
        && request.emptyMessage != null
        && !Objects.deepEquals(request.initialMessage, request.emptyMessage)) {
      throw new IllegalStateException(
          "deltas(...) gives initialMessage(...) to vertices that no message comes to, so it must"
              + " be everyVertex(...)'s, or leave that out");
    }
  }

  private void checkMode() {
    Object message = request.initialMessage != null ? request.initialMessage : request.emptyMessage;
    if (message != null && !(message instanceof Long) && !(message instanceof Integer)) {
      throw new IllegalStateException(
          "mergeMode() finds the most frequent Integer or Long, but the messages are of "
              + message.getClass());
    }
    if (request.declaredMonotone) {
      throw new IllegalStateException(
          "a program with mergeMode() is not monotone(): another message may give another result;"
              + " leave out monotone()");
    }
  }

  private static void require(Object function, String name) {
    if (function == null) {
      throw new IllegalStateException(name + "(...) is not set");
    }
  }

  @SuppressWarnings("unchecked")
  private <S2, A2, R2> ProgramBuilder<VD, ED, S2, A2, R2> retyped() {
    return (ProgramBuilder<VD, ED, S2, A2, R2>) this;
  }
}
