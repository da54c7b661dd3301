package com.shop;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.List;

public final class Orders {
  record Order(List<String> lines) {}

  static int totalOf(Order placed) {
    return placed.lines().size();
  }

  public static void main(String[] arguments) {
    OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    Span span = sdk.getTracer("orders").spanBuilder("checkout").startSpan();
    try {
      totalOf(new Order(null));
    } catch (NullPointerException error) {
      span.recordException(error);
      span.setStatus(StatusCode.ERROR);
    } finally {
      span.end();
      sdk.close();
    }
  }
}
