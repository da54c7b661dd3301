import type { AnalysisPreview } from "@whence/protocol";
import type { JSX } from "react";
import { ExternalLink } from "../../../components/external-link.tsx";
import type { AttachedFile } from "../attached-files.ts";
import { missingFiles } from "../frames.ts";
import { readAs } from "../read-as.ts";
import styles from "./preview.module.css";
import { PreviewedError } from "./previewed-error.tsx";

const missingShown = 5;

export interface PreviewProps {
  readonly preview: AnalysisPreview;
  readonly files: readonly AttachedFile[];
}

/** What was recognized in a text, before anything is sent. */
export function Preview({ preview, files }: PreviewProps): JSX.Element {
  const byName = new Map(files.map((file) => [file.name, file]));
  const missing = missingFiles(preview, byName);
  const { exceptions, chosen, chosen_because: because, exceptions_total: total } = preview;
  const others = total - chosen;
  return (
    <div className={styles.preview}>
      <p role="status" className={styles.read}>
        {readAs(preview)}
      </p>
      {exceptions.slice(0, chosen).map((exception, index) => (
        <PreviewedError key={index} exception={exception} files={byName} />
      ))}
      {exceptions.length === 0 ? <p className={styles.headline}>{preview.headline}</p> : null}
      {others > 0 ? (
        <p className={styles.soft}>
          {others === 1 ? "One other error is" : `${others} other errors are`} in the text
          {because === null ? "." : `: this one was chosen because ${because}.`}
        </p>
      ) : null}
      {missing.length > 0 ? <Missing files={missing} /> : null}
      {preview.signatures.length > 0 ? <LooksLike signatures={preview.signatures} /> : null}
      {preview.unread.length > 0 ? (
        <div>
          <h3>Not read</h3>
          <ul className={styles.list}>
            {preview.unread.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  );
}

function Missing({ files }: { readonly files: readonly string[] }): JSX.Element {
  const more = files.length - missingShown;
  return (
    <div className={styles.hint}>
      <p>Attach these files so that the report can point to the line:</p>
      <ul className={styles.list}>
        {files.slice(0, missingShown).map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
        {more > 0 ? <li>and {more} more</li> : null}
      </ul>
    </div>
  );
}

function LooksLike({ signatures }: Pick<AnalysisPreview, "signatures">): JSX.Element {
  return (
    <div>
      <h3>Looks like</h3>
      <ul className={styles.list}>
        {signatures.map(({ id, meaning, url }) => (
          <li key={id}>
            {withCode(meaning)} <ExternalLink href={url}>{URL.parse(url)?.hostname ?? "source"}</ExternalLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Renders text between backticks as code. */
function withCode(sentence: string): readonly (string | JSX.Element)[] {
  return sentence.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
