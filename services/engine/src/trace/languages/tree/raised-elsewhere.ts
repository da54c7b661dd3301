import type { Clue, LocatedFrame, ParsedError } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import { type CodeNode, walk } from "./code-node.ts";
import { isTemplate, stringText } from "./expressions.ts";
import type { CodeProgram } from "./program.ts";
import type { CodePrograms } from "./programs.ts";
import { raisedBy } from "./throw-site.ts";
import { Trace } from "./trace.ts";
import { placeAt } from "./trace-log.ts";

/** Letters that a message and the text in the code have to share: fewer are shared by chance. */
const sharedUnitsMin = 8;
const sitesMax = 3;
const messageUnitsMax = 2_000;

/**
 * Where the code makes an error of this message, when that place is on no stack: errors that are returned, logged, or
 * raised in another thread lose it.
 */
export function raisedElsewhere(programs: CodePrograms, error: ParsedError, frames: readonly LocatedFrame[]): Clue[] {
  const said = error.chain.flatMap((index) => error.exceptions[index]?.message ?? []);
  const messages = (said.length > 0 ? said : [error.headline]).map((text) => text.slice(0, messageUnitsMax));
  const sites = programs
    .own()
    .flatMap((program) => program.raises.map((node) => ({ program, node })))
    .filter(({ program, node }) => !isOnStack(program, node, frames))
    .map((site) => ({
      ...site,
      shared: Math.max(...messages.map((message) => sharedUnits(site.program, site.node, message))),
    }))
    .filter(({ shared }) => shared >= sharedUnitsMin)
    .sort((left, right) => right.shared - left.shared);
  return sites.slice(0, sitesMax).flatMap(({ program, node }) => cluesAt(programs, program, node));
}

function isOnStack(program: CodeProgram, node: CodeNode, frames: readonly LocatedFrame[]): boolean {
  const { source } = program;
  const [from, to] = [source.lineAt(node.start), source.lineAt(node.end)];
  return frames.some(({ place }) => place?.source === source && place.line >= from && place.line <= to);
}

function cluesAt(programs: CodePrograms, program: CodeProgram, node: CodeNode): Clue[] {
  const { says, subjects } = raisedBy(program, node);
  const place = placeAt(program, node);
  const own: Clue = {
    kind: "thrown-by-code",
    place,
    subject: inlineCode(place.file),
    says,
    steps: 0,
    how: null,
    isEnd: false,
  };
  const trails = subjects.flatMap((subject) =>
    new Trace(programs, []).follow({
      program,
      node: subject.node,
      frame: null,
      path: [],
      wanted: subject.wanted,
      via: null,
    }),
  );
  return [own, ...trails];
}

/** How many letters of the message the texts of a raise account for; 0 when one of them is not in it, in their order. */
function sharedUnits(program: CodeProgram, raise: CodeNode, message: string): number {
  let shared = 0;
  let from = 0;
  for (const piece of piecesOf(program, raise)) {
    const at = message.indexOf(piece, from);
    if (at < 0) return 0;
    shared += piece.trim().length;
    from = at + piece.length;
  }
  return shared;
}

const piecesMax = 12;
/** Nodes of a raise that are looked at for texts. */
const raiseNodesMax = 200;

/** What a message always says, between what is put into it. */
function piecesOf({ source }: CodeProgram, raise: CodeNode): string[] {
  const pieces: string[] = [];
  for (const node of walk(raise, raiseNodesMax)) {
    if (pieces.length >= piecesMax) break;
    if (node.kind !== "string") continue;
    const texts = isTemplate(node)
      ? contentsOf(node).map((one) => source.text.slice(one.start, one.end))
      : [stringText(node, source)];
    pieces.push(...texts.flatMap((text) => text.split(placeholder)).filter((text) => text.trim().length > 1));
  }
  return pieces;
}

function contentsOf(node: CodeNode): readonly CodeNode[] {
  return node.children.filter(({ type }) => type === "string_content");
}

/** `%s`, `%-5d`, `{}`, `{name}`, `%{name}` */
const placeholder = /%[-+# 0-9.]{0,8}[a-zA-Z]|%?\{[^{}]{0,40}\}/;
