package org.sparkgpugraph.engine.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads JCuda, and the classes that call it, with the native library that lies in JCuda's own jar.
 *
 * <p>Left to itself JCuda unpacks its library to a fixed name in the temporary folder, or takes the
 * file that is there already: two processes that start at once may load half a file, and on a
 * shared host anyone can put a library there for others to load. It asks {@code System.loadLibrary}
 * first, though, which asks the class loader of the calling class: this one, which unpacks to a new
 * folder that only this user can enter, and deletes it as soon as the library is loaded (Linux
 * keeps a mapped file). JCuda's own unpacking finds nothing to unpack. A library belongs to one
 * class loader, so a second copy of this product in the same JVM (another session of a Spark
 * server) loads its own file, too.
 */
final class DriverClassLoader extends ClassLoader {
  private static final Logger LOG = LoggerFactory.getLogger(DriverClassLoader.class);
  private static final String BINDING = "jcuda.";
  private static final String CALLERS = DriverClassLoader.class.getPackageName() + ".driver.";
  private static final String NATIVES = "lib/lib";

  static {
    registerAsParallelCapable();
  }

  private final List<Path> unpacked = new ArrayList<>();

  DriverClassLoader() {
    super("spark-gpu-graph CUDA driver", DriverClassLoader.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(BINDING) && !name.startsWith(CALLERS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = define(name);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(
          name, bytes, 0, bytes.length, DriverClassLoader.class.getProtectionDomain());
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Hides the native libraries from JCuda's own unpacking. */
  @Override
  public URL getResource(String name) {
    return name.startsWith(NATIVES) ? null : super.getResource(name);
  }

  @Override
  protected String findLibrary(String name) {
    String file = System.mapLibraryName(name);
    try (InputStream in = getParent().getResourceAsStream("lib/" + file)) {
      if (in == null) {
        return null;
      }
      Path folder = Files.createTempDirectory("spark-gpu-graph-");
      Path library = folder.resolve(file);
      synchronized (unpacked) {
        unpacked.add(library);
        unpacked.add(folder);
      }
      Files.copy(in, library);
      return library.toString();
    } catch (IOException e) {
      UnsatisfiedLinkError error =
          new UnsatisfiedLinkError(
              file
                  + " cannot be unpacked below java.io.tmpdir ("
                  + System.getProperty("java.io.tmpdir")
                  + "): "
                  + e);
      error.initCause(e);
      throw error;
    }
  }

  /** Deletes what was unpacked; the libraries are loaded by now, or never will be. */
  void deleteUnpacked() {
    synchronized (unpacked) {
      for (Path path : unpacked) {
        try {
          Files.deleteIfExists(path);
        } catch (IOException e) {
          LOG.warn("a temporary file stays behind", e);
        }
      }
      unpacked.clear();
    }
  }
}
