package org.sparkgpugraph.frame.draw;

import java.io.IOException;
import java.io.OutputStream;

/** A format of files, all in UTF-8. */
interface DrawingFormat {
  /** Writes a graph; leaves the stream open. */
  void write(DrawnGraph graph, OutputStream out) throws IOException;
}
