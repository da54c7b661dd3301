import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storedAs = "whence-theme";
const listeners = new Set<() => void>();

/** Returns the chosen theme; in a browser without storage, the system's. */
export function chosenTheme(): Theme {
  const stored = readStored();
  return themes.find((theme) => theme === stored) ?? "system";
}

/** Applies a theme and remembers it. */
export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(storedAs, theme);
  } catch {
    // Without storage, the theme lasts only for this page.
  }
  applyTheme(theme);
}

/** Applies a theme to the page. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Returns the chosen theme, and updates when it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readStored(): string | null {
  try {
    return localStorage.getItem(storedAs);
  } catch {
    return null;
  }
}
