import { runInNewContext } from "node:vm";

/** The constructor of regular expressions whose matches leave the program's `RegExp.$1` and the like as they are. */
export const OwnRegExp: RegExpConstructor = runInNewContext("RegExp");
