import type { Signature } from "../../findings.ts";

export const config: readonly Signature[] = [
  {
    id: "config.missing-variable",
    category: "bad-config",
    match: {
      message:
        /(?:[Mm]issing (?:required )?(?:environment|env|config(?:uration)?)(?: variable| key| setting| value)?:? ?"?'?(?<variable>[A-Z][A-Z0-9_]{2,80})?|(?<named>[A-Z][A-Z0-9]{1,40}_[A-Z0-9_]{1,80}) (?:is|must be|was|env(?:ironment)?)\b[^\n]{0,20}(?:not set|required|missing|undefined|defined|empty|set))/,
    },
    meaning: "A setting that the code needs is missing: an environment variable is not set.",
    seenIfTrue: "the variable is absent in the environment of the failing process",
    seenIfFalse: "the variable is set and has the value that is expected",
    shortTerm: "Set the variable in the environment of the service, and restart it.",
    longTerm: "Parse the configuration once, when the process starts, and refuse to start without it.",
    url: "https://12factor.net/config",
  },
  {
    id: "config.invalid-url",
    category: "bad-config",
    match: { code: ["ERR_INVALID_URL"] },
    meaning: "A text that should be a URL is none.",
    seenIfTrue: "the input is `undefined`, empty, or lacks its scheme",
    seenIfFalse: "the input is a complete URL",
    shortTerm: "Look where the URL comes from: a setting that is missing or incomplete, or input that was not checked.",
    longTerm: "Parse URLs where they enter (configuration, request), and pass them on as URL objects.",
    url: "https://nodejs.org/api/errors.html#err_invalid_url",
  },
  {
    id: "config.relative-url",
    category: "bad-config",
    match: { message: /(?:Failed to parse URL from|Only absolute URLs are supported|Invalid URL)/ },
    meaning: "A request was made to something that is no complete URL.",
    seenIfTrue: "the base of the URL is missing in the configuration (`undefined/…`)",
    seenIfFalse: "the URL is complete",
    shortTerm: "Check the setting that the address is built from.",
    longTerm: "Parse addresses where the configuration is read.",
    url: "https://developer.mozilla.org/en-US/docs/Web/API/URL/URL#exceptions",
  },
];
