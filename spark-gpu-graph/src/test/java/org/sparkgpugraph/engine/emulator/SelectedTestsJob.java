package org.sparkgpugraph.engine.emulator;

import java.io.PrintWriter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A main class that runs tests: arguments are classes, and methods as {@code Class#method}. */
final class SelectedTestsJob {
  private SelectedTestsJob() {}

  public static void main(String[] arguments) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    for (String argument : arguments) {
      request.selectors(
          argument.contains("#")
              ? DiscoverySelectors.selectMethod(argument)
              : DiscoverySelectors.selectClass(argument));
    }
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request.build(), listener);
    TestExecutionSummary summary = listener.getSummary();
    PrintWriter out = new PrintWriter(System.out);
    summary.printFailuresTo(out);
    out.println(
        "succeeded "
            + summary.getTestsSucceededCount()
            + " failed "
            + summary.getTotalFailureCount()
            + " skipped "
            + (summary.getTestsAbortedCount() + summary.getTestsSkippedCount()));
    out.flush();
    System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1);
  }
}
