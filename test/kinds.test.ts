import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRepositoryFile, repositoryFiles, root } from "./repository-files.ts";

/** A kind, as the engine's list of families has it. */
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
| weights | what speaks for a service, release, or third party; 0 to 1, from the [model of services](how-well-it-ranks.md#how-services-are-weighed) |
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

const engine = "services/engine/src/";
const sources = repositoryFiles(`${engine}**/*.ts`).map((file) => ({
  path: file.slice(engine.length),
  text: readRepositoryFile(file),
}));

/** What finds the kinds of a family in the engine; the collectors of facts are the analyzer's. */
const finders: Readonly<Record<string, RegExp>> = {
  code: /^trace\//,
  facts: /^process-exit\/observe-exit\.ts$|^watched\/|^model\/observe-query\.ts$/,
};

/**
 * Kinds that other modules ask for by name, because they relate them to others: the steps of the value's trail, what
 * releases changed, how processes ended, what a model proposes, what repeats without an end. A kind that isn't listed is known to its file, its list, and what finds it.
 */
const askedFor: readonly string[] = [
  ...["bad-value", "deliberate-throw", "missing-await", "throw-site", "value-step"],
  ...["answers", "comparison", "concentration", "deploy", "exit", "failing-calls", "last-change", "last-heartbeat"],
  ...[
    "main-thread",
    "model-finding",
    "observed",
    "onward-call",
    "outside",
    "own-event",
    "process-state",
    "rate",
    "recursion",
    "related-failure",
    "release-change",
  ],
  ...["silent-wrapper", "totals", "undone-change", "vital-signs"],
];

describe("a kind of signal in code, or of fact", () => {
  it("is in a file of its name, and in the list of its family", async () => {
    const { families } = await load<{ families: readonly Family[] }>("signals/families.ts");
    const lists = families.flatMap(({ name, kinds }) => kinds.map((kind) => [name, kind.name] as const));
    const files = new Set(sources.map(({ path }) => path));
    expect(lists.filter(([family, kind]) => !files.has(`signals/${family}/${kind}.ts`))).toEqual([]);
  });

  it("is named by no other module than what finds it, except for those that others build upon", async () => {
    const { families } = await load<{ families: readonly Family[] }>("signals/families.ts");
    const asked = families
      .filter(({ name }) => name in finders)
      .flatMap(({ name: family, kinds }) =>
        kinds.filter(({ name }) =>
          sources.some(({ path, text }) => isAsker(path, family) && text.includes(`"${name}"`)),
        ),
      )
      .map(({ name }) => name);
    expect(asked.toSorted()).toEqual(askedFor.toSorted());
  });
});

function isAsker(path: string, family: string): boolean {
  return !path.startsWith("signals/") && !finders[family]?.test(path);
}
