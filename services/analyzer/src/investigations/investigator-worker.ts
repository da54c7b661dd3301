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
  // Not aborted from inside: the main thread ends this thread.
  return investigate(subject, ports, new AbortController().signal);
}

// Loaded before the thread reports ready, because the investigation's budget starts then.
await loadJavaScript();
await serveCalls(() => ({ answer }));
