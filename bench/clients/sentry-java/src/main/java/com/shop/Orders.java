package com.shop;

import io.sentry.Sentry;
import java.util.List;

public final class Orders {
  record Order(List<String> lines) {}

  static int totalOf(Order placed) {
    return placed.lines().size();
  }

  public static void main(String[] arguments) {
    Sentry.init(options -> options.setEnableExternalConfiguration(true));
    totalOf(new Order(null));
  }
}
