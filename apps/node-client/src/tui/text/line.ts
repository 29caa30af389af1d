import stringWidth from "string-width";
import type { Paint, Style } from "../../render/style.js";
import { showControls } from "../../sanitise.js";

/** A piece of a line: plain text, or text in one style or several. */
export type Span = string | readonly [style: Style | readonly Style[], text: string];

/** One line of the screen, or one that has still to be wrapped. */
export type Line = readonly Span[];

const TAB = "    ";
const ASCII = /^[\x20-\x7e]*$/;

/** The text of a span, harmless: whatever comes from an agent can move no cursor and end no line. */
export function textOf(span: Span): string {
  const text = typeof span === "string" ? span : span[1];
  return ASCII.test(text) ? text : showControls(text).replaceAll("\n", "␊").replaceAll("\t", TAB);
}

/** How many columns a text takes. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** How many columns a line takes. */
export function lineWidth(line: Line): number {
  return line.reduce((width, span) => width + widthOf(textOf(span)), 0);
}

/** The same text in other styles. */
export function restyled(span: Span, text: string): Span {
  return typeof span === "string" ? text : [span[0], text];
}

/** A span with one more style. */
export function withStyle(span: Span, style: Style): Span {
  if (typeof span === "string") return [style, span];
  return [[...(typeof span[0] === "string" ? [span[0]] : span[0]), style], span[1]];
}

/** A line as text with control sequences for its styles. All text passes {@link textOf} here, so none can forget to. */
export function paintLine(line: Line, paint: Paint): string {
  return line
    .map((span) => {
      const text = textOf(span);
      if (typeof span === "string" || text === "") return text;
      const styles = typeof span[0] === "string" ? [span[0]] : span[0];
      return styles.reduce((painted, style) => paint(style, painted), text);
    })
    .join("");
}

/** A line without its styles. */
export function plainText(line: Line): string {
  return line.map(textOf).join("");
}
