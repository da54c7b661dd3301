import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { ReadableLine } from "../readable-line.ts";

/** `⨯ app/page.tsx (12:9) @ totalOf`, above the error. */
const original = /^\s*⨯ (\S{1,500}\.\w{1,8}) \((\d{1,9}):(\d{1,9})\)(?: @ (.{1,200}))?$/;

/** Puts the place that Next.js prints above an error in place of that of its compiled code. */
export function placeByNext(drafts: readonly Draft[], lines: readonly ReadableLine[]): void {
  const places = lines.flatMap((line, index) => {
    const [, path = "", row, column, name] = original.exec(line.text) ?? [];
    return path === "" ? [] : [{ file: normalizePath(path), row, column, name, line, below: lines[index + 1] }];
  });
  for (const { file, row, column, name, line, below } of places) {
    const draft = drafts.find(({ printed, parent }) => parent === null && printed.start === below?.printed.start);
    if (draft?.language !== "javascript") continue;
    const place = {
      file,
      line: Number(row),
      column: Number(column),
      origin: frameOrigin(file),
      printed: line.printed,
    };
    const isSame = (frame: ParsedFrame): boolean => frame.file === file && frame.function === (name ?? frame.function);
    const at = draft.frames.findIndex(isSame);
    if (at >= 0) draft.frames = draft.frames.map((frame, index) => (index === at ? { ...frame, ...place } : frame));
    else if (draft.frames.every(({ origin }) => origin !== "app"))
      draft.frames.push({ function: name ?? null, async: false, context: null, ...place });
  }
}
