import { createHash } from "node:crypto";
import type { Debugger } from "node:inspector";
import type { OrderedPlace } from "@whence/protocol";
import { isInApp, toPath } from "../core/stack.ts";
import type { OwnInspector } from "../process/own-inspector.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { withTypes } from "./blanked-types.ts";

const typescript = /\.[cm]?ts$/;

/** A loaded script that is the file of places, in the version that they are in. */
export interface PlaceScript {
  readonly scriptId: string;
  readonly file: string;
  readonly lines: readonly string[];
}

/** The program's own files, by V8's script ids. */
export class LoadedScripts {
  readonly #paths = new Map<string, string>();
  /** What is in front of the names of an order's files. */
  #root = "";

  add({ scriptId, url }: Debugger.ScriptParsedEventDataType): void {
    const path = url === "" || this.#paths.size >= sdkLimits.watchScriptsMax ? undefined : toPath(url);
    if (path !== undefined && isInApp(path)) this.#paths.set(scriptId, path);
  }

  /** Returns a file by the name that an order would have for it; undefined when it isn't the program's own. */
  nameOf(scriptId: string): string | undefined {
    const path = this.#paths.get(scriptId);
    return path?.startsWith(this.#root) ? path.slice(this.#root.length) : path;
  }

  /** Returns the scripts of the places' files; of one that is loaded in another version, its name. */
  of(places: readonly OrderedPlace[], inspector: OwnInspector): { found: PlaceScript[]; other: string | undefined } {
    const found: PlaceScript[] = [];
    let other: string | undefined;
    for (const [scriptId, path] of this.#paths) {
      const own = places.filter(({ file }) => path === file || path.replaceAll("\\", "/").endsWith(`/${file}`));
      if (own.length === 0) continue;
      const answer = inspector.ask("Debugger.getScriptSource", { scriptId });
      const source = (answer as Debugger.GetScriptSourceReturnType).scriptSource;
      const text = typescript.test(path) ? withTypes(path, source) : source;
      // Of a text that isn't known, there is no digest that a place could have.
      const sha256 = text === undefined ? undefined : createHash("sha256").update(text).digest("hex");
      const exact = own.find((place) => place.sha256 === sha256);
      other ??= exact ? undefined : own[0]?.file;
      if (!exact) continue;
      this.#root = path.slice(0, path.length - exact.file.length);
      found.push({ scriptId, file: exact.file, lines: source.split("\n") });
    }
    return { found, other };
  }
}
