package com.nvidia.spark.rapids.jni;

public class RmmSpark {
  public static int waits;

  public static void blockThreadUntilReady() {
    waits++;
  }
}
