import type { FailureWatch, Prediction } from "@whence/protocol";
import { inlineCode } from "../../prose.ts";

type Words = Pick<Prediction, "statement" | "check" | "refuted_by">;
type Kind = FailureWatch["kind"];
type WatchOf<Of extends Kind> = Extract<FailureWatch, { readonly kind: Of }>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long each kind is watched: as long as what it waits for may take. */
export const watchedMs: Readonly<Record<Kind, number>> = {
  "memory-climbs": 6 * hourMs,
  "failure-continues": dayMs,
  "only-in-release": dayMs,
  "only-with-failed-call": dayMs,
  "only-on-route": dayMs,
  "only-on-host": dayMs,
  // Outages end within days, processes are restarted within a week, and releases may take two.
  "stops-with-recovery": 3 * dayMs,
  "restart-keeps": 7 * dayMs,
  "restart-clears": 7 * dayMs,
  "stops-with-release": 14 * dayMs,
};

/** What a person reads of a watch. */
export function wordsOf(watch: FailureWatch): Words {
  switch (watch.kind) {
    case "failure-continues":
      return continues(watch);
    case "only-in-release":
    case "stops-with-release":
      return ofRelease(watch);
    case "only-with-failed-call":
    case "stops-with-recovery":
      return ofUpstream(watch);
    case "only-on-route":
    case "only-on-host":
      return ofPlace(watch);
    case "restart-keeps":
    case "restart-clears":
      return ofRestart(watch);
    case "memory-climbs":
      return {
        statement: `The memory of the processes of ${inlineCode(watch.service)} climbs from heartbeat to heartbeat.`,
        check: `Follow the memory of the processes of ${inlineCode(watch.service)} over some hours.`,
        refuted_by: "Memory that goes up and down and stays about the same.",
      };
  }
}

function continues({ release, fingerprint }: WatchOf<"failure-continues">): Words {
  const where = release === "" ? "" : ` in release ${inlineCode(release)}`;
  return {
    statement: `The failure comes again${where}, until the cause is changed.`,
    check: `Count events with fingerprint ${inlineCode(fingerprint)}${where}, before and after the change.`,
    refuted_by: "No further event although as much goes on as before.",
  };
}

function ofRelease({ kind, release, fingerprint }: WatchOf<"only-in-release" | "stops-with-release">): Words {
  const check = `Compare releases by their events with fingerprint ${inlineCode(fingerprint)}.`;
  if (kind === "only-in-release") {
    return {
      statement: `Releases that ran before ${inlineCode(release)} stay clean.`,
      check,
      refuted_by: `One event of this failure in a release older than ${inlineCode(release)}.`,
    };
  }
  return {
    statement: `Going back from ${inlineCode(release)}, or a release without its change, ends the failure.`,
    check,
    refuted_by: "The failure goes on in an older release.",
  };
}

function ofUpstream({ kind, upstream }: WatchOf<"only-with-failed-call" | "stops-with-recovery">): Words {
  const host = inlineCode(upstream);
  if (kind === "only-with-failed-call") {
    return {
      statement: `Each further event has a failed call to ${host} shortly before it.`,
      check: `Look for calls to ${host} among the breadcrumbs of the next events.`,
      refuted_by: `Several events without a failed call to ${host} before them.`,
    };
  }
  return {
    statement: `The failure ends within 5 minutes once calls to ${host} succeed again.`,
    check: `Call ${host}, and count the failures after it has answered.`,
    refuted_by: `Failures that go on while calls to ${host} succeed.`,
  };
}

function ofPlace(watch: WatchOf<"only-on-route" | "only-on-host">): Words {
  const [what, name] = watch.kind === "only-on-route" ? ["route", watch.route] : ["host", watch.host];
  return {
    statement: `The failure comes again on ${what} ${inlineCode(name)} only.`,
    check: `Count events with fingerprint ${inlineCode(watch.fingerprint)} by ${what}.`,
    refuted_by: `One event of this failure on another ${what}.`,
  };
}

function ofRestart({ kind, service }: WatchOf<"restart-keeps" | "restart-clears">): Words {
  const check = `Start a process of ${inlineCode(service)} anew and watch it.`;
  if (kind === "restart-keeps") {
    return {
      statement: "A restart does not help: processes that are started with the same settings fail as well.",
      check,
      refuted_by: "Processes that were started since stay clean.",
    };
  }
  return {
    statement: "A restart clears it, for about as long as the process ran before.",
    check,
    refuted_by: "A process fails soon after it was started.",
  };
}
