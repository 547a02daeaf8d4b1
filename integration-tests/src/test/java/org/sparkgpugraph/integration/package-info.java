/** Deployments of the packaged product: real executor JVMs, spark-submit, jshell, the launcher. */
package org.sparkgpugraph.integration;
