import { useSyncExternalStore } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storedAs = "whence-theme";
const listeners = new Set<() => void>();

/** What was chosen; a browser that keeps nothing follows the system. */
export function chosenTheme(): Theme {
  const stored = readStored();
  return themes.find((theme) => theme === stored) ?? "system";
}

/** Shows the page in it, and remembers it. */
export function chooseTheme(theme: Theme): void {
  try {
    localStorage.setItem(storedAs, theme);
  } catch {
    // Kept for this page alone where a browser stores nothing.
  }
  applyTheme(theme);
}

/** Shows the page in the theme. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** The chosen theme, as it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}

const darkSystem = "(prefers-color-scheme: dark)";

/** Whether the page is dark now, by choice or by the system. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribeToSystem, isDark);
}

function isDark(): boolean {
  const theme = chosenTheme();
  return theme === "system" ? window.matchMedia(darkSystem).matches : theme === "dark";
}

function subscribeToSystem(listener: () => void): () => void {
  const media = window.matchMedia(darkSystem);
  media.addEventListener("change", listener);
  const unsubscribe = subscribe(listener);
  return () => {
    media.removeEventListener("change", listener);
    unsubscribe();
  };
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
