import type { FastifyReply } from "fastify";
import { analyzerErrors } from "../../errors.ts";
import { artifactLimits } from "../../sources/artifacts/artifact-limits.ts";
import { Shares } from "../limits/shares.ts";

const retryAfterSeconds = 5;

/** Assembles one bundle at a time, since each may take much memory. */
export class AssemblyTurns {
  readonly #places = new Shares({
    perOwnerMax: artifactLimits.assembliesPerOrganizationMax,
    totalMax: artifactLimits.assembliesMax,
  });
  #last: Promise<unknown> = Promise.resolve();

  /** Does its work after those before it. Throws `WHENCE_ERR_ASSEMBLIES_WAITING`, with `Retry-After`, when too many wait. */
  async take<Result>(reply: FastifyReply, scopeId: string, assemble: () => Promise<Result>): Promise<Result> {
    const leave = this.#places.take(scopeId, 1);
    if (!leave) {
      reply.header("retry-after", retryAfterSeconds);
      throw analyzerErrors.create("WHENCE_ERR_ASSEMBLIES_WAITING", [retryAfterSeconds]);
    }
    const assembling = this.#last.then(assemble);
    this.#last = assembling.catch(() => undefined);
    return assembling.finally(leave);
  }
}
