import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { Fragment, type JSX, type ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";
import { ExternalLink } from "./external-link.tsx";
import styles from "./markdown.module.css";

export interface MarkdownProps {
  readonly source: string;
  /** Renders plain text, for example to add links. */
  readonly renderText: (text: string) => ReactNode;
  /** Renders a code block; null for the default. */
  readonly renderCode?: (code: Tokens.Code) => ReactNode | null;
}

/**
 * Renders Markdown from outside: its HTML is shown as text, images become links, and unsupported tokens are shown as
 * written.
 */
export function Markdown({ source, renderText, renderCode }: MarkdownProps): JSX.Element {
  const context = { renderText, renderCode: renderCode ?? (() => null) };
  return <div className={styles.markdown}>{renderAll(Lexer.lex(source), context)}</div>;
}

type Context = Required<Omit<MarkdownProps, "source">>;

function renderAll(tokens: readonly Token[] | undefined, context: Context): ReactNode {
  return tokens?.map((token, index) => <Fragment key={index}>{render(known(token), context)}</Fragment>);
}

/** The lexer's own tokens; its other types are only for extensions, which aren't used here. */
function known(token: Token): MarkedToken {
  return token as MarkedToken;
}

function render(token: MarkedToken, context: Context): ReactNode {
  switch (token.type) {
    case "heading":
      // Levels 1 and 2 are the page's own headings.
      return token.depth < 3 ? (
        <h3>{renderAll(token.tokens, context)}</h3>
      ) : (
        <h4>{renderAll(token.tokens, context)}</h4>
      );
    case "paragraph":
      return <p>{renderAll(token.tokens, context)}</p>;
    case "list":
      return renderList(token, context);
    case "blockquote":
      return <blockquote>{renderAll(token.tokens, context)}</blockquote>;
    case "code":
      return context.renderCode(token) ?? <CodeBlock code={token.text} language={token.lang ?? ""} label="Code" />;
    case "table":
      return renderTable(token, context);
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    default:
      return renderInline(token, context);
  }
}

function renderInline(token: MarkedToken, context: Context): ReactNode {
  switch (token.type) {
    case "text":
      return "tokens" in token && token.tokens ? renderAll(token.tokens, context) : context.renderText(token.text);
    case "escape":
      return token.text;
    case "strong":
      return <strong>{renderAll(token.tokens, context)}</strong>;
    case "em":
      return <em>{renderAll(token.tokens, context)}</em>;
    case "del":
      return <del>{renderAll(token.tokens, context)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <ExternalLink href={token.href}>{renderAll(token.tokens, context)}</ExternalLink>;
    case "image":
      return <ExternalLink href={token.href}>{token.text || token.href}</ExternalLink>;
    default:
      return token.raw;
  }
}

function renderList(token: Tokens.List, context: Context): ReactNode {
  const items = token.items.map((item, index) => <li key={index}>{renderAll(item.tokens, context)}</li>);
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function renderTable(token: Tokens.Table, context: Context): ReactNode {
  const cells = (row: readonly Tokens.TableCell[], Cell: "th" | "td"): ReactNode =>
    row.map((cell, index) => <Cell key={index}>{renderAll(cell.tokens, context)}</Cell>);
  return (
    <table>
      <thead>
        <tr>{cells(token.header, "th")}</tr>
      </thead>
      <tbody>
        {token.rows.map((row, index) => (
          <tr key={index}>{cells(row, "td")}</tr>
        ))}
      </tbody>
    </table>
  );
}
