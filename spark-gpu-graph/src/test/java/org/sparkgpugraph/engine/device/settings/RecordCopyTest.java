package org.sparkgpugraph.engine.device.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordCopyTest {
  @Test
  void changesWhatIsNamed() {
    assertThat(RecordCopy.with(StopSettings.DEFAULT, Map.of())).isEqualTo(StopSettings.DEFAULT);
    DeviceSettings copy = DeviceSettings.DEFAULT.withHubs(7, 9);

    assertThat(copy.hubDegree()).isEqualTo(7);
    assertThat(copy.chunkEdges()).isEqualTo(9);
    assertThat(copy.withHubs(1024, 0)).isEqualTo(DeviceSettings.DEFAULT);
  }

  @Test
  void refusesWhatIsNotThere() {
    assertThatThrownBy(() -> RecordCopy.with(StopSettings.DEFAULT, Map.of("stop", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("StopSettings has no [stop]");
  }

  @Test
  void throwsWhatTheRecordThrows() {
    assertThatThrownBy(() -> DeviceSettings.DEFAULT.withEdgeBytes(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the memory of edges must not be negative, but got -1");
  }

  static Stream<Method> methodsThatCopy() {
    return Stream.of(
            AsyncSettings.class,
            DelegateSettings.class,
            DenseTuning.class,
            DeviceSettings.class,
            PushSettings.class,
            TileSettings.class)
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .filter(method -> method.getName().startsWith("with"));
  }

  @ParameterizedTest
  @MethodSource("methodsThatCopy")
  void namesComponents(Method method) throws ReflectiveOperationException {
    Object record = method.getDeclaringClass().getField("DEFAULT").get(null);
    Object[] values =
        Arrays.stream(method.getParameterTypes()).map(type -> ofType(type, record)).toArray();

    try {
      assertThat(method.invoke(record, values)).isInstanceOf(method.getDeclaringClass());
    } catch (InvocationTargetException e) { // by the record, if the component is another's
      assertThat(e.getCause())
          .isInstanceOf(IllegalArgumentException.class)
          .message()
          .doesNotContain(" has no [");
    }
  }

  /** The first component of a type. */
  private static Object ofType(Class<?> type, Object record) {
    RecordComponent component =
        Arrays.stream(record.getClass().getRecordComponents())
            .filter(each -> each.getType() == type)
            .findFirst()
            .orElseThrow();
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
