/**
 * Transparent mode: GraphX's own objects ask here before they do anything, so that unchanged jars
 * run on the engines. Nothing of GraphX is copied: the bytes of its classes are read from the jar
 * that the driver has, and a call of a hook is put in front of some methods before the class is
 * loaded. Begin with {@link org.sparkgpugraph.runtime.transparent.TransparentMode}, then {@link
 * org.sparkgpugraph.runtime.transparent.CallHook}. May use: {@code run}, {@code fallback}, {@code
 * conf}, GraphX and ASM.
 */
package org.sparkgpugraph.runtime.transparent;
