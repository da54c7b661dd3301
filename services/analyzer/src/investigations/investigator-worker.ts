import type { Collected, InvestigationPorts } from "@whence/engine";
import { investigate, loadJavaScript } from "@whence/engine/investigate";
import type { Report } from "@whence/protocol";
import { type Ask, serveCalls } from "@whence/storage/threads";
import type { InvestigationOrder, InvestigationQuestion } from "./investigator-messages.ts";

function answer({ subject, now }: InvestigationOrder, ask: Ask<InvestigationQuestion, Collected>): Promise<Report> {
  const ports: InvestigationPorts = {
    collected: () => ask({ kind: "collected" }),
    clock: () => now,
    onStep: async (step, detail) => {
      await ask({ kind: "step", step, detail });
    },
  };
  // It isn't stopped from inside: giving up on it ends the thread.
  return investigate(subject, ports, new AbortController().signal);
}

// Before the thread is ready, because the deadline of an investigation counts from there.
await loadJavaScript();
await serveCalls(() => ({ answer }));
