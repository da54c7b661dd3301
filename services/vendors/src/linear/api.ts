import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { VendorFailure } from "../http/vendor-failure.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { failureFromErrors, isConflict, linearErrorSchema } from "./errors.ts";
import { linearRateLimit } from "./rate-limit.ts";
import type { LinearApplication, LinearTokens } from "./tokens.ts";

export interface LinearQuery<Data> {
  readonly query: string;
  readonly variables?: object;
  readonly schema: z.ZodType<Data>;
}

const successSchema = z.object({ done: z.object({ success: z.literal(true) }) });

/** Linear's GraphQL API, as an application's own user. Every rejection is a {@link VendorFailure}, unless the signal fired. */
export class LinearApi {
  readonly #http: VendorHttp;
  readonly #tokens: LinearTokens;
  readonly #application: LinearApplication;
  readonly #context: OutboundContext;

  constructor(application: LinearApplication, tokens: LinearTokens, context: OutboundContext) {
    this.#application = application;
    this.#tokens = tokens;
    this.#context = context;
    this.#http = openVendorHttp({
      ...context,
      ...linearRateLimit,
      vendor: "Linear",
      headers: {},
      baseUrl: vendorAddress("https://api.linear.app", context),
      // Linear explains a rejected query in the body of a 400, and of a 200 as well.
      answeredStatuses: [400],
    });
  }

  async ask<Data>({ query, variables, schema }: LinearQuery<Data>, signal: AbortSignal): Promise<Data> {
    const answer = await this.#answer({ query, variables }, signal);
    if (answer.errors.length > 0) throw failureFromErrors(answer.errors);
    const parsed = schema.safeParse(answer.data);
    if (parsed.success) return parsed.data;
    throw new VendorFailure("unexpected-answer", "Linear answered with data of another shape than documented");
  }

  /** Makes one change, named `done` in the mutation. If something with the given ID exists, it counts as created. */
  async change(mutation: string, variables: object, signal: AbortSignal): Promise<void> {
    const { errors, data } = await this.#answer({ query: mutation, variables }, signal);
    if (isConflict(errors)) return;
    if (errors.length > 0) throw failureFromErrors(errors);
    if (successSchema.safeParse(data).success) return;
    throw new VendorFailure("unexpected-answer", "Linear didn't confirm a change");
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Gets another token once if Linear no longer accepts the current one. */
  async #answer(json: object, signal: AbortSignal): Promise<Answer> {
    const token = await this.#tokens.current(this.#application, this.#context);
    try {
      return await this.#send(json, token, signal);
    } catch (error) {
      if (!(error instanceof VendorFailure) || error.reason !== "unauthorized") throw error;
      await this.#tokens.forget(this.#application, token);
      return this.#send(json, await this.#tokens.current(this.#application, this.#context), signal);
    }
  }

  async #send(json: object, token: string, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await this.#http.json(
      { method: "POST", path: "/graphql", headers, json, schema: answerSchema },
      signal,
    );
    const refusal = body.errors.length > 0 ? failureFromErrors(body.errors) : null;
    if (refusal?.reason === "unauthorized") throw refusal;
    return body;
  }
}

/** https://spec.graphql.org/October2021/#sec-Response-Format: data, errors, or both. */
const answerSchema = z
  .object({ data: z.record(z.string(), z.unknown()).nullish(), errors: z.array(linearErrorSchema).default([]) })
  .refine(({ data, errors }) => Boolean(data) || errors.length > 0);
type Answer = z.infer<typeof answerSchema>;
