import type { ContentBlock, MessageEntry } from "@turnkit/session";
import { blockText } from "../../render/content-block.js";
import { createSanitiser } from "../../sanitise.js";
import { markdownLines } from "../markdown/markdown-lines.js";
import { createMarkdownStream } from "../markdown/markdown-stream.js";
import type { Line } from "../text/line.js";
import { wrapText } from "../text/wrap.js";

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
  let seen = 0;
  let last: ContentBlock | undefined;

  const endText = () => {
    finished.push(...markdownLines([...stream.write(sanitiser.end()), ...stream.end()], width()));
    stream = createMarkdownStream();
  };
  const addText = (text: string) => {
    if (text !== "") finished.push(...markdownLines(stream.write(sanitiser.write(text)), width()));
  };

  return {
    update({ content }) {
      const isGrown = content.length >= seen && (seen === 0 || content.at(seen - 1) === last);
      if (!isGrown) {
        // What was taken stands on the screen for good: the new text follows it.
        endText();
        finished = [[], [["dim", "(changed)"]]];
        seen = 0;
      }
      let text = "";
      for (; seen < content.length; seen += 1) {
        last = content.at(seen);
        if (last?.type === "text") {
          text += last.text;
          continue;
        }
        addText(text);
        text = "";
        endText();
        if (last !== undefined) finished.push([], ...wrapText(blockText(last), width()).map(dimmed));
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

function dimmed(line: Line): Line {
  return line.map((span) => ["dim", typeof span === "string" ? span : span[1]]);
}
