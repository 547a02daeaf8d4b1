/** What ties the library to Spark: configuration, serializers, fallback to GraphX. */
package org.sparkgpugraph.runtime;
