package main

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

type order struct {
	lines []string
}

func totalOf(placed *order) int {
	return len(placed.lines)
}

func checkout(ctx context.Context) {
	_, span := otel.Tracer("orders").Start(ctx, "checkout")
	// Records a panic, and lets it go on.
	defer span.End(trace.WithStackTrace(true))
	totalOf(nil)
}

func main() {
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		panic(err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
	defer provider.Shutdown(ctx)
	otel.SetTracerProvider(provider)
	checkout(ctx)
}
