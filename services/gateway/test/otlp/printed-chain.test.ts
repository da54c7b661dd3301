import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutRecording } from "../../src/otlp/go-stack.ts";
import { printedChain } from "../../src/otlp/printed-chain.ts";

describe("a printed stack", () => {
  it("of Python is split at its causes, the raised error first", () => {
    const cause = "Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in read\nKeyError: 'lines'";
    const own = 'Traceback (most recent call last):\n  File "/srv/a.py", line 9, in serve\nshop.Failed: no order';
    const stack = `${cause}\n\nThe above exception was the direct cause of the following exception:\n\n${own}`;
    expect(printedChain(stack)).toEqual([own, { type: "KeyError", message: "'lines'", stack: cause }]);
  });

  it("of the JVM is split at its causes", () => {
    const own = "shop.Failed: no order\n\tat shop.Orders.serve(Orders.java:9)";
    const cause = "Caused by: java.lang.NullPointerException\n\tat shop.Orders.read(Orders.java:3)\n\t... 1 more";
    expect(printedChain(`${own}\n${cause}`)).toEqual([
      own,
      { type: "java.lang.NullPointerException", message: "", stack: cause },
    ]);
  });

  it("of .NET is split at its causes, whose calls come first", () => {
    const stack = [
      "Shop.Failed: no order",
      " ---> System.NullReferenceException: not set",
      "   at Shop.Orders.Read() in /srv/Orders.cs:line 3",
      "   --- End of inner exception stack trace ---",
      "   at Shop.Orders.Serve() in /srv/Orders.cs:line 9",
    ].join("\n");
    expect(printedChain(stack)).toEqual([
      "Shop.Failed: no order\n   at Shop.Orders.Serve() in /srv/Orders.cs:line 9",
      {
        ...{ type: "System.NullReferenceException", message: "not set" },
        stack: "System.NullReferenceException: not set\n   at Shop.Orders.Read() in /srv/Orders.cs:line 3",
      },
    ]);
  });

  it("stays as it is without causes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!/Caused by: | ---> |\r/.test(text));
        expect(printedChain(text)).toEqual([text]);
      }),
    );
  });
});

describe("a stack of Go", () => {
  const own = "main.total()\n\t/srv/orders.go:24 +0x13c\nmain.main()\n\t/srv/orders.go:49 +0xbe\n";
  const recording = "go.opentelemetry.io/otel/sdk/trace.recordStackTrace(...)\n\t/go/pkg/mod/trace/span.go:527\n";

  it.each([
    ["an error", `goroutine 1 [running]:\n${recording}${own}`],
    ["a panic", `goroutine 1 [running]:\n${recording}panic({0x1, 0x2})\n\t/usr/local/go/panic.go:860\n${own}`],
    ["another recorder", `goroutine 1 [running]:\n${own}`],
  ])("of %s begins with the program's calls", (_of, stack) => {
    expect(withoutRecording(stack)).toBe(`goroutine 1 [running]:\n${own}`);
  });
});
