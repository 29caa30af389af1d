import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { CodeText } from "../code/code-text.js";
import { CopyButton } from "../code/copy-button.js";
import { DEEPEST, InlineView } from "./inline-view.js";

type BlockProps = { readonly token: Token; readonly depth: number };

/** Draws one block of Markdown with all that is inside. */
export function BlockView({ token, depth }: BlockProps): ReactNode {
  if (depth > DEEPEST) return <pre className="source">{token.raw}</pre>;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return <HeadingView token={token as Tokens.Heading} />;
    case "code":
      return <CodeView token={token as Tokens.Code} />;
    case "blockquote":
      return (
        <blockquote dir="auto">
          <Blocks tokens={(token as Tokens.Blockquote).tokens} depth={depth} />
        </blockquote>
      );
    case "list":
      return <ListView token={token as Tokens.List} depth={depth} />;
    case "table":
      return <TableView token={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "paragraph":
      return (
        <p>
          <InlineView tokens={(token as Tokens.Paragraph).tokens} depth={depth} />
        </p>
      );
    case "text":
      return <InlineView tokens={[token]} depth={depth} />;
    default:
      // HTML is text.
      return <p className="source">{token.raw}</p>;
  }
}

function Blocks({ tokens, depth }: { readonly tokens: readonly Token[]; readonly depth: number }): ReactNode {
  return tokens.map((token, index) => (
    <Fragment key={index}>
      <BlockView token={token} depth={depth + 1} />
    </Fragment>
  ));
}

/** The page itself uses the first two levels of headings. */
function HeadingView({ token }: { readonly token: Tokens.Heading }) {
  const Level = `h${Math.min(token.depth + 2, 6)}` as "h3";
  return (
    <Level>
      <InlineView tokens={token.tokens} depth={0} />
    </Level>
  );
}

function CodeView({ token: { text, lang } }: { readonly token: Tokens.Code }) {
  const language = /^[\w+#.-]{1,30}/.exec(lang ?? "")?.[0];
  return (
    <figure className="code">
      {language === undefined ? null : <figcaption>{language}</figcaption>}
      <CopyButton text={text} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>
          <CodeText text={text} language={language} />
        </code>
      </pre>
    </figure>
  );
}

function ListView({ token, depth }: { readonly token: Tokens.List; readonly depth: number }) {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task ? <input type="checkbox" checked={item.checked === true} readOnly disabled /> : null}
      <Blocks tokens={item.tokens} depth={depth} />
    </li>
  ));
  return token.ordered ? (
    <ol dir="auto" start={Number(token.start) || 1}>
      {items}
    </ol>
  ) : (
    <ul dir="auto">{items}</ul>
  );
}

function TableView({ token }: { readonly token: Tokens.Table }) {
  const row = (cells: readonly Tokens.TableCell[], Cell: "th" | "td") =>
    cells.map(({ tokens, align }, index) => (
      <Cell key={index} data-align={align ?? undefined}>
        <InlineView tokens={tokens} depth={0} />
      </Cell>
    ));
  return (
    <div className="table">
      <table dir="auto">
        <thead>
          <tr>{row(token.header, "th")}</tr>
        </thead>
        <tbody>
          {token.rows.map((cells, index) => (
            <tr key={index}>{row(cells, "td")}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
