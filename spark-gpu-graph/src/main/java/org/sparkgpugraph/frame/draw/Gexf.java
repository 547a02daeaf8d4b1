package org.sparkgpugraph.frame.draw;

import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.sparkgpugraph.frame.draw.DrawnGraph.Attribute;
import org.sparkgpugraph.frame.draw.DrawnGraph.Edge;
import org.sparkgpugraph.frame.draw.DrawnGraph.Kind;
import org.sparkgpugraph.frame.draw.DrawnGraph.Vertex;

/**
 * GEXF 1.3, Gephi's own format. A column {@code weight} of numbers is the weight of the edges, by
 * which Gephi draws their width.
 */
final class Gexf extends XmlFormat {
  private static final String WEIGHT = "weight";

  @Override
  void write(DrawnGraph graph, XMLStreamWriter xml) throws XMLStreamException {
    xml.writeStartElement("gexf");
    xml.writeDefaultNamespace("http://gexf.net/1.3");
    xml.writeAttribute("version", "1.3");
    xml.writeStartElement("graph");
    xml.writeAttribute("defaultedgetype", "directed");
    attributes(graph.vertexAttributes(), "node", xml);
    attributes(graph.edgeAttributes(), "edge", xml);
    xml.writeStartElement("nodes");
    for (Vertex vertex : graph.vertices()) {
      xml.writeStartElement("node");
      xml.writeAttribute("id", legal(vertex.id()));
      xml.writeAttribute("label", legal(vertex.id()));
      values(graph.vertexAttributes(), vertex.values(), xml);
      xml.writeEndElement();
    }
    xml.writeEndElement();
    xml.writeStartElement("edges");
    for (int i = 0; i < graph.edges().size(); i++) {
      edge(graph, i, xml);
    }
    xml.writeEndElement();
    xml.writeEndElement();
    xml.writeEndElement();
  }

  private static void edge(DrawnGraph graph, int position, XMLStreamWriter xml)
      throws XMLStreamException {
    Edge edge = graph.edges().get(position);
    xml.writeStartElement("edge");
    xml.writeAttribute("id", String.valueOf(position));
    xml.writeAttribute("source", legal(edge.source()));
    xml.writeAttribute("target", legal(edge.destination()));
    for (int i = 0; i < edge.values().size(); i++) {
      if (isWeight(graph.edgeAttributes().get(i)) && edge.values().get(i) != null) {
        xml.writeAttribute(WEIGHT, edge.values().get(i));
      }
    }
    values(graph.edgeAttributes(), edge.values(), xml);
    xml.writeEndElement();
  }

  private static boolean isWeight(Attribute attribute) {
    return attribute.name().equals(WEIGHT)
        && attribute.kind() != Kind.STRING
        && attribute.kind() != Kind.BOOLEAN;
  }

  private static void attributes(List<Attribute> attributes, String of, XMLStreamWriter xml)
      throws XMLStreamException {
    if (attributes.isEmpty()) {
      return;
    }
    xml.writeStartElement("attributes");
    xml.writeAttribute("class", of);
    for (int i = 0; i < attributes.size(); i++) {
      xml.writeEmptyElement("attribute");
      xml.writeAttribute("id", String.valueOf(i));
      xml.writeAttribute("title", legal(attributes.get(i).name()));
      xml.writeAttribute("type", type(attributes.get(i).kind()));
    }
    xml.writeEndElement();
  }

  private static String type(Kind kind) {
    return kind == Kind.INT ? "integer" : kind.name().toLowerCase(Locale.ROOT);
  }

  private static void values(List<Attribute> attributes, List<String> values, XMLStreamWriter xml)
      throws XMLStreamException {
    if (values.stream().allMatch(value -> value == null)) {
      return;
    }
    xml.writeStartElement("attvalues");
    values(
        attributes,
        values,
        (attribute, position, value) -> {
          xml.writeEmptyElement("attvalue");
          xml.writeAttribute("for", String.valueOf(position));
          xml.writeAttribute("value", value);
        });
    xml.writeEndElement();
  }
}
