import { type JSX, type KeyboardEvent, type ReactNode, useId } from "react";
import styles from "./tabs.module.css";

export interface TabsProps<Name extends string> {
  /** What the tabs are parts of, for screen readers. */
  readonly label: string;
  /** The name and the text of each. */
  readonly tabs: readonly (readonly [Name, string])[];
  readonly open: Name;
  readonly onOpen: (name: Name) => void;
  /** The panel of the open tab. */
  readonly children: ReactNode;
}

/** Parts, one shown at a time. Tab reaches the open one; the arrow keys, Home, and End open the others. */
export function Tabs<Name extends string>({ label, tabs, open, onOpen, children }: TabsProps<Name>): JSX.Element {
  const id = useId();
  const go = (event: KeyboardEvent<HTMLElement>): void => {
    // Alt or Cmd with an arrow key is the browser's.
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const names = tabs.map(([name]) => name);
    const next = names[nextIndex(event.key, names.indexOf(open), names.length)];
    if (next === undefined) return;
    event.preventDefault();
    onOpen(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div>
      <div role="tablist" aria-label={label} className={styles.tabs} onKeyDown={go}>
        {tabs.map(([name, text]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            className={styles.tab}
            aria-selected={name === open}
            aria-controls={name === open ? `${id}-panel` : undefined}
            tabIndex={name === open ? 0 : -1}
            onClick={() => onOpen(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div key={open} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open}`} className={styles.panel}>
        {children}
      </div>
    </div>
  );
}

/** The tab that a key leads to, -1 for a key that leads to none. The first follows the last. */
function nextIndex(key: string, index: number, count: number): number {
  switch (key) {
    case "ArrowRight":
      return (index + 1) % count;
    case "ArrowLeft":
      return (index + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return -1;
  }
}
