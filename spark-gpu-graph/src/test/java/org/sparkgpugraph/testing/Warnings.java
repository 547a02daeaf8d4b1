package org.sparkgpugraph.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a class writes to the log, from the making of this to its closing: its warnings. */
public final class Warnings implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level before;
  private final Level least;
  private final AbstractAppender appender =
      new AbstractAppender("warnings", null, null, false, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          if (event.getLevel().isMoreSpecificThan(least)) {
            lines.add(event.getMessage().getFormattedMessage());
          }
        }
      };

  /**
   * @param of the class that writes them
   */
  public Warnings(Class<?> of) {
    this(of, Level.WARN);
  }

  /**
   * Of less important lines too.
   *
   * @param least the least important ones
   */
  public Warnings(Class<?> of, Level least) {
    this.least = least;
    logger = (Logger) LogManager.getLogger(of);
    before = logger.getLevel();
    appender.start();
    logger.addAppender(appender);
    // An appender brings a configuration of its own, with the level of all.
    if (!before.isLessSpecificThan(least)) {
      logger.setLevel(least);
    }
  }

  /** Those so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    logger.setLevel(before);
    appender.stop();
  }
}
