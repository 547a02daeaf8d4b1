package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.bytecode.RefusedException;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Methods of Scala's immutable maps and sets whose keys are known while lifting ({@link
 * Sym.Keyed}), key by key.
 *
 * <p>A function is called once for each key that may be there, whether it is or not, and what it
 * gave is dropped where it is not: code without branches, and one shape of the machine's state,
 * where each key's presence would double them. So such a function may neither throw nor change
 * anything nor loop, since what is not there is some number that the user's function never gets.
 *
 * <p>Keys are gone through in ascending order, Scala's maps are not: what shows the order is
 * refused.
 */
final class KeyedCalls {
  private static final StructClass PAIR = StructClass.of(scala.Tuple2.class);

  private static final Map<String, Sym.Collection> COMPANIONS =
      Map.of(
          "scala.collection.immutable.Map$", Sym.Collection.MAP,
          "scala.collection.Map$", Sym.Collection.MAP,
          "scala.collection.immutable.Set$", Sym.Collection.SET,
          "scala.collection.Set$", Sym.Collection.SET);

  // Locals of a loop's frame.
  private static final int REMAINING = 0;
  private static final int DONE = 1;
  private static final int FUNCTION = 2;
  private static final int OF = 3;
  private static final int GIVES = 4;
  private static final int LOCALS = 5;

  /** Values of the frame's pc: a round begins, a function has returned, all its ways have met. */
  private static final int BEGINS = 0;

  private static final int ANSWERED = 1;
  private static final int MET = 2;

  /** What becomes of the answers of a function. */
  private enum Gives {
    MAP,
    SET,
    BAG,
    /** A map of the same keys, whose values the function gives. */
    VALUES,
    VIEWED_VALUES,
    FILTERED,
    FILTERED_OUT,
    EXISTS,
    FORALL,
    COUNT,
    /** The one element, or where it is not there what the function gives. */
    OR_ELSE;

    /** As a value of the machine. */
    private final Sym symbol = new Sym.Host(this);
  }

  /** What Scala 2.12's {@code breakOut} gives. */
  private record BreakOut(Sym.Host to) {}

  private final SymbolicMachine machine;
  private final CallInliner calls;
  private final ExecutionPaths paths;
  private final Map<Sym.Host, Sym.Host> breakOuts = new HashMap<>();

  KeyedCalls(SymbolicMachine machine, CallInliner calls, ExecutionPaths paths) {
    this.machine = machine;
    this.calls = calls;
    this.paths = paths;
  }

  static Sym.Rec pair(Sym key, Sym value) {
    return new Sym.Rec(PAIR, List.of(key, value));
  }

  /** The key of an element of a map or set. */
  static Sym.Box key(Sym element) {
    return (Sym.Box) (element instanceof Sym.Rec pair ? pair.fields().get(0) : element);
  }

  /** Whether a map or set is of a class; null where it is not known. */
  static Boolean isInstance(Sym.Keyed value, Class<?> type) {
    Class<?> known =
        switch (value.form()) {
          case MAP -> scala.collection.immutable.Map.class;
          case SET -> scala.collection.immutable.Set.class;
          default -> Object.class;
        };
    return type.isAssignableFrom(known) ? true : null;
  }

  // ---- making them ----------------------------------------------------------------------------

  /** A method of a singleton that makes maps and sets; false when it is none. */
  boolean onModule(Sym.Host host, String name, List<Sym> arguments) {
    String module = host.value().getClass().getName();
    Frame frame = machine.top();
    Sym first = arguments.isEmpty() ? null : arguments.get(0);
    Sym.Collection form = COMPANIONS.get(module);
    if (module.equals("scala.Predef$") && arguments.isEmpty()) {
      switch (name) {
        case "Map" -> frame.push(new Sym.Host(scala.collection.immutable.Map$.MODULE$));
        case "Set" -> frame.push(new Sym.Host(scala.collection.immutable.Set$.MODULE$));
        case "$conforms" -> frame.push(host);
        default -> {
          return false;
        }
      }
      return true;
    } else if (module.equals("scala.$less$colon$less$") && name.equals("refl")) {
      frame.push(host);
      return true;
    } else if (name.equals("breakOut") && first instanceof Sym.Host to) {
      frame.push(breakOuts.computeIfAbsent(to, t -> new Sym.Host(new BreakOut(t))));
      return true;
    } else if (form != null && name.equals("empty")) {
      frame.push(new Sym.Keyed(form, List.of()));
      return true;
    } else if (form != null && name.equals("apply") && first instanceof Sym.Elements elements) {
      frame.push(of(form, present(elements)));
      return true;
    }
    return false;
  }

  private List<Sym.Slot> present(Sym.Elements elements) {
    if (elements.isPending()) {
      throw machine.refuse("makes a Map or Set of elements that are not there yet; call toList");
    }
    return elements.values().stream().map(this::present).toList();
  }

  private Sym.Slot present(Sym element) {
    return new Sym.Slot(machine.constantPrim(1), element);
  }

  /** A map or set; of elements with equal keys the last one counts. */
  private Sym.Keyed of(Sym.Collection form, List<Sym.Slot> slots) {
    Map<Object, Sym.Slot> all = new LinkedHashMap<>();
    for (Sym.Slot slot : slots) {
      for (Sym.Slot known : withKnownKeys(slot)) {
        all.merge(identity(form, known.element()), known, this::later);
      }
    }
    return new Sym.Keyed(form, List.copyOf(all.values()));
  }

  /** The second one where it is there, else the first one. */
  private Sym.Slot later(Sym.Slot before, Sym.Slot after) {
    return new Sym.Slot(
        or(before.present(), after.present()),
        choose(after.present(), after.element(), before.element()));
  }

  /** What tells an element from others: a key that is known. */
  private Object identity(Sym.Collection form, Sym element) {
    boolean isPair =
        element instanceof Sym.Rec rec && rec.layout().equals(PAIR) && rec.fields().size() == 2;
    Sym key = isPair ? ((Sym.Rec) element).fields().get(0) : element;
    if (form == Sym.Collection.MAP && !isPair
        || !(key instanceof Sym.Box box)
        || !(machine.constants.get(box.variable()) instanceof Number known)
        || box.kind() != Kind.INT && box.kind() != Kind.LONG
        || box.type() != box.kind().box()) {
      throw machine.refuse(
          "puts into a Map or Set what is not known to be one of the keys that the vertices' values"
              + " and the initial message have");
    }
    return List.of(isPair, known);
  }

  /**
   * An element with a key that is known: as one of all keys that there are, where it is computed.
   * Another key is left to GraphX.
   */
  private List<Sym.Slot> withKnownKeys(Sym.Slot slot) {
    Sym key = slot.element() instanceof Sym.Rec pair ? pair.fields().get(0) : slot.element();
    if (!(key instanceof Sym.Box box)
        || machine.constants.containsKey(box.variable())
        || !machine.knownKeys.containsKey(box.kind())
        || box.type() != box.kind().box()) {
      return List.of(withKey(slot, key));
    }
    List<Sym.Slot> all = new ArrayList<>();
    Sym.Prim found = machine.constantPrim(0);
    for (long known : machine.knownKeys.get(box.kind())) {
      int variable = machine.key(box.kind() == Kind.INT ? (Object) (int) known : (Object) known);
      Sym.Prim same = new Sym.Prim(Kind.INT, machine.same(box.variable(), variable));
      found = or(found, same);
      Sym.Slot one = new Sym.Slot(and(slot.present(), same), slot.element());
      all.add(withKey(one, new Sym.Box(box.kind(), variable)));
    }
    machine.giveUpIf(
        and(slot.present(), not(found)).variable(),
        "a key in a Map or Set that no vertex's value and not the initial message has");
    return all;
  }

  /** The variable of a key that is known is the same for all that are equal, and known for good. */
  private Sym.Slot withKey(Sym.Slot slot, Sym key) {
    if (!(key instanceof Sym.Box box)
        || !(machine.constants.get(box.variable()) instanceof Number number)) {
      return slot;
    }
    Sym known = new Sym.Box(box.kind(), machine.key(number), box.type());
    return new Sym.Slot(
        slot.present(),
        slot.element() instanceof Sym.Rec pair ? pair(known, pair.fields().get(1)) : known);
  }

  // ---- methods --------------------------------------------------------------------------------

  /** A method of a map or set; returns false when the path has ended. */
  boolean invoke(Sym.Keyed of, String name, String descriptor, List<Sym> arguments) {
    Frame frame = machine.top();
    List<Sym.Slot> slots = of.slots();
    Sym first = arguments.isEmpty() ? null : arguments.get(0);
    boolean isMap = of.form() == Sym.Collection.MAP || of.form() == Sym.Collection.VIEW;
    boolean isKeyed = of.form() != Sym.Collection.BAG;
    Gives gives = gives(of, name, descriptor, arguments);
    if (gives != null) {
      if (isLazy(name, descriptor) && first.extent().isUnfinished()) {
        throw machine.refuse("calls " + name + ", which may read a var later than here");
      }
      return begin(of, gives, first);
    } else if (isMap && arguments.size() > 0 && first instanceof Sym.Box key) {
      switch (name) {
        case "get", "getOrElse", "apply", "contains", "isDefinedAt" -> {
          return look(of, name, key, arguments);
        }
        default -> {}
      }
    } else if (of.form() == Sym.Collection.SET
        && Set.of("contains", "apply", "apply$mcZJ$sp", "apply$mcZI$sp").contains(name)) {
      Sym.Slot found = find(of, boxed(first));
      Sym.Prim there = found == null ? machine.constantPrim(0) : found.present();
      boolean isPrimitive = Boxing.isPrimitive(Type.getReturnType(descriptor));
      frame.push(isPrimitive ? there : new Sym.Box(Kind.BOOLEAN, there.variable()));
      return true;
    }
    Sym result = null;
    switch (name) {
      case "equals" -> {
        if (first instanceof Sym.Keyed other) {
          result = new Sym.Prim(Kind.INT, equal(of, other));
        }
      }
      case "isEmpty" -> result = not(any(slots));
      case "nonEmpty" -> result = any(slots);
      case "size" -> {
        Sym.Prim count = machine.constantPrim(0);
        for (Sym.Slot slot : slots) {
          count = binary(BinaryOp.ADD, count, slot.present());
        }
        result = count;
      }
      case "keySet", "keys" -> result = isMap ? fields(of, Sym.Collection.SET, 0) : null;
      case "values" -> result = isMap ? fields(of, Sym.Collection.BAG, 1) : null;
      case "toMap" -> result = made(Sym.Collection.MAP, slots);
      case "toSet" -> result = isKeyed && !isMap ? of : made(Sym.Collection.SET, slots);
      case "toSeq", "toList", "toVector", "toIterable", "toIndexedSeq" ->
          result = new Sym.Keyed(Sym.Collection.BAG, slots);
      case "seq" -> result = of;
      case "view" ->
          result = new Sym.Keyed(isMap ? Sym.Collection.VIEW : Sym.Collection.BAG, slots);
      case "$plus", "updated", "incl" -> result = added(of, name, arguments);
      case "$minus", "removed", "excl" -> result = removed(of, first);
      case "$plus$plus", "concat", "$bar", "union" -> result = joined(of, arguments);
      case "$minus$minus", "removedAll", "$amp$tilde", "diff", "$amp", "intersect" -> {
        boolean keeps = name.equals("$amp") || name.equals("intersect");
        result = kept(of, first, keeps);
      }
      case "sum", "max", "min" -> {
        return reduce(of, name, first);
      }
      default -> {}
    }
    if (result == null) {
      throw unknown(of, name);
    }
    frame.push(result);
    return true;
  }

  private RefusedException unknown(Sym.Keyed of, String name) {
    return machine.refuse(
        "calls "
            + name
            + " on "
            + of.describe()
            + "; what can be lifted of maps and sets does not show their order: get, getOrElse,"
            + " contains, keySet, map, filter, ++, updated, exists, forall, count, sum and ==");
  }

  /** The collection of a method that calls a function for each element; null: it is none. */
  private Gives gives(Sym.Keyed of, String name, String descriptor, List<Sym> arguments) {
    boolean isMap = of.form() == Sym.Collection.MAP || of.form() == Sym.Collection.VIEW;
    return switch (name) {
      case "map" -> mapped(of, descriptor, arguments);
      case "mapValues" -> {
        boolean isView = descriptor.endsWith("MapView;") || of.form() == Sym.Collection.VIEW;
        yield isMap ? isView ? Gives.VIEWED_VALUES : Gives.VALUES : null;
      }
      case "filter", "withFilter" -> Gives.FILTERED;
      case "filterNot" -> Gives.FILTERED_OUT;
      case "exists" -> Gives.EXISTS;
      case "forall" -> Gives.FORALL;
      case "count" -> Gives.COUNT;
      default -> null;
    };
  }

  /** Whether a method calls its function later, in Scala 2.12 or 2.13. */
  private static boolean isLazy(String name, String descriptor) {
    return Set.of("mapValues", "withFilter").contains(name) || descriptor.endsWith("View;");
  }

  /**
   * What {@code map} makes: Scala 2.12 is told by its further argument, of which a set takes no
   * notice but from {@code breakOut}; in 2.13 maps have a second method for pairs.
   */
  private Gives mapped(Sym.Keyed of, String descriptor, List<Sym> arguments) {
    Sym.Collection form = Sym.Collection.BAG;
    if (arguments.size() == 1) {
      boolean ofPairs = !descriptor.endsWith(")Ljava/lang/Object;");
      form =
          of.form() == Sym.Collection.SET || of.form() == Sym.Collection.MAP && ofPairs
              ? of.form()
              : Sym.Collection.BAG;
    } else if (arguments.get(1) instanceof Sym.Host host) {
      Object to = host.value() instanceof BreakOut out ? out.to().value() : host.value();
      form =
          of.form() == Sym.Collection.SET && to == host.value()
              ? Sym.Collection.SET
              : COMPANIONS.getOrDefault(to.getClass().getName(), Sym.Collection.BAG);
    } else {
      return null;
    }
    return switch (form) {
      case MAP -> Gives.MAP;
      case SET -> Gives.SET;
      default -> Gives.BAG;
    };
  }

  /** A collection of slots whose elements are as they must be for it. */
  private Sym.Keyed made(Sym.Collection form, List<Sym.Slot> slots) {
    Map<Object, Sym.Slot> all = new LinkedHashMap<>();
    List<Sym.Slot> known = slots.stream().flatMap(slot -> withKnownKeys(slot).stream()).toList();
    for (Sym.Slot slot : known) {
      Object identity = identity(form, slot.element());
      if (all.put(identity, slot) != null && slot.element() instanceof Sym.Rec) {
        throw machine.refuse(
            "gives several entries of a map the key "
                + machine.constants.get(key(slot.element()).variable())
                + ", so that its order shows");
      }
    }
    return all.size() == known.size()
        ? new Sym.Keyed(form, List.copyOf(all.values()))
        : of(form, known);
  }

  private Sym.Keyed fields(Sym.Keyed of, Sym.Collection form, int index) {
    return new Sym.Keyed(
        form,
        of.slots().stream()
            .map(
                slot ->
                    new Sym.Slot(slot.present(), ((Sym.Rec) slot.element()).fields().get(index)))
            .toList());
  }

  private static Sym boxed(Sym key) {
    return key instanceof Sym.Prim prim ? new Sym.Box(prim.kind(), prim.variable()) : key;
  }

  // ---- looking keys up ------------------------------------------------------------------------

  private boolean look(Sym.Keyed map, String name, Sym.Box key, List<Sym> arguments) {
    Frame frame = machine.top();
    Sym.Slot found = find(map, key);
    Sym.Prim present = found == null ? machine.constantPrim(0) : found.present();
    Sym value = found == null ? null : ((Sym.Rec) found.element()).fields().get(1);
    switch (name) {
      case "contains", "isDefinedAt" -> frame.push(present);
      case "get" -> {
        if (value == null) {
          frame.push(new Sym.Elements(Sym.Form.OPTION, List.of()));
        } else if (value instanceof Sym.Box box) {
          Sym zero = new Sym.Box(box.kind(), machine.orZero(present.variable(), box.variable()));
          frame.push(new Sym.Maybe(new Sym.Box(Kind.BOOLEAN, present.variable()), zero));
        } else {
          throw unknown(map, name);
        }
      }
      case "getOrElse" -> {
        if (found == null) {
          return calls.function(arguments.get(1), List.of());
        }
        Sym.Slot one = new Sym.Slot(present, value);
        Sym.Keyed single = new Sym.Keyed(Sym.Collection.BAG, List.of(one));
        return begin(single, Gives.OR_ELSE, arguments.get(1));
      }
      default -> {
        if (isAssumed(present)) {
          frame.push(value);
          return true;
        }
        String missing = "java.util.NoSuchElementException: key not found";
        if (value == null) {
          return machine.stop(FaultCode.THROWN, missing);
        }
        if (machine.isTrying()) {
          machine.giveUpIf(not(present).variable(), "a key that is not in a Map");
          frame.push(value);
          return true;
        }
        return paths.fork(
            Condition.EQ,
            present.variable(),
            machine.constant(0),
            () -> machine.stop(FaultCode.THROWN, missing),
            () -> {
              machine.top().push(value);
              return true;
            });
      }
    }
    return true;
  }

  /** Whether a loop that goes on is about an element that is there when this is. */
  private boolean isAssumed(Sym.Prim present) {
    return machine.state.frames.stream()
        .filter(frame -> frame.loop == SequenceLoops.Loop.SLOTS)
        .filter(frame -> frame.locals[GIVES] != Gives.OR_ELSE.symbol)
        .anyMatch(frame -> remaining(frame).get(0).present().equals(present));
  }

  /** The element with a key; null where there is none. A key that is not known is compared. */
  private Sym.Slot find(Sym.Keyed of, Sym given) {
    if (!(given instanceof Sym.Box key)) {
      throw machine.refuse("looks up " + given.describe() + " in " + of.describe());
    }
    Object known = machine.constants.get(key.variable());
    Sym.Slot found = null;
    for (Sym.Slot slot : of.slots()) {
      Sym.Box own = requireSameKind(of, slot, key);
      Object ownKey = machine.constants.get(own.variable());
      if (known != null && known.equals(ownKey)) {
        return slot;
      } else if (known == null) {
        Sym.Prim same = new Sym.Prim(Kind.INT, calls.scala().equal(own, key));
        Sym.Slot here = new Sym.Slot(and(same, slot.present()), slot.element());
        found =
            found == null
                ? here
                : new Sym.Slot(
                    or(found.present(), here.present()),
                    choose(here.present(), slot.element(), found.element()));
      }
    }
    return found;
  }

  private Sym.Box requireSameKind(Sym.Keyed of, Sym.Slot slot, Sym.Box key) {
    Sym.Box own = key(slot.element());
    boolean isPair = of.form() == Sym.Collection.SET && slot.element() instanceof Sym.Rec;
    if (isPair || own.kind() != key.kind() || own.type() != key.type()) {
      throw machine.refuse("looks up " + key.describe() + " among keys that are " + own.describe());
    }
    return own;
  }

  // ---- other maps and sets --------------------------------------------------------------------

  private Sym added(Sym.Keyed of, String name, List<Sym> arguments) {
    boolean isMap = of.form() == Sym.Collection.MAP;
    boolean updates = name.equals("updated");
    if (arguments.size() != (updates ? 2 : 1)
        || updates && !isMap
        || !isMap && of.form() != Sym.Collection.SET) {
      return null;
    }
    Sym element =
        updates ? pair(boxed(arguments.get(0)), boxed(arguments.get(1))) : arguments.get(0);
    List<Sym.Slot> all = new ArrayList<>(of.slots());
    all.add(present(element));
    return of(of.form(), all);
  }

  private Sym removed(Sym.Keyed of, Sym given) {
    if (of.form() != Sym.Collection.MAP && of.form() != Sym.Collection.SET
        || !(boxed(given) instanceof Sym.Box key)) {
      return null;
    }
    List<Sym.Slot> left = new ArrayList<>();
    for (Sym.Slot slot : of.slots()) {
      Sym.Box own = requireSameKind(of, slot, key);
      Sym.Prim same = new Sym.Prim(Kind.INT, calls.scala().equal(own, key));
      left.add(new Sym.Slot(and(slot.present(), not(same)), slot.element()));
    }
    return new Sym.Keyed(of.form(), left);
  }

  private Sym joined(Sym.Keyed of, List<Sym> arguments) {
    // What Scala 2.12 is told of the result's class.
    boolean other =
        arguments.size() == 2
            && !(arguments.get(1) instanceof Sym.Host host
                && COMPANIONS.get(host.value().getClass().getName()) == of.form());
    if (of.form() != Sym.Collection.MAP && of.form() != Sym.Collection.SET || other) {
      return null;
    }
    List<Sym.Slot> more =
        arguments.get(0) instanceof Sym.Keyed keyed
            ? keyed.slots()
            : arguments.get(0) instanceof Sym.Elements elements ? present(elements) : null;
    if (more == null) {
      return null;
    }
    List<Sym.Slot> all = new ArrayList<>(of.slots());
    // Elements that are made of a map come in its order: none may overwrite another one.
    boolean ordered = arguments.get(0) instanceof Sym.Elements;
    (ordered ? of(of.form(), more) : made(of.form(), more)).slots().forEach(all::add);
    return of(of.form(), all);
  }

  /** Without the keys that another set has, or with those alone. */
  private Sym kept(Sym.Keyed of, Sym others, boolean keeps) {
    if (!(others instanceof Sym.Keyed keys)
        || of.form() != Sym.Collection.SET && (of.form() != Sym.Collection.MAP || keeps)) {
      return null;
    }
    Sym.Keyed set = made(Sym.Collection.SET, keys.slots());
    List<Sym.Slot> left = new ArrayList<>();
    for (Sym.Slot slot : of.slots()) {
      if (!(set.slots().stream().allMatch(key -> key.element() instanceof Sym.Box))
          || of.form() == Sym.Collection.SET && !(slot.element() instanceof Sym.Box)) {
        return null;
      }
      Sym.Slot found = find(set, key(slot.element()));
      Sym.Prim there = found == null ? machine.constantPrim(0) : found.present();
      left.add(new Sym.Slot(and(slot.present(), keeps ? there : not(there)), slot.element()));
    }
    return new Sym.Keyed(of.form(), left);
  }

  /** Scala's == of maps and of sets, as an INT variable that is 0 or 1. */
  int equal(Sym.Keyed left, Sym.Keyed right) {
    if (left.form() != right.form()
        || left.form() != Sym.Collection.MAP && left.form() != Sym.Collection.SET) {
      throw machine.refuse("compares " + left.describe() + " with " + right.describe());
    }
    Map<Object, Sym.Slot[]> all = new LinkedHashMap<>();
    for (int side = 0; side < 2; side++) {
      for (Sym.Slot slot : (side == 0 ? left : right).slots()) {
        Object identity = identity(left.form(), slot.element());
        all.computeIfAbsent(identity, key -> new Sym.Slot[2])[side] = slot;
      }
    }
    Sym.Prim differ = machine.constantPrim(0);
    for (Sym.Slot[] both : all.values()) {
      if (both[0] == null || both[1] == null) {
        differ = or(differ, (both[0] == null ? both[1] : both[0]).present());
        continue;
      }
      differ = or(differ, binary(BinaryOp.XOR, both[0].present(), both[1].present()));
      if (both[0].element() instanceof Sym.Rec a && both[1].element() instanceof Sym.Rec b) {
        Sym.Prim inBoth = and(both[0].present(), both[1].present());
        int same = equalValues(inBoth, a.fields().get(1), b.fields().get(1));
        differ = or(differ, and(both[0].present(), not(new Sym.Prim(Kind.INT, same))));
      }
    }
    return not(differ).variable();
  }

  private int equalValues(Sym.Prim inBoth, Sym left, Sym right) {
    if (left instanceof Sym.Box a
        && right instanceof Sym.Box b
        && !a.kind().isIntegral()
        && a.kind() != Kind.BOOLEAN) {
      // Scala's maps say that a NaN equals itself where it is the same object.
      Sym.Prim leftIs = machine.call(Intrinsic.IS_NAN, Kind.INT, List.of(a.variable()));
      Sym.Prim rightIs = machine.call(Intrinsic.IS_NAN, Kind.INT, List.of(b.variable()));
      machine.giveUpIf(
          and(inBoth, and(leftIs, rightIs)).variable(), "a comparison of NaN with NaN in maps");
    }
    return calls.scala().equal(left, right);
  }

  // ---- numbers --------------------------------------------------------------------------------

  /** Sums, and least and greatest elements, of whole numbers: their order does not show. */
  private boolean reduce(Sym.Keyed of, String name, Sym ordering) {
    boolean sums = name.equals("sum");
    Kind kind = null;
    for (Sym.Slot slot : of.slots()) {
      Kind own = slot.element() instanceof Sym.Box box ? box.kind() : Kind.BOOLEAN;
      kind = kind == null || kind == own ? own : Kind.BOOLEAN;
    }
    boolean isLong = kind == Kind.LONG;
    String usual = isLong ? "Long" : "Int";
    String named =
        sums ? "scala.math.Numeric$" + usual + "IsIntegral$" : "scala.math.Ordering$" + usual + "$";
    if (kind != Kind.INT && kind != Kind.LONG
        || !(ordering instanceof Sym.Host host
            && host.value().getClass().getName().equals(named))) {
      throw unknown(of, name);
    }
    boolean least = name.equals("min");
    Object neutral =
        isLong
            ? (Object) (sums ? 0L : least ? Long.MAX_VALUE : Long.MIN_VALUE)
            : (Object) (sums ? 0 : least ? Integer.MAX_VALUE : Integer.MIN_VALUE);
    Sym.Prim all = machine.constantPrim(neutral);
    for (Sym.Slot slot : of.slots()) {
      int number = ((Sym.Box) slot.element()).variable();
      int there = slot.present().variable();
      if (sums) {
        all = machine.binary(BinaryOp.ADD, kind, all.variable(), machine.orZero(there, number));
      } else {
        int other = machine.choose(there, number, machine.constant(neutral));
        Intrinsic function = least ? Intrinsic.MIN : Intrinsic.MAX;
        all = machine.call(function, kind, List.of(all.variable(), other));
      }
    }
    Sym result = new Sym.Box(kind, all.variable());
    if (sums) {
      machine.top().push(result);
      return true;
    } else if (machine.isTrying()) {
      machine.giveUpIf(not(any(of.slots())).variable(), name + " of an empty Map or Set");
      machine.top().push(result);
      return true;
    }
    return paths.fork(
        Condition.EQ,
        any(of.slots()).variable(),
        machine.constant(0),
        () ->
            machine.stop(
                FaultCode.THROWN, "java.lang.UnsupportedOperationException: empty." + name),
        () -> {
          machine.top().push(result);
          return true;
        });
  }

  private Sym.Prim any(List<Sym.Slot> slots) {
    Sym.Prim any = machine.constantPrim(0);
    for (Sym.Slot slot : slots) {
      any = or(any, slot.present());
    }
    return any;
  }

  private Sym.Prim binary(BinaryOp op, Sym.Prim left, Sym.Prim right) {
    return machine.binary(op, Kind.INT, left.variable(), right.variable());
  }

  private Sym.Prim and(Sym.Prim left, Sym.Prim right) {
    return binary(BinaryOp.AND, left, right);
  }

  private Sym.Prim or(Sym.Prim left, Sym.Prim right) {
    return binary(BinaryOp.OR, left, right);
  }

  private Sym.Prim not(Sym.Prim truth) {
    return binary(BinaryOp.XOR, truth, machine.constantPrim(1));
  }

  /** The one value or the other, which must be of one form. */
  private Sym choose(Sym.Prim condition, Sym then, Sym otherwise) {
    if (then.equals(otherwise)) {
      return then;
    } else if (then instanceof Sym.Box a
        && otherwise instanceof Sym.Box b
        && a.type() == b.type()) {
      int chosen = machine.choose(condition.variable(), a.variable(), b.variable());
      return new Sym.Box(a.kind(), chosen, a.type());
    } else if (then instanceof Sym.Rec a
        && otherwise instanceof Sym.Rec b
        && a.layout().equals(b.layout())) {
      List<Sym> fields = new ArrayList<>();
      for (int i = 0; i < a.fields().size(); i++) {
        fields.add(choose(condition, a.fields().get(i), b.fields().get(i)));
      }
      return new Sym.Rec(a.layout(), fields);
    }
    throw machine.refuse(
        "has either "
            + then.describe()
            + " or "
            + otherwise.describe()
            + ", as a Map or Set says; both must be numbers of one class");
  }

  // ---- calling functions ----------------------------------------------------------------------

  /** Begins to call a function for each element that may be there. */
  private boolean begin(Sym.Keyed of, Gives gives, Sym function) {
    Frame frame = new Frame(machine.top().body, SequenceLoops.Loop.SLOTS, LOCALS);
    frame.locals[REMAINING] = new Sym.Keyed(Sym.Collection.BAG, of.slots());
    frame.locals[DONE] = Sym.Elements.list(List.of());
    frame.locals[FUNCTION] = function;
    frame.locals[OF] = of;
    frame.locals[GIVES] = gives.symbol;
    machine.state.frames.add(frame);
    return advance(frame);
  }

  /** Whether a function is called as Scala does: for what is there, and for what is not. */
  static int isTried(SymbolicMachine machine, Frame frame) {
    int present = remaining(frame).get(0).present().variable();
    return frame.locals[GIVES] == Gives.OR_ELSE.symbol
        ? machine.binary(BinaryOp.XOR, Kind.INT, present, machine.constant(1)).variable()
        : present;
  }

  private static List<Sym.Slot> remaining(Frame frame) {
    return ((Sym.Keyed) frame.locals[REMAINING]).slots();
  }

  /** Goes on with calling a function; returns false when the path has ended. */
  boolean advance(Frame frame) {
    if (frame.pc == ANSWERED && machine.block != frame.calledIn) {
      frame.pc = MET;
      paths.join();
      return false;
    } else if (frame.pc != BEGINS) {
      frame.pc = BEGINS;
      take(frame, frame.stack.isEmpty() ? Sym.NULL : frame.pop());
    }
    List<Sym.Slot> remaining = remaining(frame);
    if (remaining.isEmpty()) {
      return finish(frame);
    }
    frame.pc = ANSWERED;
    frame.calledIn = machine.block;
    frame.objectsBefore = Set.copyOf(machine.state.heap.keySet());
    Gives gives = (Gives) ((Sym.Host) frame.locals[GIVES]).value();
    Sym element = remaining.get(0).element();
    List<Sym> arguments =
        switch (gives) {
          case OR_ELSE -> List.of();
          case VALUES, VIEWED_VALUES -> List.of(((Sym.Rec) element).fields().get(1));
          default -> List.of(element);
        };
    return calls.function(frame.locals[FUNCTION], arguments);
  }

  private void take(Frame frame, Sym answer) {
    List<Sym.Slot> remaining = remaining(frame);
    frame.locals[REMAINING] =
        new Sym.Keyed(Sym.Collection.BAG, remaining.subList(1, remaining.size()));
    List<Sym> done = new ArrayList<>(((Sym.Elements) frame.locals[DONE]).values());
    done.add(boxed(answer));
    frame.locals[DONE] = Sym.Elements.list(done);
  }

  /** Leaves a loop with what the answers make. */
  private boolean finish(Frame frame) {
    machine.state.frames.remove(machine.state.frames.size() - 1);
    Sym.Keyed of = (Sym.Keyed) frame.locals[OF];
    List<Sym> answers = ((Sym.Elements) frame.locals[DONE]).values();
    Gives gives = (Gives) ((Sym.Host) frame.locals[GIVES]).value();
    machine.top().push(result(of, answers, gives));
    return true;
  }

  private Sym result(Sym.Keyed of, List<Sym> answers, Gives gives) {
    List<Sym.Slot> mapped = new ArrayList<>();
    Sym.Prim any = machine.constantPrim(0);
    for (int i = 0; i < answers.size(); i++) {
      Sym.Slot slot = of.slots().get(i);
      Sym answer = answers.get(i);
      switch (gives) {
        case MAP, SET, BAG -> mapped.add(new Sym.Slot(slot.present(), answer));
        case VALUES, VIEWED_VALUES ->
            mapped.add(new Sym.Slot(slot.present(), pair(key(slot.element()), answer)));
        case FILTERED ->
            mapped.add(new Sym.Slot(and(slot.present(), truth(answer)), slot.element()));
        case FILTERED_OUT ->
            mapped.add(new Sym.Slot(and(slot.present(), not(truth(answer))), slot.element()));
        case EXISTS -> any = or(any, and(slot.present(), truth(answer)));
        case FORALL -> any = or(any, and(slot.present(), not(truth(answer))));
        case COUNT -> any = binary(BinaryOp.ADD, any, and(slot.present(), truth(answer)));
        case OR_ELSE -> {
          return choose(slot.present(), slot.element(), answer);
        }
      }
    }
    return switch (gives) {
      case MAP -> made(Sym.Collection.MAP, mapped);
      case SET -> made(Sym.Collection.SET, mapped);
      case BAG -> new Sym.Keyed(Sym.Collection.BAG, mapped);
      case VALUES -> new Sym.Keyed(Sym.Collection.MAP, mapped);
      case VIEWED_VALUES -> new Sym.Keyed(Sym.Collection.VIEW, mapped);
      case FILTERED, FILTERED_OUT -> new Sym.Keyed(of.form(), mapped);
      case FORALL -> not(any);
      default -> any;
    };
  }

  private Sym.Prim truth(Sym answer) {
    return machine.prim(
        answer instanceof Sym.Box box ? new Sym.Prim(Kind.INT, box.variable()) : answer);
  }
}
