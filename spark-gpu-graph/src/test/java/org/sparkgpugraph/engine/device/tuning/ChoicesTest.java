package org.sparkgpugraph.engine.device.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered, in the process and on disk. */
@Tag("any-spark")
class ChoicesTest {
  private static final ChoiceKey KEY = new ChoiceKey("ab12", TunedPart.ROWS, "v20-d3", "GPU one");
  private static final Choice CHOICE = new Choice("nested-warp+fine", 0.41, 0.63, 7);

  @TempDir private Path folder;

  private Choices choices() {
    return new Choices(Optional.of(folder));
  }

  private Path file() {
    return folder.resolve(ChoiceFile.NAME);
  }

  @Test
  void anotherProcessFindsWhatWasKept() {
    Choices first = choices();
    assertThat(first.find(KEY)).isEmpty();
    first.keep(KEY, CHOICE, true);
    assertThat(first.find(KEY)).contains(CHOICE);
    assertThat(choices().find(KEY)).contains(CHOICE);
  }

  /** Another process of the same time: neither loses what the other has kept before. */
  @Test
  void whatOthersKeptStays() {
    ChoiceKey pushes = new ChoiceKey("ab12", TunedPart.PUSHES, "v20-d3", "GPU one");
    Choices second = choices();
    choices().keep(KEY, CHOICE, true);
    second.keep(pushes, new Choice("fine/shelf", 1, 2, 16), true);
    second.keep(pushes, new Choice("fine", 1, 1, 16), true);
    assertThat(choices().find(KEY)).contains(CHOICE);
    assertThat(choices().find(pushes)).contains(new Choice("fine", 1, 1, 16));
  }

  @Test
  void nothingIsBelievedOfAnotherProgramClassPartOrGpu() {
    choices().keep(KEY, CHOICE, true);
    for (ChoiceKey other :
        List.of(
            new ChoiceKey("ab13", TunedPart.ROWS, "v20-d3", "GPU one"),
            new ChoiceKey("ab12", TunedPart.PUSHES, "v20-d3", "GPU one"),
            new ChoiceKey("ab12", TunedPart.ROWS, "v21-d3", "GPU one"),
            new ChoiceKey("ab12", TunedPart.ROWS, "v20-d3", "GPU two"))) {
      assertThat(choices().find(other)).as("%s", other).isEmpty();
    }
  }

  @Test
  void whatSomeWaysFailedInIsNotForOthers() {
    Choices first = choices();
    first.keep(KEY, CHOICE, false);
    assertThat(first.find(KEY)).contains(CHOICE);
    assertThat(choices().find(KEY)).isEmpty();
    assertThat(new Choices(Optional.empty()).find(KEY)).isEmpty();
  }

  /** Cut, with another byte, of another version, empty, no text: ignored, and written anew. */
  @Test
  void aDamagedFileIsIgnored() throws IOException {
    choices().keep(KEY, CHOICE, true);
    String whole = Files.readString(file());
    for (String damaged :
        List.of(
            whole.substring(0, whole.length() / 2),
            whole.replace("0.41", "0.14"),
            whole.replace(ChoiceFile.HEAD, "spark-gpu-graph choices 2"),
            "",
            "\n\n\n")) {
      Files.writeString(file(), damaged);
      assertThat(choices().find(KEY)).as(damaged).isEmpty();
    }
    Files.write(file(), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
    assertThat(choices().find(KEY)).isEmpty();
    choices().keep(KEY, CHOICE, true);
    assertThat(choices().find(KEY)).contains(CHOICE);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file());
    }
  }

  @Test
  void aFolderThatIsGoneCostsNothingElse() {
    Choices lost = new Choices(Optional.of(folder.resolve("gone")));
    lost.keep(KEY, CHOICE, true);
    assertThat(lost.find(KEY)).contains(CHOICE);
  }

  @Test
  void aTrialGoesOnInTheNextRun() {
    Choices choices = choices();
    Trial trial = choices.trial(KEY, List.of("a", "b"));
    assertThat(choices.trial(KEY, List.of("a", "b"))).isSameAs(trial);
    assertThat(choices.trial(KEY, List.of("a", "c"))).isNotSameAs(trial);
  }
}
