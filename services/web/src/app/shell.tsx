import { onlineManager } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { type JSX, Suspense, useState, useSyncExternalStore } from "react";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { lazyPart } from "../components/lazy-part.tsx";
import { Mark } from "../components/mark.tsx";
import hidden from "../components/visually-hidden.module.css";
import { paths } from "../config/paths.ts";
import { OrganizationGate } from "../features/session/components/organization-gate.tsx";
import { useKeys } from "../lib/use-keys.ts";
import { AccountButton } from "./account-button.tsx";
import { navigation } from "./navigation.ts";
import styles from "./shell.module.css";

// Menus and dialogs load after the page, which is readable without them.
const CommandPalette = lazyPart(async () => ({ default: (await import("./command-palette.tsx")).CommandPalette }));
const KeyboardHelp = lazyPart(async () => ({ default: (await import("./keyboard-help.tsx")).KeyboardHelp }));

/** The frame around every page of a signed-in person. */
export function Shell(): JSX.Element {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"palette" | "help" | null>(null);
  useKeys({
    "mod+k": () => setOpen("palette"),
    "?": () => setOpen("help"),
    ...Object.fromEntries(navigation.map(({ keys, to }) => [keys, () => void navigate({ to })])),
  });
  const closing = (isOpen: boolean): void => {
    if (!isOpen) setOpen(null);
  };
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.bar}>
        <Link to={paths.incidents} className={styles.brand}>
          <Mark />
          Whence
        </Link>
        <button type="button" className={styles.search} onClick={() => setOpen("palette")}>
          <Icon name="search" />
          <span>Search or go to…</span>
          <kbd>⌘K</kbd>
        </button>
        <nav aria-label="Pages" className={styles.nav}>
          {navigation.map(({ label, to, icon }) => (
            <Link key={to} to={to} className={styles.entry} activeProps={{ "aria-current": "page" }}>
              <Icon name={icon} />
              {label}
            </Link>
          ))}
        </nav>
        <div className={styles.foot}>
          <Button look="quiet" icon="keyboard" aria-label="Keyboard shortcuts" onClick={() => setOpen("help")} />
          <AccountButton />
        </div>
      </header>
      <main id="content" tabIndex={-1} className={styles.content}>
        <Offline />
        <OrganizationGate>
          <Outlet />
        </OrganizationGate>
      </main>
      <Suspense>
        {open === "palette" ? <CommandPalette open onOpenChange={closing} /> : null}
        {open === "help" ? <KeyboardHelp open onOpenChange={closing} /> : null}
      </Suspense>
    </div>
  );
}

function Offline(): JSX.Element {
  const isOnline = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  );
  return (
    <div role="status" className={isOnline ? hidden.hidden : styles.offline}>
      {isOnline ? "" : "You're offline. This page may be out of date; it updates when the connection is back."}
    </div>
  );
}
