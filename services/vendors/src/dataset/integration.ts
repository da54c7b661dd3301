import { minuteMs, type OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { enteredAddress } from "../http/addresses.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { epochNanoseconds } from "../integrations/epoch-times.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { readLine } from "../integrations/line-text.ts";
import { type LogLine, repeatedLines } from "../integrations/repeated-lines.ts";
import { serviceNames } from "../integrations/service-names.ts";

const inputsSchema = z.object({ api_key: z.string(), instance_url: z.string() });

const text = z.string().min(1).optional().catch(undefined);

/** https://www.scalyr.com/help/api, query */
const answerSchema = z.object({
  /** `success`, or the kind of error, with more detail after each slash: `error/client/badParam`. */
  status: z.string(),
  matches: z
    .array(
      z.object({
        timestamp: epochNanoseconds,
        message: z.string().nullish(),
        severity: z.number().nullish(),
        session: z.string().nullish(),
        attributes: z
          .object({ service: text, app: text, container_name: text, pod_name: text, serverHost: text, logfile: text })
          .nullish(),
      }),
    )
    .nullish(),
  sessions: z.record(z.string(), z.object({ serverHost: text })).nullish(),
});

type Answer = z.infer<typeof answerSchema>;

/** Per request; 5,000 are allowed. */
const linesMax = 300;
const verifiedMs = minuteMs;
/** By DataSet's number. 3 also stands for lines whose level DataSet doesn't know. */
const severities = ["finest", "finer", "fine", "info", "warning", "error", "fatal"];
const unknownSeverity = 3;
const errorSeverity = 5;
const words = ["error", "exception", "fatal", "panic"];
const sourceFields = ["serverHost", "logfile", "service", "app", "container_name", "pod_name"];

/** DataSet, formerly Scalyr: error lines around the failure. https://www.scalyr.com/help/api */
export const dataset: Integration = {
  kind: "log-queries",
  vendor: "DataSet",
  checkedAgainst: "a double of our own, from the documented answers",
  connect(inputs, context) {
    const { api_key: token, instance_url: url } = inputsSchema.parse(inputs);
    const baseUrl = enteredAddress(url);
    const http = openVendorHttp({ ...context, vendor: "DataSet", baseUrl, headers: {} });
    return {
      async verify(signal) {
        const now = context.clock();
        await queried(http, { token, filter: "", startTime: now - verifiedMs, endTime: now, maxCount: 1 }, signal);
        return baseUrl.host;
      },
      async ask(about, signal) {
        const span = { startTime: Date.parse(about.from), endTime: Date.parse(about.to) };
        const filter = filterFor(about);
        const answer = await queried(http, { token, filter, ...span, maxCount: linesMax }, signal);
        return linesOf(answer, about, searchLink(baseUrl, { filter, ...span }));
      },
      close: () => http.close(),
    };
  },
};

interface Query {
  readonly token: string;
  readonly filter: string;
  /** In milliseconds. */
  readonly startTime: number;
  readonly endTime: number;
  readonly maxCount: number;
}

/** Returns the latest lines of the span first. */
async function queried(http: VendorHttp, query: Query, signal: AbortSignal): Promise<Answer> {
  const [startTime, endTime] = [String(query.startTime), String(query.endTime)];
  const json = { ...query, startTime, endTime, queryType: "log", pageMode: "tail", priority: "low" };
  const { body } = await http.json({ method: "POST", path: "/api/query", json, schema: answerSchema }, signal);
  if (body.status.startsWith("success")) return body;
  throw failureOf(body.status);
}

/** DataSet's own message isn't passed on: it may quote the request, which contains the API key. */
function failureOf(status: string): VendorFailure {
  if (status.startsWith("error/client/noPermission"))
    return new VendorFailure(
      "unauthorized",
      "DataSet rejected the API key: connect it again with one that has the permission Read Logs",
    );
  if (status.startsWith("error/server/backoff"))
    return new VendorFailure("rate-limited", "DataSet limits the rate of requests");
  if (status.startsWith("error/server")) return new VendorFailure("unavailable", "DataSet failed");
  return new VendorFailure("unexpected-answer", "DataSet didn't accept the query");
}

/** https://app.scalyr.com/help/query-language */
function filterFor(about: FailureQuestion): string {
  const names = [...serviceNames(about), about.host].map(quoted).filter((name) => name !== '""');
  const sources = names.flatMap((name) => sourceFields.map((field) => `${field} contains ${name}`));
  const trouble = `(severity >= ${errorSeverity} or ${words.map(quoted).join(" or ")})`;
  return sources.length === 0 ? trouble : `${trouble} and (${sources.join(" or ")})`;
}

/** Removes quotes and backslashes, because no escape is documented. */
function quoted(name: string): string {
  return `"${name.replaceAll(/["'\\]/g, "")}"`;
}

/** Returns the address of a search in DataSet, in the form that its agent's documentation links to. */
function searchLink(baseUrl: URL, { filter, startTime, endTime }: Omit<Query, "token" | "maxCount">): string {
  const query = { filter, startTime: String(startTime), endTime: String(endTime) };
  return `${baseUrl.href.replace(/\/+$/, "")}/events?${new URLSearchParams(query)}`;
}

function linesOf({ matches, sessions }: Answer, about: FailureQuestion, url: string): OutsideFinding[] {
  const lines = (matches ?? []).map(({ timestamp: at, message, severity, session, attributes }): LogLine => {
    const said = readLine(message ?? "");
    const number = severity ?? unknownSeverity;
    const named = number === unknownSeverity ? null : (severities[number] ?? null);
    const { service, app, container_name, pod_name, serverHost, logfile } = attributes ?? {};
    const source = service ?? app ?? container_name ?? pod_name ?? serverHost;
    const host = sessions?.[session ?? ""]?.serverHost;
    return {
      level: named ?? said.level,
      message: said.message,
      source: source ?? host ?? logfile ?? null,
      at,
      url,
    };
  });
  return repeatedLines("DataSet", lines, about);
}
