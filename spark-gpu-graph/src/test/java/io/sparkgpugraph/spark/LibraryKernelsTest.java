package io.sparkgpugraph.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LibraryKernelsTest {
  /** One packaged image serves graphs of every type that an algorithm does not read. */
  @Test
  void kernelsDoNotDependOnValuesThatAreNotRead() {
    List<LibraryKernels.Entry> plain = LibraryKernels.all();
    assertThat(plain).hasSizeBetween(10, 40);
    assertThat(plain).extracting(entry -> entry.source().text()).doesNotHaveDuplicates();
    assertThat(LibraryKernels.all(Integer.class, Long.class))
        .extracting(entry -> entry.source().text())
        .isEqualTo(plain.stream().map(entry -> entry.source().text()).toList());
  }
}
