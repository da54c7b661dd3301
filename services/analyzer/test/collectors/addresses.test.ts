import type { Circumstances } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { learnAddresses } from "../../src/collectors/addresses.ts";

function seen(service: string, more: Partial<Circumstances> = {}): Circumstances {
  return {
    ...{ id: "", at: "2026-03-01T10:00:00.000Z", service, release: "", host: "", instance: "", runtime: "" },
    ...{ fingerprint: "", traceId: "", message: "", method: "GET", path: "", route: "", calledAs: "", userAgent: "" },
    calls: [],
    ...more,
  };
}

const call = (url: string) => ({
  ...{ at: "", method: "GET", url, statusCode: 500, durationMs: 1, error: null },
  isOfProcess: false,
});

describe("the service that answers at a host", () => {
  it("is the one that was called by that name", () => {
    const { serviceAt } = learnAddresses([seen("payments", { calledAs: "127.0.0.1:4003" })], []);
    expect(serviceAt("127.0.0.1:4003")).toBe("payments");
    expect(serviceAt("127.0.0.1:4004")).toBeNull();
  });

  it("is the one that served the same path in the trace of a call", () => {
    const { serviceAt } = learnAddresses(
      [
        seen("orders", { traceId: "t", calls: [call("http://10.0.0.7/charge/7?x=1")] }),
        seen("payments", { traceId: "t", path: "/charge/7" }),
        seen("stock", { traceId: "u", path: "/charge/7" }),
      ],
      [],
    );
    expect(serviceAt("10.0.0.7")).toBe("payments");
  });

  it("is unknown while the services called by that name disagree", () => {
    const called = (service: string) => seen(service, { calledAs: "gateway" });
    expect(learnAddresses([called("a"), called("b")], []).serviceAt("gateway")).toBeNull();
    const most = [called("a"), called("a"), called("a"), called("a"), called("b")];
    expect(learnAddresses(most, []).serviceAt("gateway")).toBe("a");
  });

  it("is the service that the host is named after, when nothing else is known", () => {
    const { serviceAt } = learnAddresses([], ["payments"]);
    expect(serviceAt("payments:8080")).toBe("payments");
    expect(serviceAt("Payments.shop.svc.cluster.local")).toBe("payments");
    expect(serviceAt("mypayments.example.com")).toBeNull();
  });
});
