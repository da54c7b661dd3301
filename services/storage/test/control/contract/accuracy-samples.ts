import { hourMs, type Report, type Watch } from "@whence/protocol";
import type { ControlDb } from "../../../src/index.ts";
import { after, newIncident, now, report } from "./samples.ts";

export const watch: Watch = {
  kind: "failure-continues",
  fingerprint: "v1:1",
  service: "shop",
  env: "PROD",
  release: "1.0",
  from: now.toISOString(),
};

export const dueMs = hourMs;

const watched = { refuted_by: "it stops", due: after(dueMs).toISOString(), outcome: "open", watch } as const;

/** A report that predicts something which tells it from its second candidate, and something that does not. */
export const predicting: Report = {
  ...report,
  confidence: { score: 0.6, basis: "one frame", model_score: 0.5 },
  predictions: [
    { statement: "by hand", check: "look", refuted_by: "nothing there", due: null, outcome: "open" },
    { statement: "a", check: "b", ...watched, tells_apart_from: 2 },
    { statement: "c", check: "d", ...watched },
  ],
};

/** An incident of the scope whose investigation ended with the report. */
export async function completed(db: ControlDb, scopeId: string, ended: Report = predicting): Promise<string> {
  const { incidents } = db.scope(scopeId);
  const { id } = await incidents.open(newIncident());
  const attempt = await incidents.begin(id, now);
  await incidents.complete(id, attempt ?? 0, ended, now);
  return id;
}
