import type { Collected, InvestigationSubject, SourceFiles } from "@whence/engine";
import { observeData } from "@whence/engine";
import { investigate } from "@whence/engine/investigate";
import type { OutsideFinding } from "@whence/protocol";
import type { AskedCase } from "../model/bench-model.ts";
import { warningsIn } from "./cluster-events.ts";
import type { Question, ToolOutput } from "./questions.ts";

const investigationTimeoutMs = 60_000;
/** The recordings are of different days, and most don't say when. */
const at = "2025-06-01T12:00:00.000Z";
/** The last lines of a log that an integration would answer. */
const logLinesMax = 40;

/**
 * Turns a question into an announced failure. The last lines of recorded logs and the recorded warnings are what the
 * Kubernetes integration answered; all recorded outputs are files that only a model can list, search, and read.
 */
export function askedQuestion(question: Question): AskedCase {
  return {
    ...{ route: "service", subject: subjectOf(question), collected: collectedOf(question), tree: treeOf(question) },
    investigate: (subject, collected) =>
      investigate(
        subject,
        { clock: () => Date.parse(at), onStep: async () => undefined, collected: async () => collected },
        AbortSignal.timeout(investigationTimeoutMs),
      ),
  };
}

function subjectOf({ name, text, subject: service }: Question): InvestigationSubject {
  const about = { service, env: null, release: null, at, isInTelemetry: false };
  return {
    incident: { id: `inc_${name}`, service, env: null, fingerprint: null },
    input: { kind: "text", errorLog: text, files: [], about },
  };
}

function collectedOf({ outputs }: Question): Collected {
  const findings = outputs.flatMap((output) => (output.isLog ? logFindings(output) : warningsIn(output, at)));
  const observations = findings.map((outside) =>
    observeData({ kind: "integration", name: outside.vendor }, outside, {
      observed_at: at,
      fact: { kind: "outside", outside },
    }),
  );
  return { observations, notChecked: [] };
}

function logFindings({ name, text }: ToolOutput): readonly OutsideFinding[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-logLinesMax).map((message) => ({
    ...{ kind: "log", vendor: "Kubernetes", level: null, message, source: name, at, count: 1, url: null },
  }));
}

function treeOf({ outputs }: Question): SourceFiles {
  const texts = new Map(outputs.map(({ name, text }) => [name, text]));
  return {
    paths: async () => [...texts.keys()],
    async read(path) {
      const text = texts.get(path);
      return text === undefined ? { outcome: "absent" } : { outcome: "read", text, version: "recorded" };
    },
    search: async (words) =>
      [...texts].flatMap(([path, text]) => (words.some((word) => text.includes(word)) ? path : [])),
  };
}
