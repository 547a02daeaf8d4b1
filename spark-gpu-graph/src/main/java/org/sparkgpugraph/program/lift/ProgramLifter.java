package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.sparkgpugraph.function.ResultFunction;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedMessages;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.LiftedSteps;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.OptionTypes;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.StepSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.WholeMerge;
import org.sparkgpugraph.program.analysis.TraitRecognizer;
import org.sparkgpugraph.program.bytecode.ClassFiles;
import org.sparkgpugraph.program.bytecode.FunctionObject;
import org.sparkgpugraph.program.bytecode.RefusedException;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.lift.Signature.Argument;

/**
 * Lifts a program's functions from their bytecode into the intermediate representation.
 *
 * <p>The objects are serializable lambdas, method references, or objects of classes that implement
 * the interfaces. What they call is inlined; what they captured becomes the captured values of the
 * {@link ProgramInstance}.
 */
public final class ProgramLifter {
  private static final ValueType BOOLEAN = new ValueType.Scalar(Kind.BOOLEAN);
  private static final Argument ID = new Argument.Scalar(Role.ID, Kind.LONG);
  private static final ValueType DOUBLE = new ValueType.Scalar(Kind.DOUBLE);

  private final ProgramSource source;
  private final Captures captures = new Captures();
  private final LiftBudget budget = new LiftBudget();
  private final OptionTypes options = new OptionTypes();
  private final List<Refusal> refusals = new ArrayList<>();
  private final Map<ClassLoader, ClassFiles> classes = new HashMap<>();

  /** Names of the aggregates that the function being lifted may read. */
  private List<String> readable;

  private ProgramLifter(ProgramSource source) {
    this.source = source;
    this.readable = names(source.aggregates());
  }

  /**
   * Lifts a program. Runs on the driver; reads bytecode through the class loader of each lambda.
   *
   * @throws NotLiftableException with every reason, when a function cannot be lifted
   */
  public static ProgramInstance lift(ProgramSource source) {
    ProgramSource completed = source;
    for (int found = 0; ; found++) {
      ProgramLifter lifter = new ProgramLifter(completed);
      try {
        return lifter.lift();
      } catch (NotLiftableException e) {
        ProgramSource more = lifter.options.complete(completed);
        if (more == null || found > OptionTypes.MOST) {
          throw lifter.inSourceWords(e);
        }
        completed = more;
      }
    }
  }

  /**
   * Lifts the send and the merge function of an {@code aggregateMessages}; other functions are not
   * looked at. The send function takes GraphX's EdgeContext in Scala, too, and what it sends says
   * what messages are.
   *
   * @throws NotLiftableException with every reason, when a function cannot be lifted
   */
  public static LiftedMessages liftMessages(ProgramSource source) {
    ProgramLifter lifter = new ProgramLifter(source);
    try {
      return lifter.liftMessages();
    } catch (NotLiftableException e) {
      throw lifter.inSourceWords(e);
    }
  }

  /**
   * Lifts the functions of a sequence of maps.
   *
   * @throws NotLiftableException with every reason, when a function cannot be lifted
   */
  public static LiftedSteps liftSteps(StepSource steps) {
    ProgramLifter lifter =
        new ProgramLifter(
            new ProgramSource(
                steps.attribute(),
                steps.edge(),
                null,
                steps.initialState(),
                null,
                anyFunction(steps.steps()),
                null,
                null,
                List.of(),
                List.of(),
                steps.resultFunction()));
    try {
      return lifter.steps(steps);
    } catch (NotLiftableException e) {
      throw lifter.inSourceWords(e);
    }
  }

  /** One of the functions, which is of the user's language. */
  private static Object anyFunction(List<StepSource.Step> steps) {
    StepSource.Step first = steps.get(0);
    if (first instanceof StepSource.EdgeMap map) {
      return map.send();
    }
    return first instanceof StepSource.VertexMap map
        ? map.function()
        : anyFunction(((StepSource.Repeat) first).body());
  }

  private LiftedSteps steps(StepSource from) {
    Lifted initialState = initialState();
    requireAll();
    ValueType state = initialState == Lifted.NONE ? source.attribute() : initialState.result;
    requireColumns("the vertex value", state);
    requireAll();
    List<LiftedSteps.Step> steps = steps(from.steps(), state, new ArrayList<>());
    Lifted measure =
        function(
            from.measure(),
            "apply",
            signature("measure", ID, new Argument.Value(Role.AFTER, state)).returning(DOUBLE));
    Lifted result =
        function(
            from.resultFunction(),
            "apply",
            signature(
                "result",
                ID,
                new Argument.Value(Role.ATTRIBUTE, source.attribute()),
                new Argument.Value(Role.VALUE, state)));
    requireAll();
    ValueType results = result == Lifted.NONE ? state : result.result;
    requireColumns("the result", results);
    requireAll();
    return new LiftedSteps(
        from.attribute(),
        from.edge(),
        state,
        results,
        initialState.function,
        steps,
        measure.function,
        result.function,
        captures.kinds(),
        captures.values(),
        captures.tables(),
        captures.arrays());
  }

  /**
   * Lifts steps.
   *
   * @param sent types of the messages of the edge maps that no step has read yet; empty behind it
   */
  private List<LiftedSteps.Step> steps(
      List<StepSource.Step> from, ValueType state, List<ValueType> sent) {
    List<LiftedSteps.Step> steps = new ArrayList<>();
    for (StepSource.Step step : from) {
      if (step instanceof StepSource.EdgeMap map) {
        steps.add(edgeMap(map, state));
        sent.add(map.message());
      } else if (step instanceof StepSource.VertexMap map) {
        steps.add(vertexMap(map, state, sent));
        sent.clear();
      } else if (step instanceof StepSource.Repeat repeat) {
        steps.add(new LiftedSteps.Repeat(repeat.times(), steps(repeat.body(), state, sent)));
      }
    }
    return steps;
  }

  private LiftedSteps.EdgeMap edgeMap(StepSource.EdgeMap map, ValueType state) {
    String name = "edgeMap " + map.number();
    requireColumns("the message of " + name, map.message());
    Lifted send =
        function(
            map.send(),
            "send",
            signature(name, new Argument.OfEdge())
                .sending(new Signature.Sending(state, source.edge(), map.message())));
    Lifted merge =
        function(
            map.merge(),
            "merge",
            signature(
                    "the merge of " + name,
                    new Argument.Value(Role.LEFT, map.message()),
                    new Argument.Value(Role.RIGHT, map.message()))
                .returning(map.message()));
    return new LiftedSteps.EdgeMap(
        map.number(), map.message(), map.empty(), send.function, merge.function);
  }

  /** The messages of a second edge map have the role of a merge's right one: they have none. */
  private LiftedSteps.VertexMap vertexMap(
      StepSource.VertexMap map, ValueType state, List<ValueType> sent) {
    List<Argument> arguments = new ArrayList<>();
    arguments.add(ID);
    arguments.add(new Argument.Value(Role.VALUE, state));
    List<Role> roles = List.of(Role.MESSAGE, Role.RIGHT);
    for (int i = 0; i < map.messages(); i++) {
      arguments.add(new Argument.Value(roles.get(i), sent.get(i)));
    }
    Lifted function =
        function(
            map.function(),
            "apply",
            signature("vertexMap " + map.number(), arguments.toArray(Argument[]::new))
                .returning(state));
    return new LiftedSteps.VertexMap(map.number(), function.function, map.messages());
  }

  private LiftedMessages liftMessages() {
    Lifted send =
        function(
            source.send(),
            source.send() instanceof scala.Function1<?, ?> ? "apply" : "send",
            signature("sendMessage", new Argument.OfEdge())
                .sending(new Signature.Sending(source.attribute(), source.edge(), null)));
    requireAll();
    if (send.result == null) {
      SourcePosition where =
          new SourcePosition(source.send().getClass().getName(), "sendMessage", -1);
      refusals.add(new Refusal("sendMessage", where, "it sends no message"));
    }
    requireAll();
    requireColumns("the message", send.result);
    if (send.result.hasCarried()) {
      refusals.add(
          new Refusal(
              "program",
              new SourcePosition(send.result.className(), "", -1),
              "sends messages of class "
                  + send.result.className()
                  + ", which refer to an object of the class around it, so that nothing could make"
                  + " the result of them; use a record, tuple or case class of a package or"
                  + " object"));
    }
    requireAll();
    Lifted merge = merge(send.result);
    requireAll();
    return new LiftedMessages(
        source.attribute(),
        source.edge(),
        send.result,
        send.function,
        merge.function,
        captures.kinds(),
        captures.values(),
        captures.tables(),
        captures.arrays());
  }

  /** One of several methods may be inlined into a line, which says the same of each. */
  private NotLiftableException inSourceWords(NotLiftableException refused) {
    Map<String, Refusal> said = new LinkedHashMap<>();
    for (Refusal refusal : refused.refusals()) {
      Refusal words = inSourceWords(refusal);
      said.putIfAbsent(words.toString(), words);
    }
    return new NotLiftableException(List.copyOf(said.values()));
  }

  /** Says a refusal in the language of the file that it is about, or of the program. */
  private Refusal inSourceWords(Refusal refusal) {
    String file = refusal.where().line() < 0 ? null : file(refusal.where().className());
    return refusal.in(file != null ? file : file(source.send().getClass().getName()));
  }

  /** The source file of a class; null when its bytecode does not say it. */
  private String file(String className) {
    int lambda = className.indexOf("$$Lambda");
    String name = (lambda < 0 ? className : className.substring(0, lambda)).replace('.', '/');
    ClassFiles files =
        classes.values().stream()
            .findFirst()
            .orElseGet(() -> new ClassFiles(source.send().getClass().getClassLoader()));
    ClassNode node = files.classNode(name);
    return node == null ? null : node.sourceFile;
  }

  /** Lifts the merge function; one that looks at all messages at once has no code. */
  private Lifted merge(ValueType message) {
    if (source.merge() == WholeMerge.MODE) {
      requireLabel(message);
      return new Lifted(null, message);
    }
    return function(
        source.merge(),
        source.merge() instanceof scala.Function2<?, ?, ?> ? "apply" : "merge",
        signature(
                "mergeMessage",
                new Argument.Value(Role.LEFT, message),
                new Argument.Value(Role.RIGHT, message))
            .returning(message));
  }

  private void requireLabel(ValueType message) {
    List<ColumnType> columns = message.columns();
    if (columns.size() != 1 || columns.get(0) != Kind.LONG && columns.get(0) != Kind.INT) {
      refusals.add(
          new Refusal(
              "mergeMode",
              new SourcePosition(message.className(), "", -1),
              "the most frequent message is found among messages of one int or long, but these are"
                  + " "
                  + columns
                  + "; use Integer or Long"));
    }
  }

  /** A function after lifting, with the type of what it returns or sends. */
  private record Lifted(IrFunction function, ValueType result) {
    static final Lifted NONE = new Lifted(null, null);
  }

  private ProgramInstance lift() {
    Lifted initialState = initialState();
    requireAll();
    ValueType state = initialState == Lifted.NONE ? source.attribute() : initialState.result;
    if (!state.hasNone()) {
      requireAnyColumn("the vertex value", state);
    }
    ValueType message = source.message() != null ? source.message() : declaredMessage();
    if (!message.hasNone()) {
      requireColumns("the message", message);
    }

    Lifted vertexProgram =
        function(
            source.vertexProgram(),
            "apply",
            signature(
                    "vertexProgram",
                    ID,
                    new Argument.Value(Role.VALUE, state),
                    new Argument.Value(Role.MESSAGE, message))
                .withContext(source.vertexProgram() instanceof VertexProgram.WithContext<?, ?>)
                .returning(state));
    boolean isScala = source.send() instanceof scala.Function1<?, ?>;
    Lifted send =
        function(
            source.send(),
            isScala ? "apply" : "send",
            signature("sendMessage", isScala ? new Argument.OfTriplet() : new Argument.OfEdge())
                .withContext(source.send() instanceof SendMessage.WithContext<?, ?, ?>)
                .sending(new Signature.Sending(state, source.edge(), message)));
    Lifted merge = merge(message);
    Argument[] change = {
      ID, new Argument.Value(Role.BEFORE, state), new Argument.Value(Role.AFTER, state)
    };
    Lifted activeWhen =
        function(source.activeWhen(), "test", signature("activeWhen", change).returning(BOOLEAN));
    List<Aggregate> aggregates = aggregates(source.aggregates(), change);
    List<Aggregate> finalAggregates = aggregates(source.finalAggregates(), change);
    readable = names(source.finalAggregates());
    Lifted resultFunction =
        function(
            source.resultFunction(),
            "apply",
            signature(
                    "result",
                    ID,
                    new Argument.Value(Role.ATTRIBUTE, source.attribute()),
                    new Argument.Value(Role.VALUE, state))
                .withContext(
                    source.resultFunction() instanceof ResultFunction.WithContext<?, ?, ?>));
    requireAll();
    requireColumns("the message", message);
    ValueType result = resultFunction == Lifted.NONE ? state : resultFunction.result;
    requireAnyColumn("the result", result);
    requireAll();
    ProgramTraits traits =
        TraitRecognizer.recognize(
            vertexProgram.function, send.function, merge.function, activeWhen.function, aggregates);
    return new ProgramInstance(
        LiftedProgram.builder()
            .attribute(source.attribute())
            .edge(source.edge())
            .state(state)
            .message(message)
            .result(result)
            .initialState(initialState.function)
            .vertexProgram(vertexProgram.function)
            .send(send.function)
            .merge(merge.function)
            .activeWhen(activeWhen.function)
            .aggregates(aggregates)
            .finalAggregates(finalAggregates)
            .resultFunction(resultFunction.function)
            .captureKinds(captures.kinds())
            .tables(captures.tables())
            .traits(traits)
            .build(),
        captures.values(),
        captures.arrays());
  }

  private Lifted initialState() {
    return function(
        source.initialState(),
        "apply",
        signature(
            "state",
            ID,
            new Argument.Value(Role.ATTRIBUTE, source.attribute()),
            new Argument.Scalar(Role.IN_DEGREE, Kind.INT),
            new Argument.Scalar(Role.OUT_DEGREE, Kind.INT)));
  }

  private static List<String> names(List<ProgramSource.AggregateSource> aggregates) {
    return aggregates.stream().map(ProgramSource.AggregateSource::name).toList();
  }

  private List<Aggregate> aggregates(
      List<ProgramSource.AggregateSource> sources, Argument... arguments) {
    List<Aggregate> aggregates = new ArrayList<>();
    for (ProgramSource.AggregateSource aggregate : sources) {
      Lifted lifted =
          function(
              aggregate.function(),
              "apply",
              signature("aggregate '" + aggregate.name() + "'", arguments).returning(DOUBLE));
      aggregates.add(new Aggregate(aggregate.name(), aggregate.operation(), lifted.function));
    }
    return aggregates;
  }

  /** A function that returns a value whose type is not known yet. */
  private Signature signature(String name, Argument... arguments) {
    return new Signature(name, List.of(arguments), null, null, readable);
  }

  private void requireAll() {
    if (!refusals.isEmpty()) {
      throw new NotLiftableException(refusals);
    }
  }

  /** Components without columns stay with their vertices, but a value needs something else. */
  private void requireAnyColumn(String what, ValueType type) {
    if (type.columns().isEmpty()) {
      requireColumns(what, type);
    }
  }

  private void requireColumns(String what, ValueType type) {
    if (type.hasOpaque()) {
      refusals.add(
          new Refusal(
              "program",
              new SourcePosition(type.className(), "", -1),
              opaque(what, type)
                  + "; use Integer, Long, Float, Double, Boolean or a record, tuple or case"
                  + " class of them"));
    }
  }

  /** Says which part of a value is opaque. */
  private static String opaque(String what, ValueType type) {
    if (type instanceof ValueType.Struct struct) {
      for (ValueType.Field field : struct.fields()) {
        if (field.type().hasOpaque()) {
          return opaque("component '" + field.name() + "' of " + what, field.type());
        }
      }
    }
    return what + " is a " + type.className();
  }

  /** The classes that a function sees, parsed once for the whole program. */
  private ClassFiles classes(FunctionObject function) {
    return classes.computeIfAbsent(function.loader(), ClassFiles::new);
  }

  /** The message type from the declaration of the merge function. */
  private ValueType declaredMessage() {
    try {
      FunctionObject merge = FunctionObject.of(source.merge(), "merge", 2);
      Class<?> type = classes(merge).load(merge.returns().getInternalName());
      return ValueType.of(type);
    } catch (RefusedException e) {
      throw new NotLiftableException(
          List.of(new Refusal("mergeMessage", e.where(), e.getMessage())));
    } catch (ClassNotFoundException | IllegalArgumentException e) {
      throw new NotLiftableException(
          List.of(
              new Refusal(
                  "mergeMessage",
                  new SourcePosition(source.merge().getClass().getName(), "merge", -1),
                  "the message type cannot be found: " + e.getMessage())));
    }
  }

  /**
   * Lifts one function; one that is absent gives none, and so does a refusal, which is noted.
   *
   * @param method of the interface that the object implements
   */
  private Lifted function(Object object, String method, Signature signature) {
    if (object == null) {
      return Lifted.NONE;
    }
    String name = signature.name();
    try {
      FunctionObject target = FunctionObject.of(object, method, signature.arguments().size());
      ClassFiles classes = classes(target);
      boolean infer = signature.sending() == null && signature.result() == null;
      Signature known = infer ? signature.returning(declared(target, classes)) : signature;
      FunctionLifter lifter = new FunctionLifter(known, classes, captures, budget, options);
      IrFunction function = lifter.lift(target);
      return new Lifted(function, lifter.result());
    } catch (RefusedException e) {
      e.all().forEach(each -> refusals.add(new Refusal(name, each.where(), each.getMessage())));
      return Lifted.NONE;
    } catch (ClassCastException
        | IndexOutOfBoundsException
        | NullPointerException
        | LinkageError
        | StackOverflowError e) {
      // Code in a form that nobody thought of is no reason to fail a run.
      String at = e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0];
      refusals.add(
          new Refusal(
              name,
              new SourcePosition(object.getClass().getName(), method, -1),
              "its code has a form that is not known here (" + e + at + ")"));
      return Lifted.NONE;
    } catch (IllegalArgumentException e) {
      // ValueType.of names the component of a record that is no value.
      refusals.add(
          new Refusal(
              name, new SourcePosition(object.getClass().getName(), method, -1), e.getMessage()));
      return Lifted.NONE;
    }
  }

  /** The declared result type, if it is a value type; null to infer it from the code. */
  private static ValueType declared(FunctionObject target, ClassFiles classes) {
    Type returns = target.returns();
    if (returns.getSort() != Type.OBJECT) {
      return null;
    }
    try {
      ValueType type = ValueType.of(classes.load(returns.getInternalName()));
      return type.hasOpaque() ? null : type;
    } catch (ClassNotFoundException e) {
      return null;
    }
  }
}
