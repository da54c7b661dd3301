import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { redactor } from "../../services/analyzer/src/models/redaction/redact.ts";
import { table } from "../table.ts";

const repository = join(import.meta.dirname, "../..");
const mebibyte = 1_048_576;

/** Texts of this repository that hold no secret: what is replaced in them is a placeholder, or replaced by mistake. */
const corpora: readonly { readonly name: string; readonly below: readonly string[]; readonly files: RegExp }[] = [
  { name: "logs and traces of 30 formats", below: ["services/engine/test/formats"], files: /\.txt$/ },
  {
    name: "our own code",
    below: ["sdks", "services", "examples"],
    files: /(?:src|examples)\/.*\.(?:[jt]sx?|[cm]js|py)$/,
  },
  { name: "recorded failures with their code", below: ["bench/rca/cases"], files: /\.txt$/ },
];

function measured({ name, below, files }: (typeof corpora)[number]): string[] {
  const listed = execFileSync("git", ["ls-files", ...below], { cwd: repository, encoding: "utf8" }).split("\n");
  const kinds: Record<string, number> = {};
  let [lines, changed, units, milliseconds] = [0, 0, 0, 0];
  for (const file of listed.filter((path) => files.test(path))) {
    const text = readFileSync(join(repository, file), "utf8");
    const { redact, replaced } = redactor();
    const before = process.cpuUsage();
    const redacted = redact(text).split("\n");
    const { user, system } = process.cpuUsage(before);
    milliseconds += (user + system) / 1_000;
    const given = text.split("\n");
    lines += given.length;
    changed += given.filter((line, index) => line !== redacted[index]).length;
    units += text.length;
    for (const [kind, count] of Object.entries(replaced)) kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  const found = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
  return [name, String(lines), String(changed), ((milliseconds * mebibyte) / units).toFixed(0), found.join(", ")];
}

console.log(table(["redaction of", "lines", "changed", "ms per MiB", "replaced"], corpora.map(measured)));
