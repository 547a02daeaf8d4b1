package org.sparkgpugraph.testing;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;

/** Chromium without a screen. */
public final class Browser {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private final Path program;

  private Browser(Path program) {
    this.program = program;
  }

  /** The one on the PATH, if there is one. */
  public static Optional<Browser> find() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Browser::new);
  }

  /** The page as the browser has understood it. */
  public String dom(String page) throws IOException, InterruptedException {
    return run("--dump-dom", page);
  }

  /** What it looks like. */
  public BufferedImage screenshot(String page, Path png, int width, int height)
      throws IOException, InterruptedException {
    run("--screenshot=" + png, "--window-size=" + width + "," + height, page);
    return ImageIO.read(png.toFile());
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    Path profile = Files.createTempDirectory("chromium");
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--force-device-scale-factor=1",
                "--user-data-dir=" + profile));
    command.addAll(List.of(arguments));
    Path errors = profile.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("chromium failed: " + Files.readString(errors));
    }
    return text;
  }

  /** How many pixels of a picture have about a color. */
  public static int pixels(BufferedImage picture, int rgb) {
    int found = 0;
    for (int y = 0; y < picture.getHeight(); y++) {
      for (int x = 0; x < picture.getWidth(); x++) {
        found += isAbout(picture.getRGB(x, y), rgb) ? 1 : 0;
      }
    }
    return found;
  }

  /** Whether two colors look the same. */
  public static boolean isAbout(int one, int other) {
    for (int shift = 0; shift <= 16; shift += 8) {
      if (Math.abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) > 12) {
        return false;
      }
    }
    return true;
  }
}
