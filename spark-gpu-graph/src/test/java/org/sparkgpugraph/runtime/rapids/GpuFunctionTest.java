package org.sparkgpugraph.runtime.rapids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Deque;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.testing.SharedSpark;

/** Functions that RAPIDS runs on columns, over classes that have the names of its own. */
@ExtendWith(SharedSpark.class)
class GpuFunctionTest {
  private static final String COLUMN = "ai.rapids.cudf.ColumnVector";

  @TempDir static Path classes;

  @BeforeAll
  static void compile() throws Exception {
    FakeRapids.compile(classes);
  }

  /** What Spark calls row by row. */
  public interface OnRows {
    Object call(Object position);
  }

  /** Squares of positions, as an array of a type. */
  private record Squares(Class<?> type) implements ColumnFunction {
    @Override
    public Object at(int position) {
      return position * position;
    }

    @Override
    public Object range(int first, int count) {
      int[] positions = new int[count];
      for (int i = 0; i < count; i++) {
        positions[i] = first + i;
      }
      return gather(positions);
    }

    @Override
    public Object gather(int[] positions) {
      Object squares = Array.newInstance(type, positions.length);
      for (int i = 0; i < positions.length; i++) {
        int square = positions[i] * positions[i];
        Array.set(squares, i, type == boolean.class ? (Object) (square > 4) : (byte) square);
      }
      return squares;
    }
  }

  private static Object evaluate(FakeRapids rapids, Object function, long... positions)
      throws Exception {
    Class<?> vector = rapids.type(COLUMN);
    Object column =
        vector
            .getConstructor(long.class, boolean.class, long[].class)
            .newInstance(64L, false, positions);
    Object columns = Array.newInstance(vector, 1);
    Array.set(columns, 0, column);
    Method method =
        rapids
            .type("com.nvidia.spark.RapidsUDF")
            .getMethod("evaluateColumnar", int.class, columns.getClass());
    try {
      Object made = method.invoke(function, positions.length, columns);
      return vector.getField("made").get(made);
    } catch (InvocationTargetException e) {
      throw (Exception) e.getCause();
    }
  }

  @Test
  void columnsAreMadeOfThePositions() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      OnRows squares = GpuFunction.of(OnRows.class, new Squares(long.class));
      assertThat(squares.call(7)).isEqualTo(49);
      assertThat(evaluate(rapids, squares, 3, 4, 5)).isEqualTo(new long[] {9, 16, 25});
      assertThat(rapids.used()).as("a column on the GPU").isEqualTo(24);
      assertThat(evaluate(rapids, squares, 3, 5, 4)).isEqualTo(new long[] {9, 25, 16});
      assertThat(evaluate(rapids, squares, 5, 5)).isEqualTo(new long[] {25, 25});
      assertThat(evaluate(rapids, squares, 8)).isEqualTo(new long[] {64});
      assertThat(evaluate(rapids, squares)).isEqualTo(new long[0]);
      assertThat(rapids.get("ai.rapids.cudf.HostColumnVector", "open"))
          .as("copies of positions")
          .isEqualTo(0);
    }
  }

  @Test
  void methodsAreLookedUpOnce() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      Class<?> functions = rapids.type("com.nvidia.spark.RapidsUDF");
      assertThat(CudfColumns.of(functions)).isSameAs(CudfColumns.of(functions));
    }
  }

  @Test
  void columnsAreOfAllPrimitiveTypes() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      for (Object expected :
          new Object[] {
            new boolean[] {false, true},
            new int[] {4, 9},
            new long[] {4, 9},
            new float[] {4, 9},
            new double[] {4, 9}
          }) {
        ColumnFunction function = new Squares(expected.getClass().getComponentType());
        assertThat(evaluate(rapids, GpuFunction.of(OnRows.class, function), 2, 3))
            .isEqualTo(expected);
      }
    }
  }

  /** Tasks get copies of it. */
  @Test
  void itTravels() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(GpuFunction.of(OnRows.class, new Squares(float.class)));
      }
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
            @Override
            protected Class<?> resolveProxyClass(String[] names) throws ClassNotFoundException {
              Class<?>[] interfaces = new Class<?>[names.length];
              for (int i = 0; i < names.length; i++) {
                interfaces[i] = Class.forName(names[i], false, loader);
              }
              return Proxy.getProxyClass(loader, interfaces);
            }
          }) {
        Object copy = in.readObject();
        assertThat(copy).isInstanceOf(OnRows.class);
        assertThat(evaluate(rapids, copy, 9)).isEqualTo(new float[] {81});
        assertThat(copy.equals(copy)).isTrue();
        assertThat(copy.hashCode()).isEqualTo(System.identityHashCode(copy));
        assertThat(copy.toString()).contains("Squares");
      }
    }
  }

  /** Where the GPU has no room a task waits as often as for other memory, then it fails. */
  @Test
  void aTaskThatIsToWaitTriesAgain() throws Exception {
    try (FakeRapids rapids = FakeRapids.start(classes)) {
      Object squares = GpuFunction.of(OnRows.class, new Squares(double.class));
      @SuppressWarnings("unchecked")
      Deque<RuntimeException> failures =
          (Deque<RuntimeException>) rapids.get("ai.rapids.cudf.Rmm", "failures");
      failures.add(RapidsTest.retry(rapids));
      assertThat(evaluate(rapids, squares, 1)).isEqualTo(new double[] {1});
      assertThat(rapids.get("com.nvidia.spark.rapids.jni.RmmSpark", "waits")).isEqualTo(1);
      for (int i = 0; i < 3; i++) {
        failures.add(RapidsTest.retry(rapids));
      }
      assertThatThrownBy(() -> evaluate(rapids, squares, 1)).hasMessage("later");
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void withoutThePluginThereAreNone() {
    assertThatThrownBy(() -> GpuFunction.of(OnRows.class, new Squares(int.class)))
        .isInstanceOf(ReflectiveOperationException.class);
  }
}
