import { z } from "zod";
import { count, inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** The import of a cycle that leads back to a file that was still loading. */
export const importCycle = codeKind({
  name: "import-cycle",
  means: "An import leads back to a file that was still loading, and the failing file is on that cycle",
  args: z.object({
    /** As written in the import. */
    module: z.string(),
    /** The files of the cycle, beginning with the one that has the import. */
    files: z.array(z.string()).readonly(),
    /** A file outside of the cycle that defines what is imported; absent where no file does. */
    instead: z.string().optional(),
  }),
  example: { module: "./index.ts", files: ["src/price.ts", "src/index.ts", "src/order.ts"], instead: "src/tax.ts" },
  link: {
    what: ({ module, files, place }) =>
      `${placeText(place)} imports ${inlineCode(module)}, which closes the import cycle ${cycleText(files)}`,
    fix: ({ module, files, instead, place }) => ({
      title: `Remove the import of ${inlineCode(module)} at ${placeText(place)}`,
      detail:
        instead === undefined
          ? `It leads back to a file that is still loading. Move what both need into a file that imports ${files.length === 2 ? "neither of them" : "none of the cycle"}.`
          : `Import from ${inlineCode(instead)} instead, which doesn't lead back.`,
    }),
    confirmedBy: ({ module, place }) =>
      `the program loads without the import of ${inlineCode(module)} at ${placeText(place)}`,
    ruledOutBy: ({ place }) => `the failure stays without the import at ${placeText(place)}`,
  },
  isUntrained: true,
  decides: { weight: 0.8 },
  isOrigin: () => true,
  replacesKnownFix: true,
  category: () => "module-resolution",
});

/** Maximum files of a cycle that are named. */
const namedMax = 6;

/** `a.ts` → `b.ts` → `a.ts`, each file by its name, or with its folder where another one has that name. */
function cycleText(files: readonly string[]): string {
  const names = files.map((file) => shortName(file, files));
  const shown = names.length <= namedMax ? names : [...names.slice(0, namedMax - 1)];
  const left = names.length - shown.length;
  const between = left === 0 ? [] : [`${count(left, "more file")}`];
  return [...shown.map(inlineCode), ...between, inlineCode(names[0] ?? "")].join(" → ");
}

/** Names that say nothing without their folder. */
const unsaying = /^(?:index\.[cm]?[jt]sx?|__init__\.py)$/;

function shortName(file: string, files: readonly string[]): string {
  const parts = file.split("/");
  const name = parts.at(-1) ?? file;
  const isShared = files.filter((one) => one.endsWith(`/${name}`) || one === name).length > 1;
  return isShared || unsaying.test(name) ? parts.slice(-2).join("/") : name;
}
