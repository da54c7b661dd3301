import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type JSX, type KeyboardEvent, useId, useState } from "react";
import { Dialog } from "../components/dialog.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { paths } from "../config/paths.ts";
import { fewIncidentsQuery } from "../features/incidents/api/list-incidents.ts";
import { chooseTheme } from "../lib/theme.ts";
import { pageCommands } from "../lib/use-commands.ts";
import styles from "./command-palette.module.css";
import { navigation, settingsPages } from "./navigation.ts";
import { matchingCommands, nextPosition } from "./palette-commands.ts";

interface Command {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: IconName;
  readonly run: () => void;
}

const incidentsFound = 6;

export interface PaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Opens any page, does what the open page offers, and finds any incident from the keyboard. */
export function CommandPalette({ open, onOpenChange }: PaletteProps): JSX.Element {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Search or go to" titled={false}>
      <Palette close={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Palette({ close }: { readonly close: () => void }): JSX.Element {
  const listId = useId();
  const [text, setText] = useState("");
  const [position, setPosition] = useState(0);
  const commands = useCommands(text.trim());
  const active = Math.min(position, commands.length - 1);

  const run = (command: Command | undefined): void => {
    if (!command) return;
    close();
    // A frame later, once the closed dialog has returned the focus, which the command may move.
    requestAnimationFrame(() => command.run());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") run(commands[active]);
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setPosition(nextPosition(active, event.key, commands.length));
  };

  return (
    <div className={styles.palette}>
      <input
        role="combobox"
        aria-label="Search or go to"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={commands[active] ? `${listId}-${active}` : undefined}
        placeholder="Search for an incident, a page, or a command"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setPosition(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={listId} aria-label="Results">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus
          <div
            key={command.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => run(command)}
            onPointerMove={() => setPosition(index)}
          >
            <Icon name={command.icon} />
            <span className={styles.label}>{command.label}</span>
            <span className={styles.hint}>{command.hint}</span>
          </div>
        ))}
      </div>
      {commands.length === 0 ? <p className={styles.none}>No results</p> : null}
    </div>
  );
}

function useCommands(text: string): readonly Command[] {
  const navigate = useNavigate();
  const found = useQuery({
    ...fewIncidentsQuery({ search: text }, incidentsFound),
    enabled: text.length > 1,
    placeholderData: keepPreviousData,
  });
  const fixed: readonly Command[] = [
    ...pageCommands().map(({ key, label, icon, run }) => ({ id: `page ${key}`, label, hint: key, icon, run })),
    ...navigation.map(({ label, to, icon, keys }) => ({
      id: to,
      label,
      hint: keys,
      icon,
      run: () => void navigate({ to }),
    })),
    ...settingsPages.map(({ label, to }) => ({
      id: to,
      label,
      hint: "Settings",
      icon: "settings" as const,
      run: () => void navigate({ to }),
    })),
    { id: "light", label: "Appearance: light", hint: "", icon: "check", run: () => chooseTheme("light") },
    { id: "dark", label: "Appearance: dark", hint: "", icon: "check", run: () => chooseTheme("dark") },
    { id: "system", label: "Appearance: use system theme", hint: "", icon: "check", run: () => chooseTheme("system") },
  ];
  const incidents = text.length > 1 ? (found.data?.incidents ?? []) : [];
  return [
    ...matchingCommands(fixed, text),
    ...incidents.map(({ id, title, service }): Command => {
      const run = (): void => void navigate({ to: paths.incident, params: { id } });
      return { id, label: title, hint: service ?? "", icon: "incident", run };
    }),
  ];
}
