import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import type { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import { vendorAddress } from "../http/addresses.ts";
import { AddressRefused, guardedLookup } from "../http/guarded-lookup.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { vendorLimits } from "../http/vendor-limits.ts";
import type { OutboundContext } from "../outbound-context.ts";

type Metrics = typeof import("@aws-sdk/client-cloudwatch");
type Logs = typeof import("@aws-sdk/client-cloudwatch-logs");

/** AWS clients with their commands. A request ends with the signal, and connects only to checked addresses. */
export interface CloudWatchClients {
  metrics<Answer>(
    request: (client: CloudWatchClient, sdk: Metrics, options: RequestOptions) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer>;
  logs<Answer>(
    request: (client: CloudWatchLogsClient, sdk: Logs, options: RequestOptions) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer>;
  close(): void;
}

interface RequestOptions {
  readonly abortSignal: AbortSignal;
}

export interface CloudWatchCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** The SDK is loaded on first use, because most organizations connect no AWS account. */
export function openCloudWatch(
  { region, ...credentials }: CloudWatchCredentials,
  context: OutboundContext,
): CloudWatchClients {
  const connection = { lookup: guardedLookup(context.mayReach), maxSockets: vendorLimits.connectionsMax };
  const [httpAgent, httpsAgent] = [new HttpAgent(connection), new HttpsAgent(connection)];
  const requestHandler = { httpAgent, httpsAgent, requestTimeout: vendorLimits.requestTimeoutMs };
  const common = { region, credentials, requestHandler, maxAttempts: vendorLimits.triesMax };
  // The SDK knows where the regions of each partition are; only tests use another endpoint.
  const configOf = (service: string) =>
    context.addressOf
      ? { ...common, endpoint: vendorAddress(`https://${service}.${region}.amazonaws.com`, context).href }
      : common;
  let metrics: { sdk: Metrics; client: CloudWatchClient } | null = null;
  let logs: { sdk: Logs; client: CloudWatchLogsClient } | null = null;
  return {
    async metrics(request, signal) {
      const sdk = metrics?.sdk ?? (await import("@aws-sdk/client-cloudwatch"));
      metrics ??= { sdk, client: new sdk.CloudWatchClient(configOf("monitoring")) };
      const { client } = metrics;
      return await withinTime((options) => request(client, sdk, options), signal);
    },
    async logs(request, signal) {
      const sdk = logs?.sdk ?? (await import("@aws-sdk/client-cloudwatch-logs"));
      logs ??= { sdk, client: new sdk.CloudWatchLogsClient(configOf("logs")) };
      const { client } = logs;
      return await withinTime((options) => request(client, sdk, options), signal);
    },
    close() {
      metrics?.client.destroy();
      logs?.client.destroy();
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

async function withinTime<Answer>(
  request: (options: RequestOptions) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(vendorLimits.requestTimeoutMs)]);
  try {
    return await request({ abortSignal });
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  }
}

type Refusal = readonly [names: RegExp, reason: VendorFailure["reason"], message: string];
const forbidden: Refusal = [
  /AccessDenied|NotAuthorized|OptInRequired/,
  "forbidden",
  "AWS doesn't let these credentials read this: give them read access",
];
/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CommonErrors.html and the errors of each action. */
const refusals: readonly Refusal[] = [
  forbidden,
  [
    /UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|ExpiredToken|IncompleteSignature|MissingAuthentication/,
    "unauthorized",
    "AWS rejected the credentials: connect it again with valid ones",
  ],
  [/Throttl|LimitExceeded|TooManyRequests|RequestLimit/, "rate-limited", "AWS limits the rate of requests"],
  [/ResourceNotFound/, "not-found", "AWS has nothing of this name"],
  [/AbortError|TimeoutError/, "too-slow", `AWS did not answer within ${vendorLimits.requestTimeoutMs / 1_000} seconds`],
];

function failureOf(error: unknown): VendorFailure {
  if (!(error instanceof Error)) return new VendorFailure("unavailable", "AWS can't be reached");
  const cause = [error, error.cause].find((one) => one instanceof AddressRefused);
  if (cause) return new VendorFailure("refused-address", cause.message);
  const status = statusOf(error);
  // Something in front of AWS, such as a proxy, returns no AWS error.
  const byStatus = status === 401 || status === 403 ? forbidden : null;
  const known = refusals.find(([names]) => names.test(error.name)) ?? byStatus;
  if (known) return new VendorFailure(known[1], known[2]);
  if (status === null) return new VendorFailure("unavailable", "AWS can't be reached");
  if (status >= 500) return new VendorFailure("unavailable", `AWS failed (${status})`);
  return new VendorFailure("unexpected-answer", `AWS answered with ${error.name} (${status})`);
}

/** Returns the HTTP status that the SDK stores with its error. */
function statusOf(error: Error): number | null {
  const metadata: unknown = "$metadata" in error ? error.$metadata : null;
  const isNoted = typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata;
  return isNoted && typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : null;
}
