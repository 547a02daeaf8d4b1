/**
 * Transparent mode: GraphX's own objects ask here before they do anything, so that unchanged jars
 * run on the engines. Nothing of GraphX is copied: the bytes of its classes are read from the jar
 * that the driver has, and a call of a hook is put in front of some methods before the class is
 * loaded. Begin with {@link org.sparkgpugraph.adapter.transparent.TransparentMode}, then {@link
 * org.sparkgpugraph.adapter.transparent.CallHook}. May use: {@code adapter.run}, {@code
 * adapter.fallback}, the runtime, GraphX and ASM.
 */
package org.sparkgpugraph.adapter.transparent;
