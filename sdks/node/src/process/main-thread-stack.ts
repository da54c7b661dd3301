/** `require`, for the module used. */
export type LoadInspector = (name: "node:inspector") => typeof import("node:inspector");

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly location: {
    readonly scriptId: string;
    readonly lineNumber: number;
    readonly columnNumber?: number | undefined;
  };
}

/**
 * Reads the main thread's stack in printed form with V8's inspector, which interrupts even an endless loop. It opens no
 * port, and is attached only for this. Calls back once, within `waitMs`, with an empty string when V8 doesn't answer.
 *
 * Converted to text, under the same rules as `dying-process-worker.ts`.
 */
export function readMainThreadStack(
  { load, framesMax, waitMs }: { readonly load: LoadInspector; readonly framesMax: number; readonly waitMs: number },
  done: (stack: string) => void,
): void {
  const state = { isDone: false };
  const steps = {
    finish(stack: string): void {
      if (state.isDone) return;
      state.isDone = true;
      done(stack);
    },
    print(frames: readonly CallFrame[], urls: ReadonlyMap<string, string>): string {
      return frames
        .slice(0, framesMax)
        .map(({ functionName, url, location }) => {
          const file = (urls.get(location.scriptId) || url || "<anonymous>").replace(/^file:\/\//, "");
          const place = `${file}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`;
          return functionName === "" ? `    at ${place}` : `    at ${functionName} (${place})`;
        })
        .join("\n");
    },
  };
  setTimeout(steps.finish, waitMs, "");
  try {
    const { Session } = load("node:inspector");
    const session = new Session();
    const urls = new Map<string, string>();
    session.connectToMainThread();
    session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
    session.on("Debugger.paused", ({ params }) => {
      session.post("Debugger.resume");
      session.disconnect();
      steps.finish(steps.print(params.callFrames, urls));
    });
    session.post("Debugger.enable", () => session.post("Debugger.pause"));
    setTimeout(() => session.disconnect(), waitMs);
  } catch {
    steps.finish("");
  }
}
