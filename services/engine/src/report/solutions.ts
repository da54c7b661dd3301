import type { Solution } from "@whence/protocol";
import type { Findings, Ranked, ValueSource } from "../findings.ts";
import { capital, fill, inlineCode, placeText } from "../prose.ts";
import { telemetryAdvice } from "./telemetry-advice.ts";

export interface Solutions {
  readonly shortTerm: readonly Solution[];
  readonly longTerm: readonly Solution[];
}

/** What to do now, and what for good. */
export interface Advice {
  readonly now: { readonly title: string; readonly detail: string };
  readonly later: { readonly title: string; readonly detail: string };
}

/** What to do now and what to do so that it does not come back, about the place and the thing that were found. */
export function solve(findings: Findings, first: Ranked, ids: readonly string[]): Solutions {
  const evidence = [...ids];
  const own = telemetryAdvice(findings, first) ?? adviceOn(findings, first);
  const known = findings.signatures[0];
  const place = first.location ? ` Place: ${placeText(first.location)}.` : "";
  const shortTerm: Solution[] = [];
  const longTerm: Solution[] = [];
  if (own) {
    shortTerm.push({ title: own.now.title, detail: `${own.now.detail}${place}`, evidence_ids: evidence });
    longTerm.push({ title: own.later.title, detail: own.later.detail, evidence_ids: evidence });
  }
  if (known) {
    const { signature, groups } = known;
    const meaning = fill(signature.meaning, groups);
    if (signature.fixNow !== undefined) {
      const now = parted(fill(signature.fixNow, groups), meaning);
      shortTerm.push({ ...now, detail: `${now.detail}${own ? "" : place}`, evidence_ids: evidence });
    }
    if (signature.prevent !== undefined) {
      const later = parted(fill(signature.prevent, groups), beginning(findings, first) ?? meaning);
      longTerm.push({ ...later, evidence_ids: evidence });
    }
  }
  if (shortTerm.length > 0) return { shortTerm, longTerm };
  return { shortTerm: [lookThere(first, evidence)], longTerm: [coverLater(first, evidence)] };
}

/** Where the remedy for good begins. */
function beginning({ error }: Findings, { location }: Ranked): string | null {
  if (location) return `Begin with ${placeText(location)}.`;
  const { service, app, job, deployment, pod } = error.alert?.labels ?? {};
  const about = service ?? app ?? deployment ?? job ?? pod;
  return about === undefined ? null : `Begin with ${inlineCode(about)}.`;
}

function adviceOn(findings: Findings, first: Ranked): Advice | null {
  const subject = first.subject === null ? "" : inlineCode(first.subject);
  const { clue } = first;
  if (clue?.remedy !== undefined) return suspiciousCode(clue.remedy, clue.says, first);
  if (clue?.how === "environment") return missingVariable(subject);
  if (clue?.how === "setting") return missingSetting(subject);
  if (clue?.kind === "broken-file") return brokenFile(subject);
  if (first.reason === "a rejection that nobody handled") return missingAwait(subject);
  if (clue?.kind === "unawaited-call") return missingAwait(subject);
  if (clue?.kind === "unreleased-resource") return unreleased(subject);
  if (first.reason.startsWith("a dependency")) return failingDependency(subject);
  if (first.category === "schema-drift") return changedAnswer(findings);
  if (clue?.how === "returns-nothing") return returnsNothing(subject);
  const advice = clue?.how ? adviceByOrigin[clue.how] : undefined;
  return clue && advice ? advice(subject, clue.says) : null;
}

function suspiciousCode(remedy: string, says: string, { subject, location }: Ranked): Advice {
  const place = location ? ` at ${placeText(location)}` : "";
  const same = subject === null ? "" : `, and look for other places that do the same with ${inlineCode(subject)}`;
  return {
    now: parted(remedy, `${capital(says)}.`),
    later: { title: "Cover it with a test", detail: `Write a test that fails without the change${place}${same}.` },
  };
}

/** What to do where a value was made, by how it was made. */
const adviceByOrigin: Readonly<Partial<Record<ValueSource, (subject: string, says: string) => Advice>>> = {
  lookup: (subject, says) => ({
    now: {
      title: `Handle that ${subject} finds nothing`,
      detail: `${capital(says)}, which is nothing when there is no match: answer that case there, before the value is used.`,
    },
    later: {
      title: "Let the compiler see it",
      detail: `With \`strictNullChecks\` what ${subject} gives may be undefined, and every use has to say what then.`,
    },
  }),
  fallback: (subject, says) => ({
    now: {
      title: `Correct the other case of ${subject}`,
      detail: `${capital(says)}: give the right value there, or fail.`,
    },
    later: {
      title: "Test the case without a value",
      detail: `Write a test in which the value is not given, so that ${subject} decides.`,
    },
  }),
  computed: (subject, says) => ({
    now: { title: `Correct ${subject}`, detail: `${capital(says)}: see what comes out for the input that failed.` },
    later: {
      title: "Test it at its edges",
      detail: `Test ${subject} with the input that failed, with nothing, with zero, and with the largest and the smallest that may come.`,
    },
  }),
  "missing-key": (subject, says) => ({
    now: {
      title: `Give ${subject}, or do without it`,
      detail: `${capital(says)}: add it there, or read what is there.`,
    },
    later: {
      title: "Give the object one type on both sides",
      detail: `One type for who makes the object and who reads ${subject} lets the compiler see the difference.`,
    },
  }),
  overrun: (subject, says) => ({
    now: { title: `End the loop before ${subject}`, detail: `${capital(says)}: compare with \`<\`.` },
    later: { title: "Go through lists with `for … of`", detail: `Then no index can be one too far as in ${subject}.` },
  }),
};

function missingVariable(name: string): Advice {
  return {
    now: { title: `Set ${name}`, detail: `Give the process the environment variable ${name} and restart it.` },
    later: {
      title: "Check the configuration when the process starts",
      detail: `Read ${name} once at start, and refuse to start without it, with a message that names it.`,
    },
  };
}

function missingSetting(name: string): Advice {
  return {
    now: {
      title: `Set ${name}`,
      detail: `Find where ${name} is read from (mostly an environment variable), set it for this process, and restart it.`,
    },
    later: {
      title: "Check the configuration when the process starts",
      detail: `Refuse to start while ${name} is missing, with a message that names the variable.`,
    },
  };
}

function brokenFile(name: string): Advice {
  return {
    now: { title: `Correct ${name}`, detail: "The parser names the place." },
    later: {
      title: "Check data files before they are shipped",
      detail: `Parse ${name} in CI, and name the file in the error when reading it fails.`,
    },
  };
}

function missingAwait(name: string): Advice {
  return {
    now: {
      title: `Await ${name}`,
      detail: `Put \`await\` before the call of ${name}, or handle its rejection where it is called.`,
    },
    later: {
      title: "Let the linter refuse floating promises",
      detail:
        "Turn on `no-floating-promises` and `no-misused-promises`, so that a promise nobody waits for does not pass review.",
    },
  };
}

function unreleased(name: string): Advice {
  return {
    now: {
      title: `Release what ${name} gives`,
      detail: `Release it in a \`finally\`, so that an error or an early return gives it back too.`,
    },
    later: {
      title: "Take it through one function",
      detail:
        "Wrap taking and releasing in one function that runs a callback in between, and watch how many are in use.",
    },
  };
}

function failingDependency(name: string): Advice {
  return {
    now: {
      title: `Look at ${name}`,
      detail: "Read its errors of that time: this service failed on its answer.",
    },
    later: {
      title: "Check the answer before reading it",
      detail: `Check status and Content-Type of what ${name} answers before its body is read, fail with an error that names it, and decide what this service does without it.`,
    },
  };
}

function changedAnswer(findings: Findings): Advice {
  const host = findings.event?.calls.at(-1)?.host;
  const who = host === undefined ? "the service that answered" : inlineCode(host);
  return {
    now: {
      title: "Read the answer in its new shape",
      detail: `Compare the body that ${who} answers now with the fields that are read, and accept both shapes.`,
    },
    later: {
      title: "Check answers against a schema",
      detail: `Parse what ${who} answers with a schema where it enters, and test the schema against both sides.`,
    },
  };
}

function returnsNothing(name: string): Advice {
  return {
    now: {
      title: `Return a value from ${name}`,
      detail: `Let ${name} return a value on every path, or handle the missing one where it is called.`,
    },
    later: {
      title: "Let the type checker see it",
      detail: `Declare that ${name} may give nothing, so that every caller has to handle it (\`noImplicitReturns\`, \`strict\`).`,
    },
  };
}

function lookThere({ location }: Ranked, evidence: string[]): Solution {
  if (location)
    return {
      title: `Look at ${placeText(location)}`,
      detail: "Log what comes in there, and repeat what led to the error: nothing that is known by its words failed.",
      evidence_ids: evidence,
    };
  return {
    title: "Hand in more of the log",
    detail: "The lines around the failure, the stack of the error, and the files that it names tell where it was made.",
    evidence_ids: evidence,
  };
}

function coverLater({ location }: Ranked, evidence: string[]): Solution {
  if (location)
    return {
      title: "Keep it from coming back",
      detail: `Write a test with the input that failed at ${placeText(location)}.`,
      evidence_ids: evidence,
    };
  return {
    title: "Log errors with their stack and cause",
    detail: "Then the next failure of this kind names its place: log the error object, not its message alone.",
    evidence_ids: evidence,
  };
}

/** A remedy as its first clause and the rest, or, when that is all of it, what it is against. */
function parted(remedy: string, meaning: string): { title: string; detail: string } {
  // A mark within code or brackets, as in `server.port`, ends no clause.
  const [, clause = remedy, rest = ""] =
    /^((?:`[^`]*`|\((?:`[^`]*`|[^`()])*\)|[^`(,;:.]|[,;:.](?!\s|$)|,(?= (?:and|or) ))+)[,;:.]\s*(.*)$/s.exec(remedy) ??
    [];
  return { title: capital(clause.trim()), detail: capital(rest.trim()) || meaning };
}
