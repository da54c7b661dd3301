import { constants } from "node:os";
import { ValidationFailure } from "@whence/protocol";
import { analyzerErrors } from "../errors.ts";
import { ThreadLane } from "../threads/thread-lane.ts";
import { type AnalysisBody, type AskedText, readAnalysisBody } from "./analysis-body.ts";

/** Reads the bodies of analyze requests where a large one keeps no other request waiting. */
export interface AnalysisBodyReader {
  /**
   * Takes the bytes away from the caller. Scopes take turns. Throws a `ValidationFailure` when the body isn't one, and
   * `WHENCE_ERR_BODY_UNREAD` when it takes too long.
   */
  read(body: Uint8Array, scopeId: string): Promise<AskedText>;
  close(): Promise<void>;
}

export interface AnalysisBodyReaderOptions {
  readonly execArgv?: readonly string[];
  /** How long one body may be read; 10 s unless told. */
  readonly deadlineMs?: number;
}

/** Below, reading takes less than a request in between would notice. */
export const readAtOnceBytesMax = 262_144;
/** Many times what the largest body takes on a slow machine. */
const readDeadlineMs = 10_000;
/** What may wait is bounded by its bytes, before it is received. */
const waitingMax = Number.POSITIVE_INFINITY;

export function openAnalysisBodyReader(options: AnalysisBodyReaderOptions = {}): AnalysisBodyReader {
  const lane = new ThreadLane<Uint8Array, AnalysisBody>({
    program: new URL("./analysis-body-worker.ts", import.meta.url),
    execArgv: options.execArgv,
    deadlineMs: options.deadlineMs ?? readDeadlineMs,
    priority: constants.priority.PRIORITY_BELOW_NORMAL,
    ...{ waitingMax, waitingPerScopeMax: waitingMax },
  });
  const readInThread = (body: Uint8Array, scopeId: string): Promise<AnalysisBody> =>
    lane.ask(scopeId, body, body.buffer instanceof ArrayBuffer ? [body.buffer] : []).catch((cause: unknown) => {
      throw analyzerErrors.create("WHENCE_ERR_BODY_UNREAD", [], { cause });
    });
  return {
    async read(body, scopeId) {
      const read = await (body.length <= readAtOnceBytesMax ? readAnalysisBody(body) : readInThread(body, scopeId));
      if (read.kind === "invalid") throw new ValidationFailure(read.detail);
      return read.asked;
    },
    close: () => lane.close(),
  };
}
