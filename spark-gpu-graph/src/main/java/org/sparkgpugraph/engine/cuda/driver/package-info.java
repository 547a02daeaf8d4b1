/**
 * CUDA's driver API behind the interfaces of {@link org.sparkgpugraph.engine.device}. The only
 * classes that call JCuda, and the only ones that cannot run without a GPU, hence thin. They are
 * loaded by a class loader of their own; nothing outside names them.
 */
package org.sparkgpugraph.engine.cuda.driver;
