package org.sparkgpugraph.examples.command;

import java.math.BigInteger;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Numbers on the command line, with messages that tell what is no number from what is too large.
 */
final class NumberArguments {
  private NumberArguments() {}

  /** Has a command line take its numbers this way. */
  static void register(CommandLine commandLine) {
    commandLine
        .registerConverter(Integer.class, new Converter<>(NumberArguments::toInteger))
        .registerConverter(int.class, new Converter<>(NumberArguments::toInteger))
        .registerConverter(Long.class, new Converter<>(NumberArguments::toLong))
        .registerConverter(long.class, new Converter<>(NumberArguments::toLong))
        .registerConverter(Double.class, new Converter<>(NumberArguments::toDouble))
        .registerConverter(double.class, new Converter<>(NumberArguments::toDouble));
  }

  /**
   * A class, no lambda: picocli's interface has a class file of Java 5, and JVMs of version 17
   * crash when they put lambdas of such interfaces into an archive of classes.
   */
  private record Converter<T>(Function<String, T> parse) implements ITypeConverter<T> {
    @Override
    public T convert(String text) {
      return parse.apply(text);
    }
  }

  private static Integer toInteger(String text) {
    return whole(text, BigInteger.valueOf(Integer.MIN_VALUE), BigInteger.valueOf(Integer.MAX_VALUE))
        .intValue();
  }

  static Long toLong(String text) {
    return whole(text, BigInteger.valueOf(Long.MIN_VALUE), BigInteger.valueOf(Long.MAX_VALUE))
        .longValue();
  }

  private static BigInteger whole(String text, BigInteger least, BigInteger most) {
    if (!text.matches("[-+]?[0-9]+")) {
      throw new TypeConversionException("'" + text + "' is not an integer");
    }
    BigInteger number = new BigInteger(text);
    if (number.compareTo(least) < 0 || number.compareTo(most) > 0) {
      throw new TypeConversionException(
          "'" + text + "' is out of range: it must be from " + least + " to " + most);
    }
    return number;
  }

  static Double toDouble(String text) {
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not a number");
    }
    if (Double.isInfinite(number) && !text.strip().endsWith("Infinity")) {
      throw new TypeConversionException(
          "'" + text + "' is too large for a double (at most " + Double.MAX_VALUE + ")");
    }
    return number;
  }
}
