import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { investigate } from "@whence/engine/investigate";
import { readServiceModel, type ServiceModel, shippedServiceModel } from "@whence/engine/ranking";
import type { Report } from "@whence/protocol";
import { observationOf, type RecordedCase, type RecordedRun } from "./recorded-run.ts";
import { foldsFolder } from "./train/run.ts";

/** As `train.py` deals the groups out. */
const foldsCount = 5;
/** Services considered by AC@k. */
export const lastCounted = 3;

/** What one method says of a case: services, the most likely first, and how sure it is of the first, if it says so. */
export interface Answer {
  readonly services: readonly string[];
  readonly confidence: number | null;
}

/** A way to find the cause. */
export type Method =
  | "loudest service"
  | "first failing call"
  | "weights by judgment"
  | "learned, other systems"
  | "learned, other operators";

/** A case with what each method says of it. */
export interface ScoredCase {
  readonly run: RecordedRun;
  readonly kind: RecordedCase["kind"];
  /** Whether it is the failure that people are notified of. */
  readonly isFirst: boolean;
  /** Null where a method wasn't asked. */
  readonly answers: Readonly<Record<Method, Answer | null>>;
}

const judgment = readServiceModel({
  ...JSON.parse(readFileSync(join(import.meta.dirname, "train/judgment.json"), "utf8")),
  ...{ trained: null, calibration: shippedServiceModel().calibration },
});

const models = new Map<string, ServiceModel>();

/** The model of a fold that hasn't seen a group. */
function modelWithout(grouping: "topology" | "operator", group: string): ServiceModel {
  const path = join(foldsFolder, `${grouping}-${crc32(group) % foldsCount}.json`);
  const model = models.get(path) ?? readServiceModel(JSON.parse(readFileSync(path, "utf8")));
  models.set(path, model);
  return model;
}

/** Asks every method about every case. */
export async function scoreRuns(runs: readonly RecordedRun[]): Promise<ScoredCase[]> {
  const scored: ScoredCase[] = [];
  for (const run of runs) {
    for (const [index, one] of run.cases.entries()) {
      const { loudest, firstFailingCall } = one.baselines;
      const answers = {
        "loudest service": said(loudest),
        "first failing call": said(firstFailingCall),
        "weights by judgment": await answerBy(one, judgment),
        "learned, other systems": await answerBy(one, modelWithout("topology", String(run.topology))),
        "learned, other operators": await answerBy(one, modelWithout("operator", run.operator)),
      };
      scored.push({ run, kind: one.kind, isFirst: index === 0, answers });
    }
  }
  return scored;
}

function said(service: string | null): Answer {
  return { services: service === null ? [] : [service], confidence: null };
}

/** What the engine's report says of a case. */
async function answerBy({ subject, observations }: RecordedCase, serviceModel: ServiceModel): Promise<Answer> {
  const collected = { observations: observations.map(observationOf), notChecked: [] };
  const ports = { collected: async () => collected, clock: () => 0, onStep: async () => undefined, serviceModel };
  const report = await investigate(subject, ports, new AbortController().signal);
  return { services: suspectedBy(report), confidence: report.confidence.score };
}

/** Each service once, in the order of the candidates. */
function suspectedBy({ root_cause: cause, candidates }: Report): string[] {
  return [...new Set([cause, ...candidates].flatMap(({ service }) => service ?? []))];
}
