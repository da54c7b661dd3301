import type { ModelCitation, ModelFinding, ProposedSubject } from "@whence/engine";
import { categorySchema } from "@whence/protocol";
import { z } from "zod";

const findingsMax = 4;
const citationsMax = 6;
const unitsMax = 4_000;
const sentenceUnitsMax = 300;

const text: z.ZodString = z.string().max(unitsMax);

/** A quotation, in the model's words. */
export const quoteSchema = z.object({
  file: text.nullish().describe("The file that is quoted, as a tool named it"),
  from: z.int().nullish().describe("First line quoted, 1-based"),
  to: z.int().nullish().describe("Last line quoted"),
  evidence: text.nullish().describe("The digest of a piece of evidence that is quoted instead of a file"),
  excerpt: text.describe("The quoted text, word for word"),
});

const statementSchema = z.object({
  kind: z.enum(["place", "service", "release", "setting"]),
  file: text.nullish(),
  line: z.int().min(1).nullish(),
  function: text.nullish(),
  service: text.nullish(),
  release: text.nullish(),
  setting: text.nullish(),
  category: categorySchema,
  stance: z.enum(["supports", "refutes"]),
  sentence: text.describe(`What is wrong there, in one sentence of at most ${sentenceUnitsMax} characters`),
  citations: z.array(quoteSchema).max(citationsMax),
});

/** What a run ends with. */
export const proposalSchema = z.object({ findings: z.array(statementSchema).max(findingsMax) });
export type Proposal = z.infer<typeof proposalSchema>;
type Statement = Proposal["findings"][number];

/** A model's finding, before it is known how many runs agree. */
export type Proposed = Omit<ModelFinding, "runs" | "of" | "first" | "model">;

/** Returns what a model proposes; `original` gives the text that a quote was taken from. Incomplete ones are left out. */
export function proposedBy({ findings }: Proposal, original: (quote: string) => string): Proposed[] {
  return findings.flatMap((statement) => {
    const subject = subjectOf(statement);
    const { category, stance, sentence } = statement;
    const citations = statement.citations.map((one) => citationOf(one, original));
    return subject ? [{ subject, category, stance, sentence, citations }] : [];
  });
}

function subjectOf({ kind, file, line, function: name, service, release, setting }: Statement): ProposedSubject | null {
  switch (kind) {
    case "place":
      return file ? { kind, file, line: line ?? null, function: name || null } : null;
    case "service":
      return service ? { kind, service } : null;
    case "release":
      return service && release ? { kind, service, release } : null;
    case "setting":
      return setting
        ? { kind, name: setting, where: /^[A-Z\d_]+$/.test(setting) ? "environment" : "configuration" }
        : null;
  }
}

function citationOf(
  { file, from, to, evidence, excerpt }: Statement["citations"][number],
  original: (quote: string) => string,
): ModelCitation {
  const quoted = original(excerpt);
  if (evidence) return { kind: "evidence", digest: evidence, excerpt: quoted };
  if (!file || !from) return { kind: "input", excerpt: quoted };
  return { kind: "source", file, from, to: to ?? from, excerpt: quoted };
}
