import type { Findings, Ranked } from "../findings.ts";
import { inlineCode } from "../prose.ts";
import type { DeployFact, ProcessState } from "../telemetry-facts.ts";
import type { Advice } from "./solutions.ts";

/** What to do about a service that the telemetry speaks against; null about what was found in other ways. */
export function telemetryAdvice({ observations, event }: Findings, first: Ranked): Advice | null {
  if (!first.reason.startsWith("what the telemetry says") || typeof first.service !== "string") return null;
  const facts = observations.flatMap(({ fact }) => fact ?? []);
  const { service } = first;
  const deploy = facts.find(
    (fact) => fact.kind === "deploy" && fact.deploy.service === service && fact.deploy.verdict !== "innocent",
  );
  if (deploy?.kind === "deploy" && first.category === "deploy-regression") return rollBack(deploy.deploy);
  const unwell = facts.find((fact) => fact.kind === "process-state" && fact.state.service === service);
  if (unwell?.kind === "process-state" && unwell.state.resource !== "restart") return restart(unwell.state);
  return service === event?.service ? null : lookAt(service);
}

function rollBack({ service, release, previous, because }: DeployFact): Advice {
  const back = previous === null ? "the release before" : inlineCode(previous);
  return {
    now: { title: `Roll ${inlineCode(service)} back to ${back}`, detail: `${inlineCode(release)}: ${because}.` },
    later: {
      title: "Give a new release to a part of the processes first",
      detail: "Compare its failures with those of the others by how long each ran, before all of them get it.",
    },
  };
}

function restart({ service, host, resource, says }: ProcessState): Advice {
  const later = {
    memory: "Take a heap snapshot when it is half full and one later, and see what grew between them.",
    "event-loop": "Profile what runs when it stands still, and give long computations to a worker thread.",
    silence: "Have it watched and started again, and keep what it said last: its exit code and its last log lines.",
    restart: "",
  }[resource];
  return {
    now: { title: `Start ${inlineCode(service)} on ${inlineCode(host)} again`, detail: `${says}.` },
    later: { title: `Find out what ${inlineCode(service)} did before`, detail: later },
  };
}

function lookAt(service: string): Advice {
  const name = inlineCode(service);
  return {
    now: {
      title: `Look at ${name}`,
      detail: "Begin with its failures of that time: this service failed since it did.",
    },
    later: {
      title: `Decide what happens without ${name}`,
      detail: `Bound how long ${name} is waited for and how often it is asked again, and answer without it where that is possible.`,
    },
  };
}
