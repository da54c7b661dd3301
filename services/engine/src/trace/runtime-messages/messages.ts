import type { Dialect } from "../dialects.ts";
import type { RuntimeMessage } from "../throw-site.ts";
import { goMessages } from "./go.ts";
import { javaMessages } from "./java.ts";
import { javascriptMessages } from "./javascript.ts";
import { pythonMessages } from "./python.ts";
import { rubyMessages } from "./ruby.ts";

const messages: Readonly<Record<Dialect["name"], readonly RuntimeMessage[]>> = {
  javascript: javascriptMessages,
  python: pythonMessages,
  go: goMessages,
  java: javaMessages,
  ruby: rubyMessages,
};

/** What the runtime of a language says when it raises. */
export function messagesOf({ name }: Dialect): readonly RuntimeMessage[] {
  return messages[name];
}
