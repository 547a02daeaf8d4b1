package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.IrOracle;
import org.sparkgpugraph.program.ir.Role;

/** Lambdas whose classes the library's own class loader does not see. */
@Tag("any-spark")
public class ClassLoadersTest {
  /** Where code that runs in jshell leaves its lambdas. */
  public static volatile MergeMessage<Integer> fromShell;

  @TempDir Path directory;

  private static Object run(MergeMessage<Integer> merge, int a, int b) {
    ValueType type = ValueType.of(Integer.class);
    FunctionTrial.Lifted lifted = FunctionTrial.lift(merge, "merge", false, type, type, type);
    return IrOracle.run(
            lifted.function(),
            (role, index) ->
                role == Role.LEFT ? a : role == Role.RIGHT ? b : lifted.captures().get(index))
        .values()
        .get(0);
  }

  @Test
  @SuppressWarnings("unchecked")
  void jarAddedLater() throws Exception {
    RuntimeCompiler.compile(
        directory,
        "jarred.Program",
        """
        package jarred;
        import org.sparkgpugraph.function.MergeMessage;
        public final class Program {
          static int helper(int a) { return new Pair(a, 2).product(); }
          record Pair(int a, int b) { int product() { return a * b; } }
          public static MergeMessage<Integer> merge(int k) {
            return (a, b) -> helper(a) + b * k;
          }
        }
        """);
    Path jar = directory.resolve("program.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String name : List.of("jarred/Program.class", "jarred/Program$Pair.class")) {
        out.putNextEntry(new JarEntry(name));
        out.write(Files.readAllBytes(directory.resolve(name)));
      }
    }
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {jar.toUri().toURL()}, getClass().getClassLoader())) {
      Class<?> program = Class.forName("jarred.Program", true, loader);
      MergeMessage<Integer> merge =
          (MergeMessage<Integer>) program.getMethod("merge", int.class).invoke(null, 10);
      assertThat(run(merge, 3, 4)).isEqualTo(46);
    }
  }

  @Test
  void shell() {
    fromShell = null;
    try (JShell shell = JShell.builder().executionEngine("local").build()) {
      shell.addToClasspath(System.getProperty("java.class.path"));
      evaluate(shell, "int helper(int a) { return a * 2; }");
      evaluate(shell, "record Pair(int a, int b) { int sum() { return a + b; } }");
      evaluate(shell, "import org.sparkgpugraph.function.MergeMessage;");
      evaluate(
          shell, "MergeMessage<Integer> merge = (a, b) -> helper(a) + new Pair(b, 100).sum();");
      evaluate(shell, getClass().getName() + ".fromShell = merge;");
    }
    assertThat(fromShell).isNotNull();
    assertThat(run(fromShell, 3, 4)).isEqualTo(110);
  }

  private static void evaluate(JShell shell, String code) {
    for (SnippetEvent event : shell.eval(code)) {
      assertThat(event.status())
          .as(code + ": " + shell.diagnostics(event.snippet()).toList())
          .isEqualTo(Snippet.Status.VALID);
      assertThat(event.exception()).as(code).isNull();
    }
  }
}
