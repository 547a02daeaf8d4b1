package org.sparkgpugraph.frame.draw;

import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.sparkgpugraph.frame.draw.DrawnGraph.Attribute;
import org.sparkgpugraph.frame.draw.DrawnGraph.Edge;
import org.sparkgpugraph.frame.draw.DrawnGraph.Vertex;

/** GraphML (Brandes and others 2002), which Gephi, Cytoscape, yEd and NetworkX read. */
final class GraphMl extends XmlFormat {

  @Override
  void write(DrawnGraph graph, XMLStreamWriter xml) throws XMLStreamException {
    xml.writeStartElement("graphml");
    xml.writeDefaultNamespace("http://graphml.graphdrawing.org/xmlns");
    keys(graph.vertexAttributes(), "node", xml);
    keys(graph.edgeAttributes(), "edge", xml);
    xml.writeStartElement("graph");
    xml.writeAttribute("edgedefault", "directed");
    for (Vertex vertex : graph.vertices()) {
      xml.writeStartElement("node");
      xml.writeAttribute("id", legal(vertex.id()));
      data(graph.vertexAttributes(), vertex.values(), "node", xml);
      xml.writeEndElement();
    }
    for (Edge edge : graph.edges()) {
      xml.writeStartElement("edge");
      xml.writeAttribute("source", legal(edge.source()));
      xml.writeAttribute("target", legal(edge.destination()));
      data(graph.edgeAttributes(), edge.values(), "edge", xml);
      xml.writeEndElement();
    }
    xml.writeEndElement();
    xml.writeEndElement();
  }

  private static void keys(List<Attribute> attributes, String of, XMLStreamWriter xml)
      throws XMLStreamException {
    for (int i = 0; i < attributes.size(); i++) {
      xml.writeEmptyElement("key");
      xml.writeAttribute("id", of + i);
      xml.writeAttribute("for", of);
      xml.writeAttribute("attr.name", legal(attributes.get(i).name()));
      xml.writeAttribute("attr.type", attributes.get(i).kind().name().toLowerCase(Locale.ROOT));
    }
  }

  private static void data(
      List<Attribute> attributes, List<String> values, String of, XMLStreamWriter xml)
      throws XMLStreamException {
    values(
        attributes,
        values,
        (attribute, position, value) -> {
          xml.writeStartElement("data");
          xml.writeAttribute("key", of + position);
          xml.writeCharacters(value);
          xml.writeEndElement();
        });
  }
}
