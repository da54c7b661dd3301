import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { analyzerMetrics } from "../services/analyzer/src/metrics.ts";
import { processMetrics } from "../services/server/src/metrics.ts";
import { readRepositoryFile } from "./repository-files.ts";
import { findProgram } from "./servers/programs.ts";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "../deploy/prometheus");
const promtool = () => findProgram("promtool", "prometheus");

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(["warning", "critical"]) }),
          annotations: z.object({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});
const rules = rulesSchema
  .parse(parse(readRepositoryFile("deploy/prometheus/rules.yaml")))
  .groups.flatMap((group) => group.rules);

const dashboardSchema = z.object({
  panels: z.array(
    z.object({ id: z.int(), title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) }),
  ),
});
const { panels } = dashboardSchema.parse(JSON.parse(readRepositoryFile("deploy/grafana/whence.json")));

/** The metrics that an expression names, without what histograms add. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/\b(?:whence|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ""),
  );

/** `test/metrics.test.ts` compares the list with the code. */
const documented = [
  ...readRepositoryFile("docs/operations.md").matchAll(/^\| `(whence_\w+)` +\| \w+ +\| ([^|]*)\|/gm),
].map(([, name = "", labels = ""]) => ({ name, labels: labels.match(/\w+/g) ?? [] }));

async function existing(): Promise<ReadonlySet<string>> {
  const own = await processMetrics().getMetricsAsJSON();
  return new Set([...documented, ...own].map(({ name }) => name));
}

/** What Prometheus adds: to each series, and to the buckets of a histogram. */
const addedLabels = ["job", "instance", "le"];

/** Returns the labels that an expression selects and groups by, and none of its metrics has. */
function unknownLabelsIn(expression: string): readonly string[] {
  const metrics = metricsIn(expression);
  const had = documented.filter(({ name }) => metrics.includes(name)).flatMap(({ labels }) => labels);
  const selected = [...expression.matchAll(/[{,] *(\w+) *(?:=|!)/g)].map(([, label = ""]) => label);
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.match(/\w+/g) ?? []);
  return [...selected, ...grouped].filter((label) => ![...addedLabels, ...had].includes(label));
}

describe("the alert rules", () => {
  it("are valid, and alert at their thresholds", async () => {
    await run(promtool(), ["check", "rules", "rules.yaml"], { cwd: folder });
    await run(promtool(), ["test", "rules", "rules.test.yaml"], { cwd: folder });
  });

  it("name only metrics and labels that there are", async () => {
    const known = await existing();
    expect(rules.flatMap(({ expr }) => metricsIn(expr)).filter((name) => !known.has(name))).toEqual([]);
    expect(rules.flatMap(({ expr }) => unknownLabelsIn(expr))).toEqual([]);
  });

  it("see the first failure: what they watch for increases begins at 0", async () => {
    const registry = new Registry();
    analyzerMetrics(registry, { pending: async () => [] });
    const watched = rules.flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)\{(\w+)="(\w+)"\}/g)]);
    expect(watched.length).toBeGreaterThan(2);
    for (const [, name = "", label = "", value] of watched) {
      const series = (await registry.getSingleMetric(name)?.get())?.values ?? [];
      expect([name, series.find(({ labels }) => labels[label] === value)?.value]).toEqual([name, 0]);
    }
  });

  it("alert on all that operations say", () => {
    const text = readRepositoryFile("docs/operations.md");
    const table = text.slice(text.indexOf("Alert on these:"), text.indexOf("### Logs and traces"));
    const alerted = new Set(rules.flatMap(({ expr }) => metricsIn(expr)));
    const said = [...table.matchAll(/^\| `(whence_\w+)/gm)].map(([, name = ""]) => name);
    expect(said.length).toBeGreaterThan(5);
    expect(said.filter((name) => !alerted.has(name))).toEqual([]);
  });
});

describe("the dashboard", () => {
  it("shows only metrics and labels that there are, in panels of their own", async () => {
    const known = await existing();
    const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.filter((name) => !known.has(name))).toEqual([]);
    expect(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => unknownLabelsIn(expr)))).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it("has expressions that Prometheus can parse", async () => {
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const checked = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$job", ".+"),
    }));
    const path = join(await mkdtemp(join(tmpdir(), "whence-dashboard-")), "rules.json");
    await writeFile(path, JSON.stringify({ groups: [{ name: "dashboard", rules: checked }] }));
    try {
      await run(promtool(), ["check", "rules", path]);
    } finally {
      await rm(join(path, ".."), { recursive: true });
    }
  });
});
