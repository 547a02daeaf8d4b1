package org.sparkgpugraph.architecture;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What users call mentions nothing that is the library's own business. */
@Tag("any-spark-4")
class PublicApiTest {
  private static final String ROOT = "org.sparkgpugraph";

  /** Where everything that is public is for users. */
  private static final Set<String> ROOMS =
      Set.of(ROOT, ROOT + ".function", ROOT + ".run", ROOT + ".vector");

  /** Types of values, and blocks of data that loaders make and results give. */
  private static final Set<String> DATA =
      Set.of(
          ROOT + ".program.ValueType",
          ROOT + ".graphs.model.EdgeBlock",
          ROOT + ".graphs.model.VertexBlock");

  private static final List<String> OTHERS =
      List.of("java.", "scala.", "org.apache.spark.", "com.esotericsoftware.kryo.");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
          .importPackages(ROOT);

  @Test
  void publicSignaturesMentionWhatIsPublic() {
    TreeSet<String> leaks =
        CLASSES.stream()
            .filter(type -> ROOMS.contains(type.getPackageName()) && isVisible(type))
            .flatMap(
                type ->
                    Stream.concat(
                        mentioned(type)
                            .filter(PublicApiTest::isInternal)
                            .map(leak -> type.getName() + " is a " + leak),
                        type.getMembers().stream()
                            .filter(PublicApiTest::isVisible)
                            .flatMap(
                                member ->
                                    mentioned(member)
                                        .filter(PublicApiTest::isInternal)
                                        .map(leak -> member.getFullName() + " says " + leak))))
            .collect(toCollection(TreeSet::new));
    assertThat(leaks).isEmpty();
  }

  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(PublicApiTest::isVisible).orElse(true);
  }

  private static boolean isVisible(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  private static Stream<String> mentioned(JavaClass type) {
    return Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
        .flatMap(PublicApiTest::names);
  }

  private static Stream<String> mentioned(JavaMember member) {
    if (member instanceof JavaCodeUnit code) {
      return Stream.concat(Stream.of(code.getReturnType()), code.getParameterTypes().stream())
          .flatMap(PublicApiTest::names);
    }
    return names(((JavaField) member).getType());
  }

  /** The raw types in a type, type arguments among them. */
  private static Stream<String> names(JavaType type) {
    return type.getAllInvolvedRawTypes().stream()
        .map(JavaClass::getBaseComponentType)
        .filter(raw -> !raw.isPrimitive())
        .map(JavaClass::getName);
  }

  private static boolean isInternal(String name) {
    String outer = name.replaceAll("\\$.*", "");
    String room = outer.substring(0, Math.max(0, outer.lastIndexOf('.')));
    return !ROOMS.contains(room)
        && !DATA.contains(outer)
        && OTHERS.stream().noneMatch(name::startsWith);
  }
}
