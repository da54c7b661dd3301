import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { CloudWatchClient, PutMetricAlarmCommand, SetAlarmStateCommand } from "@aws-sdk/client-cloudwatch";
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  PutLogEventsCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type MotoServer, startMoto } from "../../../../test/servers/moto.ts";
import { cloudWatch } from "../../src/cloudwatch/integration.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { type ReceivedRequest, startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { question } from "../integrations/question.ts";

interface AccessKey {
  readonly access_key_id: string;
  readonly secret_access_key: string;
}

const region = "eu-central-1";
const { signal } = new AbortController();
const now = Date.now();
const timeAt = (ms: number): string => new Date(now + ms).toISOString();
/** Around now, which is when moto notes that an alarm began. */
const about = { ...question, at: timeAt(0), from: timeAt(-3_600_000), to: timeAt(300_000) };

let moto: MotoServer;
/** In front of moto, to see what was asked and with which status it answered. */
let front: VendorServer;
let allowed: AccessKey;
let withoutQueries: AccessKey;
let mayNothing: AccessKey;
const answered: string[] = [];

/** What the documentation lets a key do. moto names the actions of alarms and metrics after their host. */
const page = readFileSync(new URL("../../../../docs/integrations/aws-cloudwatch.md", import.meta.url), "utf8");
const policy = (/```json\n([\s\S]+?)```/.exec(page)?.[1] ?? "").replaceAll('"cloudwatch:', '"monitoring:');

beforeAll(async () => {
  moto = await startMoto();
  await fillAccount();
  allowed = await keyWith("whence", policy);
  withoutQueries = await keyWith("narrow", policy.replace('"logs:StartQuery",', ""));
  mayNothing = await keyWith("nothing", policy.replace('"Allow"', '"Deny"'));
  // From here on, moto checks signatures and rights.
  const checking = await fetch(`${moto.url}/moto-api/reset-auth`, { method: "POST", body: "0" });
  expect(checking.status).toBe(200);
  front = await startVendorServer(now);
  front.answer((request, response) => {
    void passOn(request, response);
    return undefined;
  });
});
beforeEach(() => {
  answered.length = 0;
});
afterAll(async () => {
  await front?.close();
  await moto?.stop();
});

/** A failing `orders`, and a `payments` that is well. */
async function fillAccount(): Promise<void> {
  const account = { region, endpoint: moto.url, credentials: { accessKeyId: "anyone", secretAccessKey: "anything" } };
  const [metrics, logs] = [new CloudWatchClient(account), new CloudWatchLogsClient(account)];
  for (const [service, StateValue] of [
    ["orders", "ALARM"],
    ["payments", "OK"],
  ] as const) {
    const metric = { MetricName: "Errors", Dimensions: [{ Name: "FunctionName", Value: service }] };
    const alarm = { ...metric, AlarmName: `${service} fails`, Namespace: "AWS/Lambda", Statistic: "Sum" } as const;
    const bound = {
      ComparisonOperator: "GreaterThanThreshold",
      EvaluationPeriods: 1,
      Period: 60,
      Threshold: 1,
    } as const;
    await metrics.send(new PutMetricAlarmCommand({ ...alarm, ...bound }));
    await metrics.send(
      new SetAlarmStateCommand({ AlarmName: alarm.AlarmName, StateValue, StateReason: "Threshold Crossed" }),
    );
    const group = { logGroupName: `/aws/lambda/${service}` };
    const stream = { ...group, logStreamName: "one" };
    await logs.send(new CreateLogGroupCommand(group));
    await logs.send(new CreateLogStreamCommand(stream));
    const logEvents = [{ timestamp: now - 60_000, message: "ERROR connect ECONNREFUSED" }];
    await logs.send(new PutLogEventsCommand({ ...stream, logEvents }));
  }
  metrics.destroy();
  logs.destroy();
}

/** A user of the account with one policy, and a key of it. */
async function keyWith(UserName: string, PolicyDocument: string): Promise<AccessKey> {
  await identity({ Action: "CreateUser", UserName });
  await identity({ Action: "PutUserPolicy", UserName, PolicyName: "reads", PolicyDocument });
  const created = await identity({ Action: "CreateAccessKey", UserName });
  const textOf = (name: string): string => new RegExp(`<${name}>(.+)</${name}>`).exec(created)?.[1] ?? "";
  return { access_key_id: textOf("AccessKeyId"), secret_access_key: textOf("SecretAccessKey") };
}

async function identity(parameters: Readonly<Record<string, string>>): Promise<string> {
  const authorization = "AWS4-HMAC-SHA256 Credential=anyone/20260301/us-east-1/iam/aws4_request";
  const body = new URLSearchParams({ Version: "2010-05-08", ...parameters });
  const answer = await fetch(moto.url, { method: "POST", headers: { authorization }, body });
  expect(answer.status).toBe(200);
  return await answer.text();
}

/** With the host that the client signed. */
async function passOn({ method, headers, body, url }: ReceivedRequest, response: ServerResponse): Promise<void> {
  const passed = httpRequest(moto.url + url.pathname, { method, headers, agent: false }).end(body);
  const [answer]: IncomingMessage[] = await once(passed, "response");
  const { statusCode = 0 } = answer ?? {};
  answered.push(`${String(headers["x-amz-target"]).replace(/^.*\./, "")} ${statusCode}`);
  response.writeHead(statusCode, answer?.headers);
  answer?.pipe(response);
}

async function withKey<Value>(key: AccessKey, use: (connection: VendorConnection) => Promise<Value>): Promise<Value> {
  const connection = cloudWatch.connect({ ...key, region }, front.context);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

describe("AWS CloudWatch, as simulated by moto", () => {
  it("is verified with the rights that the documentation names", async () => {
    const account = await withKey(allowed, (connection) => connection.verify(signal));
    expect(account).toBe("AWS account 123456789012 in eu-central-1");
  });

  it("returns the alarm that is on, and completes every request of its query", async () => {
    const found = await withKey(allowed, (connection) => connection.ask(about, signal));
    expect(found).toMatchObject([
      { what: "alarm", title: "orders fails: Threshold Crossed", target: "orders", until: null },
    ]);
    expect(answered.toSorted()).toEqual([
      ...["DescribeAlarms 200", "DescribeLogGroups 200", "GetMetricData 200", "GetQueryResults 200", "StartQuery 200"],
    ]);
  });

  it("returns the alarm when the key may not start a query", async () => {
    expect(await withKey(withoutQueries, (connection) => connection.ask(about, signal))).toHaveLength(1);
    expect(answered).toContain("StartQuery 403");
  });

  // moto says each of these in XML, whatever it was asked in, so only the status tells.
  it.each([
    ["a secret that isn't the key's", () => ({ ...allowed, secret_access_key: "another" })],
    ["a key that there isn't", () => ({ ...allowed, access_key_id: "AKIAACME" })],
    ["a key that may read nothing", () => mayNothing],
  ])("rejects %s", async (_, key) => {
    const verified = withKey(key(), (connection) => connection.verify(signal));
    await expect(verified).rejects.toMatchObject({ reason: "forbidden" });
    expect(answered).toEqual(["DescribeLogGroups 403"]);
  });
});
