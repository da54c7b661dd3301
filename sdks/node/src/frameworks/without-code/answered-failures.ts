import { currentClient, type RunningClient } from "../../core/current-client.ts";
import type { IncomingRequest } from "../../core/request-context.ts";
import { listen } from "../../instrumentations/channels.ts";
import { attachment } from "../../runtime/attachment.ts";
import { isClientError } from "../client-error.ts";
import { passOver, recordFailure, recordRouteError } from "../route-failure.ts";
import { failuresIn, type Library } from "./answers-of-libraries.ts";
import { carriers, type Framework } from "./carriers.ts";
import { hookName } from "./framework-sources.ts";

/** The errors of a failed request. */
interface Failure {
  readonly framework: Framework;
  /** The first error, unless it only means that the request was bad; later ones are often created from it. */
  readonly error: unknown;
  /** The error that the response was created from. */
  readonly last: unknown;
}

const serverError = 500;
const failures = attachment<Failure | undefined>();

/** The functions that the changed sources of frameworks call. None of them throws. */
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
  /** Returns a rejection handler for a middleware's promise, which rethrows. */
  rejected(framework: Framework, carrier: unknown): (error: unknown) => never {
    return (error) => {
      hook.note(framework, error, carrier);
      throw error;
    };
  },
};

/** Records the error of a request that is answered with a status of 500 or more, unless something else recorded it. */
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

/** Prefers a log record with its own text and fields, which says more than the error alone. */
function record(client: RunningClient, { framework, error, last }: Failure, incoming: IncomingRequest): void {
  const isReported = [error, last].some((one) => client.capture.isReported(one, incoming));
  if (isReported) return;
  recordFailure(framework, error, incoming);
  // Express prints the last error after it has responded.
  if (last !== error) passOver(last, incoming);
}

function note(client: RunningClient, framework: Framework, error: unknown, carrier: unknown): void {
  const { incoming, route } = carriers[framework](carrier);
  const context = (incoming && client.requests.of(incoming)) ?? client.requests.current();
  if (!context) return;
  // Printing this error is no failure. If the response turns out to be one, it is recorded then.
  if (isClientError(error)) context.passedOver = error;
  const known = failures.of(context);
  const first = known === undefined || isClientError(known.error) ? error : known.error;
  failures.to(context, { framework, error: first, last: error });
  // Read now, since a context outlives the framework's objects.
  const pattern = route?.();
  if (pattern) context.route = () => pattern;
}
