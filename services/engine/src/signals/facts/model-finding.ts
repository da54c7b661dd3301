import { categorySchema } from "@whence/protocol";
import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { nameOf } from "../../words/release-names.ts";
import { factKind, partOfWhole } from "./fact-kind.ts";

const placeSchema = z
  .object({
    kind: z.literal("place"),
    file: z.string(),
    /** 1-based. */
    line: z.int().min(1).nullable(),
    function: z.string().nullable(),
  })
  .readonly();

const proposedSchema = z.discriminatedUnion("kind", [
  placeSchema,
  z.object({ kind: z.literal("service"), service: z.string() }).readonly(),
  z.object({ kind: z.literal("release"), service: z.string(), release: z.string() }).readonly(),
  z
    .object({ kind: z.literal("setting"), name: z.string(), where: z.enum(["environment", "configuration"]) })
    .readonly(),
]);

/** What a model proposes or rules out. */
export type ProposedSubject = z.output<typeof proposedSchema>;

/** Returns what makes two proposals the same: of places, the file, as in the ranking. */
export function keyOfProposed(subject: ProposedSubject): string {
  switch (subject.kind) {
    case "place":
      return JSON.stringify([subject.kind, subject.file]);
    case "service":
      return JSON.stringify([subject.kind, subject.service]);
    case "release":
      return JSON.stringify([subject.kind, subject.service, subject.release]);
    case "setting":
      return JSON.stringify([subject.kind, subject.name]);
  }
}

const citationSchema = z.discriminatedUnion("kind", [
  /** Lines of a file, both included. */
  z.object({ kind: z.literal("source"), file: z.string(), from: z.int(), to: z.int(), excerpt: z.string() }).readonly(),
  /** Another piece of evidence, by the beginning of its digest. */
  z.object({ kind: z.literal("evidence"), digest: z.string(), excerpt: z.string() }).readonly(),
  /** The error as it came in. */
  z.object({ kind: z.literal("input"), excerpt: z.string() }).readonly(),
]);

/** What a model quotes for a finding. */
export type ModelCitation = z.output<typeof citationSchema>;

/** What {@link ModelFinding} accepts, in a stored report too. */
export const modelFindingSchema = z
  .object({
    /** The provider and the name of the model. */
    model: z.string(),
    subject: proposedSchema,
    category: categorySchema,
    /** The model's own words; empty where they don't hold. */
    sentence: z.string(),
    stance: z.enum(["supports", "refutes"]),
    citations: z.array(citationSchema).readonly(),
    /** How many of the independent runs say so. */
    runs: z.int().min(1),
    of: z.int().min(1),
    /** How many of the runs name it as the most likely cause; of them, those that weren't shown the engine's report. */
    first: z.object({ runs: z.int().min(0), blind: z.int().min(0) }).readonly(),
  })
  .readonly();

/** One thing that a language model says about the cause. */
export type ModelFinding = z.output<typeof modelFindingSchema>;

export const modelFinding = factKind({
  name: "model-finding",
  means: "A cause that a language model proposes or rules out, with quotes that were found where it says",
  data: z.object({ finding: modelFindingSchema }),
  example: {
    finding: {
      model: "anthropic claude",
      category: "resource-exhaustion",
      stance: "supports",
      runs: 2,
      of: 2,
      first: { runs: 2, blind: 1 },
      subject: { kind: "place", file: "src/orders.ts", line: 31, function: "reserveStock" },
      sentence: "reserveStock returns early without releasing its connection",
      citations: [{ kind: "source", file: "src/orders.ts", from: 30, to: 31, excerpt: "if (!stock) return null;" }],
    },
  },
  evidence: ({ finding: { model, subject, sentence, stance, runs, of } }) => {
    const does = stance === "supports" ? "proposes" : "rules out";
    const said = sentence === "" ? "" : `: ${inlineCode(sentence)}`;
    return `the model ${inlineCode(model)} ${does} ${subjectText(subject)} in ${runs} of ${of === 1 ? "1 run" : `${of} runs`}${said}`;
  },
  isComputed: true,
  isFromModel: true,
  problems: ({ finding: { runs, of, first } }) => [
    ...new Set([...partOfWhole(runs, of), ...partOfWhole(first.runs, runs), ...partOfWhole(first.blind, first.runs)]),
  ],
  shown: ({ finding }, shown) => ({
    finding:
      finding.subject.kind === "place"
        ? { ...finding, subject: { ...finding.subject, file: shown(finding.subject.file) } }
        : finding,
  }),
  isMoment: () => false,
  isSupport: ({ finding }) => finding.stance === "supports",
});

function subjectText(subject: ProposedSubject): string {
  switch (subject.kind) {
    case "place":
      return placeText(subject);
    case "service":
      return inlineCode(subject.service);
    case "release":
      return nameOf(subject);
    case "setting":
      return inlineCode(subject.name);
  }
}
