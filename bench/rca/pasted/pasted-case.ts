import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { pastedLanguages } from "./printed-frames.ts";

const place = z.strictObject({
  /** Relative to the root of the repository. */
  file: z.string().min(1),
  /** Empty at module level. */
  function: z.string(),
  /** 1-based and inclusive, before the fix. */
  line_start: z.int().positive(),
  line_end: z.int().positive(),
});

/**
 * A stack that somebody pasted into the description of the change that fixed it. Neither the text nor the code is
 * stored: both are read from a clone of the repository.
 */
export const pastedCase = z.strictObject({
  language: z.enum(pastedLanguages),
  /** On GitHub, as `owner/name`. */
  repository: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  /** The commit whose message has the stack. Its parent has the mistake. */
  fix: z.string().length(40),
  /** The lines of the stack in the message, 1-based and inclusive. */
  lines: z.tuple([z.int().positive(), z.int().positive()]),
  /** What the fix changed in the project's code. */
  culprits: z.array(place).min(1),
});

export type PastedCase = z.infer<typeof pastedCase>;

/** Development may be looked at while the engine is changed; the held-out half is only scored. A repository is in one. */
export const halves = ["development", "held-out"] as const;
export type Half = (typeof halves)[number];

/** The stored cases of a half. */
export function readPasted(half: Half): PastedCase[] {
  return readFileSync(pathOf(half), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => pastedCase.parse(JSON.parse(line)));
}

/** The file of a half's cases, one JSON object a line. */
export function pathOf(half: Half): string {
  return join(import.meta.dirname, `${half}.jsonl`);
}
