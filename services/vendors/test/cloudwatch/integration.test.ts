import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { cloudWatch } from "../../src/cloudwatch/integration.ts";
import { addressGuard } from "../../src/http/address-guard.ts";
import { vendorLimits } from "../../src/http/vendor-limits.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { mostTelling } from "../../src/integrations/most-telling.ts";
import type { OutboundContext } from "../../src/outbound-context.ts";
import { startVendorServer, type VendorAnswerOf, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

let vendor: VendorServer;
let connection: VendorConnection;
const { signal } = new AbortController();
const inputs = { access_key_id: "AKIAACME", secret_access_key: "secret-of-acme", region: "eu-central-1" };

beforeEach(async () => {
  vendor = await startVendorServer();
  connection = connect();
});
afterEach(async () => {
  await connection.close();
  await vendor.close();
});

function connect(more: Partial<OutboundContext> = {}): VendorConnection {
  return cloudWatch.connect(inputs, { ...vendor.context, ...more });
}

/** Of `GraniteServiceVersion20100801.DescribeAlarms`: the action's name, as both of AWS's JSON protocols send it. */
const actionOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }): string =>
  String(headers["x-amz-target"]).replace(/^.*\./, "");

const bodySchema = z.record(z.string(), z.unknown());
const asked = (action: string) =>
  vendor.requests
    .filter((request) => actionOf(request) === action)
    .map(({ body }) => bodySchema.parse(JSON.parse(body)));

type Answers = Readonly<Record<string, () => VendorAnswerOf>>;

const nothing: Answers = {
  DescribeAlarms: () => ({ body: { MetricAlarms: [], CompositeAlarms: [] } }),
  GetMetricData: () => ({ body: { MetricDataResults: [] } }),
  DescribeLogGroups: () => ({ body: { logGroups: [group("/aws/lambda/orders")] } }),
  StartQuery: () => ({ body: { queryId: "12ab3456" } }),
  GetQueryResults: () => ({ body: { status: "Complete", results: [] } }),
  StopQuery: () => ({ body: { success: true } }),
};

const answerWith = (answers: Answers): void =>
  vendor.answer((request) => {
    const action = actionOf(request);
    return (answers[action] ?? nothing[action])?.() ?? { status: 404 };
  });

const group = (logGroupName: string) => ({
  ...{ logGroupName, arn: `arn:aws:logs:eu-central-1:123456789012:log-group:${logGroupName}:*`, storedBytes: 1 },
});

/** As https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetQueryResults.html shows a row. */
const row = (time: string, line: string) => [
  { field: "@timestamp", value: time },
  { field: "line", value: line },
  { field: "@log", value: "123456789012:/aws/lambda/orders" },
  { field: "@ptr", value: "CmEKJgoiMTk1" },
];

const seconds = (time: string): number => Date.parse(time) / 1_000;

const alarm = (AlarmName: string, since: string) => ({
  ...{ AlarmName, StateValue: "ALARM", StateReason: "Threshold Crossed: 1 datapoint [97.0] was greater than 80.0." },
  ...{ StateUpdatedTimestamp: seconds(since), StateTransitionedTimestamp: seconds(since) },
  Dimensions: [{ Name: "FunctionName", Value: "orders" }],
});

const failed =
  (type: string, status = 400) =>
  () => ({ status, body: { __type: type, message: "secret-of-acme" } });

describe("AWS CloudWatch", () => {
  it("returns alarms that are on, when metrics were bad, and error lines", async () => {
    answerWith({
      DescribeAlarms: () => ({
        body: {
          MetricAlarms: [alarm("orders slow", "2026-03-01T11:50:00Z"), alarm("later", "2026-03-01T12:05:01Z")],
          CompositeAlarms: [{ AlarmName: "shop / all", StateUpdatedTimestamp: seconds("2026-02-01T00:00:00Z") }],
        },
      }),
      GetMetricData: () => ({
        body: {
          MetricDataResults: [
            {
              ...{ Id: "failures", Label: "orders Errors", Values: [0, 3, 4] },
              Timestamps: ["2026-03-01T11:57:00Z", "2026-03-01T11:58:00Z", "2026-03-01T11:59:00Z"].map(seconds),
            },
            { Id: "used", Label: "orders MemoryUtilization", Values: [90], Timestamps: [seconds(question.at)] },
            { Id: "used", Label: "orders CPUUtilization", Values: [89.9], Timestamps: [seconds(question.at)] },
          ],
        },
      }),
      GetQueryResults: () => ({
        body: {
          status: "Complete",
          results: [
            row("2026-03-01 11:59:00.000", "ERROR connect ECONNREFUSED\n"),
            row("2026-03-01 11:58:00.000", "ERROR connect ECONNREFUSED\n"),
          ],
        },
      }),
    });
    const console = "https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1";
    const graph = expect.stringMatching(
      /#metricsV2:graph=~\(metrics~\(~\(~\(expression~'SEARCH\S+~start~'2026-03-01T11\*3A00\*3A00\.000Z~end~'2026-03-01T12\*3A05\*3A00\.000Z\)$/,
    );
    const shared = { kind: "problem", vendor: "AWS CloudWatch" };
    const reason = "Threshold Crossed: 1 datapoint [97.0] was greater than 80.0.";
    expect(mostTelling(await connection.ask(question, signal), question)).toEqual([
      {
        ...{ ...shared, what: "alarm", title: `orders slow: ${reason}`, target: "orders" },
        ...{ since: "2026-03-01T11:50:00.000Z", until: null, url: `${console}#alarmsV2:alarm/orders%20slow` },
      },
      {
        ...{ ...shared, what: "failing-requests", title: "orders Errors: 7 in 2 min", target: "orders", url: graph },
        ...{ since: "2026-03-01T11:58:00.000Z", until: "2026-03-01T12:00:00.000Z" },
      },
      {
        ...{
          ...shared,
          what: "saturation",
          title: "orders MemoryUtilization: up to 90%",
          target: "orders",
          url: graph,
        },
        ...{ since: "2026-03-01T12:00:00.000Z", until: "2026-03-01T12:01:00.000Z" },
      },
      {
        ...{ kind: "log", vendor: "AWS CloudWatch", level: "error", message: "ERROR connect ECONNREFUSED" },
        ...{
          source: "/aws/lambda/orders",
          at: "2026-03-01T11:59:00.000Z",
          count: 2,
          url: expect.stringContaining(`${console}#logsV2:`),
        },
      },
      expect.objectContaining({ title: "shop / all", target: null, url: `${console}#alarmsV2:alarm/shop%20%2F%20all` }),
    ]);
  });

  it("searches, within the span, the ten log groups whose names are closest to the service's", async () => {
    const names = Array.from({ length: 11 }, (_, index) => `/ecs/orders${"-x".repeat(index)}`);
    answerWith({ DescribeLogGroups: () => ({ body: { logGroups: names.toReversed().map(group) } }) });
    expect(await connection.ask({ ...question, service: 'orders"; |' }, signal)).toEqual([]);
    expect(asked("DescribeLogGroups")).toEqual([{ logGroupNamePattern: "orders", limit: 50 }]);
    expect(asked("StartQuery")).toMatchObject([
      {
        logGroupNames: names.slice(0, 10),
        startTime: seconds(question.from),
        endTime: seconds(question.at),
        limit: 100,
      },
    ]);
    const [{ MetricDataQueries } = {}] = asked("GetMetricData");
    expect(MetricDataQueries).toMatchObject([
      { Id: "failures", Expression: expect.stringMatching(/^SEARCH\('"orders" \(MetricName="Errors" OR /) },
      { Id: "used" },
    ]);
  });

  it("starts no query when no log group is named after the service", async () => {
    answerWith({ DescribeLogGroups: () => ({ body: { logGroups: [] } }) });
    expect(await connection.ask(question, signal)).toEqual([]);
    expect(asked("StartQuery")).toEqual([]);
  });

  it("waits for the results of a query", async () => {
    answerWith({
      GetQueryResults: () => {
        const status = asked("GetQueryResults").length < 3 ? "Running" : "Complete";
        return { body: { status, results: status === "Complete" ? [row("2026-03-01 11:59:00.000", "refused")] : [] } };
      },
    });
    expect(await connection.ask(question, signal)).toMatchObject([{ message: "refused", level: null }]);
  });

  it("uses what a slow query found until the time is up, and stops it", async () => {
    answerWith({
      GetQueryResults: () => ({ body: { status: "Running", results: [row("2026-03-01 11:59:00.000", "refused")] } }),
      StopQuery: failed("AccessDeniedException"),
    });
    const timeIsUp = connect({ clock: () => vendor.requests.length * 5_000 });
    expect(await timeIsUp.ask(question, signal)).toMatchObject([{ message: "refused" }]);
    expect(asked("StopQuery")).toEqual([{ queryId: "12ab3456" }]);
    await timeIsUp.close();
  });

  it.each([
    [4, 5],
    [5, 5],
  ])("reads, of %i further pages of alarms, %i pages in all", async (further, read) => {
    answerWith({
      DescribeAlarms: () => {
        const page = asked("DescribeAlarms").length;
        const more = page <= further ? { NextToken: `page ${page}` } : {};
        return { body: { MetricAlarms: [alarm(`orders ${page}`, question.at)], ...more } };
      },
    });
    expect(await connection.ask(question, signal)).toHaveLength(read);
    expect(read).toBe(vendorLimits.pagesMax);
    expect(asked("DescribeAlarms")[1]).toMatchObject({ NextToken: "page 1", StateValue: "ALARM" });
  });

  it.each([
    ["UnrecognizedClientException", 400, "unauthorized"],
    ["InvalidSignatureException", 403, "unauthorized"],
    ["AccessDeniedException", 400, "forbidden"],
    ["ThrottlingException", 400, "rate-limited"],
    ["LimitExceededException", 400, "rate-limited"],
    ["ServiceUnavailableException", 503, "unavailable"],
    ["InvalidParameterException", 400, "unexpected-answer"],
  ])("that answers with %s (%i) fails as %s, without the secret in the message", async (type, status, reason) => {
    vendor.answer(failed(type, status));
    const failure = await connection.ask(question, signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "VendorFailure", reason, message: expect.stringContaining("AWS") });
    expect(String(failure)).not.toContain("secret-of-acme");
  });

  it.each([401, 403])("that refuses with %i and no JSON, like a proxy, rejects the credentials", async (status) => {
    vendor.answer(() => ({ status, body: "<html>" }));
    const message = "AWS doesn't let these credentials read this: give them read access";
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "forbidden", message });
  });

  it("returns the alarms even when the logs can't be read", async () => {
    answerWith({
      DescribeAlarms: () => ({ body: { MetricAlarms: [alarm("orders slow", question.at)] } }),
      DescribeLogGroups: failed("AccessDeniedException"),
      GetMetricData: failed("AccessDeniedException"),
    });
    expect(await connection.ask(question, signal)).toMatchObject([{ what: "alarm" }]);
  });

  it("fails when it can't be reached, or responds without JSON", async () => {
    vendor.answer(() => ({ body: "<html>" }));
    await expect(connection.verify(signal)).rejects.toMatchObject({ name: "VendorFailure" });
    await vendor.close();
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "unavailable" });
  });

  it("isn't queried at an address that isn't allowed", async () => {
    const addressOf = (): string => vendor.url.replace("127.0.0.1", "localhost");
    const guarded = connect({ mayReach: addressGuard([]), addressOf });
    await expect(guarded.verify(signal)).rejects.toMatchObject({ reason: "refused-address" });
    expect(vendor.requests).toEqual([]);
    await guarded.close();
  });

  it("is verified by the account that the log groups belong to", async () => {
    answerWith({});
    expect(await connection.verify(signal)).toBe("AWS account 123456789012 in eu-central-1");
    answerWith({ DescribeLogGroups: () => ({ body: { logGroups: [] } }) });
    expect(await connection.verify(signal)).toBe("AWS in eu-central-1");
    expect(vendor.requests[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAACME\/\d+\/eu-central-1\/logs\//,
    );
  });

  it.each(["us-east-1", "us-gov-west-1", "ap-southeast-12", "eusc-de-east-1"])(
    "is asked in the region %s",
    async (region) => {
      await cloudWatch.connect({ ...inputs, region }, vendor.context).close();
    },
  );

  it.each(["", "eu", "eu-central-1.evil.example/", "x@evil.example#-1", "EU-CENTRAL-1", "eu-central-1\n"])(
    "refuses what is no region: %j",
    (region) => {
      expect(() => cloudWatch.connect({ ...inputs, region }, vendor.context)).toThrow(/isn't one of AWS/);
    },
  );
});
