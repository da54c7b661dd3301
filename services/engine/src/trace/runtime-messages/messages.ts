import type { Dialect } from "../dialects.ts";
import type { RuntimeMessage } from "../throw-site.ts";
import { javascriptMessages } from "./javascript.ts";

const messages: Readonly<Record<Dialect["name"], readonly RuntimeMessage[]>> = {
  javascript: javascriptMessages,
  python: [],
  go: [],
  java: [],
  ruby: [],
};

/** What the runtime of a language says when it raises. */
export function messagesOf({ name }: Dialect): readonly RuntimeMessage[] {
  return messages[name];
}
