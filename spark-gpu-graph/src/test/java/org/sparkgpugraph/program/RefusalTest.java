package org.sparkgpugraph.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;

/** What cannot be lifted is refused with class, method, line and a reason that helps. */
@Tag("any-spark")
class RefusalTest {
  private static final ValueType INT = new ValueType.Scalar(Kind.INT);
  private static int mutableStatic = 3;

  private int mutableField = 3;

  private static List<Refusal> refusals(
      ValueType attribute,
      VertexProgram<Integer, Integer> vertexProgram,
      SendMessage<?, ?, Integer> send,
      MergeMessage<Integer> merge) {
    NotLiftableException e =
        catchThrowableOfType(
            NotLiftableException.class,
            () ->
                ProgramLifter.lift(
                    new SourceBuilder()
                        .attribute(attribute)
                        .edge(attribute)
                        .message(INT)
                        .vertexProgram(vertexProgram)
                        .send(send)
                        .merge(merge)
                        .build()));
    assertThat(e).as("is refused").isNotNull();
    return e.refusals();
  }

  private static Refusal refusal(MergeMessage<Integer> merge) {
    List<Refusal> refusals = refusals(INT, (id, a, b) -> a, edge -> {}, merge);
    assertThat(refusals).hasSize(1);
    assertThat(refusals.get(0).function()).isEqualTo("mergeMessage");
    return refusals.get(0);
  }

  private static int line(int offset) {
    return new Throwable().getStackTrace()[1].getLineNumber() + offset;
  }

  @Test
  void namesClassMethodAndLine() {
    int line = line(1);
    Refusal refusal = refusal((a, b) -> new ArrayList<>(List.of(a, b)).size());
    assertThat(refusal.where().className()).isEqualTo(RefusalTest.class.getName());
    assertThat(refusal.where().method()).contains("lambda$namesClassMethodAndLine");
    assertThat(refusal.where().line()).isEqualTo(line);
    assertThat(refusal.toString())
        .startsWith("mergeMessage at RefusalTest.java:" + line + ": ")
        .contains("java.util.ArrayList");
  }

  private static int helper(int a, int[] b) {
    return a + b[0];
  }

  @Test
  void namesTheHelperThatIsAtFault() {
    Refusal refusal = refusal((a, b) -> helper(a, null));
    assertThat(refusal.where().method()).isEqualTo("helper");
    assertThat(refusal.reason()).contains("arrays");
  }

  private static int recursive(int a) {
    return a <= 0 ? 0 : 1 + recursive(a - 1);
  }

  private static int caught(int a) {
    try {
      return 10 / a;
    } catch (ArithmeticException e) {
      return e.getMessage().length();
    }
  }

  private static synchronized int locked(int a) {
    return a;
  }

  private static int block(Object lock, int a) {
    synchronized (lock) {
      return a;
    }
  }

  @Test
  void eachReason() {
    assertReason(refusal((a, b) -> recursive(a)), "recursively", "loop");
    assertReason(refusal((a, b) -> caught(a)), "getMessage", "an exception of class");
    assertReason(refusal((a, b) -> locked(a)), "synchronized");
    assertReason(refusal((a, b) -> a == b ? 1 : 2), "compares references", "equals");
    assertReason(refusal((a, b) -> new int[b].length), "makes an array", "only the run knows");
    assertReason(refusal((a, b) -> new Integer[] {a, b}[b]), "an array of objects");
    assertReason(refusal((a, b) -> mutableStatic + a), "mutableStatic", "not final");
    assertReason(refusal((a, b) -> mutableStatic = a), "assigns", "mutableStatic");
    assertReason(refusal((a, b) -> mutableField + a), "mutableField", "not final");
    assertReason(refusal((a, b) -> mutableField = a), "assigns", "mutableField");
    assertReason(refusal((a, b) -> a.toString().length()), "toString");
    assertReason(refusal((a, b) -> Integer.parseInt("12")), "java.lang.Integer.parseInt");
    assertReason(refusal((a, b) -> (int) System.nanoTime()), "java.lang.System.nanoTime");
    assertReason(refusal((a, b) -> (int) (Math.random() * a)), "java.lang.Math.random");
    assertReason(refusal((a, b) -> new Object().hashCode()), "java.lang.Object", "record");
    assertReason(
        // Of the stream that a runner of tests may have put there.
        refusals(
                INT,
                (id, a, b) -> a,
                edge -> {},
                (a, b) -> {
                  System.err.println(a);
                  return b;
                })
            .get(0),
        "library methods");
  }

  private static int first(int a) {
    return a + Integer.parseInt("12");
  }

  /** On all ways, in what is called, and behind the first reason; each once. */
  @Test
  void everyReasonOfAFunctionIsFound() {
    int line = line(0);
    List<Refusal> refusals =
        refusals(
            INT,
            (id, a, b) -> {
              long now = System.nanoTime() + a;
              int sum = first(b) + mutableStatic;
              if (now > b) {
                return sum + (int) System.currentTimeMillis();
              }
              return sum > a ? mutableField : (int) (Math.random() * sum);
            },
            edge -> edge.sendToDst(Integer.getInteger("x") + edge.srcAttr().hashCode()),
            (a, b) -> a);
    assertThat(refusals)
        .extracting(Refusal::toString)
        .satisfiesExactlyInAnyOrder(
            text -> assertThat(text).startsWith(at(line + 5)).contains("System.nanoTime"),
            text -> assertThat(text).contains(" in first: ", "java.lang.Integer.parseInt"),
            text -> assertThat(text).startsWith(at(line + 6)).contains("mutableStatic"),
            text -> assertThat(text).startsWith(at(line + 8)).contains("currentTimeMillis"),
            text -> assertThat(text).startsWith(at(line + 10)).contains("mutableField"),
            text -> assertThat(text).startsWith(at(line + 10)).contains("java.lang.Math.random"),
            text ->
                assertThat(text)
                    .startsWith("sendMessage at RefusalTest.java:" + (line + 12) + ": ")
                    .contains("java.lang.Integer.getInteger"));
  }

  private static String at(int line) {
    return "vertexProgram at RefusalTest.java:" + line + ": ";
  }

  @Test
  void aValueWithoutColumnsIsOneReasonAmongOthers() {
    List<Refusal> refusals =
        refusals(
            new ValueType.Opaque("java.lang.String"),
            (id, a, b) -> (int) System.nanoTime(),
            edge -> edge.sendToDst(1),
            (a, b) -> recursive(b));
    assertThat(refusals)
        .extracting(Refusal::function)
        .containsExactly("program", "vertexProgram", "vertexProgram", "mergeMessage");
  }

  @Test
  void everyFunctionIsTried() {
    List<Refusal> refusals =
        refusals(
            INT,
            (id, a, b) -> (int) System.nanoTime(),
            edge -> edge.sendToDst(Integer.getInteger("x")),
            (a, b) -> recursive(b));
    assertThat(refusals)
        .extracting(Refusal::function)
        .containsExactly("vertexProgram", "sendMessage", "mergeMessage");
  }

  @Test
  void valuesWithoutColumns() {
    ValueType text = new ValueType.Opaque("java.lang.String");
    NotLiftableException e =
        catchThrowableOfType(
            NotLiftableException.class,
            () ->
                ProgramLifter.lift(
                    new SourceBuilder()
                        .attribute(text)
                        .edge(text)
                        .message(INT)
                        .vertexProgram((VertexProgram<String, Integer>) (id, a, b) -> a)
                        .send((SendMessage<String, String, Integer>) edge -> {})
                        .merge((MergeMessage<Integer>) Math::min)
                        .build()));
    assertThat(e).hasMessageContaining("java.lang.String").hasMessageContaining("record");
  }

  @Test
  void edgeAttributesWithoutColumnsMayStandButNotBeRead() {
    ProgramSource source =
        new SourceBuilder()
            .attribute(INT)
            .edge(new ValueType.Opaque("java.lang.String"))
            .message(INT)
            .vertexProgram((VertexProgram<Integer, Integer>) (id, a, b) -> b)
            .send((SendMessage<Integer, String, Integer>) edge -> edge.sendToDst(edge.srcAttr()))
            .merge((MergeMessage<Integer>) Math::min)
            .build();
    assertThat(ProgramLifter.lift(source).program().send().parameters()).hasSize(1);
    ProgramSource reads =
        new SourceBuilder()
            .attribute(INT)
            .edge(new ValueType.Opaque("java.lang.String"))
            .message(INT)
            .vertexProgram((VertexProgram<Integer, Integer>) (id, a, b) -> b)
            .send(
                (SendMessage<Integer, String, Integer>)
                    edge -> edge.sendToDst(edge.attr().length()))
            .merge((MergeMessage<Integer>) Math::min)
            .build();
    assertThat(catchThrowableOfType(NotLiftableException.class, () -> ProgramLifter.lift(reads)))
        .hasMessageContaining("a value of class java.lang.String");
  }

  interface NotSerializable {
    int apply(int a);
  }

  @Test
  void capturedObjects() {
    NotSerializable function = a -> a + 1;
    assertReason(refusal((a, b) -> function.apply(a)), "not serializable");
    List<Integer> list = new ArrayList<>(List.of(1));
    assertReason(refusal((a, b) -> list.get(0)), "java.util.ArrayList.get");
    Object lock = new Object();
    assertReason(refusal((a, b) -> block(lock, a)), "synchronized");
  }

  record Wrong(String name) implements Serializable {}

  @Test
  void recordsWithComponentsThatAreNoValues() {
    NotLiftableException e =
        catchThrowableOfType(
            NotLiftableException.class,
            () ->
                ProgramLifter.lift(
                    new SourceBuilder()
                        .attribute(INT)
                        .edge(INT)
                        .vertexProgram((VertexProgram<Integer, Wrong>) (id, a, b) -> a)
                        .send((SendMessage<Integer, Integer, Wrong>) edge -> {})
                        .merge((MergeMessage<Wrong>) (a, b) -> a)
                        .build()));
    assertThat(e).hasMessageContaining("component 'name'");
  }

  private static void assertReason(Refusal refusal, String... parts) {
    assertThat(refusal.reason()).contains(parts);
  }
}
