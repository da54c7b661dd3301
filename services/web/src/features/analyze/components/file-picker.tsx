import { limits } from "@whence/protocol";
import { type JSX, useEffect, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { sizeName } from "../../../lib/size-name.ts";
import type { AttachedFile } from "../attached-files.ts";
import styles from "./file-picker.module.css";

export interface FilePickerProps {
  readonly files: readonly AttachedFile[];
  /** Why files were rejected, one line each. */
  readonly refused: readonly string[];
  readonly onAdd: (chosen: readonly File[]) => void;
  readonly onRemove: (name: string) => void;
}

/** Files to send with the text, chosen or dropped anywhere on the page. */
export function FilePicker({ files, refused, onAdd, onRemove }: FilePickerProps): JSX.Element {
  const inputRef = useRef<HTMLInputElement>(null);
  const isOver = useDrop(onAdd);
  return (
    <section className={styles.picker} aria-label="Files" data-over={isOver || undefined}>
      <div className={styles.head}>
        <p>
          <strong>Source files</strong> <span className={styles.soft}>that the error names (optional)</span>
        </p>
        <Button onClick={() => inputRef.current?.click()}>Choose files</Button>
        <input
          ref={inputRef}
          type="file"
          multiple
          hidden
          data-files
          onChange={({ currentTarget }) => {
            onAdd([...(currentTarget.files ?? [])]);
            // Choosing the same file again must fire a change event.
            currentTarget.value = "";
          }}
        />
      </div>
      {files.length === 0 ? null : (
        <ul className={styles.files}>
          {files.map(({ name, bytes }) => (
            <li key={name}>
              <span className={styles.name}>{name}</span>
              <span className={styles.soft}>{sizeName(bytes)}</span>
              <Button look="quiet" icon="close" aria-label={`Remove ${name}`} onClick={() => onRemove(name)} />
            </li>
          ))}
        </ul>
      )}
      {refused.length === 0 ? null : (
        <ul role="alert" className={styles.refused}>
          {refused.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <p className={styles.soft}>
        {isOver
          ? "Drop to add them."
          : `Or drop files here: up to ${limits.filesMax}, each up to ${sizeName(limits.fileContentBytesMax)}.`}
      </p>
    </section>
  );
}

/** Accepts files dropped anywhere in the window; next to a smaller target, the browser would open them instead. */
function useDrop(onDrop: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onDrop);
  useEffect(() => {
    latest.current = onDrop;
  });
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return isOver;
}
