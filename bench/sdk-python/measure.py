"""One arm of the benchmark, in a process of its own: prints its figures as JSON."""

import json
import sys
import time

ARM = sys.argv[1]
#: A port of this machine that nothing listens on.
DEAD = "http://127.0.0.1:9"


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def start():
    """Start the arm's client; return how it captures an exception and wraps a WSGI application."""
    if ARM == "whence":
        import whence

        whence.init(api_key="k", endpoint=DEAD, spool=False, service="bench")

        def wrap(app):
            from whence.frameworks.wsgi import WhenceMiddleware

            return WhenceMiddleware(app)

        return whence.capture_exception, wrap
    if ARM == "sentry-sdk":
        import sentry_sdk

        sentry_sdk.init(dsn="http://k@127.0.0.1:9/1")

        def wrap(app):
            from sentry_sdk.integrations.wsgi import SentryWsgiMiddleware

            return SentryWsgiMiddleware(app)

        return sentry_sdk.capture_exception, wrap
    if ARM == "opentelemetry":
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        provider = TracerProvider()
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=DEAD)))
        trace.set_tracer_provider(provider)
        tracer = trace.get_tracer("bench")

        def capture(error):
            with tracer.start_as_current_span("failure") as span:
                span.record_exception(error)

        def wrap(app):
            from opentelemetry.instrumentation.wsgi import OpenTelemetryMiddleware

            return OpenTelemetryMiddleware(app)

        return capture, wrap
    return (lambda error: None), (lambda app: app)


memory = resident_bytes()
cpu = time.process_time()
capture, wrap = start()
figures = {"start_ms": (time.process_time() - cpu) * 1e3}
figures["start_mb"] = (resident_bytes() - memory) / 1e6


def fail(calls, order, config):
    total = calls * 1.5
    name = f"step {calls}"
    flags = {"debug": False, "retry": True}
    items = ["a", "b", name]
    if calls == 0:
        raise ValueError(f"no stock of {order['sku']}, {total}, {flags}, {items}")
    fail(calls - 1, order, config)


def raised():
    try:
        fail(19, {"sku": "A-1", "count": 2}, {"host": "db", "port": 5432})
    except ValueError as error:
        return error


def app(environ, start_response):
    start_response("200 OK", [("content-type", "text/plain")])
    return [json.dumps({"path": environ["PATH_INFO"]}).encode()]


def request():
    environ = {
        **{"REQUEST_METHOD": "GET", "PATH_INFO": "/orders/31", "QUERY_STRING": "page=2"},
        **{"SERVER_NAME": "shop", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1"},
        **{"HTTP_HOST": "shop", "HTTP_ACCEPT": "*/*", "wsgi.url_scheme": "http"},
    }
    answer = wrapped(environ, lambda status, headers, error=None: None)
    b"".join(answer)
    getattr(answer, "close", lambda: None)()


def median(run, count):
    """Return the median time of a call on this thread, in microseconds."""
    times = []
    for _ in range(count):
        begun = time.thread_time_ns()
        run()
        times.append((time.thread_time_ns() - begun) / 1e3)
    return sorted(times)[count // 2]


wrapped = wrap(app)
median(request, 200)
figures["request_us"] = median(request, 3_000)
errors = [raised() for _ in range(200)]
for error in errors[:50]:
    capture(error)
waiting = iter(errors[50:])
figures["capture_us"] = median(lambda: capture(next(waiting)), 150)
sys.stdout.write(json.dumps(figures))
sys.stdout.flush()
# What can't be delivered isn't part of it.
import os

os._exit(0)
