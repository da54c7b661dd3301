import { limits } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MinuteReadings } from "../../src/otlp/minute-readings.ts";
import { otlpLimits } from "../../src/otlp/otlp-limits.ts";
import { PointAllowance } from "../../src/otlp/point-allowance.ts";
import { metricRequest, readRequest } from "../../src/otlp/requests.ts";
import { takeMetrics } from "../../src/otlp/take-metrics.ts";
import { readBatchMessage } from "../../src/telemetry/batch-message.ts";

const receivedAt = "2026-03-01T12:00:00.000Z";
const at = Date.parse(receivedAt);
const frame = { scopeId: "org", receivedAt, retentionDays: null, userKey: null };
const nanos = (ms: number): string => `${ms}000000`;

type Texts = Readonly<Record<string, string>>;
const attributesOf = (given: Texts) =>
  Object.entries(given).map(([key, value]) => ({ key, value: { stringValue: value } }));
const point = (value: number, attributes: Texts, times: { since?: number; ms?: number } = {}) => ({
  ...{ startTimeUnixNano: nanos(times.since ?? at - 60_000), timeUnixNano: nanos(times.ms ?? at) },
  ...{ count: String(value), asInt: String(value), attributes: attributesOf(attributes) },
});
const histogram = (name: string, points: readonly object[], aggregationTemporality = 2) => ({
  name,
  histogram: { aggregationTemporality, dataPoints: points },
});
const gauge = (name: string, points: readonly object[]) => ({ name, gauge: { dataPoints: points } });

function take(
  resource: Texts,
  metrics: readonly object[],
  points: Pick<PointAllowance, "takes"> = { takes: () => true },
) {
  const resourceMetrics = [{ resource: { attributes: attributesOf(resource) }, scopeMetrics: [{ metrics }] }];
  const request = readRequest(metricRequest, Buffer.from(JSON.stringify({ resourceMetrics })), "json");
  const taken = takeMetrics(request, frame, { readings: new MinuteReadings(() => at), points });
  const batches = taken.messages.map(({ body }) => {
    const read = readBatchMessage(body);
    if ("unreadable" in read) throw new Error(read.unreadable);
    return read.batch;
  });
  return { taken, batches, measures: batches.flatMap(({ measures = [] }) => measures) };
}

describe("metrics of requests", () => {
  const route: Texts = { "http.request.method": "GET", "http.route": "/orders/:id" };

  it("are kept by route and status, the failed ones first, as they were exported", () => {
    const statuses = [
      point(8, { ...route, "http.response.status_code": "200" }),
      point(2, { ...route, "http.response.status_code": "503" }),
    ];
    const { measures, taken } = take({ "service.name": "orders" }, [
      histogram("http.server.request.duration", statuses),
    ]);
    const same = { kind: "route", name: "GET /orders/:id", counting: "total" };
    expect(measures).toMatchObject([
      { ...same, failed: true, value: 2, since: "2026-03-01T11:59:00.000Z", at: receivedAt },
      { ...same, failed: false, value: 8 },
    ]);
    expect(new Set(measures.map(({ series }) => series)).size).toBe(2);
    expect(taken).toMatchObject({ items: { stored: 2, counted: 0, rejected: 0 }, points: new Map([["orders", 2]]) });
  });

  it("keep the series apart however a Collector splits or orders them", () => {
    const one = { ...route, "http.response.status_code": "200", "server.address": "a" };
    const seriesOf = (attributes: Texts) =>
      take({}, [histogram("http.server.request.duration", [point(1, attributes)])]).measures[0]?.series;
    expect(seriesOf(Object.fromEntries(Object.entries(one).toReversed()))).toBe(seriesOf(one));
    expect(seriesOf({ ...one, "server.address": "b" })).not.toBe(seriesOf(one));
  });

  it.each<[string, string, Texts, object]>([
    [
      ...(["the old names", "http.server.duration"] as const),
      ...([
        { "http.method": "POST", "http.route": "/pay", "http.status_code": "500" },
        { name: "POST /pay", failed: true },
      ] as const),
    ],
    [
      ...(["a server without routes", "http.server.request.duration"] as const),
      ...([
        { "http.request.method": "GET", "http.response.status_code": "404" },
        { name: "GET", failed: false },
      ] as const),
    ],
    [
      ...(["a request without an answer", "http.server.request.duration"] as const),
      ...([{ ...route, "error.type": "timeout" }, { failed: true }] as const),
    ],
    [
      ...(["gRPC", "rpc.server.duration"] as const),
      ...([
        { "rpc.service": "shop.Stock", "rpc.method": "Reserve", "rpc.grpc.status_code": "13" },
        { kind: "route", name: "shop.Stock/Reserve", failed: true },
      ] as const),
    ],
    [
      ...(["gRPC with an answer that isn't the server's fault", "rpc.server.call.duration"] as const),
      ...([
        { "rpc.method": "shop.Stock/Reserve", "rpc.response.status_code": "NOT_FOUND" },
        { name: "shop.Stock/Reserve", failed: false },
      ] as const),
    ],
    [
      ...(["processed messages", "messaging.process.duration"] as const),
      ...([
        { "messaging.destination.name": "mail", "error.type": "TypeError" },
        { kind: "process", name: "mail", failed: true },
      ] as const),
    ],
  ])("of %s are read", (_what, metric, attributes, measure) => {
    expect(take({}, [histogram(metric, [point(3, attributes)])]).measures).toMatchObject([{ value: 3, ...measure }]);
  });

  it("under the old name are left out when they come under the stable one, too", () => {
    const stable = histogram("http.server.request.duration", [point(3, route)]);
    const { measures, taken } = take({}, [histogram("http.server.duration", [point(3, route)]), stable]);
    expect(measures).toHaveLength(1);
    expect(taken.items).toEqual({ stored: 1, counted: 1, rejected: 0 });
  });

  it("are the first ones of their series if they didn't begin at 0", () => {
    const counting = (since: number) =>
      take({}, [histogram("http.server.request.duration", [point(9, route, { since })])]).measures[0]?.counting;
    expect([counting(at), counting(at - 1), counting(0)]).toEqual(["first", "total", "total"]);
  });

  it("that are exported within a millisecond of their first one began at 0", () => {
    const soon = { ...point(9, route), startTimeUnixNano: `${at}100000`, timeUnixNano: `${at}900000` };
    const { measures } = take({}, [histogram("http.server.request.duration", [soon])]);
    expect(measures).toMatchObject([{ counting: "total", value: 9 }]);
  });

  it("since the export before have no start, and none is left out", () => {
    const points = [point(1, route, { ms: at - 20_000 }), point(2, route)];
    const { measures } = take({}, [histogram("http.server.request.duration", points, 1)]);
    expect(measures.map(({ counting, since, value }) => [counting, since, value])).toEqual([
      ...[
        ["delta", null, 1],
        ["delta", null, 2],
      ],
    ]);
  });
});

describe("metrics of queues and containers", () => {
  it.each<[string, Texts, Texts, object]>([
    ["messaging.queue.depth", {}, { "messaging.destination.name": "mail" }, { name: "mail" }],
    ["kafka.consumer.records_lag", {}, { topic: "orders", partition: "0" }, { name: "orders" }],
    ["rabbitmq.message.current", { "rabbitmq.queue.name": "mail" }, { state: "ready" }, { name: "mail" }],
    ["k8s.container.restart.count", {}, {}, { kind: "restarts", name: "", counting: "total" }],
    ["container.restarts", {}, {}, { kind: "restarts", counting: "total" }],
  ])("%s are kept", (metric, resource, attributes, measure) => {
    const { measures } = take(resource, [gauge(metric, [point(4, attributes)])]);
    expect(measures).toMatchObject([{ kind: "queue", counting: "gauge", since: null, value: 4, ...measure }]);
  });

  it("count messages that are being processed nowhere", () => {
    const { measures, taken } = take({}, [gauge("rabbitmq.message.current", [point(4, { state: "unacknowledged" })])]);
    expect([measures, taken.items.counted]).toEqual([[], 1]);
  });

  it("belong to the consumer group, or to what Kubernetes runs, where no service is named", () => {
    const lag = gauge("kafka.consumer_group.lag", [point(4, { topic: "orders", group: "billing" })]);
    expect(take({}, [lag]).batches.map(({ service }) => service)).toEqual(["billing"]);
    const long = gauge("kafka.consumer_group.lag", [point(4, { topic: "orders", group: "b".repeat(201) })]);
    expect(take({}, [long]).batches.map(({ service }) => service.length)).toEqual([limits.serviceLengthMax]);
    const restarts = gauge("k8s.container.restart.count", [point(1, {})]);
    const pod: Texts = { "k8s.pod.name": "cart-6f", "k8s.container.name": "cart", "container.id": "1" };
    const [first] = take(pod, [restarts]).batches;
    expect(first).toMatchObject({ service: "cart", host: { name: "cart-6f" } });
    // A restarted container has another ID, and is the same one all the same.
    expect(take({ ...pod, "container.id": "2" }, [restarts]).batches[0]?.instance).toBe(first?.instance);
    expect(take({ ...pod, "k8s.deployment.name": "carts" }, [restarts]).batches[0]?.service).toBe("carts");
  });
});

describe("series that one service and host has several of", () => {
  const seriesOf = (metric: string, resource: Texts): string => {
    const [measure] = take(resource, [gauge(metric, [point(1, { state: "ready" })])]).measures;
    return measure?.series ?? "";
  };

  it.each<[string, string, Texts, Texts]>([
    [
      ...(["the containers of a pod", "k8s.container.restarts"] as const),
      ...([{ "k8s.container.name": "app" }, { "k8s.container.name": "istio-proxy" }] as const),
    ],
    [
      ...(["the pods of a Collector's host", "k8s.container.restarts"] as const),
      ...([{ "k8s.pod.name": "cart-6f" }, { "k8s.pod.name": "cart-7a" }] as const),
    ],
    [
      ...(["the containers of a machine", "container.restarts"] as const),
      ...([{ "container.name": "cart-1" }, { "container.name": "cart-2" }] as const),
    ],
    [
      ...(["queues of the same name", "rabbitmq.message.current"] as const),
      ...([{ "rabbitmq.vhost.name": "/eu" }, { "rabbitmq.vhost.name": "/us" }] as const),
    ],
  ])("are kept apart: %s", (_what, metric, one, other) => {
    const same: Texts = { "service.name": "cart", "host.name": "node-1", "rabbitmq.queue.name": "mail" };
    expect(seriesOf(metric, { ...same, ...one })).not.toBe(seriesOf(metric, { ...same, ...other }));
  });

  it("go on when a container restarts under another ID", () => {
    const container: Texts = { "service.name": "cart", "k8s.pod.name": "cart-6f", "k8s.container.name": "app" };
    const [before, after] = ["1", "2"].map((id) =>
      seriesOf("k8s.container.restarts", { ...container, "container.id": id }),
    );
    expect(after).toBe(before);
  });
});

describe("series of metrics", () => {
  const points = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      point(1, { "http.route": `/${index}`, "http.response.status_code": "200" }),
    );
  const requests = (count: number) => [histogram("http.server.request.duration", points(count))];

  /** Takes points of a service, without the requests that would bring them. */
  const fill = (allowance: PointAllowance, service: string, count: number) => {
    const taken = Array.from({ length: count }, () => allowance.takes("org", service)).filter(Boolean);
    expect(taken).toHaveLength(count);
  };
  const { otlpPointsPerServiceMax: serviceMax, otlpPointsPerMinuteMax: organizationMax } = otlpLimits;

  it("are all kept of a service that exports 1,000 of them every 10 seconds", () => {
    const clock = { now: at };
    const allowance = new PointAllowance(() => clock.now);
    for (let second = 0; second < 60; second += 10) {
      clock.now = at + second * 1_000;
      expect(take({ "service.name": "a" }, requests(1_000), allowance).taken.items.stored).toBe(1_000);
    }
  });

  it("are limited: 30,000 points of a service in a minute, and the surplus is rejected with the reason", () => {
    const clock = { now: at };
    const allowance = new PointAllowance(() => clock.now);
    fill(allowance, "a", serviceMax - 1);
    expect(take({ "service.name": "a" }, requests(1), allowance).taken).toMatchObject({
      ...{ items: { stored: 1 }, reason: "" },
    });
    expect(take({ "service.name": "a" }, requests(2), allowance).taken).toMatchObject({
      ...{ messages: [], items: { stored: 0, rejected: 2 } },
      reason: expect.stringContaining("more than 30000 points"),
    });
    expect(take({ "service.name": "b" }, requests(1), allowance).taken.items.stored).toBe(1);
    allowance.giveBack("org", "a", 1);
    expect(take({ "service.name": "a" }, requests(2), allowance).taken.items).toMatchObject({ stored: 1, rejected: 1 });
    clock.now += 60_000;
    expect(take({ "service.name": "a" }, requests(1), allowance).taken.items.stored).toBe(1);
  });

  it("are limited: 120,000 points of an organization, those that a service has too many of not counted", () => {
    const allowance = new PointAllowance(() => at);
    fill(allowance, "a", serviceMax);
    expect(allowance.takes("org", "a")).toBe(false);
    for (const service of ["b", "c"]) fill(allowance, service, serviceMax);
    fill(allowance, "d", organizationMax - 3 * serviceMax - 1);
    expect(take({ "service.name": "e" }, requests(2), allowance).taken.items).toMatchObject({ stored: 1, rejected: 1 });
    expect(allowance.takes("another", "e")).toBe(true);
  });

  it("are limited: 1,000 services that the points of one request name", () => {
    const { otlpNamedServicesMax: max } = otlpLimits;
    const lag = (count: number) =>
      gauge(
        "kafka.consumer_group.lag",
        ["orders", "refunds"].flatMap((topic) =>
          Array.from({ length: count }, (_, index) => point(1, { topic, group: `group-${index}` })),
        ),
      );
    const whole = take({}, [lag(max)]);
    expect([whole.batches.length, whole.taken.items]).toEqual([max, { stored: 2 * max, counted: 0, rejected: 0 }]);
    const { batches, taken } = take({}, [lag(max + 1)]);
    expect([batches.length, taken.items]).toEqual([max, { stored: 2 * max, counted: 0, rejected: 2 }]);
    expect(taken.reason).toContain("more than 1000 services");
  });

  it("are each stored, counted, or rejected, whatever the metrics are", () => {
    const names = ["http.server.request.duration", "kafka.consumer_group.lag", "process.memory.usage", "shop.orders"];
    const anyPoint = fc.record({
      value: fc.oneof(fc.nat(9), fc.constant(2 ** 40)),
      attributes: fc.dictionary(fc.constantFrom("http.route", "topic", "group", "error.type"), fc.string()),
      times: fc.record({ since: fc.constantFrom(0, at - 1, at), ms: fc.constantFrom(0, at, at + 1e12) }),
    });
    const metric = fc.record({ name: fc.constantFrom(...names), isCount: fc.boolean(), points: fc.array(anyPoint) });
    fc.assert(
      fc.property(fc.array(metric), fc.boolean(), (metrics, takes) => {
        const made = metrics.map(({ name, isCount, points: some }) => {
          const dataPoints = some.map(({ value, attributes, times }) => point(value, attributes, times));
          return isCount ? histogram(name, dataPoints) : gauge(name, dataPoints);
        });
        const { taken, measures } = take({}, made, { takes: () => takes });
        const { stored, counted, rejected } = taken.items;
        expect(stored + counted + rejected).toBe(metrics.reduce((sum, one) => sum + one.points.length, 0));
        expect(taken.reason === "").toBe(rejected === 0);
        expect(measures.length).toBe(takes ? [...taken.points.values()].reduce((sum, one) => sum + one, 0) : 0);
      }),
    );
  });
});
