package org.sparkgpugraph.program.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.KernelHeaders;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Side;

/**
 * Printed functions in one C++ translation unit with a driver around them, compiled to a program
 * that reads calls and writes what they returned, as 64-bit words.
 */
public final class TranslationUnit {
  private static final long NO_FAULT = -1;
  private static final int ROW = 7;

  /**
   * What a call did.
   *
   * @param site index of the fault site, or −1
   * @param has whether a message was sent (true for other functions)
   * @param values result or message columns; null after a fault or without a message
   */
  public record Outcome(int site, boolean has, List<Object> values) {}

  private record Entry(List<Kind> in, List<Kind> out) {}

  private final CudaPrinter printer = new CudaPrinter();
  private final StringBuilder text = new StringBuilder();
  private final List<Entry> entries = new ArrayList<>();
  private final List<long[]> calls = new ArrayList<>();

  private static String header(String name) throws IOException {
    return resource("/org/sparkgpugraph/kernels/sgg/" + name);
  }

  public static String resource(String name) throws IOException {
    try (InputStream in = TranslationUnit.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Whether a compiler is on the PATH. */
  public static boolean has(String compiler) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, compiler)));
  }

  public FaultSites sites() {
    return printer.sites();
  }

  /** Functions without tables. */
  public TranslationUnit() {
    this(List.of());
  }

  /**
   * Begins.
   *
   * @param tables arrays of primitives that the functions read
   */
  public TranslationUnit(List<Object> tables) {
    for (int t = 0; t < tables.size(); t++) {
      Object array = tables.get(t);
      Kind kind = Kind.of(array.getClass().getComponentType());
      boolean isReal = !kind.isIntegral();
      // Infinities and NaNs have no literal that initialises memory of a device.
      text.append("static __device__ const ")
          .append(!isReal ? CTypes.memory(kind) : kind == Kind.FLOAT ? "int" : "long long")
          .append(isReal ? " bits" : " table")
          .append(t)
          .append("[] = {");
      for (int i = 0; i < Array.getLength(array); i++) {
        Object value = Array.get(array, i);
        Object bits =
            value instanceof Float f
                ? (Object) Float.floatToRawIntBits(f)
                : value instanceof Double d ? (Object) Double.doubleToRawLongBits(d) : value;
        text.append(CTypes.literal(bits)).append(", ");
      }
      text.append("};\n");
    }
  }

  /** Adds a function; its index. */
  public int add(IrFunction function) {
    int index = entries.size();
    text.append(CTypes.struct("Result" + index, function.results()));
    String definition = printer.function("f" + index, function, "Result" + index);
    text.append(definition);
    wrap(index, function, function.results(), "");
    return index;
  }

  /**
   * Adds a send function for one side; its index. Of several messages, columns are combined as
   * {@link #merge} does.
   */
  public int add(IrFunction function, Side side, List<? extends ColumnType> message) {
    int index = entries.size();
    text.append(CTypes.struct("Result" + index, List.copyOf(message)));
    StringBuilder merge = new StringBuilder("if (has) { ");
    for (int c = 0; c < message.size(); c++) {
      String column = "message.c" + c;
      merge.append(
          switch (message.get(c).kind()) {
            case BOOLEAN -> column + " ^= SENT.c" + c + "; ";
            case INT -> column + " = sgg_add(sgg_multiply(" + column + ", 31), SENT.c" + c + "); ";
            case LONG ->
                column + " = sgg_add(sgg_multiply(" + column + ", 31LL), SENT.c" + c + "); ";
            case FLOAT, DOUBLE -> column + " = sgg_min(" + column + ", SENT.c" + c + "); ";
          });
    }
    merge.append("} else { message = SENT; } has = true;");
    String statement = merge.toString();
    String definition =
        printer.send(
            "f" + index, function, side, "Result" + index, sent -> statement.replace("SENT", sent));
    text.append(definition);
    wrap(index, function, message, ", has");
    return index;
  }

  /** What the merge statement of {@link #add(IrFunction, Side, List)} does. */
  public static List<Object> merge(List<Object> message, List<Object> sent) {
    if (message == null) {
      return sent;
    }
    List<Object> merged = new ArrayList<>();
    for (int c = 0; c < message.size(); c++) {
      Object a = message.get(c);
      Object b = sent.get(c);
      merged.add(
          a instanceof Boolean z
              ? (Object) (z ^ (Boolean) b)
              : a instanceof Integer i
                  ? (Object) (i * 31 + (Integer) b)
                  : a instanceof Long l
                      ? (Object) (l * 31 + (Long) b)
                      : a instanceof Float f
                          ? (Object) Math.min(f, (Float) b)
                          : (Object) Math.min((Double) a, (Double) b));
    }
    return merged;
  }

  private void wrap(
      int index, IrFunction function, List<? extends ColumnType> columns, String has) {
    List<Kind> out = columns.stream().map(ColumnType::kind).toList();
    List<Kind> in = new ArrayList<>();
    for (Param parameter : function.parameters()) {
      in.add(function.variables().get(parameter.variable()));
    }
    text.append("TEST_FUNCTION(run").append(index).append(") {\n");
    text.append("  out[0] = -1;\n  bool has = false;\n");
    text.append("  Result").append(index).append(" r = {};\n");
    text.append("  f").append(index).append("((unsigned long long*)out, ").append(ROW);
    for (int i = 0; i < in.size(); i++) {
      String word = "in[" + i + "]";
      text.append(", ")
          .append(
              switch (in.get(i)) {
                case BOOLEAN, INT -> "(int)" + word;
                case LONG -> word;
                case FLOAT -> "__int_as_float((int)" + word + ")";
                case DOUBLE -> "__longlong_as_double(" + word + ")";
              });
    }
    function
        .tables()
        .forEach(
            (t, kind) ->
                text.append(
                    kind.isIntegral()
                        ? ", table" + t
                        : ", (const " + CTypes.memory(kind) + "*)bits" + t));
    text.append(", r").append(has).append(");\n");
    text.append("  out[1] = has;\n");
    for (int c = 0; c < out.size(); c++) {
      String column = "r.c" + c;
      text.append("  out[").append(c + 2).append("] = ");
      text.append(
          switch (out.get(c)) {
            case BOOLEAN, INT, LONG -> column;
            case FLOAT -> "__float_as_int(" + column + ")";
            case DOUBLE -> "__double_as_longlong(" + column + ")";
          });
      text.append(";\n");
    }
    text.append("  (void)in;\n}\n");
    entries.add(new Entry(in, List.copyOf(out)));
  }

  /** Adds a call to the next run. */
  public void call(int index, List<Object> arguments) {
    long[] words = new long[arguments.size() + 1];
    words[0] = index;
    for (int i = 0; i < arguments.size(); i++) {
      Object value = arguments.get(i);
      words[i + 1] =
          value instanceof Boolean b
              ? (b ? 1 : 0)
              : value instanceof Float f
                  ? Float.floatToRawIntBits(f)
                  : value instanceof Double d
                      ? Double.doubleToRawLongBits(d)
                      : ((Number) value).longValue();
    }
    calls.add(words);
  }

  /** The source of a program that makes calls on the host; nvcc compiles the functions only. */
  public String text() throws IOException {
    StringBuilder all = new StringBuilder();
    all.append(resource("/org/sparkgpugraph/program/cuda/prelude.h"));
    all.append(header("java.cuh"));
    all.append(text);
    all.append("#ifndef __CUDACC__\n");
    all.append("struct Entry { void (*run)(const long long*, long long*); int in; int out; };\n");
    all.append("static const Entry entries[] = {\n");
    for (int i = 0; i < entries.size(); i++) {
      Entry e = entries.get(i);
      all.append("  {run" + i + ", " + e.in().size() + ", " + (e.out().size() + 2) + "},\n");
    }
    all.append(
        """
        };
        int main() {
          long long function;
          long long in[64];
          long long out[64];
          while (fread(&function, 8, 1, stdin) == 1) {
            const Entry& entry = entries[function];
            if (fread(in, 8, entry.in, stdin) != (size_t)entry.in) {
              return 3;
            }
            entry.run(in, out);
            if (fwrite(out, 8, entry.out, stdout) != (size_t)entry.out) {
              return 4;
            }
          }
          return 0;
        }
        #endif
        """);
    return all.toString();
  }

  /** Compiles with g++, as the emulator does, warnings being errors, and makes the calls. */
  public List<Outcome> run(Path directory, String... options) throws Exception {
    Path source = directory.resolve("unit.cpp");
    Path program = directory.resolve("unit");
    Files.writeString(source, text());
    List<String> command = new ArrayList<>(List.of("g++", "-std=c++17", "-Wall", "-Werror"));
    command.addAll(List.of("-ffp-contract=off", "-fno-strict-aliasing"));
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-o", program.toString(), source.toString()));
    execute(directory, command);
    int words = calls.stream().mapToInt(c -> c.length).sum();
    ByteBuffer input = ByteBuffer.allocate(words * 8).order(ByteOrder.nativeOrder());
    LongBuffer longs = input.asLongBuffer();
    calls.forEach(longs::put);
    Path in = directory.resolve("calls");
    Path out = directory.resolve("outcomes");
    Files.write(in, input.array());
    Path log = directory.resolve("unit.log");
    int code =
        new ProcessBuilder(program.toString())
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start()
            .waitFor();
    assertThat(code).as(() -> "exit code of the driver: " + read(log)).isZero();
    LongBuffer results =
        ByteBuffer.wrap(Files.readAllBytes(out)).order(ByteOrder.nativeOrder()).asLongBuffer();
    return outcomes(results);
  }

  private List<Outcome> outcomes(LongBuffer results) {
    List<Outcome> outcomes = new ArrayList<>();
    for (long[] call : calls) {
      outcomes.add(outcome(entries.get((int) call[0]), results));
    }
    assertThat(results.hasRemaining()).isFalse();
    calls.clear();
    return outcomes;
  }

  private static Outcome outcome(Entry entry, LongBuffer results) {
    long fault = results.get();
    boolean has = results.get() != 0;
    List<Object> values = new ArrayList<>();
    for (Kind kind : entry.out()) {
      long word = results.get();
      values.add(
          switch (kind) {
            case BOOLEAN -> {
              assertThat(word).isBetween(0L, 1L);
              yield word == 1;
            }
            case INT -> (Object) (int) word;
            case LONG -> (Object) word;
            case FLOAT -> (Object) Float.intBitsToFloat((int) word);
            case DOUBLE -> (Object) Double.longBitsToDouble(word);
          });
    }
    if (fault != NO_FAULT) {
      assertThat(fault >>> 32).isEqualTo(ROW);
      return new Outcome((int) fault, has, has ? values : null);
    }
    return new Outcome(-1, has, values);
  }

  /** One kernel that makes the calls, a thread each. */
  private KernelSource kernel() throws IOException {
    StringBuilder all = new StringBuilder(KernelHeaders.base(DenseTuning.DEFAULT));
    all.append(header("java.cuh"));
    all.append(
        """
        #define TEST_FUNCTION(name) static __device__ void name(const long long* in, long long* out)
        struct Frame {
          long long calls;
          const long long* words;
          const long long* from;
          const long long* to;
          long long* out;
        };
        """);
    all.append(text);
    all.append("SGG_KERNEL(calls) {\n");
    all.append("  long long step = (long long)gridDim.x * blockDim.x;\n");
    all.append(
        "  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < f.calls;"
            + " i += step) {\n");
    all.append("    const long long* in = f.words + f.from[i] + 1;\n");
    all.append("    long long* out = f.out + f.to[i];\n");
    all.append("    switch (in[-1]) {\n");
    for (int i = 0; i < entries.size(); i++) {
      all.append("      case " + i + ": run" + i + "(in, out); break;\n");
    }
    all.append("    }\n  }\n}\n");
    return new KernelSource(
        "printed functions", all.toString(), List.of("calls"), printer.origins());
  }

  /** Makes the calls on a device. */
  public List<Outcome> runOn(Device device) throws IOException {
    long[] words = calls.stream().flatMapToLong(Arrays::stream).toArray();
    long[] from = new long[calls.size()];
    long[] to = new long[calls.size() + 1];
    for (int i = 0, next = 0; i < from.length; i++) {
      from[i] = next;
      next += calls.get(i).length;
      to[i + 1] = to[i] + entries.get((int) calls.get(i)[0]).out().size() + 2;
    }
    long[] out = new long[(int) to[from.length]];
    try (DeviceModule module = device.load(kernel());
        DeviceStream stream = device.newStream();
        DeviceMemory deviceWords = upload(device, words);
        DeviceMemory deviceFrom = upload(device, from);
        DeviceMemory deviceTo = upload(device, to);
        DeviceMemory deviceOut = upload(device, out)) {
      ByteBuffer frame = ByteBuffer.allocate(40).order(ByteOrder.nativeOrder());
      frame.putLong(from.length).putLong(deviceWords.address()).putLong(deviceFrom.address());
      frame.putLong(deviceTo.address()).putLong(deviceOut.address());
      stream.launch(module.kernel("calls"), 16, 256, frame.array());
      stream.synchronize();
      device.download(deviceOut, 0, out, 0, out.length);
    }
    return outcomes(LongBuffer.wrap(out));
  }

  private static DeviceMemory upload(Device device, long[] array) {
    DeviceMemory memory = device.allocate(8L * array.length, "calls of printed functions");
    device.upload(array, 0, array.length, memory, 0);
    return memory;
  }

  /** Compiles with nvcc to PTX: the functions, warnings being errors, and the kernel. */
  public void compileForDevice(Path directory) throws Exception {
    compileForDevice(directory, text(), List.of("-Werror", "all-warnings"));
    // The headers hold more than this kernel uses, which is warned of.
    compileForDevice(directory, kernel().text(), List.of());
  }

  private static void compileForDevice(Path directory, String text, List<String> options)
      throws Exception {
    Path source = directory.resolve("unit.cu");
    Files.writeString(source, text);
    List<String> command =
        new ArrayList<>(List.of("nvcc", "-std=c++17", "-arch=sm_75", "--fmad=false"));
    command.addAll(options);
    command.addAll(List.of("-ptx", "-o", directory.resolve("unit.ptx").toString()));
    command.add(source.toString());
    execute(directory, command);
  }

  private static void execute(Path directory, List<String> command) throws Exception {
    Path log = directory.resolve("compiler.log");
    int code =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    assertThat(code).as(() -> String.join(" ", command) + "\n" + read(log)).isZero();
  }

  private static String read(Path file) {
    try {
      String text = Files.readString(file);
      return text.length() > 8000 ? text.substring(0, 8000) + "..." : text;
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** NaNs are all one; everything else keeps its bits. */
  public static Object canonical(Object value) {
    if (value instanceof Float f) {
      return "float " + Integer.toHexString(Float.floatToIntBits(f)) + " " + f;
    } else if (value instanceof Double d) {
      return "double " + Long.toHexString(Double.doubleToLongBits(d)) + " " + d;
    }
    return value;
  }

  public static List<Object> canonical(List<Object> values) {
    return values == null ? null : values.stream().map(TranslationUnit::canonical).toList();
  }
}
