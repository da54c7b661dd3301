/** What a question can ask of a report. `action` asks for something to be done, which Whence never does. */
export type Intent =
  | ("cause" | "place" | "fix" | "prevent" | "time" | "impact" | "change")
  | ("confidence" | "evidence" | "check" | "not-checked" | "services" | "action");

export interface IntentPhrases {
  readonly intent: Intent;
  /** Phrases that decide the intent, whatever else is asked. Words match as stems; `…` stands for up to four words. */
  readonly decisive: readonly string[];
  /** Phrases that decide it unless the question names something in the report: "which file can't be opened?" */
  readonly hints: readonly string[];
}

/** Returns the phrases of a text that separates them by commas. */
function phrases(text: string): readonly string[] {
  return text.trim().split(/,\s+/);
}

/** The phrases by which each intent is recognized. More words weigh more; among equals, the earlier intent wins. */
export const intentPhrases: readonly IntentPhrases[] = [
  {
    intent: "not-checked",
    decisive: phrases(`
      not check, not … check, did not … look, not … look at, unchecked, blind spot, could not … see, limitations,
      what … miss, left out, not … investigate, not … consider, gaps, uncertain about
    `),
    hints: [],
  },
  {
    intent: "check",
    decisive: phrases(`
      verify, confirm, how … check, how … test … right, how … test … theory, reproduce, prove … wrong,
      how … know … right, how … know … fixed, how … tell … right, disprove, rule it out, validate this, what … expect,
      predict, will it, what would … see
    `),
    hints: [],
  },
  {
    intent: "prevent",
    decisive: phrases(`
      prevent, never … again, not … again, avoid, future, long term, recur, permanent, for good, happen again,
      next time, what tests, which tests, add … tests, post mortem, lessons
    `),
    hints: [],
  },
  {
    intent: "confidence",
    decisive: phrases(`
      how sure, are you sure, how certain, are you certain, is … certain, confidence, confident, how likely,
      other … cause, other … reason, other … explanation, other … candidate, other possible, alternatives,
      alternative … cause, what else, something else, second candidate, probability, trust, how accurate,
      could you be wrong, could … be wrong, other suspects, runner up
    `),
    hints: ["sure", "certain", "likely"],
  },
  {
    intent: "evidence",
    decisive: phrases(`
      evidence, proof, how … you know, why … you think, what supports, based on, stacktrace, backtrace, what … logs,
      show … logs, log lines, error message, show … error, show … code, breadcrumbs, quote, show … source, back … up,
      what makes you
    `),
    hints: ["logs", "log", "trace"],
  },
  {
    intent: "change",
    decisive: phrases(`
      which release, what release, which version, what version, which commit, what commit, which deploy, who changed,
      who deployed, who broke, who wrote, who introduced, who committed, who released, who … responsible,
      what changed, recent change, introduced, which pr, which pull request, is … regression, bad deploy,
      because … deploy, caused … deploy, because … release, caused … release, diff, which change, what change,
      last deploy, last release, what … deployed, whose change
    `),
    hints: ["deploy", "deployment", "release", "commit", "version", "changed", "regression", "rollout"],
  },
  {
    intent: "services",
    decisive: phrases(`
      which services, what services, services … involved, services … affected, which service, what service,
      which components, which systems, whose service, which team
    `),
    hints: ["upstream", "downstream"],
  },
  {
    intent: "fix",
    decisive: phrases(`
      how … fix, how … stop, how … solve, how … resolve, how … repair, how … recover, how … mitigate, what … we do,
      what … i do, what … be done, what … to do, mitigation, workaround, quick fix, hotfix, remedy, next step,
      should … rollback, should … restart, should … revert, stop … bleeding, can … rollback, can … revert,
      could … rollback, does … rollback, would … rollback, is … rollback, will … rollback, need … rollback,
      worth … rollback, rollback … help, rollback … safe, rollback … fix, how … rollback, solution, recommend,
      suggest, what now, what … next
    `),
    hints: ["fix", "resolve", "rollback", "should i", "should we"],
  },
  {
    intent: "time",
    decisive: phrases(`
      since when, when … start, when … begin, when … first, when … last, first seen, last seen, first failure,
      still happening, still going on, still failing, still broken, still there, ongoing, how long … been,
      how long … going, how long … happening, is it over, when did this, when did it, is … fixed, is … resolved,
      fixed yet, resolved yet, has it stopped, did it stop, since … time
    `),
    hints: ["when", "still", "how long", "timeline"],
  },
  {
    intent: "impact",
    decisive: phrases(`
      affected, impact, how bad, how severe, severity, blast radius, how widespread, how often, which users,
      which customers, how many users, how many customers, how many people, how many times, how many events,
      how many errors, how many failures, customers see, users see, users hit, who sees, which endpoint, which route,
      which hosts, which machines, everyone, is it serious, users notice
    `),
    hints: ["how many", "how much", "users", "customers"],
  },
  {
    intent: "place",
    decisive: phrases(`
      where … code, where … bug, where exactly, line of code, where … look, where … start looking, where … problem,
      where … cause, where … happen, where … fail, where … break, where … broken, where … error, which file … bug,
      where … fix, where is it, which line, what line
    `),
    hints: ["where", "which file", "what file", "which function", "what function", "which module", "which class"],
  },
  {
    intent: "cause",
    decisive: phrases(`
      root cause, what caused, what … cause, why, what happened, what … wrong, what … broke, what … break,
      what … broken, culprit, explain, what is … problem, what is … issue, what is … bug, what is going on, what went,
      origin, how did this, how did it, how come, summarize, summary, walk me through, tl dr, tell me … more,
      what led, what triggered
    `),
    hints: ["reason", "cause"],
  },
];

/** The shape of a statement that answers a question with these words. */
export const wantedShapes: readonly { readonly phrase: string; readonly shape: RegExp }[] = [
  { phrase: "how long", shape: /\d ?(?:ms|s|min|h|seconds?|minutes?|hours?)\b/ },
  { phrase: "how many", shape: /\d/ },
  { phrase: "how much", shape: /\d/ },
  { phrase: "which host", shape: /:\d{2,5}\b|\d+\.\d+\.\d+\.\d+/ },
  { phrase: "which port", shape: /:\d{2,5}\b/ },
  { phrase: "when", shape: /\d\d:\d\d/ },
];

/** Openings of a question that ask for something to be done. */
export const actionPhrases: readonly string[] = phrases(`
  rollback, restart, reboot, revert, deploy, redeploy, release, scale, kill, stop, start, delete, remove, drop,
  truncate, clear, flush, merge, open a, open an, create, close, apply, fix, patch, run, rerun, execute, retry, page,
  notify, assign, silence, mute, snooze, acknowledge, disable, enable, turn off, turn on, switch off, switch on,
  increase, decrease, set, change, update, upgrade, downgrade, commit, push, send, email, block, ban, rotate, revoke,
  resolve, reopen, edit, write, make, do it, go ahead, drain, failover, ship, trigger, undo
`);

/** What may come before the verb of a request. */
export const requestOpenings: readonly string[] = phrases(`
  please, can you, could you, would you, will you, just, now, ok, okay, then, so, hey, and, go ahead and,
  i want you to, i need you to, let us, you should, kindly
`);
