package org.sparkgpugraph.engine.cuda;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for a compiler where CUDA toolkits put theirs. Remembers where it looked and why what it
 * found was of no use, for the message when there is none.
 */
final class CompilerSearch {
  private static final Logger LOG = LoggerFactory.getLogger(CompilerSearch.class);

  /** Newest first; a bare name last, which may be of any version. */
  private static final List<String> NAMES =
      List.of("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so");

  private static final List<String> LIBRARY_FOLDERS =
      List.of("lib64", "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu", "lib");

  private final Map<String, String> environment;
  private final Path toolkits;
  private final int driverVersion;
  private final List<String> notes = new ArrayList<>();

  /**
   * @param environment of the process
   * @param toolkits folder with {@code cuda}, {@code cuda-13.0}, …: {@code /usr/local}
   * @param driverVersion CUDA version of the driver, 13000 for 13.0
   */
  CompilerSearch(Map<String, String> environment, Path toolkits, int driverVersion) {
    this.environment = environment;
    this.toolkits = toolkits;
    this.driverVersion = driverVersion;
  }

  /**
   * NVRTC, then nvcc. Of several NVRTC the first whose major version the driver has: the driver
   * refuses what a newer one makes; any other after that.
   *
   * @param explicit a library that the user named; no other is taken then
   */
  Optional<KernelCompiler> find(Optional<Path> explicit) {
    if (explicit.isPresent()) {
      return nvrtc(explicit.get()).map(KernelCompiler.class::cast);
    }
    Nvrtc tooNew = null;
    for (Path file : candidates()) {
      Optional<Nvrtc> nvrtc = nvrtc(file);
      if (nvrtc.isPresent()) {
        if (nvrtc.get().number() / 1000 <= driverVersion / 1000) {
          return Optional.of(nvrtc.get());
        }
        tooNew = tooNew == null ? nvrtc.get() : tooNew;
      }
    }
    if (tooNew != null) {
      LOG.warn(
          "{} is newer than the driver (CUDA {}), which may refuse what it compiles",
          tooNew.version(),
          CudaDriver.text(driverVersion));
      return Optional.of(tooNew);
    }
    return nvcc();
  }

  /** Where it looked, and what was wrong with what was there. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  private Optional<Nvrtc> nvrtc(Path file) {
    if (!Files.isRegularFile(file)) {
      notes.add("no file " + file);
      return Optional.empty();
    }
    try {
      Nvrtc nvrtc = Nvrtc.load(file);
      LOG.debug("{} is {}", file, nvrtc.version());
      return Optional.of(nvrtc);
    } catch (LinkageError e) {
      notes.add(file + " cannot be loaded: " + e.getMessage());
      return Optional.empty();
    }
  }

  private List<Path> candidates() {
    List<Path> found = new ArrayList<>();
    List<Path> folders = libraryFolders();
    for (String name : NAMES) {
      for (Path folder : folders) {
        Path file = folder.resolve(name);
        if (Files.isRegularFile(file)) {
          found.add(file);
        }
      }
    }
    if (found.isEmpty()) {
      notes.add("no libnvrtc.so.13, .12 or .11.2 in " + folders);
    }
    return found;
  }

  private List<Path> libraryFolders() {
    Set<Path> folders = new LinkedHashSet<>();
    for (String path : paths("LD_LIBRARY_PATH")) {
      folders.add(Path.of(path));
    }
    for (Path home : toolkitHomes()) {
      for (String folder : LIBRARY_FOLDERS) {
        if (Files.isDirectory(home.resolve(folder))) {
          folders.add(home.resolve(folder));
        }
      }
    }
    folders.add(Path.of("/usr/lib/x86_64-linux-gnu"));
    folders.add(Path.of("/usr/lib64"));
    return List.copyOf(folders);
  }

  private List<Path> toolkitHomes() {
    Set<Path> homes = new LinkedHashSet<>();
    for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
      String home = environment.get(variable);
      if (home != null && !home.isBlank()) {
        homes.add(Path.of(home));
      }
    }
    homes.add(toolkits.resolve("cuda"));
    List<Path> versions = new ArrayList<>();
    if (Files.isDirectory(toolkits)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(toolkits, "cuda-*")) {
        folders.forEach(versions::add);
      } catch (IOException e) {
        notes.add(toolkits + " cannot be read: " + e);
      }
    }
    versions.sort((a, b) -> b.compareTo(a));
    homes.addAll(versions);
    return List.copyOf(homes);
  }

  private Optional<KernelCompiler> nvcc() {
    Set<Path> folders = new LinkedHashSet<>();
    for (Path home : toolkitHomes()) {
      folders.add(home.resolve("bin"));
    }
    for (String path : paths("PATH")) {
      folders.add(Path.of(path));
    }
    for (Path folder : folders) {
      Path program = folder.resolve("nvcc");
      if (Files.isExecutable(program)) {
        try {
          return Optional.of(Nvcc.at(program));
        } catch (IOException e) {
          notes.add(program + " does not run: " + e.getMessage());
        }
      }
    }
    notes.add("no nvcc that runs in " + folders);
    return Optional.empty();
  }

  private List<String> paths(String variable) {
    String value = environment.getOrDefault(variable, "");
    return Stream.of(value.split(":")).filter(path -> !path.isBlank()).toList();
  }
}
