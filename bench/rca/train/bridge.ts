// Interim: old clues as signals, regex imports and functions.
import { locate } from "../../../services/engine/src/trace/trace-error.ts";
import type { ParsedError } from "../../../services/engine/src/findings.ts";
import { SourceText } from "../../../services/engine/src/source-text.ts";
import { SourceFiles } from "../../../services/engine/src/trace/source-files.ts";
import type { Traced, CodeFile } from "../../../services/engine/src/trace/traced.ts";

const kinds: Record<string, string> = { "throw-site": "throw-site", "nullish-operand": "bad-value", "value-origin": "value-step", "thrown-by-code": "deliberate-throw", "environment-read": "value-step", "unawaited-call": "missing-await", "unreleased-resource": "unreleased-resource", "literal-value": "literal-in-message", "broken-file": "broken-file", "suspicious-code": "x" };
export async function traceError(error: ParsedError, event: null, files: readonly SourceText[]): Promise<Traced> {
  const { frames, clues } = await locate(error, event, files);
  const set = new SourceFiles(files, []);
  const code = files.map((source): CodeFile => codeOf(source, set));
  return { frames, files: code, leftOut: [], signals: clues.filter((c) => kinds[c.kind] !== "x").map((c) => ({ kind: kinds[c.kind], subject: { kind: "place", file: c.place.file, line: c.place.line, function: c.place.function, source: c.place.source }, args: c.kind === "value-origin" || c.kind === "environment-read" ? { how: c.how ?? "environment", name: c.subject, code: c.subject } : c.kind === "nullish-operand" ? { member: /`(\w+)`[^`]*$/.exec(c.says)?.[1] ?? null } : {}, steps: c.steps, isEnd: c.isEnd, towards: null })) as never };
}
function codeOf(source: SourceText, set: SourceFiles): CodeFile {
  const t = source.text;
  const functions: any[] = [];
  const re = /(?:function\s*\*?\s*([\w$]+)\s*\(|(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:function|\([^()]*\)\s*=>|[\w$]+\s*=>)|(?:^|\n)[ \t]+(?:async\s+|static\s+|get\s+)?([\w$]+)\s*\([^()]*\)\s*\{|[.\w]*\.([\w$]+)\s*=\s*(?:async\s*)?function|([\w$]+)\s*:\s*(?:async\s*)?function|def\s+(\w+)|func\s+(?:\([^)]*\)\s*)?(\w+))/g;
  for (const m of t.matchAll(re)) {
    const name = m.slice(1).find((x) => x);
    if (name && ["if","for","while","switch","catch","return","function"].includes(name)) continue;
    const start = m.index!; let end = start + 1500;
    const b = t.indexOf("{", start);
    if (b >= 0 && b - start < 300) { let d = 0; let i = b; for (; i < t.length && i < b + 20000; i++) { if (t[i] === "{") d++; else if (t[i] === "}" && --d === 0) break; } end = i + 1; }
    const body = t.slice(start, Math.min(end, start + 8000));
    functions.push({ name: name ?? null, start, end: Math.min(end, t.length), isExported: true, calls: [...new Set([...body.matchAll(/([\w$]+)\s*\(/g)].map((x) => x[1]!))].slice(0, 200) });
  }
  const imports = [...t.matchAll(/(?:require\(|from\s+|import\s+|import\()\s*["']([^"'\n]+)["']/g)].map((m) => set.resolve(source.name, m[1]!)).filter((x): x is SourceText => x !== null);
  for (const m of t.matchAll(/^\s*(?:from\s+([.\w]+)\s+import\s+([\w, ]+)|import\s+([\w.]+))/gm)) {
    const mod = (m[1] ?? m[3] ?? "").replace(/^\.+/, ""); const last = mod.split(".").at(-1);
    for (const f of set.all) { const base = f.name.replace(/\.py$/, ""); if (f !== source && f.name.endsWith(".py") && (last && (base === mod.replaceAll(".", "/") || base.endsWith("/" + mod.replaceAll(".", "/"))) || (m[2] && !last && m[2].split(/[, ]+/).some((n) => base.endsWith("/" + n) || base === n)))) imports.push(f); }
  }
  return { source, isInstalled: /node_modules|site-packages/.test(source.name), functions, imports: [...new Set(imports)].filter((f) => f !== source) };
}
