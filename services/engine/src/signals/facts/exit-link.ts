import { type Language, languageOfRuntime } from "../../source/languages/languages.ts";
import type { Advice, LinkWords } from "../../words/link-words.ts";
import { count, inlineCode, list, onHosts } from "../../words/prose.ts";
import type { ExitFact } from "./exit-fact.ts";
import { exitReason } from "./exit-reason.ts";

/** Likelihoods from which the readings show how a process ended; below the last one, they speak against it. */
const certainFrom = 0.9;
const likelyFrom = 0.5;
export const possibleFrom = 0.2;

type Kind = ExitFact["kind"];

/** How a process ended: certainly, likely, possibly, and probably not. */
const endings: Readonly<Record<"out-of-memory" | "hung" | "killed", readonly [string, string, string, string]>> = {
  "out-of-memory": [
    "ran out of memory",
    "likely ran out of memory",
    "may have run out of memory",
    "probably didn't run out of memory",
  ],
  hung: ["hangs", "likely hangs", "may hang", "probably doesn't hang"],
  killed: ["was killed", "was likely killed", "may have been killed", "probably wasn't killed"],
};

/** Returns how processes ended, as a clause. */
export function exitText({ kind, service, services, hosts, processes, likelihood, loop }: ExitFact): string {
  const named = list(services.map(inlineCode));
  if (kind === "host-lost")
    return `host ${list(hosts.map(inlineCode))} is gone or unreachable: ${count(processes, "process", "processes")} of ${named} stopped together`;
  if (kind === "everything-lost")
    return `${count(processes, "process", "processes")} of ${named} on ${count(hosts.length, "host")} stopped reporting at the same moment, which points to the network between them and Whence`;
  const [certain, likely, possible, unlikely] = endings[kind];
  const how =
    likelihood >= certainFrom
      ? certain
      : likelihood >= likelyFrom
        ? likely
        : likelihood >= possibleFrom
          ? possible
          : unlikely;
  if (!loop) return `${inlineCode(service)}${onHosts(hosts)} ${how}`;
  return `${inlineCode(service)} ${how}, ${count(processes, "time")} in a row`;
}

/** The words for how processes ended. */
export const exitLink: LinkWords<{ readonly exit: ExitFact }> = {
  what: ({ exit: fact }) => {
    const [reason] = fact.reasons;
    return reason ? `${exitText(fact)}: ${exitReason(reason)}` : exitText(fact);
  },
  fix: ({ exit: { kind, service, runtime, hosts, loop } }) =>
    fixes[kind](inlineCode(service), hosts, { isLoop: loop !== null, language: ranBy(runtime) }),
  prevent: ({ exit: { kind, runtime } }) => preventions[kind](ranBy(runtime)),
  confirmedBy: ({ exit: { kind } }) => confirmations[kind],
  ruledOutBy: ({ exit: { kind, loop } }) =>
    loop !== null && kind === "killed"
      ? "someone starts it on purpose, and it exits without closing its client"
      : refutations[kind],
};

const askTheMachine =
  "`kubectl describe pod <pod>` shows the last state (137: SIGKILL or `OOMKilled`; 143: SIGTERM; 134: out of heap). `docker inspect` and `systemctl status` show the same. `kubectl logs --previous <pod>` shows its last output.";

/** Returns the language of the runtime that a heartbeat names; null for an unknown one. */
function ranBy(runtime: string): Language | null {
  return languageOfRuntime(runtime.split(" ", 1)[0] ?? "");
}

/** How the memory of a process is limited, where it is known. */
const limits: Partial<Record<Language, string>> = {
  javascript: "Set `NODE_OPTIONS=--max-old-space-size=<MiB>` below the container's limit, and raise that limit too.",
  jvm: "Set `-Xmx` below the container's limit, and raise that limit too.",
};
const leaks: Partial<Record<Language, string>> = {
  javascript:
    "Start one process with `--heapsnapshot-near-heap-limit=2`, or take two snapshots minutes apart, and compare them.",
  python: "Take two `tracemalloc` snapshots minutes apart, and compare them.",
};
const stuck: Partial<Record<Language, string>> = {
  javascript: "`kill -USR1 <pid>`, then `node inspect -p <pid>` and pause; `perf top -p <pid>` for native code.",
  python: "`py-spy dump --pid <pid>`; `perf top -p <pid>` for native code.",
  jvm: "`jstack <pid>`; `perf top -p <pid>` for native code.",
};
const responsive: Partial<Record<Language, string>> = {
  javascript:
    "Move long computations to a worker thread, and add a liveness probe that only a responsive event loop answers.",
};

/** Returns what a language's table says, or else what holds for any. */
function inLanguage(table: Partial<Record<Language, string>>, language: Language | null, any: string): string {
  return (language === null ? undefined : table[language]) ?? any;
}

interface Ran {
  readonly isLoop: boolean;
  readonly language: Language | null;
}

const fixes: Readonly<Record<Kind, (service: string, hosts: readonly string[], ran: Ran) => Advice>> = {
  "out-of-memory": (service, _, { isLoop, language }) => ({
    title: `Raise the memory of ${service}${isLoop ? ", or undo what changed before the first restart" : ""}`,
    detail: `${inLanguage(limits, language, "Raise the limit of its container or service.")} This buys time until the leak is found.`,
  }),
  killed: (service, hosts, { isLoop }) =>
    isLoop
      ? {
          title: `Read the last output of ${service}`,
          detail: `${askTheMachine} If a release or a setting changed before the first restart, undo the change.`,
        }
      : { title: `Check how ${service} ended${onHosts(hosts)}`, detail: askTheMachine },
  hung: (service, hosts, { language }) => ({
    title: `Restart ${service}${onHosts(hosts)}`,
    detail: `Before that, find out where it is stuck: ${inLanguage(stuck, language, "`perf top -p <pid>`, or a dump of its threads.")}`,
  }),
  "host-lost": (_, hosts) => ({
    title: `Check host ${list(hosts.map(inlineCode))}`,
    detail:
      "Check whether it is running or was drained, preempted, or restarted (`kubectl get nodes`, or the provider's console), and whether its network works.",
  }),
  "everything-lost": (_, hosts) => ({
    title: "Check the network to Whence",
    detail: `Call one of the processes${onHosts(hosts)} directly. If it responds, check egress, DNS, and proxies. Unsent telemetry is sent later.`,
  }),
};

const closes: Partial<Record<Language, string>> = {
  javascript:
    "Stop accepting requests, finish those in progress, `await whence.close()`, and exit. A deploy then opens no incident.",
};

function drain(language: Language | null): Advice {
  return {
    title: "Shut down gracefully on SIGTERM",
    detail: inLanguage(
      closes,
      language,
      "Stop accepting requests, finish those in progress, close the telemetry client, and exit. A deploy then opens no incident.",
    ),
  };
}

const preventions: Readonly<Record<Kind, (language: Language | null) => Advice>> = {
  "out-of-memory": (language) => ({
    title: "Find the memory leak",
    detail: inLanguage(leaks, language, "Take two dumps of its memory minutes apart, and compare them."),
  }),
  hung: (language) => ({
    title: "Keep synchronous work short",
    detail: inLanguage(
      responsive,
      language,
      "Move long computations out of the thread that answers, and add a liveness probe that only that thread answers.",
    ),
  }),
  killed: drain,
  "host-lost": drain,
  "everything-lost": () => ({
    title: "Monitor the path to Whence",
    detail: "Alert when the hosts can't reach it. That distinguishes a network problem from an outage.",
  }),
};

const confirmations: Readonly<Record<Kind, string>> = {
  "out-of-memory": 'the machine records exit code 137 with `OOMKilled`, or 134 with "heap out of memory"',
  hung: "the process exists, uses one core fully, and doesn't answer; or a liveness probe replaced it",
  killed: "the machine records exit code 137 or 143 without `OOMKilled`",
  "host-lost": "the machine is gone, restarted, or unreachable",
  "everything-lost": "the processes still serve and report again once the network is repaired",
};

const refutations: Readonly<Record<Kind, string>> = {
  "out-of-memory": "the machine records another exit code, or a clean shutdown",
  hung: "the process is idle, or had already exited",
  killed: "the machine records `OOMKilled` or exit code 134, or the process still runs",
  "host-lost": "the machine has been up all along",
  "everything-lost": "the processes are gone",
};
