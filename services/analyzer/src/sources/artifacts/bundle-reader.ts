import { constants } from "node:os";
import { ThreadEnded } from "@whence/storage/threads";
import { AnsweringThread, AnswerTooSlow } from "../../threads/answering-thread.ts";
import type { BundleContent } from "./read-bundle.ts";
import type { ReleaseFiles } from "./release-files-of.ts";
import { InvalidBundle } from "./unpack-bundle.ts";

/** Reads bundles of built files in a thread, whose memory and time are limited. */
export interface BundleReader {
  /**
   * Returns what is kept of a bundle. Reads one at a time. Rejects with
   * {@link InvalidBundle} when the bundle can't be read within the limits.
   */
  read(bundle: Buffer): Promise<ReleaseFiles>;
  close(): Promise<void>;
}

export interface BundleReaderOptions {
  readonly execArgv?: readonly string[];
  /**
   * The limit of processor time per bundle; 45 s by default: unless the machine is busy, less than a proxy waits for an
   * answer.
   */
  readonly processorMs?: number;
}

const readProcessorMs = 45_000;

export function openBundleReader({ execArgv, processorMs = readProcessorMs }: BundleReaderOptions = {}): BundleReader {
  const thread = new AnsweringThread<Uint8Array, BundleContent>({
    program: new URL("./bundle-worker.ts", import.meta.url),
    execArgv,
    processorMs,
    priority: constants.priority.PRIORITY_BELOW_NORMAL,
  });
  return {
    async read(bundle) {
      const content = await thread.ask(bundle).catch((cause: unknown) => {
        if (!isOutOfBounds(cause)) throw cause;
        const reason = "the bundle takes too much time or memory to unpack: upload it in parts";
        throw new InvalidBundle(reason, { cause });
      });
      if (content.kind === "invalid") throw new InvalidBundle(content.reason);
      return content.files;
    },
    close: () => thread.end(),
  };
}

/** Whether the thread was ended for the memory that it took, or the time. */
function isOutOfBounds(cause: unknown): boolean {
  return cause instanceof ThreadEnded || cause instanceof AnswerTooSlow;
}
