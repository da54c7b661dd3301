import { minuteMs } from "@whence/protocol";
import type { Advice } from "../../words/link-words.ts";
import { duration, inlineCode, sentence } from "../../words/prose.ts";
import { nameOf, versionOf } from "../../words/release-names.ts";
import { isMigrated } from "../change-effect.ts";
import type { DeployFact } from "./deploy-fact.ts";
import type { ReleaseLink, ShownChange } from "./release-link.ts";
import { releaseReason } from "./release-reason.ts";

/** Changes of a release that take away what the failing code needs. */
const taking: ReadonlySet<string> = new Set(["name", "setting"]);

/**
 * Returns what to do about a release that may have caused the failure: go back to the one before it, unless a migration
 * came with it, which going back doesn't undo. Null where neither a comparison of releases nor what it changed says that
 * it is the cause.
 */
export function releaseFix({ deploy, change, schema }: ReleaseLink): Advice | null {
  const { service, release, previous } = deploy;
  const migrated = change && afterMigration(change, service);
  if (migrated) return migrated;
  const sure = sureness(deploy, change);
  if (sure === null || previous === null) return null;
  const [first] = schema;
  if (first) return afterSchema(first, { service, release, previous });
  const name = inlineCode(service);
  const title = deploy.isBack
    ? `Deploy ${inlineCode(previous)} of ${name} again`
    : `Roll ${name} back to ${inlineCode(previous)}`;
  const isLikely = sure === "likely";
  return {
    title: isLikely ? `${title}, which likely stops it` : title,
    detail: [`${nameOf(deploy)} ${releaseReason(deploy)}.`, ...withoutFailure(deploy, sure)].join(" "),
    rollsBack: { service, to: previous, ...(isLikely && { is_likely: true }) },
  };
}

/**
 * Returns how sure it is that going back stops the failure: a comparison makes the release suspect; it took away a name
 * or a setting that the failing code needs, however often it failed; or it changed the failing code, and the failure
 * began with it. The last is only likely: something else may have changed at the same time.
 */
function sureness({ verdict, previousRan }: DeployFact, change: ShownChange | null): "sure" | "likely" | null {
  if (verdict === "suspect" || (change !== null && taking.has(change.effect.kind))) return "sure";
  return change === null || previousRan === undefined ? null : "likely";
}

/** How long the previous release ran without the failure: how sure the advice is may rest on it. */
function withoutFailure({ service, previous, previousRan }: DeployFact, sure: "sure" | "likely"): string[] {
  if (previousRan === undefined || previous === null) return [];
  const version = versionOf({ service, release: previous });
  const ran = `processes of ${version} ran for ${duration(previousRan.minutes * minuteMs)} in total without it`;
  if (previousRan.isLong) return [sentence(ran)];
  return sure === "likely" ? [`That could still be chance: ${ran}.`] : [];
}

/** What to do after a migration that ran: going back to earlier code doesn't bring back what it changed. */
function afterMigration({ effect, place }: ShownChange, service: string): Advice | null {
  if (!isMigrated(effect)) return null;
  const { name, renamedTo } = effect;
  const by = inlineCode(place.file);
  return renamedTo === null
    ? {
        title: `Stop using ${inlineCode(name)} in ${inlineCode(service)}, or restore it`,
        detail: `${by} dropped it. Rolling back the code alone doesn't bring it back.`,
      }
    : {
        title: `Use ${inlineCode(renamedTo)} where ${inlineCode(service)} still uses ${inlineCode(name)}`,
        detail: `${by} renamed it. Rolling back the code alone doesn't undo that.`,
      };
}

/** What to do about a release whose migration changed what the release before it may still use. */
function afterSchema(
  { path, name, table, renamedTo }: ReleaseLink["schema"][number],
  { service, release, previous }: { readonly service: string; readonly release: string; readonly previous: string },
): Advice {
  const what = inlineCode(table === null ? name : `${table}.${name}`);
  const done = renamedTo === null ? `dropped ${what}` : `renamed ${what} to ${inlineCode(renamedTo)}`;
  return {
    title: `Fix ${nameOf({ service, release })} instead of rolling it back`,
    detail: `${inlineCode(path)} ${done}, which ${versionOf({ service, release: previous })} may still use.`,
  };
}
