import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { withoutEntities } from "./entities.js";
import { safeAddress } from "./safe-address.js";

/** Levels of nesting that are drawn. Deeper levels are shown as source text. */
export const DEEPEST = 24;

type InlineProps = { readonly tokens: readonly Token[] | undefined; readonly depth: number };

/** Draws the inside of a paragraph, heading or cell. */
export function InlineView({ tokens = [], depth }: InlineProps): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{drawn(token, depth + 1)}</Fragment>);
}

function drawn(token: Token, depth: number): ReactNode {
  if (depth > DEEPEST) return token.raw;
  const inside = <InlineView tokens={(token as Tokens.Generic).tokens} depth={depth} />;
  switch (token.type) {
    case "strong":
      return <strong>{inside}</strong>;
    case "em":
      return <em>{inside}</em>;
    case "del":
      return <del>{inside}</del>;
    case "codespan":
      // With a direction of its own, it does not choose that of its paragraph.
      return <code dir="ltr">{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "escape":
      return (token as Tokens.Escape).text;
    case "link":
      return <LinkView token={token as Tokens.Link}>{inside}</LinkView>;
    case "image":
      return <ImageLink token={token as Tokens.Image} />;
    case "text":
      return (token as Tokens.Text).tokens ? inside : withoutEntities((token as Tokens.Text).text);
    default:
      // HTML, and token types of later versions of the parser.
      return token.raw;
  }
}

function LinkView({ token, children }: { readonly token: Tokens.Link; readonly children: ReactNode }) {
  const address = safeAddress(withoutEntities(token.href));
  // A link to a file of the project, or with a scheme that could run something, is shown as source text with its
  // address.
  if (address === undefined) return <span title={token.href}>{children}</span>;
  return (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Pictures of other servers are never loaded, because those servers would learn what is read here. */
function ImageLink({ token }: { readonly token: Tokens.Image }) {
  const label = `[image: ${withoutEntities(token.text) || token.href.slice(0, 80)}]`;
  const address = safeAddress(withoutEntities(token.href));
  if (address === undefined) return label;
  return (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
      {label}
    </a>
  );
}
