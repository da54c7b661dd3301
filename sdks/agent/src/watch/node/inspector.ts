import { type Debugger, type Runtime, Session } from "node:inspector";

/** The property in which V8 finds a function while {@link Inspector.idOf} asks for its id. */
const handover = Symbol.for("whence.watch");

/** An inspector session of this thread with itself: V8 answers before a call returns, and no port is opened. */
export class Inspector {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
  }

  onScript(listener: (script: Debugger.ScriptParsedEventDataType) => void): void {
    this.#session.on("Debugger.scriptParsed", ({ params }) => listener(params));
  }

  /** Sets the listener for pauses. The program resumes when it returns. */
  onPause(listener: (pause: Debugger.PausedEventDataType) => void): void {
    this.#session.on("Debugger.paused", ({ params }) => {
      listener(params);
      // V8 keeps these objects alive until a session resumes the program.
      this.#session.post("Runtime.releaseObjectGroup", { objectGroup: "backtrace" });
    });
  }

  /** Sends a command and returns the answer; null when V8 rejects it. */
  ask<Answer>(method: string, params: object = {}): Answer | null {
    let answer: Answer | null = null;
    this.#session.post(method, params, (error: Error | null, result: unknown) => {
      answer = error ? null : (result as Answer);
    });
    return answer;
  }

  /** Returns V8's id of a function. */
  idOf(named: (...args: never[]) => unknown): string | undefined {
    Object.defineProperty(globalThis, handover, { value: named, configurable: true });
    const expression = `globalThis[Symbol.for(${JSON.stringify(Symbol.keyFor(handover))})]`;
    const answer = this.ask<Runtime.EvaluateReturnType>("Runtime.evaluate", { expression });
    Reflect.deleteProperty(globalThis, handover);
    return answer?.result.objectId;
  }

  close(): void {
    this.#session.disconnect();
  }
}
