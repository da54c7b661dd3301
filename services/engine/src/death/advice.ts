import { type DeathKind, isCrashLoop, type SilentDeath, type Solution } from "@whence/protocol";

type Advice = Pick<Solution, "title" | "detail">;

const askTheMachine: Advice = {
  title: "Ask the machine how the process ended",
  detail:
    "Kubernetes: `kubectl describe pod <pod>` and its `Last State` (`OOMKilled`, exit code 137: SIGKILL; 143: SIGTERM; 134: V8 aborted, out of heap). Docker: `docker inspect --format '{{.State.ExitCode}} {{.State.OOMKilled}}' <container>`. systemd: `systemctl status <unit>`. The kernel's own word: `dmesg -T | grep -i -E 'oom|killed process'`.",
};

const readItsOutput: Advice = {
  title: "Read what it printed before it ended",
  detail:
    "`kubectl logs --previous <pod>`, `docker logs --tail 50 <container>`, `journalctl -u <unit> -n 50`: the last lines of a round say why, or stop where it stood. `kubectl describe pod` says which probe failed. Exit code 139 is a crash in native code.",
};

const stopTheLoop: Advice = {
  title: "Go back to what last started",
  detail:
    "If a release, a setting or a secret changed before the first round, undo it: a service that does not start serves nobody, however often it is tried.",
};

const raiseLimit: Advice = {
  title: "Give it room until the leak is found",
  detail:
    "Raise the heap (`NODE_OPTIONS=--max-old-space-size=<MiB>`) within what the container may use, and the container's limit above both: the heap is only a part of the process. It buys time and repairs nothing.",
};

const takeSnapshot: Advice = {
  title: "Find what is kept",
  detail:
    "Start one process with `--heapsnapshot-near-heap-limit=2`, or take two snapshots minutes apart (`v8.writeHeapSnapshot()`), and compare them in a browser's memory tool: what grew between them is what is kept. Usual suspects: caches without a bound, listeners added for each request, arrays filled faster than they are emptied.",
};

const readTheStack: Advice = {
  title: "See where it stands",
  detail:
    "`kill -USR1 <pid>` opens the inspector of a running Node process: connect with `node inspect -p <pid>` and pause it. `perf top -p <pid>` shows native code; `py-spy dump --pid <pid>` shows a Python process. Then end it: a process that stands still serves nobody.",
};

const boundTheWork: Advice = {
  title: "Bound the work of one turn",
  detail:
    "A loop whose end depends on data, a regular expression that backtracks, a synchronous call on a large input: give each a limit, or do it in a worker thread. A liveness probe that the event loop answers gets such a process replaced within seconds.",
};

const endInOrder: Advice = {
  title: "End in order when asked to",
  detail:
    "Handle SIGTERM: stop taking requests, finish what is under way, `await whence.close()`, exit. Then a deployment or a scale-down ends with an `exit` event, opens no incident and loses no request. Give it time (`terminationGracePeriodSeconds`).",
};

const lookAtTheHost: Advice = {
  title: "Look at the machine, not at the services",
  detail:
    "Several processes of one machine fell silent together: is it up (`kubectl get nodes`, the provider's console), was it drained, preempted or restarted, is its network there? Each service is only a victim.",
};

const lookAtTheWay: Advice = {
  title: "Check the way from them to this service",
  detail:
    "Processes of several services on several machines fell silent at the same moment: a network, a proxy, DNS, a firewall rule or a cluster between them and this service is likelier than so many deaths at once. Are they serving? Then nothing died: look at egress. What they could not send they resend.",
};

/** What to do about an end: now, and for good. */
export function adviceOn(death: SilentDeath): { now: readonly Advice[]; later: readonly Advice[] } {
  const { now, later } = adviceFor[death.kind];
  return isCrashLoop(death) ? { now: [readItsOutput, ...now, stopTheLoop], later } : { now, later };
}

const adviceFor: Readonly<Record<DeathKind, { now: readonly Advice[]; later: readonly Advice[] }>> = {
  "out-of-memory": { now: [askTheMachine, raiseLimit], later: [takeSnapshot] },
  killed: { now: [askTheMachine], later: [endInOrder] },
  hung: { now: [readTheStack], later: [boundTheWork] },
  "host-lost": { now: [lookAtTheHost, askTheMachine], later: [endInOrder] },
  "everything-silent": { now: [lookAtTheWay, lookAtTheHost], later: [endInOrder] },
};
