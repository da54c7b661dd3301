import type { Location } from "@whence/protocol";
import { failing } from "../../signals/code/throwing.ts";
import { factKinds } from "../../signals/facts/kinds.ts";
import { inputKinds } from "../../signals/inputs/kinds.ts";
import type { Linked } from "../../signals/kind.ts";
import { outsideKinds } from "../../signals/outside/kinds.ts";
import { inlineCode, placeText } from "../../words/prose.ts";
import { thrownText } from "../../words/thrown.ts";
import type { Dependence } from "../dependence.ts";
import type { ImportBesideStack } from "../import-beside-stack.ts";
import type { LinkArgs, LinkKind } from "../link.ts";
import { dependency } from "./dependencies.ts";

/** The words for every kind of link except those seen in code: kinds of evidence bring theirs. */
export const links: { readonly [K in Exclude<LinkKind, "code">]: Linked<LinkArgs[K]> } = {
  ...factKinds,
  ...inputKinds,
  ...outsideKinds,
  dependency: { link: dependency },
  "changed-answer": {
    link: {
      what: ({ service, field }) =>
        field === null
          ? `a response of ${inlineCode(service)} has another shape than the code expects`
          : `a response of ${inlineCode(service)} has no ${inlineCode(field)}`,
      fix: ({ service, field }) =>
        field === null
          ? null
          : {
              title: `Restore ${inlineCode(field)} in the response of ${inlineCode(service)}`,
              detail: "Callers still read it. Remove a field only after every caller has stopped reading it.",
            },
      prevent: ({ service }) => ({
        title: `Add a contract test between callers and ${inlineCode(service)}`,
        detail: "Run it before each deploy, so a removed or renamed field fails the build.",
      }),
      confirmedBy: ({ service, field }) =>
        field === null ? null : `a recorded response of ${inlineCode(service)} has no ${inlineCode(field)}`,
      ruledOutBy: ({ service, field }) =>
        field === null
          ? null
          : `a recorded response of ${inlineCode(service)} from the time of the failure has ${inlineCode(field)}`,
    },
  },
  setting: {
    link: {
      what: ({ name, where }) =>
        where === "environment"
          ? `the environment variable ${inlineCode(name)} isn't set`
          : `${inlineCode(name)} isn't configured`,
      fix: ({ name, where, service }) => ({
        title: `Set ${inlineCode(name)}`,
        detail: `Add it to the ${where}${service === null ? "" : ` of ${inlineCode(service)}`}, then restart${service === null ? " the process" : " it"}.`,
      }),
      prevent: ({ name }) => ({
        title: "Check settings at startup",
        detail: `Refuse to start while ${inlineCode(name)} is missing, with a message that names it.`,
      }),
      confirmedBy: ({ name }) => `${inlineCode(name)} is missing or empty where the process runs`,
      ruledOutBy: ({ name }) => `${inlineCode(name)} is set and not empty where the process that failed runs`,
    },
  },
  input: {
    link: {
      what: ({ name, request }) =>
        request === null
          ? `the input has an unexpected ${inlineCode(name)}`
          : `${inlineCode(request)} gets an unexpected ${inlineCode(name)}`,
      fix: ({ name }) => ({
        title: `Validate ${inlineCode(name)}`,
        detail: "Reject the request with status 400 when it is missing or has the wrong type.",
      }),
      confirmedBy: ({ name }) => `only requests with an unusual ${inlineCode(name)} fail`,
      ruledOutBy: ({ name }) => `requests with an ordinary ${inlineCode(name)} fail too`,
    },
  },
  service: {
    link: {
      what: ({ service }) => `something in ${inlineCode(service)} causes the failure`,
      confirmedBy: ({ service }) => `${inlineCode(service)} logs errors at the time of the failure`,
      ruledOutBy: ({ service }) => `${inlineCode(service)} was healthy at the time of the failure`,
    },
  },
  frame: {
    link: {
      what: ({ place, thrown, callee }) => {
        if (thrown) return failing(place, thrown);
        if (callee === null) return `${placeText(place)} makes a call that leads to the failure`;
        return `${placeText(place)} calls ${inlineCode(callee.name)}, ${callee.isLast ? "which fails" : "on the way to the failure"}`;
      },
      confirmedBy: ({ place }) => `every stack of this failure passes ${placeText(place)}`,
      ruledOutBy: ({ place }) => `the same error occurs with a stack that doesn't pass ${placeText(place)}`,
    },
  },
  "off-stack": {
    link: {
      what: ({ place, dependence, imported }) => {
        if (dependence) return dependenceText(place, dependence);
        if (imported) return importText(place, imported);
        return `${placeText(place)} is listed by its likelihood alone`;
      },
      ruledOutBy: ({ place }) => `the same error occurs when ${placeText(place)} doesn't run`,
    },
  },
  failure: {
    link: {
      what: ({ type, message, place, request, isCaller }) => {
        if (place && isCaller) return `the call comes from ${placeText(place)}`;
        const thrown = inlineCode(thrownText({ type, message }));
        if (place) return failing(place, { type, message });
        return request === null ? `the error is ${thrown}` : `${inlineCode(request)} fails with ${thrown}`;
      },
    },
  },
};

function importText(place: Location, { stackFile, isImporter }: ImportBesideStack): string {
  const [where, file] = [placeText(place), inlineCode(stackFile)];
  return isImporter
    ? `${where} is imported by ${file}, which is on the stack`
    : `${where} imports ${file}, which is on the stack`;
}

/** Says how other code depends on a place that was named; arguments, fields, methods, and changes are found by names alone. */
function dependenceText(place: Location, { kind, name, dependent, isSpelled }: Dependence): string {
  const [where, named, other] = [placeText(place), inlineCode(name ?? ""), placeText(dependent)];
  const isMethod = (place.function?.includes(".") ?? false) && !isSpelled;
  return {
    local: `${where} sets what ${other} reads as ${named}`,
    argument: `${where} may pass what ${other} reads as ${named}`,
    result: `${where} ${isMethod ? "may be" : "is"} called by ${other}`,
    named: `${where} may be the ${named} that ${other} calls`,
    field: `${where} sets a field ${named}, and ${other} reads one of that name`,
    change: `${where} may change what ${other} uses as ${named}`,
    user: `${where} also uses ${other}, or something else of that name`,
    file:
      name === null ? `${where} is named by ${other}` : `${where} is in the folder ${named}, which ${other} mentions`,
  }[kind];
}
