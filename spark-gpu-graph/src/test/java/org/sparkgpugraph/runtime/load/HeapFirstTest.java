package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.testing.SharedSpark;

/** What is done where, and what is told when there is room nowhere. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class HeapFirstTest {
  private static final GraphMemoryException REFUSED = new GraphMemoryException("heap");
  private static final OffHeapMemoryException FULL = new OffHeapMemoryException("disk");

  private static Supplier<String> throwing(RuntimeException e) {
    return () -> {
      throw e;
    };
  }

  @Test
  void whatTheHeapHasRoomForStaysThere() {
    assertThat(HeapFirst.made("key", () -> "heap", throwing(FULL))).isEqualTo("heap");
  }

  @Test
  void whatItRefusesOrCannotGiveIsDoneOffIt() {
    assertThat(HeapFirst.made("key", throwing(REFUSED), () -> "away")).isEqualTo("away");
    Supplier<String> ending =
        () -> {
          throw new OutOfMemoryError("Java heap space");
        };
    assertThat(HeapFirst.made("key", ending, () -> "away")).isEqualTo("away");
  }

  @Test
  void whereThereIsRoomNowhereTheHeapIsTold() {
    GraphMemoryException refused = new GraphMemoryException("heap");
    assertThatThrownBy(() -> HeapFirst.made("key", throwing(refused), throwing(FULL)))
        .isSameAs(refused)
        .hasSuppressedException(FULL);
  }

  @Test
  void aFileThatIsGoneIsToldAsThat() {
    OffHeapMemoryException gone =
        OffHeapMemoryException.unreadable("edges", new InternalError("a fault occurred"));
    assertThatThrownBy(() -> HeapFirst.made("key", throwing(REFUSED), throwing(gone)))
        .isSameAs(gone);
  }
}
