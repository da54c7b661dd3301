import { currentClient, type RunningClient } from "../../core/current-client.ts";
import type { IncomingRequest } from "../../core/request-context.ts";
import { listen } from "../../instrumentations/channels.ts";
import { attachment } from "../../runtime/attachment.ts";
import { isClientError } from "../client-error.ts";
import { passOver, recordFailure, recordRouteError } from "../route-failure.ts";
import { failuresIn, type Library } from "./answers-of-libraries.ts";
import { carriers, type Framework } from "./carriers.ts";
import { hookName } from "./framework-sources.ts";

/** What a request failed with. */
interface Failure {
  readonly framework: Framework;
  /** The first error, unless that only said that the request was wrong: later ones are often made from it. */
  readonly error: unknown;
  /** The one that the answer was made from. */
  readonly last: unknown;
}

const serverError = 500;
const failures = attachment<Failure | undefined>();

/** What the changed sources of frameworks call. None of it throws. */
const hook = {
  note(framework: Framework, error: unknown, carrier: unknown): void {
    const client = currentClient();
    client?.guard(() => note(client, framework, error, carrier), undefined)();
  },
  failed(library: Library, answer: unknown): void {
    const client = currentClient();
    client?.guard(() => {
      const incoming = client.requests.current()?.incoming;
      for (const error of failuresIn[library](answer)) recordRouteError(library, error, incoming);
    }, undefined)();
  },
  /** Returns what a promise of a middleware is to be rejected with: the same. */
  rejected(framework: Framework, carrier: unknown): (error: unknown) => never {
    return (error) => {
      hook.note(framework, error, carrier);
      throw error;
    };
  },
};

/** Records what a request failed with once it is answered with a status of 500 or more, if nothing else recorded it. */
export function recordAnsweredFailures(): void {
  Object.defineProperty(globalThis, Symbol.for(hookName), { value: hook, configurable: true, writable: true });
  listen("http.server.response.finish", (message) => {
    const client = currentClient();
    client?.guard(() => {
      const incoming: IncomingRequest = Reflect.get(message, "request");
      const response: { readonly statusCode: number } = Reflect.get(message, "response");
      const context = client.requests.of(incoming);
      const failure = context && failures.of(context);
      if (!failure) return;
      failures.to(context, undefined);
      if (response.statusCode >= serverError) record(client, failure, incoming);
    }, undefined)();
  });
}

/** What was logged with a text and fields of its own says more than the error alone. */
function record(client: RunningClient, { framework, error, last }: Failure, incoming: IncomingRequest): void {
  const isReported = [error, last].some((one) => client.capture.isReported(one, incoming));
  if (isReported) return;
  recordFailure(framework, error, incoming);
  // Express prints the last one after it has answered.
  if (last !== error) passOver(last, incoming);
}

function note(client: RunningClient, framework: Framework, error: unknown, carrier: unknown): void {
  const { incoming, route } = carriers[framework](carrier);
  const context = (incoming && client.requests.of(incoming)) ?? client.requests.current();
  if (!context) return;
  // What is printed of it is no failure. If the answer says otherwise, it is recorded then.
  if (isClientError(error)) context.passedOver = error;
  const known = failures.of(context);
  const first = known === undefined || isClientError(known.error) ? error : known.error;
  failures.to(context, { framework, error: first, last: error });
  // Read now: a context outlives what the framework hands around.
  const pattern = route?.();
  if (pattern) context.route = () => pattern;
}
