import type { Category } from "@whence/protocol";
import { expect, it } from "vitest";
import type { ProcessState } from "../../src/signals/facts/process-state.ts";
import { boundary, caseOf, eventFindings, placed, reported, trail } from "./written-reports.ts";

const blocked: ProcessState = {
  ...{ service: "orders", instance: "o1", host: "host-1", own: true, severity: 0.3 },
  ...{ resource: "event-loop", delayMs: 239 },
};

/** What supports the first candidate of a failure of a category. */
function supportOf(category: Category): readonly string[] {
  const one = caseOf(eventFindings([{ kind: "process-state", state: blocked }]), placed(boundary), trail("property"));
  const candidates = one.ranking.candidates.map((candidate) => ({ ...candidate, category }));
  return reported({ ...one, ranking: { ...one.ranking, candidates } }).candidates[0]?.support ?? [];
}

it("says that the event loop was blocked only of a failure that is about time", () => {
  expect(supportOf("timeout").join()).toContain("was blocked for 239 ms");
  expect(supportOf("parse-error").join()).not.toContain("was blocked");
});
