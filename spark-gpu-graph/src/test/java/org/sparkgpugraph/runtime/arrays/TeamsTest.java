package org.sparkgpugraph.runtime.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.cuda.OpenDevices;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.runtime.DeviceTrial;
import org.sparkgpugraph.runtime.EngineTrial;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;
import org.sparkgpugraph.vector.Cholesky;
import org.sparkgpugraph.vector.Lu;
import org.sparkgpugraph.vector.Matrices;
import org.sparkgpugraph.vector.Vectors;

/**
 * Vertices that solve equations, invert and multiply matrices, run by teams of lanes: to the bit
 * what the Java functions give. Messages are whole numbers, so that no order of adding shows.
 */
@Tag("any-spark")
class TeamsTest {
  private static final List<Integer> LENGTHS = List.of(1, 2, 3, 5, 8, 10, 16, 20, 24);

  /**
   * A vertex.
   *
   * @param told whole numbers that neighbours hear
   * @param solution of the equations of what it heard
   * @param runs how often it ran
   */
  public record Solver(double[] told, double[] solution, int runs) implements Serializable {}

  /** The same in floats. */
  public record FloatSolver(float[] told, float[] solution) implements Serializable {}

  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
  }

  @Test
  void theEmulatedDeviceGivesTheBitsOfTheFunction() {
    try (EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(5));
        DeviceEngine engine = engine("emulated", device)) {
      for (int k : LENGTHS) {
        check(engine, k, k);
      }
    }
  }

  /** A length each, so that JVMs can share them out: compiling takes nearly all of the time. */
  @ParameterizedTest
  @FieldSource("LENGTHS")
  @Tag("gpu")
  void aGpuGivesTheBitsOfTheFunction(int k) {
    try (Device device = OpenDevices.first();
        DeviceEngine engine = engine("cuda", device)) {
      for (int variant = 0; variant < 6; variant++) {
        check(engine, k, variant);
      }
    }
  }

  @Test
  void explainSaysWhoRunsAVertex() {
    try (EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine = engine("emulated", device)) {
      assertThat(DeviceTrial.described(engine, cholesky(10, true)))
          .contains("but a team of 16 lanes runs a vertex, because vertices have an array of ");
      assertThat(DeviceTrial.described(engine, cholesky(24, true)))
          .contains("but a team of 32 lanes runs");
      assertThat(DeviceTrial.described(engine, cholesky(30, true)))
          .containsPattern(
              "but a thread \\(for a team of lanes, arrays of \\d+ bytes are more than the 6080 of"
                  + " a warp\\) runs a vertex, because");
    }
  }

  /** Whatever lane finds it: the fault of the first element, as one thread would. */
  @Test
  void whatHasNoSolutionIsToldAsOnTheProcessor() {
    TestProgram<Long, Long, ?, ?, Long> program = cholesky(5, false);
    TestGraph<Long, Long> graph = program.on(graph(1), 1);
    ProgramInstance lifted = ProgramLifter.lift(program.source());
    try (EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine = engine("emulated", device)) {
      assertThatThrownBy(() -> run(engine, lifted, program, graph))
          .hasMessage(message(() -> run(new CpuEngine(), lifted, program, graph)))
          .hasMessageContaining("not positive definite");
    }
  }

  /** Rounds 1 and 5 of a loop fail, in different lines: the first round's fault is told. */
  @Test
  void ofSeveralFaultsOfALoopTheFirstRoundsIsTold() {
    TestProgram<Long, Long, ?, ?, Long> program =
        program(
            "faults",
            8,
            (id, value, message) -> {
              double[] x = new double[8];
              for (int i = 0; i < x.length; i++) {
                if (value.runs() > 0 && i == 5) {
                  throw new IllegalStateException("late");
                } else if (value.runs() > 0 && i % 4 == 1) {
                  throw new IllegalArgumentException("early");
                }
                x[i] = message[64 + i] + message[8 * i];
              }
              return new Solver(message, x, value.runs() + 1);
            });
    TestGraph<Long, Long> graph = program.on(graph(2), 2);
    ProgramInstance lifted = ProgramLifter.lift(program.source());
    try (EmulatedDevice device = new EmulatedDevice(EmulatorSettings.defaults());
        DeviceEngine engine = engine("emulated", device)) {
      assertThat(DeviceTrial.described(engine, program))
          .contains("a team of 8 lanes runs a vertex");
      assertThatThrownBy(() -> run(engine, lifted, program, graph))
          .hasMessage(message(() -> run(new CpuEngine(), lifted, program, graph)))
          .hasMessageContaining("early");
    }
  }

  private static String message(Runnable run) {
    try {
      run.run();
    } catch (RuntimeException e) {
      return e.getMessage();
    }
    throw new AssertionError("the processor finds a solution");
  }

  private static void run(
      Engine engine,
      ProgramInstance lifted,
      TestProgram<Long, Long, ?, ?, Long> program,
      TestGraph<Long, Long> graph) {
    new EngineTrial(1, KernelChoice.AUTO, 1, false).run(engine, lifted, program, graph);
  }

  private static DeviceEngine engine(String name, Device device) {
    return new DeviceEngine(name, device, DeviceSettings.DEFAULT.withReserve(0));
  }

  private static void check(DeviceEngine engine, int k, int variant) {
    TestProgram<Long, Long, ?, ?, Long> program =
        switch (variant % 3) {
          case 0 -> inverses(k);
          case 1 -> k <= 10 ? lu(k) : cholesky(k, true);
          default -> cholesky(k, true);
        };
    // Vertices that hear of nobody run as well, or keep what they have.
    long seed = 100L * k + variant;
    DeviceTrial.check(engine, program, program.on(graph(seed), seed), seed);
  }

  private static TestGraph<Double, Double> graph(long seed) {
    Random random = new Random(seed);
    List<int[]> edges = new ArrayList<>();
    int[] degrees = {0, 1, 31, 32, 33, 600, 2, 0, 5};
    for (int v = 0; v < degrees.length; v++) {
      for (int e = 0; e < degrees[v]; e++) {
        edges.add(new int[] {random.nextInt(50), v});
      }
    }
    for (int e = 0; e < 30; e++) {
      edges.add(new int[] {random.nextInt(10), 10 + random.nextInt(40)});
    }
    return TestGraph.ofEdges("rows", 50, edges);
  }

  /** Elements of a symmetric matrix and of a vector, as edges add them up. */
  private static int length(int k) {
    return k * k + k;
  }

  private static double[] first(double[] told, long id, long attribute) {
    for (int i = 0; i < told.length; i++) {
      told[i] = (attribute + id * (i + 3)) % 7 - 3;
    }
    return told;
  }

  /**
   * Equations of sums of matrices, with a diagonal that makes them positive definite.
   *
   * @param dominant whether it does
   */
  private static TestProgram<Long, Long, ?, ?, Long> cholesky(int k, boolean dominant) {
    int length = length(k);
    int matrix = k * k;
    double diagonal = dominant ? 4.0 * length : -0.5;
    return program(
        "Cholesky " + k,
        k,
        (id, value, message) -> {
          double[] a = new double[matrix];
          double[] b = new double[k];
          double largest = 1.0;
          for (int i = 0; i < length; i++) {
            largest = Math.max(largest, Math.abs(message[i]));
          }
          for (int i = 0; i < k; i++) {
            for (int j = 0; j <= i; j++) {
              a[i * k + j] = message[i * k + j];
            }
            a[i * k + i] = Math.abs(a[i * k + i]) + diagonal * largest;
            b[i] = message[matrix + i] + i;
          }
          double[] x = Cholesky.solve(a, b);
          double[] told = new double[length];
          for (int i = 0; i < length; i++) {
            told[i] = (value.told()[i] + message[i]) % 8;
          }
          // A loop that ends in one of its rounds.
          boolean found = false;
          for (int i = 0; i < length; i++) {
            if (message[i] > 5) {
              found = true;
              break;
            }
          }
          return new Solver(told, x, value.runs() + (found ? 2 : 1));
        });
  }

  private static TestProgram<Long, Long, ?, ?, Long> lu(int k) {
    int length = length(k);
    int matrix = k * k;
    return program(
        "LU " + k,
        k,
        (id, value, message) -> {
          double[] a = new double[matrix];
          double[] b = new double[k];
          for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
              a[i * k + j] = message[i * k + j];
            }
            // On the second diagonal, so that rows are exchanged.
            a[i * k + k - 1 - i] += 1000.0 * length;
            b[i] = message[matrix + i] - i;
          }
          double[] told = new double[length];
          for (int i = 0; i < length; i++) {
            told[i] = (value.told()[i] - message[i]) % 8;
          }
          return new Solver(told, Lu.solve(a, b), value.runs() + 1);
        });
  }

  private static TestProgram<Long, Long, ?, ?, Long> program(
      String name, int k, VertexProgram<Solver, double[]> vertex) {
    int length = length(k);
    return new TestProgram<Long, Long, Solver, double[], Long>(
            name, Long.class, Long.class, double[].class, Long.class)
        .inputs(r -> (long) r.nextInt(50), r -> (long) r.nextInt(6))
        .state(
            (id, attribute, in, out) ->
                new Solver(first(new double[length], id, attribute), new double[k], 0))
        .initial(new double[length])
        .vertex(vertex)
        .send(
            edge -> {
              edge.sendToDst(edge.srcAttr().told());
              if (edge.attr() == 3) {
                edge.sendToSrc(Vectors.scale(2.0, edge.dstAttr().told()));
              }
            })
        .merge(Vectors::add)
        .activeWhen((id, before, after) -> (id + after.runs()) % 3 != 0)
        .direction(ActiveDirection.values()[k % 4])
        .maxIterations(3)
        .result((id, attribute, value) -> hash(value.solution()) + value.runs());
  }

  /** Inverses and products, of floats; every vertex runs. */
  private static TestProgram<Long, Long, ?, ?, Long> inverses(int k) {
    int length = length(k);
    int matrix = k * k;
    return new TestProgram<Long, Long, FloatSolver, float[], Long>(
            "inverse " + k, Long.class, Long.class, float[].class, Long.class)
        .inputs(r -> (long) r.nextInt(50), r -> (long) r.nextInt(6))
        .state(
            (id, attribute, in, out) -> {
              float[] told = new float[length];
              for (int i = 0; i < length; i++) {
                told[i] = (attribute + id * (i + 3)) % 7 - 3;
              }
              return new FloatSolver(told, new float[k]);
            })
        .initial(new float[length])
        .everyVertex(new float[length])
        .vertex(
            (id, value, message) -> {
              float[] a = new float[matrix];
              float[] b = new float[k];
              for (int i = 0; i < k; i++) {
                for (int j = 0; j < k; j++) {
                  a[i * k + j] = message[i * k + j];
                }
                a[i * k + i] += 100000f;
                b[i] = message[matrix + i] + id % 5;
              }
              float[] x = Matrices.multiply(a, b);
              float[] y = Matrices.multiplyTransposed(x, a);
              float[] told = new float[length];
              for (int i = 0; i < length; i++) {
                told[i] = (value.told()[i] + message[i]) % 8;
              }
              return new FloatSolver(told, Vectors.add(y, Cholesky.solve(a, b)));
            })
        .send(edge -> edge.sendToDst(edge.srcAttr().told()))
        .merge(Vectors::add)
        .direction(ActiveDirection.EITHER)
        .maxIterations(3)
        .result((id, attribute, value) -> hash(value.solution()));
  }

  private static long hash(double[] values) {
    long hash = 7;
    for (double value : values) {
      hash = hash * 31 + Double.doubleToLongBits(value);
    }
    return hash;
  }

  private static long hash(float[] values) {
    long hash = 7;
    for (float value : values) {
      hash = hash * 31 + Float.floatToIntBits(value);
    }
    return hash;
  }
}
