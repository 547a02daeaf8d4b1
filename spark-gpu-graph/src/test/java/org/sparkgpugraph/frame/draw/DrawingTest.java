package org.sparkgpugraph.frame.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.frame.Missing;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.testing.SharedSpark;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Graphs as files that other programs draw, read back by the JDK's parser. */
@Tag("any-spark")
class DrawingTest {
  /** Everything that markup and quotes could break. */
  private static final String WILD = "<b> & \"q\" 'a' \\ ]]> é 😀";

  @TempDir Path folder;

  private static Dataset<Row> table(String sql) {
    SharedSpark.context();
    return SparkSession.builder().getOrCreate().sql(sql);
  }

  private static PropertyGraph graph() {
    Dataset<Row> vertices =
        table(
                "select 'a' as id, 30 as age, 1.5D as score, 2.5F as part, true as active,"
                    + " 5000000000L as big, 'x' as name, array(1, 2) as list, date'2026-01-02' as day,"
                    + " X'CAFE' as raw union all select 'b', null, double('NaN'), null, false, -1L,"
                    + " 'y', null, null, null union all select 'wild', 1, 0D, 0F, null, 0L, 'z', null,"
                    + " null, null")
            .withColumn(
                "id",
                functions
                    .when(functions.col("id").equalTo("wild"), WILD)
                    .otherwise(functions.col("id")))
            .withColumn(
                "name", functions.concat(functions.col("name"), functions.lit("\n\u0001" + WILD)));
    Dataset<Row> edges =
        table("select 'a' as src, 'b' as dst, 0.5D as weight union all select 'b', 'wild', null")
            .withColumn(
                "dst",
                functions
                    .when(functions.col("dst").equalTo("wild"), WILD)
                    .otherwise(functions.col("dst")));
    return PropertyGraph.of(vertices, edges);
  }

  private Document parsed(String file) throws Exception {
    DocumentBuilderFactory parsers = DocumentBuilderFactory.newInstance();
    parsers.setNamespaceAware(true);
    return parsers.newDocumentBuilder().parse(folder.resolve(file).toFile());
  }

  private static List<Element> all(Document document, String name) {
    NodeList found = document.getElementsByTagNameNS("*", name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> elements = new ArrayList<>();
    NodeList found = parent.getElementsByTagNameNS("*", name);
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  @Test
  void graphMl() throws Exception {
    graph().draw().graphMl(folder.resolve("g.graphml").toString());
    Document read = parsed("g.graphml");
    assertThat(read.getDocumentElement().getNamespaceURI())
        .isEqualTo("http://graphml.graphdrawing.org/xmlns");
    assertThat(((Element) all(read, "graph").get(0)).getAttribute("edgedefault"))
        .isEqualTo("directed");
    Map<String, String> names = new TreeMap<>();
    List<String> types = new ArrayList<>();
    for (Element key : all(read, "key")) {
      names.put(key.getAttribute("id"), key.getAttribute("attr.name"));
      types.add(
          key.getAttribute("for")
              + " "
              + key.getAttribute("attr.name")
              + " "
              + key.getAttribute("attr.type"));
    }
    assertThat(types)
        .containsExactly(
            "node age int",
            "node score double",
            "node part float",
            "node active boolean",
            "node big long",
            "node name string",
            "node list string",
            "node day string",
            "node raw string",
            "edge weight double");
    Map<String, Map<String, String>> vertices = new TreeMap<>();
    for (Element node : all(read, "node")) {
      Map<String, String> data = new TreeMap<>();
      for (Element value : children(node, "data")) {
        data.put(names.get(value.getAttribute("key")), value.getTextContent());
      }
      vertices.put(node.getAttribute("id"), data);
    }
    assertThat(vertices).containsOnlyKeys("a", "b", WILD);
    assertThat(vertices.get("a"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "age", "30",
                "score", "1.5",
                "part", "2.5",
                "active", "true",
                "big", "5000000000",
                "name", "x\n\uFFFD" + WILD,
                "list", "[1,2]",
                "day", "2026-01-02",
                "raw", "CAFE"));
    assertThat(vertices.get("b")).containsEntry("score", "NaN").doesNotContainKeys("age", "list");
    List<String> edges =
        all(read, "edge").stream()
            .map(
                edge ->
                    edge.getAttribute("source")
                        + " "
                        + edge.getAttribute("target")
                        + " "
                        + edge.getTextContent())
            .toList();
    assertThat(edges).containsExactlyInAnyOrder("a b 0.5", "b " + WILD + " ");
  }

  @Test
  void gexf() throws Exception {
    graph().draw().gexf(folder.resolve("g.gexf").toString());
    Document read = parsed("g.gexf");
    assertThat(read.getDocumentElement().getAttribute("version")).isEqualTo("1.3");
    assertThat(
            all(read, "attribute").stream()
                .map(a -> a.getAttribute("title") + " " + a.getAttribute("type"))
                .toList())
        .contains("age integer", "big long", "score double", "active boolean", "name string")
        .endsWith("weight double");
    Map<String, Element> nodes = new TreeMap<>();
    all(read, "node").forEach(node -> nodes.put(node.getAttribute("id"), node));
    assertThat(nodes).containsOnlyKeys("a", "b", WILD);
    assertThat(nodes.get(WILD).getAttribute("label")).isEqualTo(WILD);
    assertThat(
            children(nodes.get("a"), "attvalue").stream()
                .map(value -> value.getAttribute("for") + "=" + value.getAttribute("value"))
                .toList())
        .contains("0=30", "1=1.5", "3=true", "8=CAFE")
        .anyMatch(value -> value.endsWith(WILD));
    List<String> edges =
        all(read, "edge").stream()
            .map(
                edge ->
                    edge.getAttribute("source")
                        + " "
                        + edge.getAttribute("target")
                        + " "
                        + edge.getAttribute("weight"))
            .toList();
    assertThat(edges).containsExactlyInAnyOrder("a b 0.5", "b " + WILD + " ");
    assertThat(all(read, "edge").stream().map(edge -> edge.getAttribute("id")))
        .doesNotHaveDuplicates();
  }

  @Test
  void dotOfANeighbourhood() throws Exception {
    Dataset<Row> path =
        table("select concat('v', id) as src, concat('v', id + 1) as dst from range(10)");
    PropertyGraph line = PropertyGraph.ofEdges(path);
    line.draw().around(2, "v4").dot(folder.resolve("near.dot").toString());
    assertThat(Files.readString(folder.resolve("near.dot")).lines().sorted())
        .containsExactly(
            "  \"v2\" -> \"v3\" []",
            "  \"v2\" [label=\"v2\"]",
            "  \"v3\" -> \"v4\" []",
            "  \"v3\" [label=\"v3\"]",
            "  \"v4\" -> \"v5\" []",
            "  \"v4\" [label=\"v4\"]",
            "  \"v5\" -> \"v6\" []",
            "  \"v5\" [label=\"v5\"]",
            "  \"v6\" [label=\"v6\"]",
            "digraph {",
            "}");
    line.draw().around(0, "v4", "v5").dot(folder.resolve("two.dot").toString());
    assertThat(Files.readString(folder.resolve("two.dot"))).contains("\"v4\" -> \"v5\"");
    graph().draw().dot(folder.resolve("wild.dot").toString());
    assertThat(Files.readString(folder.resolve("wild.dot")))
        .contains("\"<b> & \\\"q\\\" 'a' \\\\ ]]> é 😀\" [label=")
        .contains("tooltip=\"age: 30\\nscore: 1.5\\n")
        .contains("\"a\" -> \"b\" [tooltip=\"weight: 0.5\"]");
  }

  @Test
  void idsOfOtherTypes() throws Exception {
    Dataset<Row> edges = table("select 1 as src, 2L as dst union all select 2, 3L");
    PropertyGraph.ofEdges(edges).draw().around(1, 1).dot(folder.resolve("ints.dot").toString());
    assertThat(Files.readString(folder.resolve("ints.dot")))
        .contains("\"1\" -> \"2\"")
        .doesNotContain("3");
    Dataset<Row> pairs =
        table("select struct(1 as a, 'x' as b) as src, struct(2 as a, 'y' as b) as dst");
    PropertyGraph.ofEdges(pairs).draw().graphMl(folder.resolve("pairs.graphml").toString());
    assertThat(all(parsed("pairs.graphml"), "node").stream().map(node -> node.getAttribute("id")))
        .containsExactlyInAnyOrder("{\"a\":1,\"b\":\"x\"}", "{\"a\":2,\"b\":\"y\"}");
  }

  @Test
  void edgesWithoutVertices() throws Exception {
    Dataset<Row> vertices = table("select 'a' as id, 1 as age union all select 'b', 2");
    Dataset<Row> edges = table("select 'a' as src, 'b' as dst union all select 'b', 'c'");
    PropertyGraph graph = PropertyGraph.of(vertices, edges);
    String path = folder.resolve("g.graphml").toString();
    assertThatThrownBy(() -> graph.draw().graphMl(path))
        .hasMessage(
            "c is the end of an edge, but no vertex: use missing(Missing.ADD) or"
                + " missing(Missing.DROP) of the graph");
    assertThat(Path.of(path)).doesNotExist();
    graph.missing(Missing.ADD).draw().graphMl(path);
    assertThat(all(parsed("g.graphml"), "node")).hasSize(3);
    assertThat(all(parsed("g.graphml"), "edge")).hasSize(2);
    assertThatThrownBy(() -> graph.missing(Missing.DROP).draw().graphMl(path))
        .hasMessage(path + " exists already: give another path or remove it");
    graph.missing(Missing.DROP).draw().graphMl(path + "2");
    assertThat(all(parsed("g.graphml2"), "edge")).hasSize(1);
  }

  @Test
  void refusesWhatIsTooLargeOrNotThere() {
    Dataset<Row> star = table("select 0L as src, id as dst from range(1, 30)");
    PropertyGraph graph = PropertyGraph.ofEdges(star);
    String path = folder.resolve("star.dot").toString();
    String more =
        ", which nobody could tell apart: draw a part, by around(hops, ids) or filterVertices and"
            + " filterEdges of the graph, or set limit";
    assertThatThrownBy(() -> graph.draw().limit(20).dot(path))
        .hasMessage("there are more than 20 vertices" + more);
    assertThatThrownBy(() -> graph.draw().limit(20).around(1, 0).dot(path))
        .hasMessage("there are more than 20 vertices" + more);
    assertThatThrownBy(
            () ->
                PropertyGraph.ofEdges(table("select 1 as src, 2 as dst from range(21)"))
                    .draw()
                    .limit(2)
                    .dot(path))
        .hasMessage("there are more than 20 edges" + more);
    assertThatThrownBy(() -> graph.draw().around(1, 77).dot(path))
        .hasMessage("77 is no vertex, so nothing is around it");
    assertThatThrownBy(() -> graph.draw().around(1, "zero").dot(path))
        .hasMessage("zero is no vertex, whose ids are of type bigint");
    assertThatThrownBy(() -> graph.draw().around(-1, 0)).hasMessageContaining("hops are -1");
    assertThatThrownBy(() -> graph.draw().around(1)).hasMessageContaining("no id is given");
    assertThatThrownBy(() -> graph.draw().limit(0)).hasMessageContaining("limit is 0");
    Dataset<Row> doubled = table("select 1 as id union all select 1");
    Dataset<Row> edge = table("select 1 as src, 1 as dst");
    assertThatThrownBy(() -> PropertyGraph.of(doubled, edge).draw().dot(path))
        .hasMessage("two vertices have the id 1: ids are unique");
    assertThatThrownBy(
            () ->
                PropertyGraph.of(
                        edge.selectExpr("src as id"), table("select 1 as src, int(null) as dst"))
                    .draw()
                    .dot(path))
        .hasMessage("column 'dst' of the edges is null in [1,null]: filter such rows out");
    assertThat(Path.of(path)).doesNotExist();
  }
}
