import type { Scalar } from "../../findings/parsed-error.ts";
import { addFrame, type Draft, newDraft } from "../draft.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { readGradle, readMaven } from "./jvm-builds.ts";

const messageLinesMax = 20;
/** npm and pnpm: what a script did isn't theirs. */
const consequences = new Set(["ELIFECYCLE", "1", "2", "127", "ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL"]);
/** npm's lines that describe a failed system call. */
const property = /^(syscall|errno|path|dest) (.{1,500})$/;
/** npm's advice and the place of its log. */
const aside =
  /^(?:A complete log|Fix the upstream|this command with|to accept an|Note that you|tarball, folder|For a full report|\/.*debug-\d)/;

/** Package managers, build tools, and image builds that stop before any program runs. */
export const packageManagerFormat: TextFormat = {
  name: "package managers and image builds",
  language: "native",
  read(stretch) {
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length; index++) {
      const draft =
        readNpm(stretch, index) ??
        readGradle(stretch, index) ??
        readMaven(stretch, index) ??
        readImageBuild(stretch, index);
      if (draft) drafts.push(draft);
    }
    return drafts;
  },
};

/** Reads the lines of npm from its code on: `npm error code ERESOLVE`. */
function readNpm(stretch: Stretch, index: number): Draft | null {
  if (stretch.line(index)?.carrier?.app !== "npm") return null;
  const code = /^code (\w{1,60})$/.exec(stretch.text(index))?.[1];
  if (code === undefined || consequences.has(code)) return null;
  const properties: Record<string, Scalar> = { code };
  const said: string[] = [];
  let at = index + 1;
  for (; stretch.line(at)?.carrier?.app === "npm" && /^code /.test(stretch.text(at)) === false; at++) {
    const text = stretch.text(at).trim();
    const named = property.exec(text);
    if (named?.[1]) properties[named[1]] = named[2] ?? "";
    // Each line may begin with the code again.
    const [first = "", ...rest] = text.split(" ");
    const isCode = first !== "" && code.toLowerCase().endsWith(first.toLowerCase());
    const line = (isCode ? rest.join(" ") : text).trim();
    if (!named && line !== "" && !aside.test(line) && said.length < messageLinesMax) said.push(line);
  }
  stretch.take(index, at - 1);
  return newDraft(code, said.join("\n"), stretch.span(index, at - 1), { properties });
}

/**
 * Reads an instruction of a Dockerfile that failed on its own, such as COPY. Where the command of a RUN failed, its own
 * output says why.
 */
function readImageBuild(stretch: Stretch, index: number): Draft | null {
  const message = /^ERROR: (?:failed to build: )?failed to solve: (.{1,2000})$/.exec(stretch.text(index))?.[1];
  if (message === undefined || message.includes("did not complete successfully")) return null;
  const draft = newDraft("Error", message, stretch.span(index));
  const place = placeAbove(stretch, index);
  if (place) {
    addFrame(draft, {
      function: null,
      file: place.file,
      line: place.line,
      column: null,
      origin: "app",
      async: false,
      printed: stretch.span(place.at),
      context: null,
    });
  }
  stretch.take(index);
  return draft;
}

const excerptLinesMax = 24;

/** Returns the place that BuildKit prints above the lines of the Dockerfile: `Dockerfile:6`. */
function placeAbove(stretch: Stretch, index: number): { file: string; line: number; at: number } | null {
  for (let at = index - 1; at >= Math.max(index - excerptLinesMax, 0); at--) {
    const found = /^([\w./-]{1,200}):(\d{1,6})$/.exec(stretch.text(at));
    if (found?.[1] && /^-{8,40}$/.test(stretch.text(at + 1))) return { file: found[1], line: Number(found[2]), at };
  }
  return null;
}
