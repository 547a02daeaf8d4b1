package org.sparkgpugraph.examples.command;

import picocli.CommandLine.Option;

/** What every command takes, at the end of its help. */
public final class CommonOptions {
  @Option(names = "--stacktrace", description = "Print the stack trace of an error.")
  private boolean stacktrace;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  /** Whether the stack trace of an error is wanted. */
  public boolean stacktrace() {
    return stacktrace;
  }
}
