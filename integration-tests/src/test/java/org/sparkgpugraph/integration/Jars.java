package org.sparkgpugraph.integration;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Makes and reads jars. */
final class Jars {
  private Jars() {}

  /** The names of all files in a jar. */
  static List<String> files(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().filter(e -> !e.isDirectory()).map(JarEntry::getName).toList();
    }
  }

  /** Packs a directory of classes. */
  static Path ofDirectory(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> walk = Files.walk(classes)) {
      for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, entries);
      }
    }
    return jar;
  }

  /** Packs one class of the tests, with its inner classes, and nothing else. */
  static Path ofClass(Class<?> type, Path jar) throws IOException {
    Path folder = Files.createTempDirectory(jar.toAbsolutePath().getParent(), "classes");
    String name = type.getName().replace('.', '/');
    Path root;
    try {
      root = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no path leads to " + type, e);
    }
    Path target = Files.createDirectories(folder.resolve(name).getParent());
    Pattern own = Pattern.compile(Pattern.quote(type.getSimpleName()) + "(\\$.*)?\\.class");
    try (Stream<Path> files = Files.list(root.resolve(name).getParent())) {
      for (Path file : files.toList()) {
        if (own.matcher(file.getFileName().toString()).matches()) {
          Files.copy(file, target.resolve(file.getFileName()));
        }
      }
    }
    return ofDirectory(folder, jar);
  }

  /** Compiles one class against this test's class path and packs it. */
  static Path compiled(Path scratch, String className, String source) throws IOException {
    Path file = scratch.resolve("src").resolve(className.replace('.', '/') + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, source);
    Path classes = Files.createDirectories(scratch.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    int status =
        compiler.run(
            null,
            null,
            null,
            "-proc:none",
            "-cp",
            classPath,
            "-d",
            classes.toString(),
            file.toString());
    if (status != 0) {
      throw new IllegalArgumentException(className + " does not compile; see above");
    }
    return ofDirectory(classes, scratch.resolve("user.jar"));
  }
}
