package org.sparkgpugraph.program;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.objectweb.asm.Type;
import scala.reflect.NameTransformer;

/**
 * Says in the words of the language that a user writes what is found in class files: no names that
 * a compiler made, no descriptors of the JVM, and for Scala what to write in Scala.
 */
final class SourceWords {
  /** A class of a line of Scala's shell. */
  private static final Pattern OF_SHELL =
      Pattern.compile("\\$line\\d+\\.\\$read(?:\\$\\$?iw)*\\$?(\\w*)\\$?");

  private static final Pattern VALUE_OF_SHELL =
      Pattern.compile("is an? (?:case class )?" + OF_SHELL + "(?![.\\w]).*", Pattern.DOTALL);

  private static final Pattern ARRAY = Pattern.compile("\\[([ZCFDIJ])(?=[\\s,;:.)]|$)");

  private static final Pattern DESCRIPTOR = Pattern.compile("\\bL(?:[\\w$]+/)+([\\w$]+);");

  /** What stands in a reason, in this order, and what a user of Scala calls it. */
  private static final Map<Pattern, String> SCALA = new LinkedHashMap<>();

  static {
    say("\\$mc[A-Z]+\\$sp\\b", "");
    say("\\$(module|lzycompute(\\$\\d+)?)\\b", "");
    say("scala\\.collection\\.immutable\\.(Hash)?Map\\$\\w+\\$?", "Map");
    say("scala\\.collection\\.immutable\\.(Hash)?Set\\$\\w+\\$?", "Set");
    say("scala\\.collection\\.immutable\\.(\\$colon\\$colon|Nil\\$)", "List");
    say("\\$extension\\b", "");
    say("scala\\.(collection\\.)?((im)?mutable|package)\\$?\\.", "");
    say("scala\\.collection\\.(?=[A-Z])", "");
    say("scala\\.Predef\\$?\\.", "");
    say("scala\\.(?=[A-Z])", "");
    say(
        "Integer, Long, Float, Double, Boolean,? or (a )?records?(, tuple or case class)? of them",
        "Int, Long, Float, Double, Boolean, or tuples or case classes of them");
    say("the arithmetic of Integer, Long, Float, Double, Boolean", "arithmetic of numbers");
    say("\\bint\\[\\]", "Array[Int]");
    say("\\bchar\\[\\]", "Array[Char]");
    say("\\blong\\[\\]", "Array[Long]");
    say("\\bfloat\\[\\]", "Array[Float]");
    say("\\bdouble\\[\\]", "Array[Double]");
    say("\\bboolean\\[\\]", "Array[Boolean]");
    say("java\\.lang\\.Integer(?=[^\\w.]|$)", "Int");
    say("java\\.lang\\.Character(?=[^\\w.]|$)", "Char");
    say("java\\.lang\\.(Long|Float|Double|Boolean|Byte|Short|String|Object)(?=[^\\w.]|$)", "$1");
    say("Integer or Long", "Int or Long");
    say(
        "creates an object of class (java\\.lang\\.StringBuilder|StringOps)(?=;)",
        "makes a String");
    say(
        "make it final, or copy it to a local variable",
        "make it a val, or copy it to a local val");
    say("which is not final", "which is a var");
    say("static field", "field");
    say("local variables", "local vals");
    say("\\blambda(s?)\\b", "function$1");
    say("a record, tuple or case class", "a tuple or case class");
    say("records, tuples and case classes", "tuples and case classes");
    say("\\b(R|r)ecords\\b", "case classes");
    say("\\b(R|r)ecord\\b", "case class");
    say("write \\.equals\\b", "write ==");
    say("(?<=\\w)\\$(?=[A-Z])", ".");
    say("\\$(?=[\\s,;:.)]|$)", "");
  }

  private SourceWords() {}

  private static void say(String found, String said) {
    SCALA.put(Pattern.compile(found), said);
  }

  /** A reason in the user's words. */
  static String reason(String reason, boolean isScala) {
    String said =
        VALUE_OF_SHELL
            .matcher(reason)
            .replaceFirst(
                "is of class '$1', which is defined in the shell, and is no case class or makes use"
                    + " of what its line defines; use a case class that does not, define it in a"
                    + " package (:paste -raw, then package model and the class, then import"
                    + " model._), or use a tuple");
    said = DESCRIPTOR.matcher(OF_SHELL.matcher(said).replaceAll("$1")).replaceAll("$1");
    said = ARRAY.matcher(said).replaceAll(array -> Type.getType(array.group()).getClassName());
    if (isScala) {
      for (Map.Entry<Pattern, String> word : SCALA.entrySet()) {
        said = word.getKey().matcher(said).replaceAll(word.getValue());
      }
      said = NameTransformer.decode(said);
    }
    return said;
  }

  /** What a function of a program is called where it is given. */
  static String function(String function, boolean isScala) {
    return !isScala
        ? function
        : switch (function) {
          case "vertexProgram" -> "vprog";
          case "sendMessage" -> "sendMsg";
          case "mergeMessage" -> "mergeMsg";
          default -> function;
        };
  }

  /** A method that the user wrote and named, which a lambda is not; empty otherwise. */
  static String method(String method) {
    boolean made = method.contains("$") || method.startsWith("<") || method.equals("apply");
    return made ? "" : method;
  }
}
