import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository-files.ts";

interface Row {
  readonly id: string;
  readonly category: string;
  readonly meaning: string;
  readonly url: string;
}

/** The path is computed, so that no package is imported around. */
async function families(): Promise<[string, readonly Row[]][]> {
  const table: { families: Record<string, readonly Row[]> } = await import(
    join(root, "services/engine/src/match/families.ts")
  );
  return Object.entries(table.families).toSorted(([left], [right]) => left.localeCompare(right, "en"));
}

const introduction = `# Signatures

The failures that the engine knows by their text: {count} in {families} families, made from the [data](../services/engine/src/match/families). Each has lines of real output that it is [tested](../services/engine/test/match) with, and besides what stands here it says what else is seen if it is the cause and if it is not, and what to do now and for good. \`{name}\` stands for what the text says there.

How they are matched is in [how it reasons](how-it-reasons.md#signatures-is-it-a-known-failure).`;

function section([family, rows]: [string, readonly Row[]]): string {
  const lines = rows.map(
    ({ id, category, meaning, url }) =>
      `| \`${id}\` | ${category} | ${meaning.replaceAll("|", "\\|")} | [source](${url}) |`,
  );
  return [`## ${family}`, "", "| id | category | what it means | source |", "| --- | --- | --- | --- |", ...lines].join(
    "\n",
  );
}

describe("docs/signatures.md", () => {
  it("has each signature with its category, meaning and source, and no other (vitest -u writes it)", async () => {
    const all = await families();
    const count = all.reduce((sum, [, rows]) => sum + rows.length, 0);
    const head = introduction.replace("{count}", String(count)).replace("{families}", String(all.length));
    await expect(`${[head, ...all.map(section)].join("\n\n")}\n`).toMatchFileSnapshot(join(root, "docs/signatures.md"));
  });
});
