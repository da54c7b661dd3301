import { uncoded } from "../../findings/uncoded.ts";
import { addFrame, type Draft, draftsMax, newDraft } from "../draft.ts";
import { placeInProject } from "../printed-place.ts";
import type { Stretch, TextFormat } from "../stretch.ts";

/** An error on one line. Groups: `file`, `line`, `column`, `code`, `message`. */
const oneLine: readonly RegExp[] = [
  // tsc, in color and plain; csc and MSBuild.
  /^(?<file>[^\s:(][^:(]{0,500}):(?<line>\d{1,9}):(?<column>\d{1,9}) - error (?<code>TS\d{1,6}): (?<message>.{1,2000})$/,
  /^\s{0,4}(?<file>[^\s(][^(]{0,500})\((?<line>\d{1,9}),(?<column>\d{1,9})\): error (?<code>[A-Z]{1,6}\d{1,6}): (?<message>.{1,2000})$/,
  // gcc, clang, swiftc.
  /^(?<file>[^\s:][^:]{0,500}):(?<line>\d{1,9}):(?<column>\d{1,9}): (?:fatal )?error: (?<message>.{1,2000})$/,
  // go build and go vet.
  /^(?:vet: |\s{0,8})(?<file>[^\s:]{1,500}\.go):(?<line>\d{1,9}):(?<column>\d{1,9}): (?<message>.{1,2000})$/,
  // javac, Maven, kotlinc.
  /^(?<file>[^\s:][^:]{0,500}\.(?:java|scala)):(?<line>\d{1,9}): error: (?<message>.{1,2000})$/,
  /^\[ERROR\] (?<file>[^\s:][^:]{0,500}):\[(?<line>\d{1,9}),(?<column>\d{1,9})\] (?<message>.{1,2000})$/,
  /^e: (?:file:\/\/)?(?<file>[^\s:][^:]{0,500}\.kts?):(?: \()?(?<line>\d{1,9})(?::|, )(?<column>\d{1,9})\)?:? (?<message>.{1,2000})$/,
];
/** An error whose place is below it. */
interface Headed {
  readonly head: RegExp;
  readonly place: RegExp;
  readonly linesBetweenMax: number;
  readonly type: string;
}

/** rustc, esbuild and Vite, Terraform. */
const headed: readonly Headed[] = [
  {
    head: /^error(?:\[(?<code>E\d{1,6})\])?: (?<message>.{1,2000})$/,
    place: /^\s{0,8}--> (?<file>[^:]{1,500}):(?<line>\d{1,9}):(?<column>\d{1,9})$/,
    linesBetweenMax: 0,
    type: uncoded,
  },
  {
    head: /^✘ \[ERROR\] (?<message>.{1,2000})$/,
    place: /^\s{4}(?<file>[^\s:][^:]{0,500}):(?<line>\d{1,9}):(?<column>\d{1,9}):$/,
    linesBetweenMax: 1,
    type: uncoded,
  },
  {
    head: /^Error: (?<message>.{1,2000})$/,
    place: /^\s{1,4}on (?<file>\S{1,500}\.(?:tf|tofu|tfvars|tf\.json)) line (?<line>\d{1,9})(?:, in .{1,300})?:$/,
    linesBetweenMax: 3,
    type: "Error",
  },
];
/** javac says on the lines below which name it doesn't know. */
const detail = /^\s{1,8}(?:symbol|location|required|found|reason): {1,4}\S/;
const detailsMax = 4;

type Groups = Readonly<Record<string, string | undefined>>;

/** Errors that compilers and checkers print, each with its place in the source. */
export const compilerFormat: TextFormat = {
  name: "compilers",
  language: "native",
  read(stretch) {
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length && drafts.length < draftsMax; index++) {
      const draft = readOneLine(stretch, index) ?? readHeaded(stretch, index);
      if (draft) drafts.push(draft);
    }
    return drafts;
  },
};

function readOneLine(stretch: Stretch, index: number): Draft | null {
  const text = stretch.text(index);
  if (!/\d[:)\],]/.test(text)) return null;
  for (const pattern of oneLine) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return diagnosed(stretch, groups, index, index);
  }
  return null;
}

function readHeaded(stretch: Stretch, index: number): Draft | null {
  const text = stretch.text(index);
  if (!/^(?:error|Error: |✘)/.test(text)) return null;
  for (const { head, place, linesBetweenMax, type } of headed) {
    const said = head.exec(text)?.groups;
    for (let at = index + 1; said && at <= index + 1 + linesBetweenMax; at++) {
      const placed = place.exec(stretch.text(at))?.groups;
      if (placed) return diagnosed(stretch, { ...said, ...placed, code: said.code ?? type }, index, at);
    }
  }
  return null;
}

function diagnosed(stretch: Stretch, groups: Groups, from: number, placeAt: number): Draft {
  let last = placeAt;
  const details: string[] = [];
  for (let at = placeAt + 1; at <= placeAt + detailsMax + 2; at++) {
    if (!detail.test(stretch.text(at))) continue;
    details.push(stretch.text(at).trim());
    last = at;
  }
  const message = [groups.message ?? "", ...details].join("\n");
  const draft = newDraft(groups.code ?? uncoded, message, stretch.span(from, last));
  addFrame(draft, placeInProject(groups, stretch.span(placeAt)));
  stretch.take(from, last);
  return draft;
}
