package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Algorithms in SQL over Spark Connect: a server with our jar, and a client in another JVM that has
 * none of ours: Spark's own client on the line of Spark 4.0, on that of 3.5 what a client in any
 * language does, plans sent by gRPC.
 */
class SparkConnectTest {
  private static final String LOCALHOST = "127.0.0.1";

  private static final String CLIENT =
      """
      import org.apache.spark.sql.*;
      var spark = SparkSession.builder().remote("sc://127.0.0.1:PORT").getOrCreate();
      System.out.println(spark.getClass())
      spark.sql("select * from values ('a', 'b'), ('b', 'c'), ('d', 'd') as t(src, dst)").createOrReplaceTempView("edges")
      void rows(Dataset<Row> table) { System.out.println("rows " + table.collectAsList()); }
      void failed(String sql) { try { spark.sql(sql).collect(); } catch (Exception e) { System.out.println(e.getMessage()); } }
      rows(spark.sql("select id, hops from hops('edges', source => 'a') order by id"))
      rows(spark.sql("select id from hops('edges', source => :who) where hops = 1", Map.of("who", (Object) "a")))
      rows(spark.sql("select * from page_rank('edges', max_iter => 3)").groupBy().count())
      rows(spark.sql("with e as (select src, dst from edges where src <> 'd') select count(distinct component) from connected_components(TABLE(e))"))
      spark.createDataset(List.of(1L, 2L, 3L), Encoders.LONG()).selectExpr("value as src", "value + 1 as dst").createOrReplaceTempView("local")
      rows(spark.sql("select id, component from connected_components('local') order by id"))
      rows(spark.sql("describe function page_rank"))
      failed("select * from page_rank('edges', tol => 'x')")
      failed("select * from hops('edges', source => 'q')")
      /exit
      """;

  private static final String GRPC =
      """
      import org.apache.spark.connect.proto.*;
      import org.sparkproject.connect.grpc.*;
      import org.apache.arrow.memory.*;
      import org.apache.arrow.vector.ipc.*;
      var channel = ManagedChannelBuilder.forAddress("127.0.0.1", PORT).usePlaintext().build()
      var stub = SparkConnectServiceGrpc.newBlockingStub(channel)
      System.out.println(stub.getClass())
      String session = UUID.randomUUID().toString()
      Iterator<ExecutePlanResponse> execute(Plan.Builder plan) {
        return stub.executePlan(ExecutePlanRequest.newBuilder().setSessionId(session)
            .setUserContext(UserContext.newBuilder().setUserId("user")).setPlan(plan).build());
      }
      Relation sql(String text) {
        return Relation.newBuilder().setCommon(RelationCommon.newBuilder().setPlanId(1)).setSql(SQL.newBuilder().setQuery(text)).build();
      }
      void rows(String text) throws Exception {
        List<Object> all = new ArrayList<>();
        var answers = execute(Plan.newBuilder().setRoot(sql(text)));
        while (answers.hasNext()) {
          var answer = answers.next();
          if (answer.hasArrowBatch()) {
            try (var reader = new ArrowStreamReader(answer.getArrowBatch().getData().newInput(), new RootAllocator())) {
              while (reader.loadNextBatch()) {
                var batch = reader.getVectorSchemaRoot();
                for (int i = 0; i < batch.getRowCount(); i++) {
                  int row = i;
                  all.add("[" + String.join(",", batch.getFieldVectors().stream().map(v -> "" + v.getObject(row)).toList()) + "]");
                }
              }
            }
          }
        }
        System.out.println("rows " + all);
      }
      void failed(String text) { try { rows(text); } catch (Exception e) { System.out.println(e.getMessage()); } }
      void view(String name, String text) {
        execute(Plan.newBuilder().setCommand(org.apache.spark.connect.proto.Command.newBuilder().setCreateDataframeView(
            CreateDataFrameViewCommand.newBuilder().setName(name).setReplace(true).setInput(sql(text))))).forEachRemaining(answer -> {});
      }
      view("edges", "select * from values ('a', 'b'), ('b', 'c'), ('d', 'd') as t(src, dst)")
      rows("select id, hops from hops('edges', source => 'a') order by id")
      rows("select id from hops('edges', source => 'a') where hops = 1")
      rows("select count(*) from page_rank('edges', max_iter => 3)")
      rows("with e as (select src, dst from edges where src <> 'd') select count(distinct component) from connected_components(TABLE(e))")
      view("local", "select id as src, id + 1 as dst from range(1, 4)")
      rows("select id, component from connected_components('local') order by id")
      rows("describe function page_rank")
      failed("select * from page_rank('edges', tol => 'x')")
      failed("select * from hops('edges', source => 'q')")
      channel.shutdownNow()
      /exit
      """;

  @TempDir Path scratch;
  private int port;
  private Process server;

  /** The jars of Spark Connect: the server's, then the client's where there is one. */
  private static List<String> connectJars() throws Exception {
    Path list = Path.of(System.getProperty("sgg.connect.jars"));
    return Files.exists(list)
        ? List.of(Files.readString(list).strip().split(File.pathSeparator))
        : List.of();
  }

  private static String jar(String artifact) throws Exception {
    return connectJars().stream().filter(jar -> jar.contains(artifact)).findFirst().orElseThrow();
  }

  @BeforeEach
  void startServer() throws Exception {
    assumeTrue(!connectJars().isEmpty(), "this line has no Spark Connect in the build");
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName(LOCALHOST))) {
      port = any.getLocalPort();
    }
    List<String> command = new ArrayList<>();
    command.add(Command.ofJdk("java"));
    command.addAll(Product.jvmOptions());
    command.addAll(List.of(Command.SHORT_LIVED.split(" ")));
    command.addAll(
        List.of(
            "-Xmx640m",
            "-Djava.io.tmpdir=" + scratch,
            "-Dlog4j2.configurationFile=" + Product.root().resolve("conf/log4j2.properties"),
            "-cp",
            jar("spark-connect_") + File.pathSeparator + Product.sparkHome().resolve("jars/*"),
            "org.apache.spark.deploy.SparkSubmit",
            "--master",
            "local[2]",
            "--conf",
            "spark.ui.enabled=false",
            "--conf",
            "spark.driver.host=" + LOCALHOST,
            "--conf",
            "spark.driver.bindAddress=" + LOCALHOST,
            "--conf",
            "spark.connect.grpc.binding.port=" + port,
            "--conf",
            "spark.sql.extensions=org.sparkgpugraph.frame.GraphExtensions",
            "--jars",
            Product.libraryJar().toString(),
            "--class",
            "org.apache.spark.sql.connect.service.SparkConnectServer",
            "spark-internal"));
    server =
        new ProcessBuilder(command)
            .directory(scratch.toFile())
            .redirectErrorStream(true)
            .redirectOutput(scratch.resolve("server.txt").toFile())
            .start();
    Await.until("the server", () -> listens() || !server.isAlive());
    assertThat(server.isAlive()).as(Files.readString(scratch.resolve("server.txt"))).isTrue();
  }

  private boolean listens() {
    try (Socket socket = new Socket(LOCALHOST, port)) {
      return socket.isConnected();
    } catch (java.io.IOException e) {
      return false;
    }
  }

  @AfterEach
  void stopServer() throws Exception {
    if (server != null) {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void clientsHaveTheFunctionsWithoutOurJar() throws Exception {
    boolean own = connectJars().size() > 1;
    Command.Ended ended = own ? client() : grpc();
    assertThat(ended.out())
        .as("%s%n%s", ended, Files.readString(scratch.resolve("server.txt")))
        .contains(
            own
                ? "class org.apache.spark.sql.connect.SparkSession"
                : "class org.apache.spark.connect.proto.SparkConnectServiceGrpc",
            "rows [[a,0], [b,1], [c,2], [d,null]]",
            "rows [[b]]",
            "rows [[4]]",
            "rows [[1]]",
            "rows [[1,1], [2,1], [3,1], [4,1]]",
            "page_rank(edges, name => value, ...) - PageRank of the vertices",
            "page_rank: argument 'tol' is 'x' of type STRING, but a number is expected",
            "hops: source q is no vertex of the graph, whose ids are of type string");
  }

  /** Without the classes of Spark SQL that a client does not have. */
  private Command.Ended client() throws Exception {
    String others =
        Stream.of(Product.sparkClassPath().split(File.pathSeparator))
            .filter(jar -> !jar.matches(".*/spark-(sql|sql-api|catalyst|graphx)_[^/]*"))
            .collect(Collectors.joining(File.pathSeparator));
    return jshell(jar("spark-connect-client-jvm") + File.pathSeparator + others, CLIENT);
  }

  private Command.Ended grpc() throws Exception {
    return jshell(jar("spark-connect_") + File.pathSeparator + Product.sparkClassPath(), GRPC);
  }

  private Command.Ended jshell(String classPath, String snippets) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Command.ofJdk("jshell"));
    command.addAll(List.of("--feedback", "concise", "--class-path", classPath));
    for (String option : Product.jvmOptions()) {
      command.add("-R" + option);
    }
    command.addAll(List.of("-R-Xmx512m", "-R-XX:TieredStopAtLevel=1"));
    return Command.run(scratch, Map.of(), snippets.replace("PORT", String.valueOf(port)), command);
  }
}
