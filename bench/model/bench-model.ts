import type { Collected, InvestigationSubject, SourceFiles } from "@whence/engine";
import { observeFinding } from "@whence/engine";
import type { Report } from "@whence/protocol";
import { secondMs } from "@whence/protocol";
import { withSaid } from "../../services/analyzer/src/investigations/incident-case.ts";
import type { ModelCase } from "../../services/analyzer/src/model-run/model-case.ts";
import { runModel } from "../../services/analyzer/src/model-run/model-run.ts";
import { TelemetryQueries } from "../../services/analyzer/src/model-run/telemetry-queries.ts";
import { costOf } from "../../services/analyzer/src/models/cost.ts";
import type { ConfiguredModel, Models, ModelUse } from "../../services/analyzer/src/models/models.ts";
import { addressGuard, openLanguageModel } from "../../services/vendors/src/index.ts";
import type { ModelSetup } from "./model-setup.ts";

/** A failure that a model is asked about as the service asks. */
export interface AskedCase {
  readonly route: ModelCase["route"];
  readonly subject: InvestigationSubject;
  readonly collected: Collected;
  /** The code besides the input's; null without any. */
  readonly tree: SourceFiles | null;
  readonly investigate: (subject: InvestigationSubject, collected: Collected) => Promise<Report>;
}

/** The engine's report, and the one with what the model said of it. */
export interface BothReports {
  readonly alone: Report;
  readonly withModel: Report;
}

/** A model, and what it has used. */
export interface BenchModel extends AsyncDisposable {
  readonly uses: readonly ModelUse[];
  reportsOn(asked: AskedCase): Promise<BothReports>;
}

/** Opens the model of a setup. It is asked within the budget of an investigation; that of a day is for a service. */
export async function openBenchModel({
  model,
  allowedNetworks,
}: Pick<ModelSetup, "model" | "allowedNetworks">): Promise<BenchModel> {
  const { provider, name, inputs, prices, budget } = model;
  const outbound = { mayReach: addressGuard(allowedNetworks), clock: Date.now };
  const opened = await openLanguageModel({ provider, name, inputs }, outbound);
  const configured: ConfiguredModel = {
    ...{ ...opened, provider, name, costUsd: (tokens) => costOf(tokens, prices) },
    budget: {
      tokens: budget.tokens_per_investigation,
      costUsd: budget.usd_per_investigation,
      withinMs: budget.seconds_per_investigation * secondMs,
    },
  };
  const uses: ModelUse[] = [];
  const models: Models = { configured: async () => configured, record: async (_, use) => void uses.push(use) };
  return {
    uses,
    reportsOn: (asked) => reportsOn(asked, configured, models),
    [Symbol.asyncDispose]: () => opened.close(),
  };
}

async function reportsOn(asked: AskedCase, configured: ConfiguredModel, models: Models): Promise<BothReports> {
  const { route, subject, collected, tree, investigate } = asked;
  const alone = await investigate(subject, collected);
  const modelCase: ModelCase = {
    ...{ incidentId: subject.incident.id, route, subject, report: alone, tree, preferences: "" },
    telemetry: new TelemetryQueries(null, { env: "", at: null }),
    collected: async () => collected,
    test: (hypothesis, opened) => {
      const observations = [observeFinding(hypothesis, new Date().toISOString())];
      const known = withSaid(collected, { observations, notChecked: [], files: [] });
      return investigate({ ...subject, readByModel: opened }, known);
    },
  };
  const context = { models, clock: Date.now, onStep: async () => undefined, logger };
  const said = await runModel("bench", configured, modelCase, context, new AbortController().signal);
  return { alone, withModel: await investigate({ ...subject, readByModel: said.files }, withSaid(collected, said)) };
}

const logger = {
  info: () => undefined,
  warn: (fields: object, message: string) => console.error(message, fields),
  error: (fields: object, message: string) => console.error(message, fields),
};
