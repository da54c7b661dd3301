import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository-files.ts";

interface Row {
  readonly name: string;
  readonly means: string;
  readonly example: object;
  readonly sentence: (data: unknown) => string;
  readonly worth: {
    readonly decides?: number;
    readonly features?: readonly string[];
    readonly weights?: readonly string[];
    readonly change?: { readonly near: number; readonly suspect: number };
  };
}

interface Family {
  readonly name: string;
  readonly title: string;
  readonly kinds: readonly Row[];
}

type Weights = Readonly<Record<string, number>>;

/** Loads from the engine. The path is computed, so that the import boundaries of packages don't apply. */
async function load<Module>(path: string): Promise<Module> {
  return (await import(join(root, "services/engine/src", path))) as Module;
}

const introduction = `# Kinds of evidence

Look up what an investigation can find, what a report says of it, and what it is worth: {count} kinds in {families} families. Each kind is a file of its name in the [folder of its family](../services/engine/src/signals), with its schema, its words, and its worth. The example is the sentence for the data in that file.

What a kind is worth:

| worth | meaning |
| --- | --- |
| decides | explains a failure on its own, 0 to 1; its file says under which condition |
| features | what the learned ranking of files and places is given |
| weights | what speaks for a service, release, or third party; 0 to 1, from the [model of services](how-it-reasons.md#how-services-are-weighed) |
| near, suspect | for a changed file: the failure began soon after its release, or a comparison makes the release suspect; 0 to 1 |

A kind without a worth appears in reports and ranks nothing.`;

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string): string => `\`${text}\``;

const featuresShownMax = 8;

function listed(features: readonly string[]): string {
  const [shown, left] = [features.slice(0, featuresShownMax), features.length - featuresShownMax];
  return left > 0 ? `${shown.join(", ")} and ${left} more` : shown.join(", ");
}

function worthText({ worth: { decides, features = [], weights = [], change } }: Row, weighed: Weights): string {
  return [
    ...(decides === undefined ? [] : [`decides: ${decides}`]),
    ...(features.length === 0 ? [] : [`features: ${listed(features.map(code))}`]),
    ...(weights.length === 0 ? [] : [weights.map((name) => `${code(name)} ${weighed[name]}`).join(", ")]),
    ...(change === undefined ? [] : [`near ${change.near}, suspect ${change.suspect}`]),
  ].join("; ");
}

function section({ name, title, kinds }: Family, weights: Weights): string {
  const worth = kinds.map((kind) => worthText(kind, weights));
  const columns = worth.some((text) => text !== "") ? ["Worth"] : [];
  const rows = kinds.map((kind, index) => [
    ...[code(kind.name), kind.means, kind.sentence(kind.example)],
    ...columns.map(() => worth[index] ?? ""),
  ]);
  const heads = ["Kind", "Meaning", "Example", ...columns];
  const table = [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`);
  const folder = `In [\`${name}\`](../services/engine/src/signals/${name}).`;
  return [`## ${title}`, "", folder, "", ...table].join("\n");
}

describe("docs/kinds.md", () => {
  it("lists every kind of every family with its meaning, example, and worth (vitest -u writes it)", async () => {
    const { families } = await load<{ families: readonly Family[] }>("signals/families.ts");
    const { shippedServiceModel } = await load<{
      shippedServiceModel: () => { weights: { telemetry: Weights; outside: { worth: Weights } } };
    }>("rank/service-model.ts");
    const { telemetry, outside } = shippedServiceModel().weights;
    const count = families.reduce((sum, { kinds }) => sum + kinds.length, 0);
    const head = introduction.replace("{count}", String(count)).replace("{families}", String(families.length));
    const sections = families.map((family) => section(family, { ...telemetry, ...outside.worth }));
    await expect(`${[head, ...sections].join("\n\n")}\n`).toMatchFileSnapshot(join(root, "docs/kinds.md"));
  });
});
