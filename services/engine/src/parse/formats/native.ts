import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, type Draft, extend, newDraft } from "../draft.ts";
import type { Stretch, TextFormat } from "../stretch.ts";

/**
 * How a process dies below the level of its language. Groups: `type` and `message`; without `type`, the pattern's own
 * type applies.
 */
interface Death {
  readonly pattern: RegExp;
  readonly type: string;
}

/** Maximum lines between the message and the native stack. */
const gapLinesMax = 12;

/** Sources: V8's and Node's fatal handlers, HotSpot's error report, glibc, the kernel's OOM killer, shells. */
const deaths: readonly Death[] = [
  { pattern: /^FATAL ERROR: (?<message>.{1,500})$/, type: "FATAL ERROR" },
  { pattern: /^(?:# )?Fatal error in (?<message>.{1,300})$/, type: "V8 fatal error" },
  {
    pattern:
      /^(?:#\s{1,4}| ?)(?<type>SIG[A-Z]{2,8}|EXCEPTION_[A-Z_]{4,40}) (?<message>\(0x[0-9a-f]{1,8}\) at pc=.{1,200})$/,
    type: "",
  },
  {
    pattern: /^(?:# )?(?<message>There is insufficient memory for the Java Runtime Environment.{0,200})$/,
    type: "OutOfMemory",
  },
  { pattern: /^(?<message>.{0,300}: Assertion .{1,1000} failed\.)$/, type: "Assertion failed" },
  {
    pattern:
      /^(?:.{0,200}[\s:])?(?<message>Segmentation fault|Bus error|Illegal instruction|Floating point exception|Aborted|Trace\/breakpoint trap)(?: +\(core dumped\)| {2,}.{1,300})?$/,
    type: "killed by a signal",
  },
  {
    pattern:
      /(?<message>(?:Memory cgroup out of memory|Out of memory): Kill(?:ed)? process \d{1,10} \(.{1,60}\).{0,300})$/,
    type: "OutOfMemory",
  },
  {
    pattern: /^(?<message>(?:malloc|free|double free|corrupted|munmap_chunk|realloc)(?:\(\))?: .{1,200})$/,
    type: "heap corruption",
  },
  { pattern: /^(?<message>terminate called after throwing an instance of .{1,300})$/, type: "C++ exception" },
  { pattern: /^(?<message>Killed)$/, type: "killed by a signal" },
];
const starts =
  /FATAL|Fatal error in|SIG|EXCEPTION_|insufficient memory|Assertion|Segmentation|Bus error|Illegal instr|Floating point|Aborted|Trace\/|ut of memory|malloc|free|corrupted|munmap|realloc|terminate|^Killed$/;
const frameLine = /^\s{0,4}\d{1,3}: 0x[0-9a-f]{1,16} {1,2}(.{0,600})$/;

/** Processes that ran out of memory, crashed in native code, or were killed. */
export const nativeFormat: TextFormat = {
  name: "V8 and JVM crashes, signals, the kernel's OOM killer",
  language: "native",
  read(stretch) {
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length; index++) {
      const text = stretch.text(index).trim();
      const draft = starts.test(text) ? readSignal(stretch, index, text) : null;
      if (draft) drafts.push(draft);
    }
    return drafts;
  },
};

function readSignal(stretch: Stretch, index: number, text: string): Draft | null {
  for (const { pattern, type } of deaths) {
    const groups = pattern.exec(text.slice(0, 2_000))?.groups;
    if (!groups) continue;
    const draft = newDraft(
      groups.type ?? type,
      messageOf(stretch, index, groups.message ?? text),
      stretch.span(index),
      {
        language: "native",
        fatal: true,
      },
    );
    stretch.take(index);
    readStack(stretch, index, draft);
    return draft;
  }
  return null;
}

/** V8 names the failed check on the next line. */
function messageOf(stretch: Stretch, index: number, message: string): string {
  const check = /^(?:# )?((?:Check failed|unreachable|Debug check failed|Fatal).{0,300})$/.exec(
    stretch.text(index + 1),
  );
  return check?.[1] === undefined ? message : `${check[1]} (${message})`;
}

function readStack(stretch: Stretch, index: number, draft: Draft): void {
  let at = index + 1;
  while (at <= index + gapLinesMax && !frameLine.test(stretch.text(at))) at++;
  for (let found = frameLine.exec(stretch.text(at)); found; found = frameLine.exec(stretch.text(at))) {
    addFrame(draft, frameOf(found[1] ?? "", stretch, at));
    stretch.take(at);
    at++;
  }
  if (draft.frames.length > 0) extend(draft, stretch.span(index, at - 1));
}

function frameOf(said: string, stretch: Stretch, at: number): ParsedFrame {
  const open = said.lastIndexOf(" [");
  const name = open < 0 ? said : said.slice(0, open);
  return {
    function: name.trim() === "" ? null : name.trim(),
    file: null,
    line: null,
    column: null,
    origin: "runtime",
    async: false,
    printed: stretch.line(at)?.printed ?? null,
    context: null,
  };
}
