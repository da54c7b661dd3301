import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { enteredAddress } from "../http/addresses.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { mostTelling } from "../integrations/most-telling.ts";
import { alertmanagerAlerts, grafanaAlerts } from "./alerts.ts";
import { grafanaAnnotations } from "./annotations.ts";
import type { GrafanaQuestion } from "./grafana-question.ts";
import { lokiLines } from "./loki.ts";
import { prometheusProblems } from "./prometheus.ts";

const inputsSchema = z.object({ instance_url: z.string(), service_account_token: z.string() });

/** https://grafana.com/docs/grafana/latest/developers/http_api/org/#get-current-organization */
const organizationSchema = z.object({ name: z.string() });

/** https://grafana.com/docs/grafana/latest/developers/http_api/data_source/#get-all-data-sources */
const dataSourcesSchema = z.array(
  z.object({
    uid: z.string(),
    type: z.string(),
    jsonData: z.object({ implementation: z.string().optional() }).nullish().catch(undefined),
  }),
);

type DataSource = z.infer<typeof dataSourcesSchema>[number];

/** Maximum data sources of one type. */
const dataSourcesMax = 3;
/** Maximum changes, and as many problems, which leaves room for log lines. */
const findingsOfAKindMax = 10;

/**
 * Grafana: annotated changes, firing alerts, and data from its Prometheus and Loki data sources.
 * https://grafana.com/docs/grafana/latest/developers/http_api/
 */
export const grafana: Integration = {
  kind: "dashboards",
  vendor: "Grafana",
  checkedAgainst:
    "Prometheus and Alertmanager as Debian has them, behind a double of Grafana from the documented answers, as of Loki",
  connect(inputs, context) {
    const { instance_url: url, service_account_token: token } = inputsSchema.parse(inputs);
    const baseUrl = enteredAddress(url);
    const headers = { authorization: `Bearer ${token}` };
    const http = openVendorHttp({ ...context, vendor: "Grafana", baseUrl, headers });
    return {
      async verify(signal) {
        const { body } = await http.json({ path: "/api/org", schema: organizationSchema }, signal);
        await dataSourcesOf(http, signal);
        return body.name;
      },
      async ask(about, signal) {
        const until = new Date(Math.min(Date.parse(about.to), context.clock())).toISOString();
        const question = { http, address: baseUrl.href.replace(/\/+$/, ""), about, until, signal };
        const parts = [grafanaAnnotations(question), grafanaAlerts(question), fromDataSources(question)];
        const found = (await answeredParts(parts, about)).flat();
        signal.throwIfAborted();
        return arranged(found, about);
      },
      close: () => http.close(),
    };
  },
};

async function dataSourcesOf(http: VendorHttp, signal: AbortSignal): Promise<readonly DataSource[]> {
  return (await http.json({ path: "/api/datasources", schema: dataSourcesSchema }, signal)).body;
}

async function fromDataSources(question: GrafanaQuestion): Promise<readonly OutsideFinding[]> {
  const sources = await dataSourcesOf(question.http, question.signal);
  const ofType = (type: string): readonly DataSource[] =>
    sources.filter((source) => source.type === type).slice(0, dataSourcesMax);
  const parts = [
    ...ofType("prometheus").map(({ uid }) => prometheusProblems(question, uid)),
    ...ofType("alertmanager").map(({ uid, jsonData }) => alertmanagerAlerts(question, uid, jsonData?.implementation)),
    ...ofType("loki").map(({ uid }) => lokiLines(question, uid)),
  ];
  return (await answeredParts(parts, question.about)).flat();
}

/**
 * Puts changes first, then problems, then log lines. An alert that Prometheus, Alertmanager, and Grafana all have
 * appears once, with its summary, which Prometheus doesn't keep.
 */
function arranged(found: readonly OutsideFinding[], about: FailureQuestion): readonly OutsideFinding[] {
  const problems = new Map<string, Extract<OutsideFinding, { kind: "problem" }>>();
  for (const finding of found) {
    if (finding.kind !== "problem") continue;
    const [name] = finding.title.split(": ", 1);
    const key = JSON.stringify([finding.what, name, finding.target]);
    const known = problems.get(key);
    if (!known || known.title.length < finding.title.length) problems.set(key, finding);
  }
  const changes = found.filter(({ kind }) => kind === "change-event");
  return [
    ...mostTelling(changes, about).slice(0, findingsOfAKindMax),
    ...mostTelling([...problems.values()], about).slice(0, findingsOfAKindMax),
    ...found.filter(({ kind }) => kind === "log"),
  ];
}
