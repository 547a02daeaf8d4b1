package org.sparkgpugraph.examples.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sparkgpugraph.runtime.conf.NearestName;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts an argument into a constant of an enum, written in lower case with hyphens; names the
 * nearest one when there is none.
 */
public abstract class Choice<E extends Enum<E>> implements ITypeConverter<E> {
  private final Class<E> type;
  private final String what;

  /**
   * Names what is chosen.
   *
   * @param what the thing, for messages, with an article: "an engine"
   */
  public Choice(Class<E> type, String what) {
    this.type = type;
    this.what = what;
  }

  @Override
  public E convert(String value) {
    List<String> names = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      if (name(constant).equals(value)) {
        return constant;
      }
      names.add(name(constant));
    }
    throw new TypeConversionException(unknown(value, what, names));
  }

  static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace("_", "");
  }

  /** The message for a value that is none of the names. */
  public static String unknown(String value, String what, List<String> names) {
    String nearest =
        NearestName.of(value, names).map(name -> "did you mean '" + name + "'? ").orElse("");
    return "'" + value + "' is not " + what + "; " + nearest + "valid: " + String.join(", ", names);
  }
}
