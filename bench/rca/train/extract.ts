import { writeFileSync } from "node:fs";
import { SourceText } from "../../../services/engine/src/source-text.ts";
import { parseText } from "../../../services/engine/src/parse/parse.ts";
import { viewFailure } from "../../../services/engine/src/rank/file-view.ts";
import { featuresOf } from "../../../services/engine/src/rank/rank-files.ts";
import { placesIn } from "../../../services/engine/src/rank/file-places.ts";
import { traceError } from "../../../services/engine/src/trace/trace-error.ts";
import { readFileSync } from "node:fs";

const lines: string[] = [];
const input = process.argv[2]!;
for (const line of readFileSync(input, "utf8").split("\n").filter(Boolean)) {
  const c = JSON.parse(line);
  const error = parseText(c.log);
  const files = c.files.map((f: any) => new SourceText("source_file", f.name, f.content));
  const begin = performance.now();
  try {
    const traced = await traceError(error, null, files);
    const view = viewFailure(error, traced, files);
    const features = featuresOf(view);
    const right = new Set(c.right);
    const rows = [...features].map(([file, values]) => ({ name: file.name, right: right.has(plain(file.name)), on: file.frames.length > 0, values }));
    const t = c.truth; const places = t ? view.files.filter((f) => right.has(plain(f.name)) && plain(f.name) === t.file).flatMap((f) => placesIn(f, view)).map((p) => ({ line: p.line, function: p.function, right: (last(p.function) !== "" && last(p.function) === last(t.function)) || (p.line !== null && p.line >= t.line_start - 3 && p.line <= t.line_end + 3), values: p.features })) : [];
    lines.push(JSON.stringify({ id: c.id, corpus: c.corpus, group: c.group, operator: c.operator, language: c.language, kind: c.kind, on: c.on, depth: c.depth, ms: Math.round(performance.now() - begin), rows, places }));
  } catch (e) { console.error(c.id, e); }
}
writeFileSync(process.argv[3]!, lines.join("\n") + "\n");
function plain(name: string) { return name.replace(/^file:\/\//, "").replace(/^\/?app\//, "").replace(/^\.?\//, ""); }

function last(name: string | null) { return (name ?? "").replace(/\s*\[as [^\]]*\]/, "").replace(/^(?:async|new)\s+/, "").split(".").at(-1)!.replace(/[^\w$<>]/g, ""); }
