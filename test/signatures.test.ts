import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository-files.ts";

interface Row {
  readonly id: string;
  readonly category: string;
  /** The text with values, and the text without, if the pattern doesn't always provide them. */
  readonly meaning: readonly { readonly text: string }[];
  readonly url: string;
}

/** Loads the families. The path is computed, so that the import boundaries of packages don't apply. */
async function families(): Promise<[string, readonly Row[]][]> {
  const loader: { loadSignatures(): ReadonlyMap<string, readonly Row[]> } = await import(
    join(root, "services/engine/src/match/load-signatures.ts")
  );
  return [...loader.loadSignatures()].toSorted(([left], [right]) => left.localeCompare(right, "en"));
}

const introduction = `# Signatures

Look up a failure that Whence recognizes by its message, code, or type: {count} failures in {families} families. The [data](../services/engine/src/match/signatures) also holds real sample lines, what confirms or rules out each failure, and what to do about it. \`{name}\` stands for a value from the message.

[How it reasons](how-it-reasons.md#signatures-is-it-a-known-failure) explains how signatures are matched.`;

function section([family, rows]: [string, readonly Row[]]): string {
  const lines = rows.map(
    ({ id, category, meaning, url }) =>
      `| \`${id}\` | ${category} | ${meaning[0]?.text.replaceAll("|", "\\|")} | [source](${url}) |`,
  );
  return [`## ${family}`, "", "| ID | Category | Meaning | Source |", "| --- | --- | --- | --- |", ...lines].join("\n");
}

describe("docs/signatures.md", () => {
  it("lists every signature with its category, meaning, and source (vitest -u writes it)", async () => {
    const all = await families();
    const count = all.reduce((sum, [, rows]) => sum + rows.length, 0);
    const head = introduction.replace("{count}", String(count)).replace("{families}", String(all.length));
    await expect(`${[head, ...all.map(section)].join("\n\n")}\n`).toMatchFileSnapshot(join(root, "docs/signatures.md"));
  });
});
