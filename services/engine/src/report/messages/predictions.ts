import type { Watch } from "@whence/protocol";
import type { TableOf } from "../../findings/kinds.ts";
import { count, duration, inlineCode } from "../../words/prose.ts";

/** The words of a prediction. */
export interface PredictionWords {
  readonly statement: string;
  readonly check: string;
  readonly refuted_by: string;
}

const bytesPerMiB = 1_048_576;

/** What telemetry should show if the report is right. */
export const watches: TableOf<Watch, PredictionWords> = {
  "failure-continues": ({ release, fingerprint }) => {
    const where = release === "" ? "" : ` in release ${inlineCode(release)}`;
    return {
      statement: `The failure continues${where} until the cause is fixed.`,
      check: `Count events with fingerprint ${inlineCode(fingerprint)}${where} before and after the fix.`,
      refuted_by: "No more events, with the same traffic.",
    };
  },
  "only-in-release": ({ release, fingerprint }) => ({
    statement: `Releases before ${inlineCode(release)} don't have this failure.`,
    check: `Compare releases by their events with fingerprint ${inlineCode(fingerprint)}.`,
    refuted_by: `An event of this failure in a release before ${inlineCode(release)}.`,
  }),
  "stops-with-release": ({ release, fingerprint }) => ({
    statement: `Rolling back ${inlineCode(release)} ends the failure.`,
    check: `Compare releases by their events with fingerprint ${inlineCode(fingerprint)}.`,
    refuted_by: "The failure continues in the earlier release.",
  }),
  "only-with-failed-call": ({ upstream }) => ({
    statement: `A failed call to ${inlineCode(upstream)} precedes each further event.`,
    check: `Look for calls to ${inlineCode(upstream)} in the breadcrumbs of the next events.`,
    refuted_by: `Several events without a failed call to ${inlineCode(upstream)} before them.`,
  }),
  "stops-with-recovery": ({ upstream }) => ({
    statement: `The failure ends within 5 minutes once calls to ${inlineCode(upstream)} succeed again.`,
    check: `Call ${inlineCode(upstream)}, and count failures once it answers.`,
    refuted_by: `Failures continue while calls to ${inlineCode(upstream)} succeed.`,
  }),
  "only-on-route": ({ route, fingerprint }) => ({
    statement: `Only route ${inlineCode(route)} has this failure.`,
    check: `Count events with fingerprint ${inlineCode(fingerprint)} by route.`,
    refuted_by: "An event of this failure on another route.",
  }),
  "only-on-host": ({ host, fingerprint }) => ({
    statement: `Only host ${inlineCode(host)} has this failure.`,
    check: `Count events with fingerprint ${inlineCode(fingerprint)} by host.`,
    refuted_by: "An event of this failure on another host.",
  }),
  "restart-keeps": ({ service }) => ({
    statement: `A restart of ${inlineCode(service)} with the same settings doesn't help.`,
    check: `Restart one process of ${inlineCode(service)} and watch it.`,
    refuted_by: "Processes started since then don't have this failure.",
  }),
  "restart-clears": ({ service }) => ({
    statement: `A restart of ${inlineCode(service)} stops the failure for about as long as the process ran before.`,
    check: `Restart one process of ${inlineCode(service)} and watch it.`,
    refuted_by: "A process fails soon after its start.",
  }),
  "memory-climbs": ({ service }) => ({
    statement: `Memory of ${inlineCode(service)} grows from heartbeat to heartbeat.`,
    check: `Watch the memory of ${inlineCode(service)} for a few hours.`,
    refuted_by: "Memory stays around the same level.",
  }),
  "stays-down": ({ service }) => ({
    statement: `The main thread of this process of ${inlineCode(service)} sends no further heartbeat.`,
    check: "Look for its process id on the host.",
    refuted_by: "A heartbeat of its main thread: the process was suspended, unreachable, or busy.",
  }),
  "heard-again": ({ service, instances }) => ({
    statement: `${instances.length === 1 ? "The process" : "At least one of the processes"} of ${inlineCode(service)} reports again, without a restart.`,
    check: "Call one of them directly, and check egress, DNS, and proxies.",
    refuted_by: "New processes report in their place.",
  }),
  "exits-again": ({ service, within_ms: within }) => ({
    statement: `The next process of ${inlineCode(service)} also stops within ${duration(within)} of its start.`,
    check: `Watch the next process of ${inlineCode(service)} from its start.`,
    refuted_by: `A process that runs longer than ${duration(within)}.`,
  }),
  "memory-climbs-again": ({ service, bytes_per_minute: rate, beats }) => ({
    statement: `Memory of ${inlineCode(service)} grows again by about ${(rate / bytesPerMiB).toFixed(1)} MiB a minute.`,
    check: `Watch the next process of ${inlineCode(service)} for ${count(beats, "heartbeat")}.`,
    refuted_by: "Memory stays level, or grows less than half as fast.",
  }),
};

/** What distinguishes the first candidate from the second, and what a person can check. */
export const checks = {
  notByRival: (): string => "The second candidate doesn't predict this.",
  known: (seen: string, otherwise: string): PredictionWords => ({
    statement: `If this is right, ${seen}.`,
    check: `Check whether ${seen}.`,
    refuted_by: `${otherwise}.`,
  }),
  changeOne: (first: string, second: string): PredictionWords => ({
    statement: `If this is right, changing ${first} alone ends the failure, and changing ${second} alone doesn't.`,
    check: "Change one of the two, and repeat what failed.",
    refuted_by: `The failure continues after changing ${first}, or ends after changing ${second} alone.`,
  }),
  startsHere: (place: string): PredictionWords => ({
    statement: `If this is right, what reaches ${place} is as intended, and the failure starts there.`,
    check: `Log what reaches ${place} when it fails.`,
    refuted_by: `Something is already wrong before ${place}.`,
  }),
  changeOther: (other: string): PredictionWords => ({
    statement: `If this is right, changing ${other} alone doesn't end the failure.`,
    check: `Change ${other}, and repeat what failed.`,
    refuted_by: `The failure ends after changing ${other} alone.`,
  }),
  recovers: (name: string): PredictionWords => ({
    statement: `If this is right, the failure ends once calls to ${name} succeed again.`,
    check: `Call ${name} from where the service runs, and repeat what failed.`,
    refuted_by: `The failure continues while calls to ${name} succeed.`,
  }),
  changeIt: (place: string): PredictionWords => ({
    statement: `If this is right, the failure continues until ${place} is changed, and then stops.`,
    check: "Repeat what failed, before and after the change.",
    refuted_by: `The failure continues after ${place} is changed.`,
  }),
  machine: (seen: string, otherwise: string): PredictionWords => ({
    statement: `On the machine: ${seen}.`,
    check: "`kubectl describe pod`, `docker inspect`, `systemctl status`, or `dmesg -T`.",
    refuted_by: `${otherwise}.`,
  }),
} as const;
