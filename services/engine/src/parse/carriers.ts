import type { LogLevel } from "../signals/inputs/record.ts";
import { levelOfSyslog } from "./records/level.ts";
import { readTime } from "./records/time.ts";

/** What transported a line and put a prefix on it. */
export interface Carrier {
  /** RFC 3339; null without a time, or when its year or zone is missing. */
  readonly at: string | null;
  /** What wrote the line: a container, a program, a unit. */
  readonly app: string | null;
  readonly level: LogLevel | null;
}

/** A prefix on every line of a log, including stacks. Groups: `time`, `app`, `priority`. */
interface CarrierPrefix {
  readonly name: string;
  /** Anchored, without nested quantifiers. */
  readonly pattern: RegExp;
}

const isoTime = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)";
const syslogTime = "[A-Z][a-z]{2} [ \\d]\\d (?:\\d{4} )?\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?";
/** A level isn't a hostname: `2026-01-01T10:00:00Z ERROR TypeError: …` is a program's own line. So is a cause. */
const noLevel =
  "(?!(?:Caused|Wrapped) by: |(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|FATAL|trace|debug|info|notice|warn|warning|error|severe|critical|fatal) )";
const program = "(?<app>[\\w./@-]{1,80})(?:\\[\\d{1,10}\\])?: ?";

/** The prefixes of log shippers, in the order in which they are tried. */
export const carrierPrefixes: readonly CarrierPrefix[] = [
  {
    name: "syslog (RFC 5424)",
    pattern: new RegExp(
      `^<(?<priority>\\d{1,3})>1 (?<time>${isoTime}|-) \\S{1,255} (?<app>\\S{1,48}) \\S{1,128} \\S{1,32} (?:-|\\[[^\\]]{0,4000}\\]) ?`,
    ),
  },
  {
    name: "syslog (RFC 3164)",
    pattern: new RegExp(`^(?:<(?<priority>\\d{1,3})>)?${syslogTime} [\\w.:-]{1,255} ${program}`),
  },
  { name: "GitLab CI", pattern: new RegExp(`^(?<time>${isoTime}) \\d\\d[OE](?:\\+ ?| |$)`) },
  { name: "journald", pattern: new RegExp(`^(?<time>${isoTime}) ${noLevel}[\\w.:-]{0,254}[\\w.-] ${program}`) },
  { name: "Heroku", pattern: new RegExp(`^(?<time>${isoTime}) (?:app|heroku)\\[(?<app>[\\w.-]{1,60})\\]:?(?: |$)`) },
  {
    name: "Fly.io",
    pattern: new RegExp(`^(?<time>${isoTime}) (?:app|proxy|runner)\\[(?<app>\\w{1,40})\\] [a-z]{3} \\[\\w{1,10}\\] ?`),
  },
  {
    name: "AWS Logs",
    pattern: new RegExp(`^(?<time>${isoTime}) \\d{4}/\\d\\d/\\d\\d/\\[[^\\]]{1,40}\\][0-9a-f]{6,40} `),
  },
  {
    name: "aws logs tail",
    pattern: new RegExp(`^(?<time>${isoTime}) (?<app>[\\w.-]{1,80})/(?:[\\w.-]{1,80}/)?[0-9a-f]{16,40} `),
  },
  { name: "logcli (Loki)", pattern: new RegExp(`^(?<time>${isoTime}) \\{[\\w.]{1,60}="[^}]{0,1000}\\} `) },
  { name: "container runtime", pattern: new RegExp(`^(?<time>${isoTime}) std(?:out|err) [FP](?: |$)`) },
  { name: "GitHub Actions and docker logs -t", pattern: new RegExp(`^(?<time>${isoTime}) `) },
  { name: "docker compose", pattern: /^(?<app>[\w.-]{1,80}) {0,40}\| ?/ },
  { name: "PM2", pattern: /^\d{1,3}\|(?<app>[\w.-]{1,60}) {0,40}\| ?/ },
  { name: "kubectl logs --prefix", pattern: /^\[pod\/(?<app>[\w.-]{1,253}\/[\w.-]{1,253})\] ?/ },
  { name: "kernel ring buffer", pattern: /^\[ {0,8}\d{1,10}\.\d{6}\] / },
  { name: "BuildKit (docker build)", pattern: /^(?:#\d{1,4} \d{1,5}\.\d{1,3}(?: |$)|\d{1,5}\.\d{3} (?=.))/ },
  { name: "npm", pattern: /^(?<app>npm) (?:ERR!|error)(?: |$)/ },
  { name: "node-gyp", pattern: /^gyp ERR! (?:stack )?/ },
];

/** A line may have passed through several carriers, such as Compose in front of the container's own. */
const roundsMax = 4;

/** Strips a line of its carriers' prefixes. */
export function stripCarriers(line: string): { text: string; carrier: Carrier | null } {
  let text = line;
  let carrier: Carrier | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const found = startsLikeCarrier(text) ? firstOf(text) : null;
    if (!found) break;
    text = text.slice(found[0].length);
    carrier = merge(carrier, found.groups ?? {});
  }
  return { text, carrier };
}

/**
 * Returns whether a text starts with a word, number, or bracket, as all prefixes do: a cheap test for the many indented
 * lines.
 */
function startsLikeCarrier(text: string): boolean {
  const first = text.charCodeAt(0);
  return (
    first > 0x20 &&
    first < 0x7f &&
    (text.includes("|") ||
      text.includes(": ") ||
      text.includes("] ") ||
      /^(?:\d{4}-|<\d|#?\d{1,5}[. ]\d|npm |gyp )/.test(text) ||
      /[:\]]$/.test(text))
  );
}

function firstOf(text: string): RegExpExecArray | null {
  for (const { pattern } of carrierPrefixes) {
    const found = pattern.exec(text);
    if (found) return found;
  }
  return null;
}

function merge(outer: Carrier | null, groups: Readonly<Record<string, string | undefined>>): Carrier {
  return {
    at: readTime(groups.time) ?? outer?.at ?? null,
    app: groups.app ?? outer?.app ?? null,
    level: levelOfSyslog(groups.priority) ?? outer?.level ?? null,
  };
}
