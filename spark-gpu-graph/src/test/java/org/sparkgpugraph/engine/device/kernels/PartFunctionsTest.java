package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.cuda.CudaPrinter;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.lanes.LaneForm;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.RandomLoops;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.testing.ReducingPrograms;
import org.sparkgpugraph.testing.TestProgram;
import org.sparkgpugraph.vector.Vectors;

/**
 * Random loops over arrays, printed for lanes that share them: groups of lanes, some of them idle,
 * give what the Java function gives, to the bit, for many orders of the lanes.
 */
@Tag("any-spark")
class PartFunctionsTest {
  private static final int FUNCTIONS = 14;
  private static final int ROWS = 40;

  private static final RunSettings SETTINGS =
      new RunSettings(
          null,
          null,
          ActiveDirection.EITHER,
          Gather.ACTIVE,
          Integer.MAX_VALUE,
          false,
          KernelChoice.AUTO,
          1,
          null);

  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: printed functions are not run");
  }

  @ParameterizedTest
  @CsvSource({
    "1, DOUBLE",
    "2, LONG",
    "3, FLOAT",
    "5, DOUBLE",
    "8, FLOAT",
    "16, INT",
    "31, DOUBLE",
    "32, FLOAT",
    "33, DOUBLE",
    "64, DOUBLE",
    "100, FLOAT",
    "128, DOUBLE",
    "1024, FLOAT"
  })
  void lanesGiveWhatTheFunctionGives(int length, Kind kind, @TempDir Path directory)
      throws Exception {
    Trial trial = new Trial(directory, kind, length, length * 31L, text -> text);
    assertThat(trial.wrong()).as("functions, seed %d", length * 31).isEmpty();
  }

  /** The test finds sums that leave out what half of the lanes have. */
  @Test
  void aReductionThatLeavesOutTheLastPartsIsFound(@TempDir Path directory) throws Exception {
    String whole = "for (int d = 1; d < SGG_FEATURE_GROUP; d *= 2) {\n    T other";
    UnaryOperator<String> fault =
        text -> {
          assertThat(text).contains(whole);
          return text.replace(whole, whole.replace("SGG_FEATURE_GROUP", "SGG_FEATURE_GROUP / 2"));
        };
    assertThat(new Trial(directory, Kind.DOUBLE, 33, 1, fault).wrong()).isNotEmpty();
  }

  /** The programs that run on engines in other tests are shared from the gather to the end. */
  @Test
  void wholeProgramsAreShared() {
    for (long seed = 0; seed < 100; seed++) {
      int length = ReducingPrograms.LENGTHS.get(3 + (int) seed % 9);
      LiftedProgram program =
          ProgramLifter.lift(ReducingPrograms.of(length, new Random(seed)).source()).program();
      KernelShape shape = KernelShape.of(program, SETTINGS, true, true);
      assertThat(ArraySharing.of(program, shape).description())
          .as("seed %d", seed)
          .isEqualTo(
              "lanes share arrays of " + length + " elements (those of selected edges, too)");
    }
  }

  @Test
  void whatIsNotSharedIsSaidWithTheReason() {
    String reason =
        " runs a vertex, because vertexProgram reads an element at another index than the one that"
            + " its loop counts (";
    assertThat(
            described(
                (id, value, message) -> {
                  double[] next = value.clone();
                  for (int i = 1; i < next.length; i++) {
                    next[i] = message[i - 1];
                  }
                  return next;
                }))
        .contains("where messages are gathered, but a team of 16 lanes" + reason);
    assertThat(
            described(
                (id, value, message) -> {
                  double[] next = value.clone();
                  for (int i = 1; i < next.length; i++) {
                    next[i] = next[i - 1] + message[i];
                  }
                  return next;
                }))
        .startsWith(
            "lanes share arrays of 16 elements (those of selected edges, too) where messages are"
                + " gathered, but a thread"
                + reason)
        .containsPattern("PartFunctionsTest.*:\\d+\\)$");
  }

  private static String described(VertexProgram<double[], double[]> vertex) {
    TestProgram<Long, Long, double[], double[], Long> program =
        new TestProgram<Long, Long, double[], double[], Long>(
                "shifted", Long.class, Long.class, double[].class, Long.class)
            .state((id, attribute, in, out) -> new double[16])
            .initial(new double[16])
            .vertex(vertex)
            .send(edge -> edge.sendToDst(edge.srcAttr()))
            .merge(Vectors::add)
            .result((id, attribute, value) -> (long) value[0]);
    LiftedProgram lifted = ProgramLifter.lift(program.source()).program();
    KernelShape shape = KernelShape.of(lifted, SETTINGS, true, true);
    return ArraySharing.of(lifted, shape).description();
  }

  /** Functions of one kind and length. */
  private static final class Trial {
    private final Kind kind;
    private final int length;
    private final long seed;
    private final Random random;
    private final List<VertexProgram<Object, Object>> functions;
    private final UnaryOperator<String> change;

    Trial(Path directory, Kind kind, int length, long seed, UnaryOperator<String> change)
        throws Exception {
      this.kind = kind;
      this.length = length;
      this.seed = seed;
      this.change = change;
      random = new Random(seed);
      functions = RandomLoops.of(directory, kind, FUNCTIONS, seed);
    }

    /** What went wrong, a line for each row. */
    List<String> wrong() {
      Object[] left = rows();
      Object[] right = rows();
      List<String> wrong = new ArrayList<>();
      try (Device device = new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
          DeviceModule module = device.load(source())) {
        for (int f = 0; f < functions.size(); f++) {
          long[] results = run(device, module, "run" + f, words(left), words(right));
          Object[] found = arrays(results);
          for (int row = 0; row < ROWS; row++) {
            boolean isIdle = row % 3 == 1;
            Object expected =
                isIdle
                    ? Array.newInstance(kind.primitive(), length)
                    : functions.get(f).apply(100L + row, copy(left[row]), copy(right[row]));
            if (!text(expected).equals(text(found[row]))) {
              wrong.add(
                  "function %d, row %d: expected %s, but lanes gave %s"
                      .formatted(f, row, text(expected), text(found[row])));
            }
          }
        }
      }
      return wrong;
    }

    private KernelSource source() {
      String type = CTypes.register(kind);
      FeatureLayout layout = FeatureLayout.of(length, kind.bytes(), true);
      CudaPrinter printer = new CudaPrinter();
      StringBuilder text = new StringBuilder();
      text.append(KernelHeaders.base(DenseTuning.DEFAULT));
      text.append(KernelHeaders.text("java.cuh")).append(KernelHeaders.text("arrays.cuh"));
      text.append(FeatureLayout.macros(layout, DenseTuning.DEFAULT));
      text.append(KernelHeaders.text("joins.cuh"));
      text.append(KernelHeaders.text("parts.cuh"));
      text.append("#line 1 \"test\"\nstruct Frame { ").append(type).append("* out; const ");
      text.append(type).append("* left; const ").append(type).append("* right; };\n");
      text.append("struct Result { ").append(CTypes.part(kind)).append(" c0; };\n");
      text.append("static unsigned long long noFault;\n");
      for (int f = 0; f < functions.size(); f++) {
        IrFunction function = RandomLoops.lifted(functions.get(f), kind, length);
        assertThat(LaneForm.obstacle(function.parameters(), function.variables(), function.code()))
            .as("function %d of seed %d", f, seed)
            .isEmpty();
        text.append(printer.partFunction("f" + f, function, "Result"));
        text.append(kernel(f, function, type));
      }
      return new KernelSource(
          "part functions", change.apply(text.toString()), List.of(), List.of("part functions"));
    }

    /** Groups of a warp have rows next to each other, of which every third one is none. */
    private String kernel(int number, IrFunction function, String type) {
      StringBuilder arguments = new StringBuilder();
      for (Param p : function.parameters()) {
        arguments.append(
            p.role() == Role.ID
                ? ", (long long)(100 + row)"
                : ", sgg_load_part<%s>(f.%s, row, part)"
                    .formatted(type, p.role() == Role.VALUE ? "left" : "right"));
      }
      return """
          SGG_KERNEL(run%d) {
            int part = sgg_lane() %% SGG_FEATURE_GROUP;
            int groups = SGG_WARP / SGG_FEATURE_GROUP;
            for (int row = (int)threadIdx.x / SGG_FEATURE_GROUP; row < %d; row += groups) {
              if (row %% 3 != 1) {
                Result result{};
                f%1$d(&noFault, row, part%s, result);
                sgg_store_part(f.out, row, part, result.c0);
              }
            }
          }
          """
          .formatted(number, ROWS, arguments);
    }

    private long[] run(
        Device device, DeviceModule module, String kernel, long[] left, long[] right) {
      try (DeviceMemory out = device.allocate(8L * left.length, "out");
          DeviceMemory a = device.allocate(8L * left.length, "left");
          DeviceMemory b = device.allocate(8L * right.length, "right");
          DeviceStream stream = device.newStream()) {
        device.upload(left, 0, left.length, a, 0);
        device.upload(right, 0, right.length, b, 0);
        stream.fill(out, 0, 8L * left.length, (byte) 0);
        byte[] frame =
            ByteBuffer.allocate(24)
                .order(ByteOrder.nativeOrder())
                .putLong(out.address())
                .putLong(a.address())
                .putLong(b.address())
                .array();
        stream.launch(module.kernel(kernel), 1, 32, frame);
        stream.synchronize();
        long[] values = new long[left.length];
        device.download(out, 0, values, 0, values.length);
        return values;
      }
    }

    // ---- arrays -------------------------------------------------------------------------------

    private Object[] rows() {
      Object[] rows = new Object[ROWS];
      for (int row = 0; row < ROWS; row++) {
        rows[row] = Array.newInstance(kind.primitive(), length);
        for (int i = 0; i < length; i++) {
          set(rows[row], i, number(row));
        }
      }
      return rows;
    }

    /** A small number; in some rows zeros of both signs, or NaN among others. */
    private double number(int row) {
      if (row % 5 == 2) {
        return random.nextInt(3) == 0 ? 1 : random.nextBoolean() ? 0.0 : -0.0;
      } else if (row % 5 == 3 && random.nextInt(4) == 0) {
        return kind.isIntegral() ? -7 : Double.NaN;
      }
      return (random.nextInt(129) - 64) / (kind.isIntegral() ? 1.0 : 8.0);
    }

    private void set(Object array, int i, double number) {
      switch (kind) {
        case INT -> Array.setInt(array, i, (int) number);
        case LONG -> Array.setLong(array, i, (long) number);
        case FLOAT -> Array.setFloat(array, i, (float) number);
        default -> Array.setDouble(array, i, number);
      }
    }

    private Object copy(Object array) {
      Object copy = Array.newInstance(kind.primitive(), length);
      System.arraycopy(array, 0, copy, 0, length);
      return copy;
    }

    private static String text(Object array) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < Array.getLength(array); i++) {
        text.append(Array.get(array, i)).append(' ');
      }
      return text.toString();
    }

    private long[] words(Object[] rows) {
      ByteBuffer bytes = buffer();
      for (Object row : rows) {
        for (int i = 0; i < length; i++) {
          switch (kind) {
            case INT -> bytes.putInt(Array.getInt(row, i));
            case LONG -> bytes.putLong(Array.getLong(row, i));
            case FLOAT -> bytes.putFloat(Array.getFloat(row, i));
            default -> bytes.putDouble(Array.getDouble(row, i));
          }
        }
      }
      long[] words = new long[bytes.capacity() / 8];
      bytes.rewind().asLongBuffer().get(words);
      return words;
    }

    private Object[] arrays(long[] words) {
      ByteBuffer bytes = buffer();
      bytes.asLongBuffer().put(words);
      Object[] rows = new Object[ROWS];
      for (int row = 0; row < ROWS; row++) {
        rows[row] = Array.newInstance(kind.primitive(), length);
        for (int i = 0; i < length; i++) {
          switch (kind) {
            case INT -> Array.setInt(rows[row], i, bytes.getInt());
            case LONG -> Array.setLong(rows[row], i, bytes.getLong());
            case FLOAT -> Array.setFloat(rows[row], i, bytes.getFloat());
            default -> Array.setDouble(rows[row], i, bytes.getDouble());
          }
        }
      }
      return rows;
    }

    private ByteBuffer buffer() {
      return ByteBuffer.allocate(ROWS * length * kind.bytes()).order(ByteOrder.nativeOrder());
    }
  }
}
