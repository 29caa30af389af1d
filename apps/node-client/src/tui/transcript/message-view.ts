import type { MessageEntry } from "@turnkit/session";
import { blockText } from "../../render/content-block.js";
import { inStyle, type Line } from "../../render/line.js";
import { wrapText } from "../../render/wrap.js";
import { createSanitiser } from "../../sanitise.js";
import { markdownLines } from "../markdown/markdown-lines.js";
import { createMarkdownStream } from "../markdown/markdown-stream.js";
import { seenItems } from "./entry-life.js";

/** A message of the agent that grows: what is finished of it, and its last block as it stands. */
export interface MessageView {
  /** Reads what was added to it. */
  update(entry: MessageEntry): void;
  /** Nothing more comes. */
  end(): void;
  /** Lines that will not change; each call takes those since the one before. */
  take(): readonly Line[];
  /** Lines that are finished and were not taken, and those that may still change. */
  shown(): readonly Line[];
}

/** Makes a {@link MessageView}. Each piece of the message is looked at once, and of Markdown only the last block anew. */
export function createMessageView(width: () => number): MessageView {
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
    update(entry) {
      const { content } = entry;
      const seen = before === undefined ? 0 : seenItems(before, entry);
      before = entry;
      if (seen === undefined) {
        // What was taken stands on the screen for good: the new text follows it.
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
    end: endText,
    take() {
      const taken = finished;
      finished = [];
      return taken;
    },
    shown: () => [...finished, ...markdownLines(stream.open(), width())],
  };
}
