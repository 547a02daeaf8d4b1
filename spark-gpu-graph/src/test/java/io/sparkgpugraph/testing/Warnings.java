package io.sparkgpugraph.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The warnings that a class writes to the log, from the making of this to its closing. */
public final class Warnings implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final AbstractAppender appender =
      new AbstractAppender("warnings", null, null, false, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          if (event.getLevel().isMoreSpecificThan(Level.WARN)) {
            lines.add(event.getMessage().getFormattedMessage());
          }
        }
      };

  /**
   * @param of the class that writes them
   */
  public Warnings(Class<?> of) {
    logger = (Logger) LogManager.getLogger(of);
    appender.start();
    logger.addAppender(appender);
  }

  /** Those so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    appender.stop();
  }
}
