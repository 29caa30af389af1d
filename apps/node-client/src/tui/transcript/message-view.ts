import type { MessageEntry } from "@turnkit/session";
import { blockText } from "../../render/content-block.js";
import { inStyle, type Line } from "../../render/line.js";
import { wrapText } from "../../render/wrap.js";
import { createSanitiser } from "../../sanitise.js";
import { markdownLines } from "../markdown/markdown-lines.js";
import { createMarkdownStream } from "../markdown/markdown-stream.js";
import { seenItems } from "./entry-lines.js";

/** Growing message of the agent: its finished lines, and its last block. */
export type MessageView = ReturnType<typeof createMessageView>;

/** Makes a {@link MessageView}. It reads each piece once, and draws only the last block of Markdown again. */
export function createMessageView(width: () => number) {
  const sanitiser = createSanitiser();
  let stream = createMarkdownStream();
  let finished: Line[] = [];
  let before: MessageEntry | undefined;

  const endText = () => {
    finished.push(...markdownLines([...stream.write(sanitiser.end()), ...stream.end()], width()));
    stream = createMarkdownStream();
  };
  const addText = (text: string) => {
    if (text !== "") finished.push(...markdownLines(stream.write(sanitiser.write(text)), width()));
  };

  return {
    /** Reads new content. */
    update(entry: MessageEntry): void {
      const { content } = entry;
      const seen = before === undefined ? 0 : seenItems(before, entry);
      before = entry;
      if (seen === undefined) {
        // Printed lines cannot be changed: the new text follows them.
        endText();
        finished = [[], [["dim", "(changed)"]]];
      }
      let text = "";
      for (let at = seen ?? 0; at < content.length; at += 1) {
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
    },
    /** Finishes the message. */
    end: endText,
    /** Returns the finished lines since the last call. */
    take(): readonly Line[] {
      const taken = finished;
      finished = [];
      return taken;
    },
    /** Returns finished lines that were not taken, and unfinished ones. */
    shown: (): readonly Line[] => [...finished, ...markdownLines(stream.open(), width())],
  };
}
