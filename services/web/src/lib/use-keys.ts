import { useEffect, useRef } from "react";
import { keySequence, type PressedKey } from "./key-sequence.ts";

/** Actions by key, or by a sequence such as `g i`. `mod+k` is ⌘K or Ctrl-K, and also works inside fields. */
export type KeyMap = Readonly<Record<string, () => void>>;

/** Listens while the component is mounted. Keys are ignored in fields other than checkboxes, and behind a dialog. */
export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let before: PressedKey | null = null;
    const onKeyDown = (event: KeyboardEvent): void => {
      const name = nameOf(event);
      if (name === null) return;
      const pressed = { name, at: event.timeStamp };
      const action = latest.current[keySequence(before, pressed)];
      before = pressed;
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Null for keys that aren't handled: those with modifiers, and those that type text or belong to a dialog. */
function nameOf(event: KeyboardEvent): string | null {
  const isMod = event.metaKey || event.ctrlKey;
  if (isMod && event.key.toLowerCase() === "k") return "mod+k";
  if (isMod || event.altKey || event.defaultPrevented) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]"))
    return null;
  if (event.key === "Enter" && target?.closest("a, button, summary")) return null;
  return event.key;
}
