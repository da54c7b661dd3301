import type { Link } from "./link.ts";
import type { Insight } from "./messages/insight.ts";
import type { Messages } from "./messages.en.ts";

/** What a link's kind has to say about its arguments. */
type Part = Exclude<keyof Insight<never>, "what">;

/** What happened in a link, as a clause. */
export function whatOf(link: Link, { links, code }: Messages): string {
  return link.kind === "code" ? ofSignal(link, code).what() : ofLink(link, links).what();
}

/** One of the other sentences about a link; null when there is none. */
export function partOf<P extends Part>(link: Link, part: P, { links, code }: Messages): ReturnType<Insight<never>[P]> {
  return link.kind === "code" ? ofSignal(link, code)[part]() : ofLink(link, links)[part]();
}

type Bound = { readonly [P in keyof Insight<never>]: () => ReturnType<Insight<never>[P]> };

function bound<Args>(insight: Insight<Args>, args: Args): Bound {
  return {
    what: () => insight.what(args),
    fix: () => insight.fix(args),
    prevent: () => insight.prevent(args),
    confirmedBy: () => insight.confirmedBy(args),
    ruledOutBy: () => insight.ruledOutBy(args),
  };
}

function ofLink(link: Exclude<Link, { kind: "code" }>, links: Messages["links"]): Bound {
  switch (link.kind) {
    case "release":
      return bound(links.release, link.args);
    case "changed-answer":
      return bound(links["changed-answer"], link.args);
    case "neighbour":
      return bound(links.neighbour, link.args);
    case "failing-calls":
      return bound(links["failing-calls"], link.args);
    case "call":
      return bound(links.call, link.args);
    case "process":
      return bound(links.process, link.args);
    case "dependency":
      return bound(links.dependency, link.args);
    case "setting":
      return bound(links.setting, link.args);
    case "input":
      return bound(links.input, link.args);
    case "service":
      return bound(links.service, link.args);
    case "frame":
      return bound(links.frame, link.args);
    case "failure":
      return bound(links.failure, link.args);
    case "alert":
      return bound(links.alert, link.args);
    case "text":
      return bound(links.text, link.args);
    case "change":
      return bound(links.change, link.args);
    case "problem":
      return bound(links.problem, link.args);
    case "end":
      return bound(links.end, link.args);
    case "silence":
      return bound(links.silence, link.args);
  }
}

function ofSignal({ args: { signal, ...seen } }: Extract<Link, { kind: "code" }>, code: Messages["code"]): Bound {
  switch (signal.kind) {
    case "throw-site":
      return bound(code["throw-site"], { ...signal.args, ...seen });
    case "bad-value":
      return bound(code["bad-value"], { ...signal.args, ...seen });
    case "deliberate-throw":
      return bound(code["deliberate-throw"], { ...signal.args, ...seen });
    case "value-step":
      return bound(code["value-step"], { ...signal.args, ...seen });
    case "missing-await":
      return bound(code["missing-await"], { ...signal.args, ...seen });
    case "unreleased-resource":
      return bound(code["unreleased-resource"], { ...signal.args, ...seen });
    case "message-source":
      return bound(code["message-source"], { ...signal.args, ...seen });
    case "literal-in-message":
      return bound(code["literal-in-message"], { ...signal.args, ...seen });
    case "broken-file":
      return bound(code["broken-file"], { ...signal.args, ...seen });
    case "named-file":
      return bound(code["named-file"], { ...signal.args, ...seen });
    case "missing-module":
      return bound(code["missing-module"], { ...signal.args, ...seen });
    case "missing-export":
      return bound(code["missing-export"], { ...signal.args, ...seen });
    case "swallowed-error":
      return bound(code["swallowed-error"], { ...signal.args, ...seen });
    case "recursion":
      return bound(code.recursion, { ...signal.args, ...seen });
    case "shared-state":
      return bound(code["shared-state"], { ...signal.args, ...seen });
  }
}
