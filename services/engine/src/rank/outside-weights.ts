import type { OutsideWeights } from "../signals/outside/outside-view.ts";

/**
 * What the finding of a connected third party is worth as a sign of a cause, 0 to 1, when it belongs to the failure and its
 * time allows it. Set by judgment like `telemetryWeights`, with which they are combined: a change is rarer than a failed
 * call and thus tells more, an alarm often follows from the same cause as the failure.
 */
const worth = {
  /** A deployment of the failing service, worth as much as a release that telemetry saw begin. */
  ownDeployment: 0.5,
  /** The same, when it names the release that fails. */
  ownDeploymentOfRelease: 0.8,
  /** Its configuration or a feature flag of it. */
  ownSetting: 0.55,
  /** A firewall rule for it, when it couldn't reach something. */
  ownFirewall: 0.6,
  /** A deployment or a setting of a service whose calls failed; whose answer may have another shape. */
  calledDeployment: 0.65,
  calledDeploymentOfAnswer: 0.45,
  /** The name or the rules of a host that couldn't be reached; that answered with an error. */
  calledName: 0.85,
  calledNameAnswered: 0.5,
  /** The machine or the pod of the failing process, when the error is of that kind or it stopped. */
  ownProcess: 0.75,
  /** An alarm on the machine that the failing process runs on. */
  ownMachine: 0.4,
  /** Error lines of a service whose calls failed. */
  calledLog: 0.35,
} as const;

/** Of something whose calls failed. */
const calledProblem: OutsideWeights["calledProblem"] = {
  "out-of-memory": 0.85,
  "crash-loop": 0.85,
  outage: 0.8,
  stopped: 0.8,
  "image-pull": 0.75,
  unschedulable: 0.75,
  "failed-check": 0.7,
  alarm: 0.6,
  incident: 0.6,
  saturation: 0.6,
  "failing-requests": 0.55,
  restart: 0.55,
  "slow-requests": 0.4,
};

/**
 * Of the failing service itself, when it is known from words alone that it fails: what happened to its processes may be why.
 * What monitors notice is that same failure.
 */
const announcedProblem: OutsideWeights["announcedProblem"] = {
  "out-of-memory": 0.75,
  "image-pull": 0.75,
  unschedulable: 0.7,
  "crash-loop": 0.6,
  stopped: 0.6,
  saturation: 0.5,
  restart: 0.35,
  ...{ alarm: 0, outage: 0, incident: 0, "failed-check": 0, "failing-requests": 0, "slow-requests": 0 },
};

const factors: OutsideWeights["factors"] = {
  /** For a change or a problem that the error doesn't follow from. */
  unrelated: 0.35,
  /** For the problem of another process of the same service. */
  sibling: 0.5,
  /** For a release that telemetry's own comparison rules out. */
  ruledOut: 0.1,
};

/** For a change that failed and thus changed nothing; a rollout changes processes before it fails. */
const failed: OutsideWeights["failed"] = {
  deployment: 0.1,
  release: 0.1,
  rollout: 1,
  configuration: 0.1,
  dns: 0.1,
  firewall: 0.1,
  "feature-flag": 0.1,
};

/** What findings of connected third parties are worth as signs of a cause. */
export const outsideWeights: OutsideWeights = { worth, factors, failed, calledProblem, announcedProblem };
