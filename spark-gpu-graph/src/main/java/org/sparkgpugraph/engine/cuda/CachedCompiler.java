package org.sparkgpugraph.engine.cuda;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.Digests;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.graphs.memory.PhaseTimes;

/**
 * Compiled kernels from, in this order: machine code that was packaged with the library, this
 * process, the cache on disk, a compiler, PTX that was packaged. One compilation per source and
 * kind of GPU, however many GPUs ask at once.
 */
final class CachedCompiler implements KernelImages {
  private static final Logger LOG = LoggerFactory.getLogger(CachedCompiler.class);
  private static final double NANOS_PER_MILLI = 1e6;

  /** Images that are kept in memory: enough for the GPUs of a process that load one program. */
  private static final int RECENT = 32;

  private static final int LOCKS = 16;

  private final Supplier<Optional<KernelCompiler>> search;
  private final Supplier<List<String>> notes;
  private final Optional<KernelCache> cache;
  private final PrecompiledKernels precompiled;
  private final Map<String, KernelImage> recent =
      Collections.synchronizedMap(
          new LinkedHashMap<>(RECENT, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, KernelImage> eldest) {
              return size() > RECENT;
            }
          });

  /** Of the sources that are being compiled; more than any process does at once. */
  private final Object[] locks = Stream.generate(Object::new).limit(LOCKS).toArray();

  private Optional<KernelCompiler> compiler;

  /**
   * @param search finds a compiler; called when kernels are first needed, and once
   * @param notes where it looked, for the message when there is none
   * @param cache on disk, if there is one
   */
  CachedCompiler(
      Supplier<Optional<KernelCompiler>> search,
      Supplier<List<String>> notes,
      Optional<KernelCache> cache,
      PrecompiledKernels precompiled) {
    this.search = search;
    this.notes = notes;
    this.cache = cache;
    this.precompiled = precompiled;
  }

  /** As the settings say, for a driver. */
  static CachedCompiler of(CudaSettings settings, int driverVersion) {
    CompilerSearch search =
        new CompilerSearch(System.getenv(), Path.of("/usr/local"), driverVersion);
    return new CachedCompiler(
        () -> search.find(settings.nvrtc()),
        search::notes,
        openCache(settings),
        new PrecompiledKernels(CachedCompiler.class.getClassLoader(), driverVersion));
  }

  private static Optional<KernelCache> openCache(CudaSettings settings) {
    if (settings.kernelCacheBytes() == 0) {
      return Optional.empty();
    }
    Path folder = settings.kernelCache().orElseGet(CachedCompiler::defaultFolder);
    try {
      return Optional.of(new KernelCache(folder, settings.kernelCacheBytes()));
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn(
          "compiled kernels are not kept on disk: {} ({} names another folder)",
          e.getMessage(),
          CudaSettings.KERNEL_CACHE_KEY);
      return Optional.empty();
    }
  }

  /**
   * Where compiled kernels are kept when nobody says where: in the user's cache folder, or below
   * the temporary folder for a user without a home (containers).
   */
  private static Path defaultFolder() {
    String cache = System.getenv("XDG_CACHE_HOME");
    if (cache != null && Path.of(cache).isAbsolute()) {
      return Path.of(cache, "spark-gpu-graph", "kernels");
    }
    Path home = Path.of(System.getProperty("user.home", ""));
    if (home.isAbsolute() && home.getNameCount() > 0 && Files.isWritable(home)) {
      return home.resolve(Path.of(".cache", "spark-gpu-graph", "kernels"));
    }
    return Path.of(
        System.getProperty("java.io.tmpdir"),
        "spark-gpu-graph-kernels-" + System.getProperty("user.name"));
  }

  @Override
  public KernelImage image(KernelSource source, int architecture) {
    Optional<KernelImage> ahead = precompiled.code(source, architecture);
    if (ahead.isPresent()) {
      LOG.debug("kernels of {} were compiled ahead", source.name());
      return ahead.get();
    }
    Optional<KernelCompiler> found = compiler();
    if (found.isEmpty()) {
      return precompiled.find(source).orElseThrow(() -> unavailable(source));
    }
    CompilerTarget target = found.get().target(architecture);
    String key = key(source, found.get(), target);
    synchronized (locks[Math.floorMod(key.hashCode(), LOCKS)]) {
      KernelImage image = recent.get(key);
      if (image == null) {
        image = load(key, source, found.get(), target);
        recent.put(key, image);
      }
      return image;
    }
  }

  @Override
  public Optional<Path> folder() {
    return cache.map(KernelCache::folder);
  }

  private synchronized Optional<KernelCompiler> compiler() {
    if (compiler != null) {
      return compiler;
    }
    long start = System.nanoTime();
    Optional<KernelCompiler> found = search.get();
    PhaseTimes.ended("GPU: search for a compiler", start);
    if (found.isPresent() || !Thread.currentThread().isInterrupted()) {
      compiler = found; // a search that the end of its task cut short says nothing
    }
    return found;
  }

  /** Everything that decides the image; the parts' lengths keep them apart. */
  private static String key(KernelSource source, KernelCompiler compiler, CompilerTarget target) {
    MessageDigest digest = Digests.sha256();
    for (String part :
        List.of(
            source.text(),
            compiler.options().toString(),
            compiler.version(),
            target.architecture())) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
      digest.update(bytes);
    }
    return Digests.hex(digest.digest());
  }

  private KernelImage load(
      String key, KernelSource source, KernelCompiler found, CompilerTarget target) {
    Optional<KernelImage> kept = cache.flatMap(disk -> disk.find(key));
    if (kept.isPresent()) {
      LOG.debug("kernels of {} come from the cache", source.name());
      return kept.get();
    }
    long start = System.nanoTime();
    KernelImage image =
        new KernelImage(target.format(), found.compile(source, target), found.version());
    PhaseTimes.ended("GPU: compilation", start);
    LOG.info(
        "{} compiled the kernels of {} for {} in {} ms",
        found.version(),
        source.name(),
        target.architecture(),
        Math.round((System.nanoTime() - start) / NANOS_PER_MILLI));
    cache.ifPresent(disk -> disk.keep(key, image));
    return image;
  }

  private CompilerUnavailableException unavailable(KernelSource source) {
    return new CompilerUnavailableException(
        "the kernels of "
            + source.name()
            + " have to be compiled, but no compiler was found ("
            + String.join("; ", notes.get())
            + ") and they were not packaged with the library ("
            + PrecompiledKernels.resource(source)
            + "); install NVRTC (the package cuda-nvrtc of the driver's CUDA version, or"
            + " libnvrtc with CUDA_HOME or LD_LIBRARY_PATH set), or name its file with "
            + CudaSettings.NVRTC_KEY);
  }
}
