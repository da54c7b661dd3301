import type { JSX } from "react";
import { Dialog } from "../components/dialog.tsx";
import styles from "./keyboard-help.module.css";
import { navigation } from "./navigation.ts";

const groups: readonly { readonly name: string; readonly keys: readonly (readonly [string, string])[] }[] = [
  {
    name: "Everywhere",
    keys: [
      ["⌘ K", "Search, go to a page, or act on the open incident (Ctrl K)"],
      ["?", "This list"],
      ...navigation.map(({ keys, label }) => [keys, label] as const),
    ],
  },
  {
    name: "In a list",
    keys: [
      ["j", "Next"],
      ["k", "Previous"],
      ["Enter", "Open (or o)"],
      ["/", "Search the list"],
      ["v", "Save or delete views"],
      ["x", "Select an incident; then e, m, and t act on all selected, and Escape clears"],
    ],
  },
  {
    name: "On an incident",
    keys: [
      ["j", "Next evidence"],
      ["k", "Previous"],
      ["e", "Resolve"],
      ["m", "Mute"],
      ["r", "Reopen"],
      ["t", "Take"],
      ["h", "Hand over"],
      ["a", "Acknowledge"],
      ["c", "Comment"],
      ["w", "Watch in production"],
      ["s", "Share"],
      ["y", "Copy report as Markdown"],
      ["u", "Back to incidents"],
    ],
  },
];

/** The list of keyboard shortcuts. */
export function KeyboardHelp(props: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}): JSX.Element {
  return (
    <Dialog {...props} title="Keyboard shortcuts">
      <div className={styles.groups}>
        {groups.map(({ name, keys }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    {key.split(" ").map((part) => (
                      <kbd key={part}>{part}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
