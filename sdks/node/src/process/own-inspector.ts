import type { Debugger, Session } from "node:inspector";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { readProperty } from "../runtime/read-property.ts";

/** The property in which V8 finds a function while {@link OwnInspector.idOf} asks for its id. */
const handover = "whence.handover";

/** An inspector session of this thread with itself: V8 answers before a call returns, and no port is opened. */
export class OwnInspector {
  readonly #session: Session;

  /** Throws when Node was built without the inspector, or isn't permitted to use it. */
  constructor() {
    const { Session: InspectorSession }: typeof import("node:inspector") = loadBuiltin("node:inspector");
    this.#session = new InspectorSession();
    this.#session.connect();
  }

  onScript(listener: (script: Debugger.ScriptParsedEventDataType) => void): void {
    this.#session.on("Debugger.scriptParsed", ({ params }) => listener(params));
  }

  /** Sets the listener for pauses. The program resumes when it returns. */
  onPause(listener: (pause: Debugger.PausedEventDataType) => void): void {
    this.#session.on("Debugger.paused", ({ params }) => {
      listener(params);
      // V8 keeps these objects alive until a session resumes the program, which would also end another session's pause.
      this.#session.post("Runtime.releaseObjectGroup", { objectGroup: "backtrace" });
    });
  }

  /** Sends a command; throws if V8 rejects it. */
  ask(method: string, params: object = {}): unknown {
    const answered: { error?: Error | null; result?: object | undefined } = {};
    this.#session.post(method, params, (error, result) => Object.assign(answered, { error, result }));
    if (answered.error) throw answered.error;
    return answered.result;
  }

  /** Returns V8's id of a function. */
  idOf(named: (...args: never[]) => unknown): string {
    const key = Symbol.for(handover);
    Object.defineProperty(globalThis, key, { value: named, configurable: true });
    const answer = this.ask("Runtime.evaluate", { expression: `globalThis[Symbol.for("${handover}")]` });
    Reflect.deleteProperty(globalThis, key);
    const id = readProperty(readProperty(answer, "result"), "objectId");
    // In a context of `node:vm`, V8 looks in another realm.
    if (typeof id !== "string") throw new Error("V8 doesn't know this realm");
    return id;
  }

  close(): void {
    this.#session.disconnect();
  }
}
