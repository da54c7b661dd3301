import type { PreviewedException, PreviewedFrame } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import type { AttachedFile } from "../attached-files.ts";
import { matchFrame } from "../frames.ts";
import styles from "./previewed-error.module.css";

const framesShown = 6;

const relationWords: Readonly<Record<NonNullable<PreviewedException["relation"]>, string>> = {
  cause: "caused by",
  aggregated: "one of several",
  context: "raised while handling",
  suppressed: "suppressed",
};

export interface PreviewedErrorProps {
  readonly exception: PreviewedException;
  readonly files: ReadonlyMap<string, AttachedFile>;
}

/** One error as recognized, with its frames. */
export function PreviewedError({ exception, files }: PreviewedErrorProps): JSX.Element {
  const { type, message, relation, repeats, frames, frames_total: total } = exception;
  const [areAllShown, showAll] = useState(false);
  const shown = areAllShown ? frames : frames.slice(0, framesShown);
  return (
    <div className={styles.error}>
      <p className={styles.title}>
        {relation === null ? null : <span className={styles.soft}>{relationWords[relation]} </span>}
        <strong>{type}</strong>
        {message === "" ? null : `: ${message}`}
        {repeats > 1 ? <span className={styles.soft}> ({repeats} times)</span> : null}
      </p>
      {shown.length > 0 ? (
        <ol className={styles.frames} aria-label={`Frames of ${type}`}>
          {shown.map((frame, index) => (
            <Frame key={index} frame={frame} files={files} />
          ))}
        </ol>
      ) : null}
      {!areAllShown && frames.length > framesShown ? (
        <Button look="quiet" onClick={() => showAll(true)}>
          Show {frames.length - framesShown} more of {total} frames
        </Button>
      ) : null}
    </div>
  );
}

function Frame({ frame, files }: { readonly frame: PreviewedFrame } & Pick<PreviewedErrorProps, "files">): JSX.Element {
  const match = matchFrame(frame, files);
  const place = [frame.file ?? "unknown", frame.line].filter((part) => part !== null).join(":");
  return (
    <li data-match={match.kind}>
      <span className={styles.function}>{frame.function ?? "(anonymous)"}</span>
      <span className={styles.place}>{place}</span>
      {frame.generated === null ? null : (
        <span className={styles.generated}>
          compiled: {frame.generated.file}:{frame.generated.line}
        </span>
      )}
      {match.kind === "attached" ? (
        <span className={styles.attached}>
          <Icon name="check" size={12} /> in {match.name}
        </span>
      ) : null}
      {match.kind === "too-short" ? (
        <span className={styles.short}>
          {match.name} has no line {frame.line}. It may be another version.
        </span>
      ) : null}
    </li>
  );
}
