import { constants } from "node:os";
import { ThreadEnded } from "@whence/storage/threads";
import { AnsweringThread } from "../../threads/answering-thread.ts";
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
  /** The time limit per bundle; 45 s by default, which is less than a proxy waits for an answer. */
  readonly deadlineMs?: number;
}

const readDeadlineMs = 45_000;

export function openBundleReader({ execArgv, deadlineMs = readDeadlineMs }: BundleReaderOptions = {}): BundleReader {
  const thread = new AnsweringThread<Uint8Array, BundleContent>({
    program: new URL("./bundle-worker.ts", import.meta.url),
    execArgv,
    deadlineMs,
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
  return cause instanceof ThreadEnded || (cause instanceof DOMException && cause.name === "TimeoutError");
}
