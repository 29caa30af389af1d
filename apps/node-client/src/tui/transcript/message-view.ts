import type { MessageEntry } from "@turnkit/session";
import type { Token, Tokens } from "marked";
import { blockText } from "../../render/content-block.js";
import type { FileLinks } from "../../render/file-links.js";
import { inStyle, type Line } from "../../render/line.js";
import { wrapText } from "../../render/wrap.js";
import { createSanitiser } from "../../sanitise.js";
import { createHighlighter } from "../markdown/highlighter.js";
import { type Look, markdownLines } from "../markdown/markdown-lines.js";
import { createMarkdownStream, type MarkdownBlock } from "../markdown/markdown-stream.js";
import { settledPart } from "../markdown/settled-part.js";
import { seenItems } from "./entry-lines.js";
import { withoutLetters } from "./letters.js";

/** Message of the agent while it grows, with its finished lines and its last block. */
export type MessageView = ReturnType<typeof createMessageView>;

/** Maximum number of lines of an unfinished block before its beginning is printed. */
const MAX_OPEN_LINES = 3;

/** Number of lines that stand for an unfinished table. */
const NOTE_LINES = 2;

/**
 * Returns the lines that stand for an unfinished table. Each row can change its whole layout, so rows that a terminal
 * moves into its history could not be found again in the finished table.
 */
function tableNote({ rows }: Tokens.Table): readonly Line[] {
  return [[], [["dim", `… a table, ${rows.length} ${rows.length === 1 ? "row" : "rows"}`]]];
}

/** Creates a {@link MessageView}. Each piece is parsed once. Only the last block of Markdown is drawn again. */
export function createMessageView(width: () => number, files?: FileLinks) {
  const sanitiser = createSanitiser();
  const look: Look = { highlighter: createHighlighter(), files };
  let stream = createMarkdownStream();
  let finished: Line[] = [];
  let before: MessageEntry | undefined;
  /**
   * Letters that the history of the terminal already contains. They are left out at the beginning of the next lines.
   */
  let seen = "";

  const endText = () => {
    finished.push(...markdownLines([...stream.write(sanitiser.end()), ...stream.end()], width(), look));
    stream = createMarkdownStream();
    open = undefined;
  };
  const addText = (text: string) => {
    if (text === "") return;
    finished.push(...markdownLines(stream.write(sanitiser.write(text)), width(), look));
    open = undefined;
  };
  const settleOpen = () => {
    finished.push(...markdownLines(stream.settle(settled), width(), look));
    open = undefined;
  };

  const settled = (token: Token) => settledPart(token, width());
  const linesOf = (blocks: readonly MarkdownBlock[]): readonly Line[] =>
    blocks.flatMap((block) =>
      block.token.type === "table"
        ? tableNote(block.token as Tokens.Table)
        : markdownLines([block], width(), { files }),
    );
  /** Lines of the unfinished block. A frame needs them up to twice. */
  let open: { readonly width: number; readonly lines: readonly Line[] } | undefined;
  const openLines = (): readonly Line[] => {
    if (open?.width !== width()) open = { width: width(), lines: linesOf(stream.open()) };
    return open.lines;
  };

  return {
    update(entry: MessageEntry): void {
      const { content } = entry;
      const known = before === undefined ? 0 : seenItems(before, entry);
      before = entry;
      if (known === undefined) {
        // Printed lines cannot be changed, so the new text follows them.
        endText();
        finished = [[], [["dim", "(changed)"]]];
      }
      let text = "";
      for (let at = known ?? 0; at < content.length; at += 1) {
        const block = content.at(at);
        if (block?.type === "text") {
          text += block.text;
          continue;
        }
        addText(text);
        text = "";
        endText();
        if (block !== undefined)
          finished.push([], ...wrapText(blockText(block), width()).map((line) => inStyle(line, "dim")));
      }
      addText(text);
      if (openLines().length > MAX_OPEN_LINES) settleOpen();
    },
    end: endText,
    /** Number of the last shown lines that cannot be printed before the end of their block. */
    heldLines: (): number => stream.open().filter(({ token }) => token.type === "table").length * NOTE_LINES,
    /** Leaves out letters at the beginning of the shown lines, because they are printed or in the history. */
    leaveOut(letters: string): void {
      seen += letters;
    },
    /** Returns the lines that were finished since the last call. */
    take(): readonly Line[] {
      const { lines, rest } = withoutLetters(finished, seen);
      seen = rest;
      finished = [];
      return lines;
    },
    /** Returns the finished lines that `take` has not returned yet, and the unfinished lines. */
    shown: (): readonly Line[] => withoutLetters([...finished, ...openLines()], seen).lines,
  };
}
