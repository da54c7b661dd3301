import type { Debugger, Session } from "node:inspector";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { readProperty } from "../runtime/read-property.ts";

/** Where V8 finds a function while {@link OwnInspector.idOf} asks for its id. */
const handover = "whence.handover";

/** An inspector session of this thread with itself: V8 answers before a call returns, and nothing listens on a port. */
export class OwnInspector {
  readonly #session: Session;

  /** Throws where Node was built without the inspector, or isn't permitted to use it. */
  constructor() {
    const { Session: InspectorSession }: typeof import("node:inspector") = loadBuiltin("node:inspector");
    this.#session = new InspectorSession();
    this.#session.connect();
  }

  onScript(listener: (script: Debugger.ScriptParsedEventDataType) => void): void {
    this.#session.on("Debugger.scriptParsed", ({ params }) => listener(params));
  }

  /** The program goes on when the listener has returned. */
  onPause(listener: (pause: Debugger.PausedEventDataType) => void): void {
    this.#session.on("Debugger.paused", ({ params }) => {
      listener(params);
      // V8 keeps all of it alive until a session resumes the program, which could be what another one has paused.
      this.#session.post("Runtime.releaseObjectGroup", { objectGroup: "backtrace" });
    });
  }

  /** Throws what V8 refuses. */
  ask(method: string, params: object = {}): unknown {
    const answered: { error?: Error | null; result?: object | undefined } = {};
    this.#session.post(method, params, (error, result) => Object.assign(answered, { error, result }));
    if (answered.error) throw answered.error;
    return answered.result;
  }

  /** Returns the id by which V8 knows a function. */
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
