package org.sparkgpugraph.program.lift;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles Java source while a test runs. */
final class RuntimeCompiler {
  private RuntimeCompiler() {}

  /**
   * Compiles one class into a directory and loads it there, in a class loader of its own.
   *
   * @param name qualified name of the class
   */
  static Class<?> compile(Path directory, String name, String source)
      throws IOException, ClassNotFoundException {
    Path file = directory.resolve(name.replace('.', '/') + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    boolean ok =
        compiler
            .getTask(
                messages,
                null,
                null,
                List.of(
                    "-d",
                    directory.toString(),
                    "-g",
                    "-nowarn",
                    "-proc:none",
                    "-cp",
                    System.getProperty("java.class.path")),
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file.toFile()))
            .call();
    if (!ok) {
      throw new IllegalStateException(messages + "\n" + source);
    }
    URLClassLoader loader =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()}, RuntimeCompiler.class.getClassLoader());
    return Class.forName(name, true, loader);
  }
}
