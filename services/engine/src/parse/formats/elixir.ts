import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { addFrame, type Draft, extend, newDraft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import type { Stretch, TextFormat } from "../stretch.ts";

const header = /(?:^|\s|\()\*\* \(([A-Z][\w.]{1,200}|exit|EXIT from #PID<[\d.]{1,30}>|throw)\) ?(.*)$/;
const frameLine =
  /^\s+\(?(?:([a-z_][\w]{0,60})(?: [\w.+-]{1,60})?\) )?((?:[\w.-]{1,100}\/){0,30}[\w.-]{1,200}\.(?:exs?|erl|[lh]?eex)):(\d{1,9}): (.{1,1000})$/;
/** Libraries, whose files are in a `lib` folder as well. */
const libraries = new Set(
  "ecto ecto_sql phoenix phoenix_live_view phoenix_html plug plug_cowboy cowboy ranch bandit thousand_island postgrex db_connection absinthe oban tesla finch mint jason poison hackney httpoison broadway gen_stage swoosh telemetry ex_unit".split(
    " ",
  ),
);
/** Maximum lines of a message, including blank ones, between an error and its frames. */
const messageLinesMax = 12;

/** Elixir exceptions with stacktraces, including process crashes. */
export const elixirFormat: TextFormat = {
  name: "Elixir",
  language: "elixir",
  read(stretch) {
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length; index++) {
      const text = stretch.text(index);
      const found = text.includes("** (") ? header.exec(text) : null;
      if (found?.[1]) drafts.push(readError(stretch, index, found[1], found[2] ?? ""));
    }
    return drafts;
  },
};

function readError(stretch: Stretch, index: number, type: string, said: string): Draft {
  const draft = newDraft(type, said, stretch.span(index), {
    language: "elixir",
    fatal: text(stretch, index).startsWith("** (EXIT"),
  });
  const first = firstFrame(stretch, index + 1);
  stretch.take(index);
  if (first === null) return draft;
  draft.message = [said, ...Array.from({ length: first - index - 1 }, (_, line) => text(stretch, index + 1 + line))]
    .join("\n")
    .trim();
  let at = first;
  for (let frame = parseElixirFrame(stretch, at); frame; frame = parseElixirFrame(stretch, at)) {
    addFrame(draft, frame);
    at++;
  }
  extend(draft, stretch.span(index, at - 1));
  stretch.take(index, at - 1);
  return draft;
}

function firstFrame(stretch: Stretch, from: number): number | null {
  for (let at = from; at < from + messageLinesMax; at++) {
    if (parseElixirFrame(stretch, at)) return at;
    if (stretch.text(at).includes("** (")) return null;
  }
  return null;
}

function text(stretch: Stretch, index: number): string {
  return stretch.text(index).trim();
}

/** Parses a call as Elixir prints it; null for any other line. */
export function parseElixirFrame(stretch: Stretch, index: number): ParsedFrame | null {
  const found = frameLine.exec(stretch.text(index));
  if (!found?.[2]) return null;
  const [, app, file, line, name = null] = found;
  const isRuntime = app !== undefined && ["elixir", "stdlib", "kernel", "erts", "iex", "mix", "logger"].includes(app);
  const isLibrary = app !== undefined && (libraries.has(app) || !/^(?:lib|apps|test|web)\//.test(file ?? ""));
  return {
    // The code of a test has no name: `(test)`.
    function: name?.split("(", 1)[0] || null,
    file: file ?? null,
    line: Number(line) || null,
    column: null,
    origin: isRuntime ? "runtime" : isLibrary ? "dependency" : frameOrigin(file ?? null, "elixir"),
    async: false,
    printed: stretch.line(index)?.printed ?? null,
    context: null,
  };
}
