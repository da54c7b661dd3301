import { z } from "zod";
import { ownershipLimits } from "./ownership.ts";

/** What a rule looks at: the incident's service, or the file in which its report places the cause. */
export const ownershipMatches = ["service", "path"] as const;

const patternSchema = z.string().trim().min(1).max(ownershipLimits.ownershipPatternLengthMax);
const matchShape = { match: z.enum(ownershipMatches), pattern: patternSchema };

/** The body of `PUT /api/ownership`: rules in their order; the first that matches decides. */
export const ownershipChangeSchema = z.object({
  rules: z
    .array(z.object({ ...matchShape, owner: z.string().trim().min(1).max(ownershipLimits.memberNameLengthMax) }))
    .max(ownershipLimits.ownershipRulesMax),
});
export type OwnershipChange = z.infer<typeof ownershipChangeSchema>;

/** The answer of `GET /api/ownership`. Rules for members who have left are gone. */
export const ownershipSchema = z.object({
  rules: z.array(z.object({ ...matchShape, owner: z.object({ id: z.string(), name: z.string(), email: z.string() }) })),
});
export type Ownership = z.infer<typeof ownershipSchema>;

/** What rules decide by; null where it isn't known. */
export interface OwnedThing {
  readonly service: string | null;
  readonly path: string | null;
}

/** The first of the rules that matches. */
export function firstMatch<Rule extends { readonly match: string; readonly pattern: string }>(
  rules: readonly Rule[],
  { service, path }: OwnedThing,
): Rule | undefined {
  return rules.find(({ match, pattern }) =>
    match === "service" ? service === pattern : path !== null && isWithin(pattern, path),
  );
}

const anyFolders = "**";
const anyCharacters = "*";

/**
 * Whether a path, or its end from one of its folders on, fits a pattern: `**` stands for any folders, `*` for any
 * characters within a name.
 */
function isWithin(pattern: string, path: string): boolean {
  const wanted = pattern.split("/").filter((part) => part !== "");
  const parts = path.split(/[/\\]/).filter((part) => part !== "");
  return fits([anyFolders, ...wanted], parts, anyFolders, isName);
}

function isName(pattern: string, name: string): boolean {
  return fits([...pattern], [...name], anyCharacters, (one, other) => one === other);
}

/** Whether items fit a pattern in which `many` stands for any number of them. Takes at most pattern × items steps. */
function fits(
  pattern: readonly string[],
  items: readonly string[],
  many: string,
  isOne: (wanted: string, item: string) => boolean,
): boolean {
  let [at, item] = [0, 0];
  let retry: { at: number; item: number } | null = null;
  while (item < items.length) {
    const wanted = pattern[at];
    if (wanted === many) {
      at += 1;
      retry = { at, item };
    } else if (wanted !== undefined && isOne(wanted, items[item] ?? "")) {
      at += 1;
      item += 1;
    } else if (retry) {
      retry = { at: retry.at, item: retry.item + 1 };
      ({ at, item } = retry);
    } else return false;
  }
  return pattern.slice(at).every((rest) => rest === many);
}
