import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import type { GrafanaQuestion } from "./grafana-question.ts";

const labelsSchema = z.record(z.string(), z.string());
export type Labels = z.infer<typeof labelsSchema>;

/** https://github.com/grafana/grafana/blob/main/pkg/services/ngalert/api/tooling/definitions/prom.go, AlertResponse */
const grafanaAlertsSchema = z.object({
  data: z.object({
    alerts: z
      .array(
        z.object({
          labels: labelsSchema,
          annotations: labelsSchema.nullish(),
          /** `Alerting`, or with a reason: `Alerting (NoData)`. */
          state: z.string(),
          activeAt: z.string().nullish(),
        }),
      )
      .nullish(),
  }),
});

/** https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml, gettableAlerts */
const alertmanagerAlertsSchema = z.array(
  z.object({ labels: labelsSchema, annotations: labelsSchema, startsAt: z.string(), endsAt: z.string() }),
);

/** Returns alerts of Grafana's own rules that are firing. */
export async function grafanaAlerts(question: GrafanaQuestion): Promise<OutsideFinding[]> {
  const asked = { path: "/api/prometheus/grafana/api/v1/alerts", schema: grafanaAlertsSchema };
  const { body } = await question.http.json(asked, question.signal);
  return (body.data.alerts ?? []).flatMap(({ labels, annotations, state, activeAt }) => {
    if (!activeAt || !/^(?:alerting|firing)/i.test(state)) return [];
    return alarmOf(question, { labels, summary: annotations?.summary, since: activeAt, until: null });
  });
}

/** Returns the alerts of an Alertmanager data source that aren't silenced. */
export async function alertmanagerAlerts(
  question: GrafanaQuestion,
  uid: string,
  implementation: string | undefined,
): Promise<OutsideFinding[]> {
  // Mimir and Cortex have Alertmanager's API below their own.
  const prefix = implementation === "mimir" || implementation === "cortex" ? "/alertmanager" : "";
  const path = `/api/datasources/proxy/uid/${encodeURIComponent(uid)}${prefix}/api/v2/alerts`;
  const query = { active: "true", silenced: "false", inhibited: "false" };
  const { body } = await question.http.json({ path, query, schema: alertmanagerAlertsSchema }, question.signal);
  return body.flatMap(({ labels, annotations, startsAt }) =>
    alarmOf(question, { labels, summary: annotations.summary, since: startsAt, until: null }),
  );
}

interface Alarm {
  readonly labels: Labels;
  readonly summary: string | undefined;
  readonly since: string;
  readonly until: string | null;
}

/** Empty for an alert that began after the span, and for one that always fires to show that alerting works. */
export function alarmOf({ about, address }: GrafanaQuestion, alarm: Alarm): OutsideFinding[] {
  const { labels, summary, since, until } = alarm;
  if (labels.severity === "none" || Date.parse(since) > Date.parse(about.to)) return [];
  const title = [labels.alertname, summary].filter((text) => text).join(": ") || "alert";
  const target = labeledTarget(labels);
  const url = `${address}/alerting/list`;
  return [{ kind: "problem", what: "alarm", vendor: "Grafana", title, target, since, until, url }];
}

const targetLabels = ["service", "service_name", "app", "deployment", "container", "pod", "job", "instance"];

/** Returns what labels are about: the service they name, or else the narrowest target among them. */
export function labeledTarget(labels: Labels): string | null {
  return targetLabels.map((name) => labels[name]).find((value) => value) ?? null;
}
