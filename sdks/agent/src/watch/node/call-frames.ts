import type { Debugger } from "node:inspector";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { OwnRegExp } from "./own-reg-exp.ts";

const afterPath = new OwnRegExp("[?#].*$");

/** Whether a function begins where its script does. */
export function isStart({ lineNumber, columnNumber }: Debugger.Location): boolean {
  return lineNumber === 0 && columnNumber === 0;
}

/** Whether a call is that of a module. */
export function isModule({ functionLocation }: Debugger.CallFrame): boolean {
  return functionLocation === undefined || isStart(functionLocation);
}

/** Returns the path of a script; null when it is no file, as with `data:` and `node:` URLs. */
export function pathOf(url: string): string | null {
  if (url === "" || url.startsWith("node:")) return null;
  const path = url.replace(afterPath, "");
  try {
    const file = path.startsWith("file:") ? fileURLToPath(path) : path;
    return isAbsolute(file) ? file : null;
  } catch {
    return null;
  }
}
