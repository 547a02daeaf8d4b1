package org.sparkgpugraph.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which classes that are neither records nor of Scala can be taken apart and made again. */
@Tag("any-spark")
class StructClassTest {
  static class Road implements Serializable {
    final double length;
    final int lanes;

    Road(double length, int lanes) {
      this.length = length;
      this.lanes = lanes;
    }
  }

  static class Angle implements Serializable {
    final double degrees;

    Angle(double degrees) {
      this.degrees = -degrees;
    }
  }

  static class Swapped implements Serializable {
    final int first;
    final int second;

    Swapped(int first, int second) {
      this.first = second;
      this.second = first;
    }
  }

  static class Counted implements Serializable {
    static int made;
    final int number;

    Counted(int number) {
      this.number = number;
      made++;
    }
  }

  static class Checked implements Serializable {
    final int number;

    Checked(int number) {
      if (number < 0) {
        throw new IllegalArgumentException();
      }
      this.number = number;
    }
  }

  static class Mutable implements Serializable {
    int number;

    Mutable(int number) {
      this.number = number;
    }
  }

  static class Child extends Counted {
    final int more;

    Child(int more) {
      super(0);
      this.more = more;
    }
  }

  static class Unshipped {
    final int number;

    Unshipped(int number) {
      this.number = number;
    }
  }

  @Test
  void whatOnlyKeepsItsNumbersIsTakenApart() {
    assertThat(StructClass.isStruct(Road.class)).isTrue();
    assertThat(StructClass.of(Road.class).names()).containsExactly("length", "lanes");
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Angle.class,
        Swapped.class,
        Counted.class,
        Checked.class,
        Mutable.class,
        Child.class,
        Unshipped.class
      })
  void whatDoesMoreIsNot(Class<?> type) {
    assertThat(StructClass.isStruct(type)).isFalse();
  }

  @Test
  void whatOnlyHandsOnTheObjectAroundItIsTakenApart() {
    assertThat(StructClass.isStruct(Around.Keeps.class)).isTrue();
    assertThat(StructClass.of(Around.Keeps.class).names())
        .containsExactly(StructClass.OUTER, "value", "steps");
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Around.Reads.class,
        Around.ReadsInLambda.class,
        Around.Returns.class,
        Around.ReadsWithin.class,
        Around.Requires.class,
        Around.OfTrait.class,
        Around.OwnCopy.class,
        Around.Changes.class
      })
  void whatMakesUseOfItIsNot(Class<?> type) {
    assertThat(StructClass.isStruct(type)).isFalse();
  }
}
