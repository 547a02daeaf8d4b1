package org.sparkgpugraph.runtime.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.TripletFields;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.GpuMessages;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.vector.Lu;
import org.sparkgpugraph.vector.Vectors;
import scala.Tuple2;

/** Arrays that cannot be values are refused, and whose they are is said; good ones are copied. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class ArrayInputTest {
  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);

  /** A record with an array. */
  public record Part(int number, double[] array) implements Serializable {}

  private final JavaSparkContext sc;

  ArrayInputTest(JavaSparkContext sc) {
    this.sc = sc;
  }

  /** Where the arrays are. */
  private enum Place {
    VERTICES("vertex 12", ""),
    RECORDS("vertex 12", " in its component 'array'"),
    TUPLES("vertex 12", " in its component '_2'"),
    RESIDENT("vertex 12", ""),
    MESSAGES("vertex 12", ""),
    EDGES("edge 12->13", "");

    private final String owner;
    private final String component;

    Place(String owner, String component) {
      this.owner = owner;
      this.component = component;
    }
  }

  /** A ring 10 → 11 → … → 14 → 10. */
  private <VD, ED> Graph<VD, ED> graph(
      Class<VD> vertexClass, IntFunction<VD> vertex, Class<ED> edgeClass, IntFunction<ED> edge) {
    List<VD> values = new ArrayList<>();
    List<ED> edges = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      values.add(vertex.apply(i));
      edges.add(edge.apply(i));
    }
    long[] sources = {10, 11, 12, 13, 14};
    long[] destinations = {11, 12, 13, 14, 10};
    return new TestGraph<>("ring", sources, values, sources, destinations, edges)
        .toGraphx(sc, 1, vertexClass, edgeClass);
  }

  private Graph<double[], Double> vectors(IntFunction<double[]> value) {
    return graph(double[].class, value, Double.class, i -> 1.0);
  }

  private static Map<Long, List<Double>> run(Graph<double[], Double> graph) {
    return lists(
        GpuPregel.on(graph, double[].class, Double.class)
            .initialMessage(new double[3])
            .maxIterations(2)
            .vertexProgram((id, value, message) -> Vectors.add(value, message))
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
            .mergeMessage(Vectors::add)
            .options(CPU)
            .run());
  }

  private static Map<Long, List<Double>> lists(Graph<double[], ?> graph) {
    return lists(Compare.vertices(graph));
  }

  private static Map<Long, List<Double>> lists(Map<Long, double[]> values) {
    Map<Long, List<Double>> lists = new TreeMap<>();
    values.forEach((id, value) -> lists.put(id, Arrays.stream(value).boxed().toList()));
    return lists;
  }

  @SuppressWarnings("unchecked") // a class says nothing of the components
  private void run(Place place, IntFunction<double[]> value) {
    switch (place) {
      case VERTICES -> run(vectors(value));
      case RECORDS ->
          Compare.vertices(
              GpuPregel.on(
                      graph(Part.class, i -> new Part(i, value.apply(i)), Double.class, i -> 1.0),
                      Part.class,
                      Double.class)
                  .initialMessage(new double[3])
                  .maxIterations(2)
                  .vertexProgram((id, part, sum) -> new Part(1, Vectors.add(part.array(), sum)))
                  .sendMessage(edge -> edge.sendToDst(edge.srcAttr().array()))
                  .mergeMessage(Vectors::add)
                  .options(CPU)
                  .run());
      case TUPLES -> {
        Class<Tuple2<Integer, double[]>> pair =
            (Class<Tuple2<Integer, double[]>>) (Class<?>) Tuple2.class;
        Compare.vertices(
            GpuPregel.on(
                    graph(pair, i -> new Tuple2<>(i, value.apply(i)), Double.class, i -> 1.0),
                    pair,
                    Double.class)
                .initialMessage(new double[3])
                .maxIterations(2)
                .vertexProgram((id, part, sum) -> new Tuple2<>(1, Vectors.add(part._2(), sum)))
                .sendMessage(edge -> edge.sendToDst(edge.srcAttr()._2()))
                .mergeMessage(Vectors::add)
                .options(CPU)
                .run());
      }
      case RESIDENT -> {
        try (ResidentGraph<double[], Double> resident =
            GpuPregel.load(vectors(value), double[].class, Double.class, CPU)) {
          sums(resident).close();
        }
      }
      case MESSAGES ->
          GpuMessages.aggregate(
                  vectors(value),
                  double[].class,
                  Double.class,
                  (SendMessage<double[], Double, double[]>) edge -> edge.sendToDst(edge.srcAttr()),
                  Vectors::add,
                  TripletFields.All,
                  CPU)
              .count();
      case EDGES ->
          Compare.vertices(
              GpuPregel.on(
                      graph(Double.class, i -> 1.0, double[].class, value),
                      Double.class,
                      double[].class)
                  .initialMessage(new double[3])
                  .maxIterations(2)
                  .vertexProgram((id, sum, message) -> sum + message[0])
                  .sendMessage(edge -> edge.sendToDst(edge.attr()))
                  .mergeMessage(Vectors::add)
                  .options(CPU)
                  .run());
    }
  }

  private static void refused(ThrowingCallable run, String why) {
    assertThatThrownBy(run).hasMessageContaining(why);
  }

  // ---- refusals ---------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void anArrayOfAnotherLengthIsRefused(Place place) {
    String where = "the value of " + place.owner + " is an array of ";
    // GraphX decides which vertex tells what the others must have: 11 or 10, not 12.
    refused(
        () -> run(place, i -> new double[i == 2 ? 4 : 3]),
        where + "4 elements" + place.component + ", but all have 3");
    refused(
        () -> run(place, i -> new double[i == 2 ? 0 : 3]),
        where + "0 elements" + place.component + ", but all have 3");
    refused(
        () -> run(place, i -> new double[i == 2 ? 1025 : 3]),
        where + "1025 elements" + place.component + ", but all have 3");
  }

  @ParameterizedTest
  @EnumSource
  void arraysThatAreTooShortOrTooLongAreRefused(Place place) {
    String kind = place == Place.EDGES ? "the value of edge 1" : "the value of vertex 1";
    for (int length : new int[] {0, 1025}) {
      assertThatThrownBy(() -> run(place, i -> new double[length]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(kind)
          .hasMessageEndingWith(
              ": a double[] of " + length + " elements; arrays that are values have 1 to 1024");
    }
  }

  @ParameterizedTest
  @EnumSource
  void nullIsRefused(Place place) {
    refused(
        () -> run(place, i -> i == 2 ? null : new double[3]),
        "the value of " + place.owner + " is null" + place.component + "; a double[] is needed");
    String first = place == Place.EDGES ? "edge 10->11" : "vertex 10";
    refused(
        () -> run(place, i -> i == 0 ? null : new double[3]),
        "the value of " + first + " is null" + place.component + "; a double[] is needed");
  }

  private void message(double[] initial) {
    GpuPregel.on(vectors(i -> new double[3]), double[].class, Double.class)
        .initialMessage(initial)
        .maxIterations(2)
        .vertexProgram((id, value, sum) -> value)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Vectors::add)
        .options(CPU)
        .run();
  }

  @Test
  void messagesThatDoNotFitAreRefused() {
    refused(
        () -> message(new double[4]),
        "the array here has 3 elements, but those of vertices or of the initial message have 4");
    refused(() -> message(new double[0]), "a double[] of 0 elements");
    refused(() -> message(new double[1025]), "a double[] of 1025 elements");
    refused(() -> message(null), "initialMessage is null");
  }

  @Test
  void arraysOfAnotherKindAreRefused() {
    assertThatThrownBy(
            () ->
                run(
                    (Graph<double[], Double>)
                        (Graph<?, ?>) graph(Object.class, i -> new int[3], Double.class, i -> 1.0)))
        .hasMessageContaining("int[]");
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void aSolverNamesTheVertexWhoseNumbersAreNotFinite(EngineChoice engine) {
    Graph<double[], Double> graph = vectors(i -> new double[] {2, 0, 0, i == 2 ? Double.NaN : 2});
    assertThatThrownBy(
            () ->
                GpuPregel.on(graph, double[].class, Double.class)
                    .initialMessage(new double[] {1, 1})
                    .maxIterations(2)
                    .vertexProgram(
                        (id, value, sum) -> {
                          double[] solved = Lu.solve(value, sum);
                          return new double[] {2 + solved[0], 0, 0, value[3]};
                        })
                    .sendMessage(edge -> edge.sendToDst(new double[] {1, edge.attr()}))
                    .mergeMessage(Vectors::add)
                    .options(CPU.withEngine(engine))
                    .run())
        .hasMessageContaining("a solver needs finite numbers")
        .hasMessageContaining("vertex 12");
  }

  // ---- copies -----------------------------------------------------------------------------------

  @Test
  void anArrayOfTwoVerticesIsCopied() {
    double[] shared = {1, 2, 3};
    Graph<double[], Double> graph = vectors(i -> shared);
    Map<Long, List<Double>> result =
        lists(
            GpuPregel.on(graph, double[].class, Double.class)
                .initialMessage(new double[3])
                .maxIterations(1)
                .vertexProgram(
                    (id, value, sum) -> {
                      double[] next = value.clone();
                      next[(int) (id % 3)] += 10 + sum[0];
                      return next;
                    })
                .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
                .mergeMessage(Vectors::add)
                .options(CPU)
                .run());
    assertThat(shared).containsExactly(1, 2, 3);
    assertThat(result.values().stream().distinct().count()).isGreaterThan(2);
    assertThat(run(graph)).isEqualTo(run(vectors(i -> new double[] {1, 2, 3})));
  }

  @Test
  void whoChangesAResultChangesNothingElse() {
    try (ResidentGraph<double[], Double> resident =
        GpuPregel.load(vectors(i -> new double[] {i, 1, 2}), double[].class, Double.class, CPU)) {
      Map<Long, List<Double>> before;
      try (VertexResult<double[]> result = sums(resident)) {
        Map<Long, double[]> values = result.collectAsMap();
        before = lists(values);
        values.values().forEach(value -> Arrays.fill(value, Double.NaN));
        // Neither what is read again nor what another run computes.
        assertThat(lists(result.collectAsMap())).isEqualTo(before);
      }
      try (VertexResult<double[]> result = sums(resident)) {
        assertThat(lists(result.collectAsMap())).isEqualTo(before);
      }
    }
  }

  private static VertexResult<double[]> sums(ResidentGraph<double[], Double> resident) {
    return GpuPregel.on(resident)
        .initialMessage(new double[3])
        .maxIterations(2)
        .vertexProgram((id, value, sum) -> Vectors.add(value, sum))
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Vectors::add)
        .options(CPU)
        .runVertices();
  }
}
