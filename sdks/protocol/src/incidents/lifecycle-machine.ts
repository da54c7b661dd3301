import type {
  Activity,
  ActivityKind,
  Actor,
  Lifecycle,
  LifecycleAction,
  LifecycleChange,
  LifecycleState,
  MuteEnd,
  Renewal,
} from "./lifecycle.ts";

/**
 * The actions of people in each state. The one that leads to the state itself changes nothing, so that the second of two
 * people who do the same gets no error.
 */
const actions: Readonly<Record<LifecycleState, readonly LifecycleAction[]>> = {
  open: ["resolve", "mute", "ignore"],
  muted: ["resolve", "mute", "ignore", "reopen"],
  ignored: ["resolve", "mute", "reopen"],
  resolved: ["resolve", "reopen"],
};

const ownAction: Readonly<Record<LifecycleState, LifecycleAction>> = {
  open: "reopen",
  muted: "mute",
  ignored: "ignore",
  resolved: "resolve",
};

/** Occurrences of the incident's failure. */
export interface Occurred {
  readonly events: number;
  /** When the last of them happened, and its release; empty: unknown. */
  readonly at: string;
  readonly release: string;
  /** The release of the failure's latest event before. */
  readonly releaseBefore: string;
  readonly isNewRelease: boolean;
  /** Whether the failure spikes by the organization's thresholds. */
  readonly isRising: boolean;
  /** Whether there is a finished investigation to repeat. */
  readonly isInvestigated: boolean;
}

/** A change of a lifecycle, with what follows from it. */
export interface Transition {
  readonly lifecycle: Lifecycle;
  /** Null where only the rest of a mute changes. */
  readonly activity: Activity | null;
  /** What is announced: that it is resolved, to pagers; that it is back, to everyone. */
  readonly announces: "resolved" | "returned" | null;
  /** Whether it is investigated again. */
  readonly investigates: boolean;
}

/** The lifecycle of an incident that no one has acted on. */
export function openedLifecycle(createdAt: string): Lifecycle {
  return {
    state: "open",
    since: createdAt,
    by: null,
    mute: null,
    resolved_in: null,
    releases: [],
    regressed: null,
    returns: 0,
    renewal: null,
  };
}

/** The lifecycle at a moment: a mute for a time that has passed is over. */
export function lifecycleAt(lifecycle: Lifecycle, now: Date): Lifecycle {
  const { state, mute } = lifecycle;
  if (state !== "muted" || mute?.kind !== "time" || Date.parse(mute.at) > now.getTime()) return lifecycle;
  return { ...lifecycle, ...plain, state: "open", since: mute.at, by: null };
}

/** What people may do in a state, in the order of a menu. */
export function allowedActions(state: LifecycleState): readonly LifecycleAction[] {
  return actions[state];
}

/** Whether the incident is open again because its failure came back after it was resolved. */
export function isRegressed({ state, since, regressed }: Lifecycle): boolean {
  return state === "open" && regressed !== null && regressed.at === since;
}

/** Whether people want no notifications about it. */
export function isQuiet({ state }: Lifecycle): boolean {
  return state !== "open";
}

/**
 * What an action of a person leads to; `unchanged` when it is so already, `refused` where it makes no sense: what is
 * resolved can't be muted. `releases` are those in which the failure is known.
 */
export function changeLifecycle(
  before: Lifecycle,
  { change, by, releases, now }: ChangeOfPerson,
): Transition | "unchanged" | "refused" {
  const lifecycle = lifecycleAt(before, now);
  if (!actions[lifecycle.state].includes(change.action)) {
    return ownAction[lifecycle.state] === change.action ? "unchanged" : "refused";
  }
  if (isSame(lifecycle, change)) return "unchanged";
  const at = now.toISOString();
  const base = { ...lifecycle, ...plain, since: at, by };
  if (change.action === "resolve") {
    const isNext = change.in === "next-release";
    const resolved = {
      ...base,
      state: "resolved",
      resolved_in: change.in,
      releases: isNext ? [...releases] : [],
    } as const;
    return {
      lifecycle: resolved,
      activity: activityOf("resolved", resolved, at),
      announces: "resolved",
      investigates: false,
    };
  }
  const [kind, changed] = silencedOrReopened(base, change);
  return { lifecycle: changed, activity: activityOf(kind, changed, at), announces: null, investigates: false };
}

export interface ChangeOfPerson {
  readonly change: LifecycleChange;
  readonly by: Actor;
  readonly releases: readonly string[];
  readonly now: Date;
}

/** What occurrences of its failure lead to; null: nothing. */
export function occurIn(lifecycle: Lifecycle, occurred: Occurred, now: Date): Transition | null {
  switch (lifecycle.state) {
    case "open":
      return occurred.isNewRelease && occurred.isInvestigated ? renewed(lifecycle, occurred, now) : null;
    case "muted":
      return lifecycle.mute && occurMuted(lifecycle, lifecycle.mute, occurred, now);
    case "ignored":
      return null;
    case "resolved":
      return isReturn(lifecycle, occurred) ? regress(lifecycle, occurred, now) : null;
  }
}

/** What only some states have. */
const plain = { mute: null, resolved_in: null, releases: [] } as const satisfies Partial<Lifecycle>;

function isSame(lifecycle: Lifecycle, change: LifecycleChange): boolean {
  if (change.action === "resolve") return lifecycle.resolved_in === change.in;
  return change.action === "mute" && JSON.stringify(lifecycle.mute) === JSON.stringify(change.until);
}

function silencedOrReopened(
  base: Lifecycle,
  change: Exclude<LifecycleChange, { action: "resolve" }>,
): readonly [ActivityKind, Lifecycle] {
  if (change.action === "mute") return ["muted", { ...base, state: "muted", mute: change.until }];
  if (change.action === "ignore") return ["ignored", { ...base, state: "ignored" }];
  return ["reopened", { ...base, state: "open" }];
}

function isReturn({ resolved_in: how, since, releases }: Lifecycle, { at, release }: Occurred): boolean {
  // An event from before, delivered late, isn't a return.
  if (Date.parse(at) <= Date.parse(since)) return false;
  return how === "now" || (release !== "" && !releases.includes(release));
}

function regress(before: Lifecycle, occurred: Occurred, now: Date): Transition {
  const at = now.toISOString();
  const release = occurred.release || null;
  const lifecycle: Lifecycle = {
    ...before,
    ...plain,
    state: "open",
    since: at,
    by: null,
    regressed: { at, release },
    returns: before.returns + 1,
    renewal: renewalOf("regressed", occurred, at),
  };
  const activity = { ...activityOf("regressed", lifecycle, at), release };
  return { lifecycle, activity, announces: "returned", investigates: occurred.isInvestigated };
}

function renewed(before: Lifecycle, occurred: Occurred, now: Date): Transition {
  const at = now.toISOString();
  const lifecycle = { ...before, renewal: renewalOf("new-release", occurred, at) };
  const activity = { ...activityOf("new-release", lifecycle, at), by: null, release: occurred.release };
  return { lifecycle, activity, announces: null, investigates: true };
}

function occurMuted(before: Lifecycle, mute: MuteEnd, { events, isRising }: Occurred, now: Date): Transition | null {
  const isLast = mute.kind === "events" && mute.more <= events;
  const isOver = isLast || (mute.kind === "rise" && isRising) || lifecycleAt(before, now) !== before;
  if (isOver) {
    const at = now.toISOString();
    const returns = before.returns + 1;
    const lifecycle: Lifecycle = { ...before, ...plain, state: "open", since: at, by: null, returns };
    const activity = { ...activityOf("unmuted", lifecycle, at), mute };
    return { lifecycle, activity, announces: "returned", investigates: false };
  }
  if (mute.kind !== "events") return null;
  const lifecycle = { ...before, mute: { ...mute, more: mute.more - events } };
  return { lifecycle, activity: null, announces: null, investigates: false };
}

function renewalOf(why: Renewal["why"], { release, releaseBefore }: Occurred, at: string): Renewal {
  return { why, at, release: release || null, release_before: releaseBefore || null, same_cause: null, news: null };
}

function activityOf(kind: ActivityKind, { by, mute, resolved_in }: Lifecycle, at: string): Activity {
  return { at, kind, by, mute, resolved_in, release: null };
}
