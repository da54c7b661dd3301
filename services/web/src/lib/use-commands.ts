import { type RefObject, useEffect, useRef } from "react";
import type { IconName } from "../components/icon.tsx";
import { useKeys } from "./use-keys.ts";

/** Something that the page offers: as a key, and in the command palette. */
export interface PageCommand {
  /** Pressed on the page. */
  readonly key: string;
  readonly label: string;
  readonly icon: IconName;
  readonly run: () => void;
}

const offered = new Set<RefObject<readonly PageCommand[]>>();

/** Offers commands by key and in the palette while the component is mounted. */
export function useCommands(commands: readonly PageCommand[]): void {
  const latest = useRef(commands);
  useKeys(Object.fromEntries(commands.map(({ key, run }) => [key, run])));
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    offered.add(latest);
    return () => void offered.delete(latest);
  }, []);
}

/** What the open page offers at this moment. */
export function pageCommands(): readonly PageCommand[] {
  return [...offered].flatMap(({ current }) => current);
}
