import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { readPages } from "../http/read-pages.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import { calledSandboxesFirst } from "../integrations/called-sandboxes.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { countedLines, type LogFinding } from "../integrations/log-lines.ts";

const vendor = "E2B";
const inputsSchema = z.object({ api_key: z.string() });

/** `GET /v2/sandboxes` of https://github.com/e2b-dev/infra/blob/main/spec/openapi.yml */
const sandboxesSchema = z.array(z.object({ sandboxID: z.string() }));

/** https://e2b.dev/docs/sandbox/lifecycle-events-api */
const eventsSchema = z.array(
  z.object({
    id: z.string(),
    type: z.string(),
    timestamp: z.string(),
    sandboxId: z.string(),
    sandboxTemplateId: z.string().nullish(),
  }),
);
type LifecycleEvent = z.infer<typeof eventsSchema>[number];

/** `GET /v2/sandboxes/{sandboxID}/logs` of https://github.com/e2b-dev/infra/blob/main/spec/openapi.yml */
const logsSchema = z.object({
  logs: z.array(z.object({ timestamp: z.string(), level: z.string(), message: z.string() })),
});

const perPage = 100;
/** Maximum sandboxes whose logs are read, and lines of each. */
const sandboxesMax = 3;
const linesMax = 5;

/** E2B: killed sandboxes and their logs. https://e2b.dev/docs */
export const e2b: Integration = {
  kind: "sandbox",
  vendor,
  checkedAgainst: "a double of our own, from the documented answers",
  takes: (inputs) => inputs.api_key?.startsWith("e2b_") ?? false,
  connect(inputs, context) {
    const { api_key: key } = inputsSchema.parse(inputs);
    const http = openVendorHttp({
      ...context,
      vendor,
      baseUrl: vendorAddress("https://api.e2b.app", context),
      headers: { "x-api-key": key },
    });
    return {
      async verify(signal) {
        await http.json({ path: "/v2/sandboxes", query: { limit: 1 }, schema: sandboxesSchema }, signal);
        return "E2B team";
      },
      async ask(about, signal) {
        const killed = calledSandboxesFirst(
          await killedSandboxes(http, about, signal),
          ({ sandboxId }) => sandboxId,
          about,
        );
        const logs = killed.slice(0, sandboxesMax).map(({ sandboxId: id }) => logsOf(http, { id, about }, signal));
        return (await answeredParts([Promise.resolve(killed.map(stopOf)), ...logs], about)).flat();
      },
      close: () => http.close(),
    };
  },
};

/** Events are returned newest first, and can't be filtered by time. */
async function killedSandboxes(
  http: VendorHttp,
  { from, to }: FailureQuestion,
  signal: AbortSignal,
): Promise<readonly LifecycleEvent[]> {
  const events = await readPages<LifecycleEvent, number>(async (next, own) => {
    const offset = next ?? 0;
    const query = { types: "sandbox.lifecycle.killed", limit: perPage, offset, orderAsc: "false" };
    const { body } = await http.json({ path: "/events/sandboxes", query, schema: eventsSchema }, own);
    const oldest = body.at(-1);
    const isLast = body.length < perPage || !oldest || Date.parse(oldest.timestamp) < Date.parse(from);
    return { items: body, next: isLast ? null : offset + perPage };
  }, signal);
  // An event that arrives in the meantime moves the last one of a page to the next page.
  const found = new Map(events.map((event) => [event.id, event]));
  return [...found.values()].filter(({ timestamp }) => {
    const at = Date.parse(timestamp);
    return at >= Date.parse(from) && at <= Date.parse(to);
  });
}

function stopOf({ sandboxId, sandboxTemplateId, timestamp }: LifecycleEvent): OutsideFinding {
  const template = sandboxTemplateId ? ` of template ${sandboxTemplateId}` : "";
  return {
    kind: "problem",
    what: "stopped",
    vendor,
    target: sandboxId,
    url: null,
    title: `sandbox${template} was killed`,
    since: timestamp,
    until: null,
  };
}

async function logsOf(
  http: VendorHttp,
  { id, about }: { id: string; about: FailureQuestion },
  signal: AbortSignal,
): Promise<readonly LogFinding[]> {
  const path = `/v2/sandboxes/${encodeURIComponent(id)}/logs`;
  const query = { cursor: Date.parse(about.from), limit: perPage, direction: "forward", level: "warn" };
  const { body } = await http.json({ path, query, schema: logsSchema }, signal);
  const lines = body.logs.filter(({ timestamp }) => Date.parse(timestamp) <= Date.parse(about.to));
  return countedLines(
    lines.map(({ timestamp: at, level, message }) => ({
      kind: "log",
      vendor,
      url: null,
      level,
      message,
      source: id,
      at,
      count: 1,
    })),
    about.at,
  ).slice(0, linesMax);
}
