/**
 * What tests of several packages use: sequential oracles, random graphs and programs, one shared
 * Spark. Begin with {@link org.sparkgpugraph.testing.TestGraph}, {@link
 * org.sparkgpugraph.testing.TestProgram} and {@link org.sparkgpugraph.testing.Compare}.
 *
 * <p>Classes of tests lie in the package of what they test. The end of a name says what a class is,
 * here and in the other modules:
 *
 * <ul>
 *   <li>{@code Test}: tests that the build runs. What needs an emulated or a real GPU begins with
 *       {@code Emulated} or {@code Cuda}, and the latter has the tag {@code gpu}.
 *   <li>{@code Suite}: abstract tests that several of those inherit, one for each device or
 *       cluster.
 *   <li>{@code Job}: a main class for a JVM of its own, which a test starts; what it prints and its
 *       exit status are the result.
 *   <li>{@code Process}: another JVM or program, seen from the test that started it.
 *   <li>{@code Trial}: runs a program or function in one of several ways, to be compared with
 *       others.
 *   <li>{@code Oracle}: the right result by code that is slow, short and shares nothing with the
 *       product.
 * </ul>
 *
 * <p>{@code Random…} draws by a seed, and the same by the same one; a failure names it. {@code
 * Fake…} stands in for what is not there. {@code …Graphs}, {@code …Programs} and {@code …Cases} are
 * several of a kind.
 */
package org.sparkgpugraph.testing;
