import type { ParsedError, ParsedException, ParsedFrame } from "../../src/findings/parsed-error.ts";
import type { Alert } from "../../src/signals/inputs/alert.ts";
import type { LogRecord } from "../../src/signals/inputs/record.ts";

/** What was read, in the form of a fixture's JSON: what is not said or is as usual is left out. */
export function describeParsed(parsed: ParsedError): object {
  const { exceptions, chain, chosenBecause, headline, unread, alert, records } = parsed;
  return {
    chain,
    ...(chosenBecause === null ? {} : { because: chosenBecause }),
    ...(exceptions.length === 0 ? { headline } : {}),
    ...(unread.length > 0 ? { unread } : {}),
    ...(alert ? { alert: describeAlert(alert) } : {}),
    exceptions: exceptions.map(describeException),
    ...(records.length > 0 ? { records: records.map(describeRecord) } : {}),
  };
}

function describeException(exception: ParsedException): object {
  const { type, message, properties, frames, parent, relation, throwSite, fatal, language, level, repeats } = exception;
  return {
    type,
    message,
    ...(language === null ? {} : { language }),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(parent === null ? {} : { parent, relation }),
    ...(throwSite ? { thrown_at: `${throwSite.file}:${throwSite.line}:${throwSite.column}` } : {}),
    ...(fatal ? { fatal } : {}),
    ...(level === null ? {} : { level }),
    ...(repeats === 1 ? {} : { repeats }),
    frames: frames.map(describeFrame),
  };
}

function describeFrame({ function: name, file, line, column, origin, async: isAsync }: ParsedFrame): string {
  const place = file === null ? "?" : [file, line, column].filter((part) => part !== null).join(":");
  return `${isAsync ? "async " : ""}${name ?? "?"} ${place} (${origin})`;
}

function describeRecord({ at, level, logger, message, fields }: LogRecord): object {
  return {
    ...(at === null ? {} : { at }),
    ...(level === null ? {} : { level }),
    ...(logger === null ? {} : { logger }),
    message,
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
  };
}

function describeAlert({ source: _, printed: __, ...alert }: Alert): object {
  return alert;
}
