import type { Line, Span } from "../../render/line.js";
import type { Style } from "../../render/style.js";
import { languageOf, loadStringStream, type Mode, modeOf } from "./language-modes.js";

/** Colours of the code of one message. Blocks are read once, in their order. */
export type Highlighter = ReturnType<typeof createHighlighter>;

/** Maximum length of a line with colours, in characters. Some parsers read a line once for each of its characters. */
const MAX_LINE = 500;
/** Maximum CPU time for a message in milliseconds: for its start, for each 1000 characters, and for all of it. */
const TIME = { start: 30, each: 3, most: 150 } as const;
/** Number of steps without progress after which a parser is stopped. */
const MAX_STUCK = 10;

/** Creates a {@link Highlighter}. A parser that needs too much time is stopped, and the rest of the message has no colours. */
export function createHighlighter() {
  let open: { readonly language: string; readonly mode: Mode; readonly state: unknown } | undefined;
  let spent = 0;
  let length = 0;
  return {
    /**
     * Returns the lines of a block of code with their colours. With `joined`, the block is the rest of the last block.
     * Returns `undefined` for unknown languages, and if the message took too long.
     */
    lines(text: string, info: string | undefined, joined: boolean): readonly Line[] | undefined {
      const language = languageOf(info);
      if (language === undefined || spent === Number.POSITIVE_INFINITY) return undefined;
      try {
        if (!joined || open?.language !== language) {
          const mode = modeOf(language);
          open = { language, mode, state: mode.startState?.(2) ?? {} };
        }
        const { mode, state } = open;
        loadStringStream();
        const start = cpuTime() - spent;
        const lines: Line[] = [];
        for (const line of text.split("\n")) {
          length += Math.min(line.length, MAX_LINE);
          lines.push(colouredLine(line, mode, state));
          spent = cpuTime() - start;
          if (spent > Math.min(TIME.most, TIME.start + (TIME.each * length) / 1000)) break;
        }
        const rest = text.split("\n").slice(lines.length);
        if (rest.length > 0) spent = Number.POSITIVE_INFINITY;
        return [...lines, ...rest.map((line): Line => [line])];
      } catch {
        // A parser with a defect must not end the conversation.
        spent = Number.POSITIVE_INFINITY;
        return undefined;
      }
    },
  };
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function colouredLine(line: string, mode: Mode, state: unknown): Line {
  if (line === "") {
    mode.blankLine?.(state, 2);
    return [line];
  }
  const StringStream = loadStringStream();
  // These characters do not end a line of code here, but parsers cannot read them inside a line. The parser of TOML
  // would never end.
  const stream = new StringStream(line.slice(0, MAX_LINE).replace(/[\r\u2028\u2029]/g, " "), 4, 2);
  const spans: { text: string; style: Style }[] = [];
  let stuck = 0;
  while (!stream.eol()) {
    stream.start = stream.pos;
    const style = styleOf(mode.token(stream, state));
    if (stream.pos <= stream.start) {
      stuck += 1;
      if (stuck > MAX_STUCK) break;
      continue;
    }
    stuck = 0;
    const text = line.slice(stream.start, stream.pos);
    const last = spans.at(-1);
    // The parts of one visible character stay together, so that the width of the line is right.
    if (last !== undefined && (last.style === style || !isBoundary(last.text, text))) last.text += text;
    else spans.push({ text, style });
  }
  const rest = line.slice(spans.reduce((sum, { text }) => sum + text.length, 0));
  return [...spans.map(({ text, style }): Span => [style, text]), rest].filter((span) => span !== "");
}

/** Returns `true` if the first character of a text cannot belong to the last character before it. */
function isBoundary(before: string, text: string): boolean {
  return before.charCodeAt(before.length - 1) < 0x300 && text.charCodeAt(0) < 0x80;
}

/** Names of tokens for each style. */
const tokens: Partial<Readonly<Record<Style, string>>> = {
  dim: "comment quote",
  magenta: "keyword modifier tagName tag",
  cyan: "builtin typeName type className attributeName attribute meta annotation propertyName",
  green: "string regexp link inserted",
  yellow: "number atom bool null",
  blue: "def definition",
  red: "deleted",
  bold: "heading",
};
const styles: ReadonlyMap<string, Style> = new Map(
  Object.entries(tokens).flatMap(([style, names]) => names.split(" ").map((name) => [name, style as Style])),
);

/** Returns the style of a token, such as `variableName.definition`. */
function styleOf(token: string | null): Style {
  const known = (token ?? "").split(/[ .]/).find((name) => styles.has(name));
  return styles.get(known ?? "") ?? "plain";
}
