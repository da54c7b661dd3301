import { operatorToken } from "@whence/analyzer";
import type { Config } from "../config.ts";
import { serverErrors } from "../errors.ts";
import { loadSecretKeys } from "../secret-key.ts";

/** The operator API of a running service. */
export interface Operator {
  /** Sends a request. Anything but 2xx throws `WHENCE_ERR_OPERATOR_REFUSED` with the service's message. */
  ask(method: "GET" | "POST", path: string, body?: unknown): Promise<Response>;
}

/** Returns the client for this environment's service, or the one at `url`; the token is derived from its secret key. */
export async function operatorOf(config: Config, url: string | undefined): Promise<Operator> {
  const base = (url ?? `http://127.0.0.1:${config.port}`).replace(/\/$/, "");
  const authorization = `Bearer ${await tokenOf(config)}`;
  return {
    async ask(method, path, body) {
      const json = { "content-type": "application/json" };
      const answer = await fetch(`${base}/operator${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : json) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((cause: unknown) => {
        throw serverErrors.create("WHENCE_ERR_OPERATOR_REFUSED", [base, "nothing", "is it running there?"], { cause });
      });
      if (answer.ok) return answer;
      throw serverErrors.create("WHENCE_ERR_OPERATOR_REFUSED", [base, answer.status, await answer.text()]);
    },
  };
}

/** Returns the token that this environment's service accepts at `/operator`. */
export async function tokenOf(config: Config): Promise<string> {
  const [current] = await loadSecretKeys(config);
  return operatorToken(current);
}
