package org.sparkgpugraph.examples.command;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Numbers between commas. Picocli's own splitting drops empty items at the end, so that "1," would
 * be one number.
 *
 * @param items in their order
 */
public record CommaList<T>(List<T> items) {
  public static final class Ids implements ITypeConverter<CommaList<Long>> {
    @Override
    public CommaList<Long> convert(String text) {
      return of(text, NumberArguments::toLong);
    }
  }

  public static final class Numbers implements ITypeConverter<CommaList<Double>> {
    @Override
    public CommaList<Double> convert(String text) {
      return of(text, NumberArguments::toDouble);
    }
  }

  private static <T> CommaList<T> of(String text, Function<String, T> parse) {
    return new CommaList<>(
        Arrays.stream(text.split(",", -1))
            .map(String::strip)
            .map(
                item -> {
                  if (item.isEmpty()) {
                    throw new TypeConversionException(
                        "'" + text + "' has an empty item: put a number before and behind a comma");
                  }
                  return parse.apply(item);
                })
            .toList());
  }

  /** The items of an option that may be given several times; null: it is not given. */
  public static <T> List<T> all(List<CommaList<T>> given) {
    return given == null ? null : given.stream().flatMap(list -> list.items().stream()).toList();
  }
}
