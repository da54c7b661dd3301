import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { ownCases } from "../own-case.ts";
const out: string[] = [];
const put = (c: any, corpus: string) => { const strict = (c.also ?? []).filter((a: any) => a.strict === true || a.file === c.truth.file).map((a: any) => a.file);
  const stackText = c.errorLog;
  out.push(JSON.stringify({ id: corpus + "/" + c.id, corpus, group: corpus + "/" + c.id, language: c.language, kind: c.kind === "npm-bug" ? "package" : "service", log: c.errorLog, files: c.files, right: [c.truth.file, ...strict], on: c.truth.depth >= 0 || stackText.includes(c.truth.file + ":"), depth: c.truth.depth, category: c.truth.category, truth: c.truth })); };
for (const c of ownCases()) put(c, "own");
const rb = "/work/shared/rcabench/cases/";
for (const line of readFileSync("/tmp/rcabench-emitted.jsonl", "utf8").split("\n").filter(Boolean)) { const e = JSON.parse(line); const r = JSON.parse(readFileSync(rb + e.id + "/case.json", "utf8"));
  put({ id: e.id, language: "javascript", kind: r.kind, errorLog: e.error_log, files: e.files, truth: r.truth, also: r.also }, "rcabench"); }
writeFileSync("/tmp/c-own.jsonl", out.join("\n") + "\n"); console.log(out.length);
