import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { toasts } from "../../../components/toasts.tsx";
import type { CodeOwner } from "../code-urls.ts";
import { SourcePlace } from "../components/source-place.tsx";
import styles from "./stack-trace.module.css";
import { frameGroups, type TraceError, type TraceFrame, traceText } from "./trace.ts";

/** Frames, and folded groups of them, that are shown before someone asks for all. */
const groupsShown = 6;

interface StackTraceProps extends CodeOwner {
  readonly errors: readonly TraceError[];
  /** As it came; made from the errors otherwise. */
  readonly text?: string;
}

/** A stack trace: each error with its frames, its causes below it; or the same as plain text. */
export function StackTrace({ errors, text, service, release = null }: StackTraceProps): JSX.Element {
  const [isRaw, setRaw] = useState(errors.length === 0);
  const plain = text ?? traceText(errors);
  const owner = { service, release };
  const copy = (): void => {
    navigator.clipboard.writeText(plain).then(
      () => toasts.add({ title: "Stack trace copied" }),
      () => toasts.add({ title: "Stack trace not copied", description: "The browser blocked it." }),
    );
  };
  return (
    <div className={styles.trace}>
      <div className={styles.tools}>
        {errors.length > 0 ? (
          <Button look="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            Raw text
          </Button>
        ) : null}
        <Button look="quiet" icon="copy" onClick={copy}>
          Copy
        </Button>
      </div>
      {isRaw ? (
        <CodeBlock code={plain} language="" label="Stack trace as text" />
      ) : (
        errors.map((error, index) => <ErrorFrames key={index} error={error} owner={owner} isFirst={index === 0} />)
      )}
    </div>
  );
}

interface ErrorFramesProps {
  readonly error: TraceError;
  readonly owner: CodeOwner;
  readonly isFirst: boolean;
}

function ErrorFrames({ error, owner, isFirst }: ErrorFramesProps): JSX.Element {
  const { title, relation, frames } = error;
  const [areAllShown, showAll] = useState(false);
  const groups = frameGroups(frames);
  const shown = areAllShown ? groups : groups.slice(0, groupsShown);
  const left = groups.slice(shown.length).reduce((sum, group) => sum + group.frames.length, 0);
  const firstOwn = frames.find(({ isOwn }) => isOwn);
  return (
    <section aria-label={title}>
      <p className={styles.title}>
        {relation === null ? null : <span className={styles.soft}>{relation} </span>}
        <code>{title}</code>
      </p>
      {frames.length === 0 ? <p className={styles.soft}>Without frames.</p> : null}
      <ol className={styles.frames}>
        {shown.map((group, index) => (
          <li key={index}>
            {group.isOwn ? (
              group.frames.map((frame) => (
                <OwnFrame key="own" frame={frame} owner={owner} isOpen={isFirst && frame === firstOwn} />
              ))
            ) : (
              <LibraryFrames frames={group.frames} />
            )}
          </li>
        ))}
      </ol>
      {left > 0 ? (
        <Button look="quiet" onClick={() => showAll(true)}>
          Show {left} more {left === 1 ? "frame" : "frames"}
        </Button>
      ) : null}
    </section>
  );
}

interface OwnFrameProps {
  readonly frame: TraceFrame;
  readonly owner: CodeOwner;
  /** Whether it is open at first. */
  readonly isOpen: boolean;
}

/** A frame of the organization's own code, with its source and variables where the event has them. */
function OwnFrame({ frame, owner, isOpen: isOpenAtFirst }: OwnFrameProps): JSX.Element {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const { source, variables, line, file } = frame;
  const names = Object.entries(variables);
  const head = <FrameHead frame={frame} owner={owner} />;
  if (source === null && names.length === 0) return <p className={styles.own}>{head}</p>;
  return (
    <details className={styles.frame} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={styles.own}>{head}</summary>
      {isOpen ? (
        <div className={styles.body}>
          {source === null ? null : (
            <CodeBlock
              code={source.lines.join("\n")}
              language={file ?? ""}
              firstLine={source.firstLine}
              marked={new Set(line === null ? [] : [line])}
              label={`Source of ${file ?? "the frame"}`}
            />
          )}
          {names.length > 0 ? (
            <dl className={styles.variables} aria-label="Local variables">
              {names.map(([name, value]) => (
                <div key={name}>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd>
                    <code>{JSON.stringify(value)}</code>
                  </dd>
                </div>
              ))}
            </dl>
          ) : null}
        </div>
      ) : null}
    </details>
  );
}

function FrameHead({ frame: { function: name, file, line }, owner }: Omit<OwnFrameProps, "isOpen">): JSX.Element {
  return (
    <>
      <strong>{name ?? "(anonymous)"}</strong>{" "}
      {file === null ? "unknown place" : <SourcePlace {...owner} location={{ file, line }} />}
    </>
  );
}

/** No service's own code. */
const packages: CodeOwner = { service: null };

function LibraryFrames({ frames }: { readonly frames: readonly TraceFrame[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={styles.library}>
        {frames.length} library {frames.length === 1 ? "frame" : "frames"}
      </summary>
      {isOpen ? (
        <ol className={styles.libraryFrames}>
          {frames.map((frame, index) => (
            <li key={index}>
              <FrameHead frame={frame} owner={packages} />
            </li>
          ))}
        </ol>
      ) : null}
    </details>
  );
}
