import { type Category, type OutsideProblem, outsideProblemSchema } from "@whence/protocol";
import { inlineCode } from "../../words/prose.ts";
import { isLater } from "../facts/fact-kind.ts";
import { linked } from "../kind.ts";
import { outsideKind } from "./outside-kind.ts";
import { isUnreached, type OutsideView, type Relation, type Weighed, weightless } from "./outside-view.ts";
import { problemLink } from "./problem-link.ts";

const finding = outsideKind({
  name: "problem",
  means: "Something that wasn't healthy: an alarm, an outage, a killed container",
  data: outsideProblemSchema,
  example: {
    kind: "problem",
    what: "outage",
    title: "Database down",
    target: "orders-db",
    since: "2026-03-01T09:50:00.000Z",
    until: "2026-03-01T10:20:00.000Z",
  },
  evidence: ({ vendor, ...one }) => `${vendor}: ${problemText(one)}`,
  problems: ({ since, until }) => (until !== null && isLater(since, until) ? ["a problem ended before it began"] : []),
  weights: ["ownProcess", "ownMachine"],
  weigh: ({ what }, relation, failure) => weighProblem(what, relation, failure),
});

export const problem = linked(finding, problemLink);

const problems: Readonly<Record<OutsideProblem["what"], (of: string) => string>> = {
  alarm: (of) => `alarm on ${of} since`,
  outage: (of) => `outage of ${of} since`,
  incident: (of) => `incident on ${of} since`,
  "out-of-memory": (of) => `${of} was killed for using too much memory at`,
  "crash-loop": (of) => `${of} has been restarting again and again since`,
  restart: (of) => `${of} restarted at`,
  unschedulable: (of) => `${of} hasn't been scheduled since`,
  "failed-check": (of) => `failed check of ${of} since`,
  "image-pull": (of) => `image of ${of} not pulled since`,
  stopped: (of) => `${of} stopped at`,
  "failing-requests": (of) => `failing requests to ${of} since`,
  "slow-requests": (of) => `slow requests to ${of} since`,
  saturation: (of) => `${of} saturated since`,
};

function problemText({ what, title, target, since, until }: OutsideProblem): string {
  const end = until === null || until === since ? "" : ` until ${until}`;
  const titled = target === null || target === title ? "" : `: ${inlineCode(title)}`;
  return `${problems[what](inlineCode(target ?? title))} ${since}${end}${titled}`;
}

/** Things that happened to a process, rather than what a monitor noticed. */
const ends: ReadonlySet<OutsideProblem["what"]> = new Set<OutsideProblem["what"]>([
  ...(["out-of-memory", "crash-loop", "restart"] as const),
]);
/** Categories that the state of a machine leads to. */
const ofMachines: ReadonlySet<Category> = new Set<Category>([
  ...(["resource-exhaustion", "timeout", "filesystem", "infinite-loop", "network-unreachable"] as const),
]);

function weighProblem(what: OutsideProblem["what"], relation: Relation, failure: OutsideView): Weighed {
  const { worth, factors, calledProblem, announcedProblem } = failure.weights;
  if (relation.kind === "called") {
    const { hasFailed } = relation.place;
    return hasFailed ? { weight: calledProblem[what], category: problemCategory(what, failure) } : weightless;
  }
  const announced = announcedProblem[what];
  if (failure.isAnnounced && announced > 0) return { weight: announced, category: ownCategory(what) };
  if (ends.has(what)) {
    const fits = failure.said === "resource-exhaustion" || failure.hasStopped;
    const sibling = relation.kind === "own-service" ? factors.sibling : 1;
    const category = what === "out-of-memory" ? "resource-exhaustion" : null;
    return { weight: worth.ownProcess * sibling * (fits ? 1 : factors.unrelated), category: fits ? category : null };
  }
  // An alarm on the failing service is the failure itself.
  if (relation.kind === "own-service") return weightless;
  return { weight: worth.ownMachine * (ofMachines.has(failure.said) ? 1 : factors.unrelated), category: null };
}

function ownCategory(what: OutsideProblem["what"]): Category | null {
  if (what === "image-pull") return "deploy-regression";
  return exhausting.has(what) ? "resource-exhaustion" : null;
}

const exhausting: ReadonlySet<OutsideProblem["what"]> = new Set<OutsideProblem["what"]>([
  ...(["out-of-memory", "unschedulable", "saturation"] as const),
]);

function problemCategory(what: OutsideProblem["what"], { said }: OutsideView): Category {
  if (what === "out-of-memory") return "resource-exhaustion";
  return isUnreached(said) && said !== "auth" ? said : "dependency-outage";
}
