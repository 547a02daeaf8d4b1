package org.sparkgpugraph.runtime.ui;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils;
import org.apache.spark.ui.WebUIPage;
import scala.Function0;
import scala.xml.Unparsed;

/** What is around a page's content: Spark's header, with its tabs. */
final class SparkPage {
  private static final Method HEADER =
      Arrays.stream(UIUtils.class.getMethods())
          .filter(method -> method.getName().equals("headerSparkPage"))
          .findFirst()
          .orElseThrow(
              () -> new IllegalStateException("this Spark's " + UIUtils.class + " has no header"));

  private static final int GIVEN = 4;

  private SparkPage() {}

  /** What a page shows. */
  interface Content {
    /**
     * @param parameters of the request
     */
    Titled of(Map<String, String[]> parameters);
  }

  /**
   * A page's content.
   *
   * @param title text
   * @param html what is below it
   */
  record Titled(String title, String html) {}

  /**
   * A page of a tab.
   *
   * @param prefix last part of its path; empty: the page of the tab itself
   */
  static WebUIPage of(SparkUITab tab, String prefix, Content content) {
    return PageClass.page(prefix, request -> page(tab, request, content));
  }

  private static Object page(SparkUITab tab, Object request, Content content) {
    Titled titled = content.of(parameters(request));
    Function0<Object> html = () -> new Unparsed(titled.html());
    Object[] arguments = new Object[HEADER.getParameterCount()];
    arguments[0] = request;
    arguments[1] = titled.title();
    arguments[2] = html;
    arguments[3] = tab;
    try {
      for (int i = GIVEN; i < arguments.length; i++) {
        String usual = HEADER.getName() + "$default$" + (i + 1);
        arguments[i] = UIUtils.class.getMethod(usual).invoke(null);
      }
      return HEADER.invoke(null, arguments);
    } catch (ReflectiveOperationException e) {
      Throwable cause = e instanceof InvocationTargetException thrown ? thrown.getCause() : e;
      throw new IllegalStateException("Spark's UI cannot show the page: " + cause, cause);
    }
  }

  @SuppressWarnings("unchecked") // as the servlet interface declares it
  private static Map<String, String[]> parameters(Object request) {
    try {
      return (Map<String, String[]>)
          PageClass.RENDER.getParameterTypes()[0].getMethod("getParameterMap").invoke(request);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a request of Spark's UI has no parameters: " + e, e);
    }
  }
}
