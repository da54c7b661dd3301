import { constants } from "node:os";
import { ValidationFailure } from "@whence/protocol";
import { analyzerErrors } from "../errors.ts";
import { ThreadLane } from "../threads/thread-lane.ts";
import { type AnalysisBody, type AskedText, readAnalysisBody } from "./analysis-body.ts";

/** Reads the bodies of analyze requests without blocking other requests. */
export interface AnalysisBodyReader {
  /**
   * Reads a body, taking ownership of its bytes. Scopes take turns. Throws a `ValidationFailure` when the body is
   * invalid, and `WHENCE_ERR_BODY_UNREAD` when reading takes too long.
   */
  read(body: Uint8Array, scopeId: string): Promise<AskedText>;
  close(): Promise<void>;
}

export interface AnalysisBodyReaderOptions {
  readonly execArgv?: readonly string[];
  /** The limit of processor time per body; 10 s by default. */
  readonly processorMs?: number;
}

/** Smaller bodies are read too quickly to delay another request. */
export const readAtOnceBytesMax = 262_144;
/** Many times what the largest body takes on a slow machine. */
const readProcessorMs = 10_000;
/** Unbounded here, because waiting bodies are limited by their bytes before they are received. */
const waitingMax = Number.POSITIVE_INFINITY;

export function openAnalysisBodyReader(options: AnalysisBodyReaderOptions = {}): AnalysisBodyReader {
  const lane = new ThreadLane<Uint8Array, AnalysisBody>({
    program: new URL("./analysis-body-worker.ts", import.meta.url),
    execArgv: options.execArgv,
    processorMs: options.processorMs ?? readProcessorMs,
    priority: constants.priority.PRIORITY_BELOW_NORMAL,
    waitingMax,
    waitingPerScopeMax: waitingMax,
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
