package org.sparkgpugraph.frame.draw;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.sparkgpugraph.frame.draw.DrawnGraph.Attribute;

/** What the formats in XML have in common. */
abstract class XmlFormat implements DrawingFormat {
  /** What stands in the place of characters that XML does not have. */
  private static final int REPLACEMENT = 0xFFFD;

  @Override
  public final void write(DrawnGraph graph, OutputStream out) throws IOException {
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out, "UTF-8");
      xml.writeStartDocument("UTF-8", "1.0");
      write(graph, xml);
      xml.writeEndDocument();
      xml.flush();
    } catch (XMLStreamException e) {
      throw new IOException("writing XML", e);
    }
  }

  /** Writes the root element. */
  abstract void write(DrawnGraph graph, XMLStreamWriter xml) throws XMLStreamException;

  /** Writes what a vertex or an edge has of its attributes. */
  interface Value {
    void write(Attribute attribute, int position, String value) throws XMLStreamException;
  }

  /** Leaves out what is null. */
  static void values(List<Attribute> attributes, List<String> values, Value each)
      throws XMLStreamException {
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) != null) {
        each.write(attributes.get(i), i, legal(values.get(i)));
      }
    }
  }

  /** A text without characters that XML does not have, which no escape can tell. */
  static String legal(String text) {
    return text.codePoints().allMatch(XmlFormat::isLegal)
        ? text
        : text.codePoints()
            .map(c -> isLegal(c) ? c : REPLACEMENT)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
  }

  private static boolean isLegal(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || c >= 0x20 && c <= 0xD7FF
        || c >= 0xE000 && c <= 0xFFFD
        || c >= 0x10000;
  }
}
