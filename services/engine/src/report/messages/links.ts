import type { LinkWords } from "../../words/link-words.ts";
import { count, inlineCode, placeText } from "../../words/prose.ts";
import { thrownText } from "../../words/thrown.ts";
import type { LinkArgs, LinkKind } from "../link.ts";
import { callText } from "./calls.ts";
import { dependency } from "./dependencies.ts";
import { change, problem } from "./outside-links.ts";
import { exit, lastHeartbeat } from "./process-exits.ts";
import { process } from "./processes.ts";
import { release } from "./releases.ts";

/** The words for every kind of link but those seen in code. */
export const links: { readonly [K in Exclude<LinkKind, "code">]: LinkWords<LinkArgs[K]> } = {
  release,
  dependency,
  process,
  exit,
  "last-heartbeat": lastHeartbeat,
  change,
  problem,
  "changed-answer": {
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
  "related-failure": {
    what: ({ failure: { service, message, location } }) =>
      `${inlineCode(service)} fails${location ? ` in ${placeText(location)}` : ""} with ${inlineCode(message)}`,
    fix: ({ failure }) => {
      const { service, message, location } = failure;
      const start = location ? `Start at ${placeText(location)}, which` : "It";
      return {
        title: isOwn(failure) ? `Find out why ${inlineCode(service)} fails` : `Fix ${inlineCode(service)} first`,
        detail: `${start} fails with ${inlineCode(message)}.`,
      };
    },
    prevent: ({ failure }) =>
      isOwn(failure)
        ? null
        : {
            title: `Handle failures of ${inlineCode(failure.service)}`,
            detail: `Set a timeout and a retry limit for calls to ${inlineCode(failure.service)}, and answer with an error that names it.`,
          },
    confirmedBy: ({ failure }) =>
      isOwn(failure) ? null : `this failure stops when ${inlineCode(failure.service)} recovers`,
    ruledOutBy: ({ failure }) =>
      isOwn(failure) ? null : `this failure continues while ${inlineCode(failure.service)} answers without errors`,
  },
  "failing-calls": {
    what: ({ calls: { host, service, how, events, of } }) =>
      of === 1
        ? `a call to ${inlineCode(service ?? host)} ${callWords[how]} just before the failure`
        : `calls to ${inlineCode(service ?? host)} ${callWords[how]} before ${events} of ${count(of, "failure")}`,
    fix: ({ calls: { host, service } }) => ({
      title: `Check ${inlineCode(service ?? host)}`,
      detail: `Read its errors from the time of the failure, and call ${inlineCode(host)} from a host of the failing service.`,
    }),
    prevent: ({ calls: { host } }) => ({
      title: `Prepare for outages of ${inlineCode(host)}`,
      detail: `Check status and content type before reading its response, set a timeout, and fail with an error that names ${inlineCode(host)}.`,
    }),
    confirmedBy: ({ calls: { host } }) => `the next failures also follow a failed call to ${inlineCode(host)}`,
    ruledOutBy: ({ calls: { host } }) => `the failure occurs while calls to ${inlineCode(host)} succeed`,
  },
  call: {
    what: ({ call }) => callText(call),
    fix: ({ call }) => ({
      title: `Check ${inlineCode(call.host)}`,
      detail: `Read its log for this call: ${callText(call)}.`,
    }),
    prevent: ({ call }) => ({
      title: `Check the response of ${inlineCode(call.host)} before reading it`,
      detail: "Test status and content type first, and fail with an error that names the host.",
    }),
    confirmedBy: ({ call }) => `the log of ${inlineCode(call.host)} shows an error for this call`,
    ruledOutBy: ({ call }) => `the log of ${inlineCode(call.host)} shows that it answered this call as usual`,
  },
  setting: {
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
  input: {
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
  service: {
    what: ({ service }) => `something in ${inlineCode(service)} causes the failure`,
    confirmedBy: ({ service }) => `${inlineCode(service)} logs errors at the time of the failure`,
    ruledOutBy: ({ service }) => `${inlineCode(service)} was healthy at the time of the failure`,
  },
  frame: {
    what: ({ place, isOnStack }) =>
      isOnStack
        ? `${placeText(place)} makes the call that fails`
        : `${placeText(place)} isn't on the stack, but may hold the cause`,
    fix: ({ place, isInstalled, isOnStack }) =>
      isInstalled || !isOnStack
        ? null
        : { title: `Check ${placeText(place)}`, detail: "Log its arguments, and repeat the request that failed." },
    confirmedBy: ({ place, isOnStack }) =>
      isOnStack ? `every stack of this failure passes ${placeText(place)}` : null,
    ruledOutBy: ({ place, isOnStack }) =>
      isOnStack
        ? `the same error occurs with a stack that doesn't pass ${placeText(place)}`
        : `the same error occurs when ${placeText(place)} doesn't run`,
  },
  failure: {
    what: ({ type, message, place, isThrower, request }) => {
      const thrown = inlineCode(thrownText({ type, message }));
      if (place) return `${placeText(place)} ${isThrower ? "throws" : "fails with"} ${thrown}`;
      return request === null ? `the error is ${thrown}` : `${inlineCode(request)} fails with ${thrown}`;
    },
  },
  alert: {
    what: ({ alert: { system, name, summary } }) =>
      summary === "" || summary === name
        ? `${system} reports ${inlineCode(name)}`
        : `${system} reports ${inlineCode(name)}: ${inlineCode(summary)}`,
  },
  text: {
    what: ({ headline }) =>
      headline === "" ? "the text describes no failure" : `the text says ${inlineCode(headline)}`,
  },
};

const callWords = {
  error: "failed",
  status: "returned an error",
  slow: "took far longer than usual",
  unanswered: "had no answer",
} as const;

/** Of a failure that was announced, the only one at its time that no call leads to is the service's own. */
function isOwn({ link, role }: LinkArgs["related-failure"]["failure"]): boolean {
  return link === "time" && role === "beside";
}
