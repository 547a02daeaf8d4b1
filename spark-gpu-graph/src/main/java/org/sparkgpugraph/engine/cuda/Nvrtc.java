package org.sparkgpugraph.engine.cuda;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.KernelSource;

/** NVIDIA's run-time compiler, of whichever CUDA version is installed. Needs no GPU. */
final class Nvrtc implements KernelCompiler {
  private static final Logger LOG = LoggerFactory.getLogger(Nvrtc.class);
  private static final int COMPILATION_FAILED = 6;

  /** A minute is more than any program took. */
  private static final BeforeExit EXIT = BeforeExit.ofThisProcess(Duration.ofMinutes(1));

  /** RTLD_LAZY alone: another library's NVRTC in this process keeps its own functions. */
  private static final Map<String, Object> LOCAL = Map.of(Library.OPTION_OPEN_FLAGS, 1);

  private final NvrtcLibrary library;
  private final int major;
  private final int minor;
  private final List<Integer> known;

  /** Held here: JNA unloads what nobody refers to. */
  private final List<NativeLibrary> builtins = new ArrayList<>();

  private Nvrtc(NvrtcLibrary library) {
    this.library = library;
    IntByReference majorNumber = new IntByReference();
    IntByReference minorNumber = new IntByReference();
    check(library.nvrtcVersion(majorNumber, minorNumber), "query of NVRTC's version");
    major = majorNumber.getValue();
    minor = minorNumber.getValue();
    known = knownArchitectures();
  }

  /**
   * Loads a library.
   *
   * @param file its path
   * @throws LinkageError when it cannot be loaded or is not NVRTC
   */
  static Nvrtc load(Path file) {
    Nvrtc nvrtc = new Nvrtc(Native.load(file.toString(), NvrtcLibrary.class, LOCAL));
    nvrtc.preloadBuiltins(file.toAbsolutePath().getParent());
    return nvrtc;
  }

  /**
   * NVRTC opens a second library by its bare name when it compiles. Loaded from NVRTC's own folder
   * before, it is found wherever that is. It carries the version that NVRTC tells, which the names
   * of NVRTC's own files need not: CUDA 11.2 to 11.8 all have a {@code libnvrtc.so.11.2}.
   */
  private void preloadBuiltins(Path folder) {
    String name = "libnvrtc-builtins.so." + major + "." + minor;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, name + "{,.*}")) {
      for (Path path : files) {
        builtins.add(NativeLibrary.getInstance(path.toString(), LOCAL));
      }
    } catch (IOException | UnsatisfiedLinkError e) {
      LOG.debug("{} in {} is not loaded ahead", name, folder, e);
    }
  }

  /** Before CUDA 11.2 it cannot tell. */
  private List<Integer> knownArchitectures() {
    IntByReference count = new IntByReference();
    try {
      check(library.nvrtcGetNumSupportedArchs(count), "query of NVRTC's architectures");
      int[] architectures = new int[count.getValue()];
      check(library.nvrtcGetSupportedArchs(architectures), "query of NVRTC's architectures");
      return Arrays.stream(architectures).boxed().toList();
    } catch (UnsatisfiedLinkError e) {
      LOG.debug("{} does not tell which GPUs it knows", version(), e);
      return List.of();
    }
  }

  /** CUDA version as the driver counts them: 13000 for 13.0. */
  int number() {
    return 1000 * major + 10 * minor;
  }

  @Override
  public String version() {
    return "NVRTC " + major + "." + minor;
  }

  @Override
  public List<String> options() {
    return KernelCompiler.options(major);
  }

  @Override
  public CompilerTarget target(int architecture) {
    return CompilerTarget.of(architecture, known);
  }

  @Override
  public byte[] compile(KernelSource source, CompilerTarget target) {
    return EXIT.run("compilation of " + source.name(), () -> compileHere(source, target));
  }

  private byte[] compileHere(KernelSource source, CompilerTarget target) {
    PointerByReference handle = new PointerByReference();
    byte[] text = Native.toByteArray(source.text(), StandardCharsets.UTF_8);
    check(
        library.nvrtcCreateProgram(handle, text, "kernels.cu", 0, null, null),
        "NVRTC's reading of " + source.name());
    try {
      return compile(handle.getValue(), source, target);
    } finally {
      check(library.nvrtcDestroyProgram(handle), "closing a program of NVRTC");
    }
  }

  private byte[] compile(Pointer program, KernelSource source, CompilerTarget target) {
    List<String> options = new ArrayList<>();
    options.add("--gpu-architecture=" + target.architecture());
    options.addAll(options());
    int result =
        library.nvrtcCompileProgram(
            program, options.size(), new StringArray(options.toArray(String[]::new)));
    String log = log(program);
    if (result == COMPILATION_FAILED) {
      throw new KernelCompilationException(version() + " " + options, source, log);
    }
    check(result, "compilation of " + source.name() + " with " + options + (": " + log).strip());
    if (!log.isBlank()) {
      LOG.debug("{} about {}: {}", version(), source.name(), log);
    }
    LongByReference size = new LongByReference();
    if (target.format() == KernelImage.Format.CUBIN) {
      check(library.nvrtcGetCUBINSize(program, size), "query of the machine code");
      byte[] cubin = new byte[Math.toIntExact(size.getValue())];
      check(library.nvrtcGetCUBIN(program, cubin), "reading of the machine code");
      return cubin;
    }
    check(library.nvrtcGetPTXSize(program, size), "query of the PTX");
    byte[] ptx = new byte[Math.toIntExact(size.getValue())];
    check(library.nvrtcGetPTX(program, ptx), "reading of the PTX");
    return Arrays.copyOf(ptx, Math.max(ptx.length - 1, 0)); // without its terminating zero
  }

  private String log(Pointer program) {
    LongByReference size = new LongByReference();
    check(library.nvrtcGetProgramLogSize(program, size), "query of the compiler's log");
    byte[] log = new byte[Math.toIntExact(Math.max(size.getValue(), 1))];
    check(library.nvrtcGetProgramLog(program, log), "reading of the compiler's log");
    return Native.toString(log, StandardCharsets.UTF_8);
  }

  private void check(int result, String operation) {
    if (result != 0) {
      throw new DeviceException(operation, library.nvrtcGetErrorString(result), "");
    }
  }
}
