package org.sparkgpugraph.files;

import java.net.URI;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files by the scheme {@code store}, of which nobody knows that it renames directories. */
public final class StoreFileSystem extends RawLocalFileSystem {
  private static final URI NAME = URI.create("store:///");

  @Override
  public String getScheme() {
    return "store";
  }

  @Override
  public URI getUri() {
    return NAME;
  }
}
