package org.sparkgpugraph.frame.draw;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;
import org.sparkgpugraph.frame.draw.DrawnGraph.Attribute;
import org.sparkgpugraph.frame.draw.DrawnGraph.Edge;
import org.sparkgpugraph.frame.draw.DrawnGraph.Vertex;

/**
 * Graphviz' DOT. Columns are in tooltips, which SVG files show: as attributes of their own names
 * they could be taken for Graphviz'.
 */
final class Dot implements DrawingFormat {

  @Override
  public void write(DrawnGraph graph, OutputStream out) throws IOException {
    StringBuilder text = new StringBuilder("digraph {\n");
    for (Vertex vertex : graph.vertices()) {
      text.append("  ").append(quoted(vertex.id()));
      text.append(" [label=").append(quoted(vertex.id()));
      tooltip(graph.vertexAttributes(), vertex.values(), ", ", text);
      text.append("]\n");
    }
    for (Edge edge : graph.edges()) {
      text.append("  ").append(quoted(edge.source()));
      text.append(" -> ").append(quoted(edge.destination()));
      text.append(" [");
      tooltip(graph.edgeAttributes(), edge.values(), "", text);
      text.append("]\n");
    }
    out.write(text.append("}\n").toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void tooltip(
      List<Attribute> attributes, List<String> values, String before, StringBuilder text) {
    StringJoiner lines = new StringJoiner("\n");
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) != null) {
        lines.add(attributes.get(i).name() + ": " + values.get(i));
      }
    }
    if (lines.length() > 0) {
      text.append(before).append("tooltip=").append(quoted(lines.toString()));
    }
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("\r", "\\r")
            .replace("\n", "\\n")
            .replace("\0", "\uFFFD")
        + '"';
  }
}
