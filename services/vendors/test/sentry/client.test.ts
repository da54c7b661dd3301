import { inspect } from "node:util";
import {
  createTransport,
  defaultStackParser,
  type ErrorEvent,
  linkedErrorsIntegration,
  NodeClient,
  Scope,
} from "@sentry/node";
import { parseText } from "@whence/engine";
import { describe, expect, it } from "vitest";
import { sentry } from "../../src/sentry/alert-sender.ts";
import { alertsIn } from "../alert-senders/received.ts";
import { eventAlert, pythonEvent } from "./samples.ts";

/** What Sentry's own client makes of an error. */
async function eventOf(error: unknown): Promise<ErrorEvent> {
  const { promise, resolve } = Promise.withResolvers<ErrorEvent>();
  const client = new NodeClient({
    dsn: "https://key@sentry.example.com/1",
    integrations: [linkedErrorsIntegration()],
    stackParser: defaultStackParser,
    transport: (options) => createTransport(options, () => Promise.resolve({ statusCode: 200 })),
    beforeSend(event) {
      resolve(event);
      return null;
    },
  });
  client.init();
  client.captureException(error, { originalException: error }, new Scope());
  return await promise;
}

function rateOf(country: string): never {
  throw new RangeError(`no rate for ${country}`);
}

function withTax(country: string): never {
  try {
    return rateOf(country);
  } catch (cause) {
    throw new Error("checkout failed", { cause });
  }
}

function thrownBy(act: () => void): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
}

/** The errors that the engine reads, each with its two innermost calls. */
function placesIn(text: string) {
  const { exceptions, chain } = parseText(text);
  return chain.map((index) => {
    const exception = exceptions[index];
    const frames = exception?.frames.slice(0, 2).map(({ function: name, file, line }) => [name, file, line]) ?? [];
    return [exception?.type, exception?.message, ...frames.flat()];
  });
}

describe("the text of an event created by Sentry's own client", () => {
  it("leads the engine to the same places as the error's own stack", async () => {
    const error = thrownBy(() => withTax("DE"));
    const { exception } = await eventOf(error);
    const [alert] = alertsIn(sentry, eventAlert({ ...pythonEvent, platform: "node", exception }));
    const [outer, cause] = placesIn(alert?.text ?? "");
    expect(outer?.slice(0, 3)).toEqual(["Error", "checkout failed", "withTax"]);
    expect(cause?.slice(0, 3)).toEqual(["RangeError", "no rate for DE", "rateOf"]);
    expect([outer, cause]).toEqual(placesIn(inspect(error)));
  });
});
