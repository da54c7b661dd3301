import { minuteMs, type OutsideFinding, secondMs } from "@whence/protocol";
import type { Choice } from "./choice.ts";
import type { Done, SimulatedRun } from "./simulate.ts";
import type { ServicePlan, Topology } from "./topology.ts";
import { serviceNames } from "./vocabulary.ts";

type Change = Extract<OutsideFinding, { kind: "change-event" }>;
type Problem = Extract<OutsideFinding, { kind: "problem" }>;

/** What is known of a run when third parties are asked about it. */
interface Told {
  readonly run: Pick<SimulatedRun, "topology" | "fault" | "injectedAt" | "done">;
  readonly operator: string;
  /** Services that reported failures since the fault. */
  readonly failing: readonly string[];
  readonly choice: Choice;
  /** When they are asked. */
  readonly until: number;
}

/**
 * What the third parties that a system has connected say of a run: the changes that people made, what happened to processes
 * and to what services depend on, what monitors noticed, and as much that has nothing to do with it.
 */
export function outsideFindings(told: Told): OutsideFinding[] {
  const { vendors } = told.run.topology;
  const found = [
    ...(vendors.includes("pipeline") ? deployments(told) : []),
    ...(vendors.includes("flags") ? switches(told) : []),
    ...(vendors.includes("cluster") ? clusterEvents(told) : []),
    ...(vendors.includes("monitor") ? alarms(told) : []),
    ...(vendors.includes("edge") ? edgeChanges(told) : []),
  ];
  const asked = new Date(told.until).toISOString();
  return found.filter((one) => timeOf(one) <= asked);
}

function timeOf(finding: OutsideFinding): string {
  return (finding.kind === "problem" ? finding.since : finding.at) ?? "";
}

function change(vendor: string, what: Change["what"], at: number, more: Pick<Change, "title" | "target">): Change {
  return {
    kind: "change-event",
    vendor,
    what,
    ...more,
    at: new Date(at).toISOString(),
    by: null,
    failed: null,
    url: null,
  };
}

function problem(
  vendor: string,
  what: Problem["what"],
  since: number,
  more: Pick<Problem, "title" | "target">,
): Problem {
  return { kind: "problem", vendor, what, ...more, since: new Date(since).toISOString(), until: null, url: null };
}

/** A service as a vendor names it. */
function targetOf(service: string, choice: Choice): string {
  return choice.of([service, service, `${service}-service`, `production/${service}`, `shop/${service}`]);
}

/** A service of someone else, which has nothing to do with the system. */
function stranger({ services }: Topology, choice: Choice): string {
  const [name] = choice.of(serviceNames.filter(([one]) => !services.some((service) => service.name === one)));
  return name;
}

/** Pipelines report each release, somewhat early or late, and those of others. */
function deployments({ run, choice }: Told): OutsideFinding[] {
  const made = run.done.flatMap(({ what, service, release, at }: Done) => {
    if (what !== "release" && what !== "setting") return [];
    const seenAt = at + choice.between(-90, 15) * secondMs;
    const target = targetOf(service, choice);
    if (what === "setting")
      return choice.chance(0.6)
        ? [change("GitHub", "configuration", seenAt, { title: `Update settings of ${service}`, target })]
        : [];
    const title = choice.chance(0.6) ? `Deploy ${service} ${release}` : `Deploy ${service}`;
    return choice.chance(0.9)
      ? [change("GitHub", choice.of(["deployment", "release"]), seenAt, { title, target })]
      : [];
  });
  const others = Array.from({ length: choice.between(0, 3) }, () => {
    const name = choice.chance(0.5) ? stranger(run.topology, choice) : choice.of(run.topology.services).name;
    const at = run.injectedAt - choice.between(-2, 90) * minuteMs;
    const isElsewhere = choice.chance(0.4);
    const target = isElsewhere ? `staging/${name}` : targetOf(name, choice);
    // One that failed changed nothing; one that telemetry knows nothing of may have.
    return { ...change("GitHub", "deployment", at, { title: `Deploy ${name}`, target }), failed: !isElsewhere };
  });
  return [...made, ...others];
}

function switches({ run, choice }: Told): OutsideFinding[] {
  const made = run.done.flatMap(({ what, service, at }) =>
    what === "flag"
      ? [
          change("LaunchDarkly", "feature-flag", at - choice.between(0, 20) * secondMs, {
            ...{ title: `Turned on new-${service}-flow`, target: targetOf(service, choice) },
          }),
        ]
      : [],
  );
  const others = Array.from({ length: choice.between(0, 2) }, () => {
    const { name } = choice.of(run.topology.services);
    const at = run.injectedAt - choice.between(1, 120) * minuteMs;
    return change("LaunchDarkly", "feature-flag", at, {
      title: "Changed banner-color",
      target: targetOf(name, choice),
    });
  });
  return [...made, ...others];
}

/** What Kubernetes reports on pods: those that the fault ended, and some that restart as they do. */
function clusterEvents({ run, operator, choice }: Told): OutsideFinding[] {
  const { fault, injectedAt, topology } = run;
  const hurt = topology.services.filter(({ name }) => fault.cause.services.includes(name));
  const hosts = hurt.flatMap((service) => (fault.cause.hosts ?? service.hosts).map((host) => ({ service, host })));
  const at = injectedAt + choice.between(2, 40) * secondMs;
  const ofPod = (what: Problem["what"], title: string): OutsideFinding[] =>
    hosts.map(({ host }) => problem("Kubernetes", what, at, { title: `${title}: ${host}`, target: host }));
  const made: Record<string, () => OutsideFinding[]> = {
    killed: () => ofPod(choice.of(["stopped", "out-of-memory", "restart"]), "Pod ended"),
    hung: () => ofPod("failed-check", "Readiness probe failed"),
    "leaks-memory": () => ofPod("out-of-memory", "OOMKilled"),
    "does-not-start": () =>
      ofPod(choice.of(["crash-loop", "crash-loop", "image-pull"]), "Back-off restarting container"),
    "blocks-thread": () => ofPod("failed-check", "Readiness probe failed"),
    "full-disk": () => ofPod("saturation", "DiskPressure"),
    rush: () => ofPod("saturation", "CPU throttled"),
  };
  const rollouts = run.done.flatMap(({ what, service, at: doneAt }) =>
    what === "release" || what === "setting"
      ? [change("Kubernetes", "rollout", doneAt, { title: `Scaled up ${service}`, target: `production/${service}` })]
      : [],
  );
  const noise = Array.from({ length: choice.between(0, 2) }, () =>
    noiseOfPod(choice.of(topology.services), injectedAt, choice),
  );
  return [
    ...(choice.chance(0.85) ? (made[operator]?.() ?? []) : []),
    ...(choice.chance(0.7) ? rollouts : []),
    ...noise,
  ];
}

function noiseOfPod({ name, hosts }: ServicePlan, injectedAt: number, choice: Choice): OutsideFinding {
  const what = choice.of(["restart", "restart", "unschedulable", "failed-check", "out-of-memory"] as const);
  const at = injectedAt - choice.between(-1, 180) * minuteMs;
  const target = choice.chance(0.5) ? choice.of(hosts) : `production/${name}`;
  return problem("Kubernetes", what, at, { title: `${what} of ${name}`, target });
}

/** Monitors notice those that fail, the loudest most, and now and then something that is nothing. */
function alarms({ run, operator, failing, choice }: Told): OutsideFinding[] {
  const { fault, injectedAt, topology } = run;
  const noticedAt = (): number => injectedAt + choice.between(20, 150) * secondMs;
  const ofFailing = failing.flatMap((service) =>
    choice.chance(0.5)
      ? [
          problem("Datadog", choice.of(["alarm", "failing-requests", "slow-requests"]), noticedAt(), {
            ...{ title: `High error rate on ${service}`, target: targetOf(service, choice) },
          }),
        ]
      : [],
  );
  const [name] = fault.cause.dependency?.split(":") ?? [];
  const isOwn = topology.services.some(({ database }) => database?.host === name);
  const troubled = ["down", "slow", "failing", "resetting", "limiting"].includes(operator);
  const ofDependency =
    name !== undefined && troubled && choice.chance(0.7)
      ? [
          isOwn
            ? problem("Datadog", choice.of(["alarm", "saturation", "stopped"]), noticedAt(), {
                title: `${name} is unhealthy`,
                target: name,
              })
            : problem(
                "Better Stack",
                choice.of(["outage", "incident", "slow-requests"]),
                injectedAt - choice.between(-60, 60) * secondMs,
                {
                  ...{ title: `${name} is degraded`, target: name },
                },
              ),
        ]
      : [];
  const noise = Array.from({ length: choice.between(0, 2) }, () => {
    const what = choice.of(["alarm", "incident", "saturation", "slow-requests"] as const);
    const target = choice.chance(0.4)
      ? stranger(topology, choice)
      : targetOf(choice.of(topology.services).name, choice);
    return problem("Datadog", what, injectedAt - choice.between(-2, 240) * minuteMs, {
      title: `Anomaly on ${target}`,
      target,
    });
  });
  return [...ofFailing, ...ofDependency, ...noise, ...errorLines({ run, operator, failing, choice, until: 0 })];
}

/** Log lines of services that fail, and of some that don't. */
function errorLines({ run, failing, choice }: Told): OutsideFinding[] {
  const quiet = run.topology.services.filter(({ name }) => !failing.includes(name)).map(({ name }) => name);
  const sources = [...failing.filter(() => choice.chance(0.4)), ...quiet.filter(() => choice.chance(0.1))];
  return sources.map((source) => ({
    ...{ kind: "log", vendor: "Datadog", url: null, level: "error", source, count: choice.between(1, 20) },
    message: choice.of(["request failed", "could not serve the request", "unexpected answer"]),
    at: new Date(run.injectedAt + choice.between(-30, 60) * secondMs).toISOString(),
  }));
}

/** Changes of names and of rules: those that the fault is, and some that concern others. */
function edgeChanges({ run, operator, choice }: Told): OutsideFinding[] {
  const { fault, injectedAt, topology } = run;
  const [name = ""] = fault.cause.dependency?.split(":") ?? [];
  const at = injectedAt - choice.between(0, 120) * secondMs;
  const isTold = name !== "" && choice.chance(0.7);
  const made =
    isTold && operator === "name-gone"
      ? [change("Cloudflare", "dns", at, { title: `Deleted the CNAME record of ${name}`, target: name })]
      : isTold && operator === "down"
        ? [change("Cloudflare", "firewall", at, { title: `Blocked traffic to ${name}`, target: name })]
        : [];
  const others = Array.from({ length: choice.between(0, 2) }, () => {
    const host = choice.chance(0.3) ? choice.of(topology.parties).name : `www.${stranger(topology, choice)}.example`;
    const when = injectedAt - choice.between(0, 200) * minuteMs;
    return change("Cloudflare", choice.of(["dns", "firewall"]), when, {
      title: `Changed the A record of ${host}`,
      target: host,
    });
  });
  return [...made, ...others];
}
