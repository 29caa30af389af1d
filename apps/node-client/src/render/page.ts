import type { Sanitiser } from "../sanitise.js";
import { createSanitiser, showControls } from "../sanitise.js";
import { type BlockOptions, blockLines, type Line, paintLine, type Span, shortened } from "./line.js";
import { createPaint, type Paint, type Style, wantsColours } from "./style.js";

/**
 * Output to which text is only added. It makes all text safe for a terminal, and stores whether the last line is open.
 */
export interface Page {
  /** Writes one line. Line breaks in a span are shown as visible text. Each span is cut after 1000 characters. */
  line(...spans: Span[]): void;
  /** Writes lines without a limit of their length. */
  lines(lines: readonly Line[]): void;
  block(text: string, options?: BlockOptions): void;
  /** Writes text that arrives in pieces. Pieces with the same key form one text. */
  flow(key: string, style: Style, text: string): void;
  /** Ends an open line. Writes an empty line if `name` differs from the last section. */
  section(name: string): void;
  /** Records that other output, such as a person's Enter, has ended the open line. */
  lineEndedOutside(): void;
}

/** Creates a page. `write` gets complete text in order. */
export function createPage(write: (text: string) => void, paint: Paint): Page {
  let lineOpen = false;
  /** `true` if the last line is empty, because a text often ends with an empty line. */
  let afterEmptyLine = false;
  let section: string | undefined;
  let flowing: { readonly key: string; readonly sanitiser: Sanitiser } | undefined;

  const endLine = () => {
    flowing = undefined;
    if (lineOpen) write("\n");
    lineOpen = false;
  };
  const drawLines = (lines: readonly Line[], read: (span: Span) => string) => {
    endLine();
    for (const line of lines) write(`${paintLine(line, paint, { read })}\n`);
    afterEmptyLine = false;
  };

  return {
    line: (...spans) => drawLines([spans], shortText),
    lines: (lines) => drawLines(lines, fullText),
    block: (text, options) => drawLines(blockLines(text, options), fullText),
    flow(key, style, text) {
      if (flowing?.key !== key) {
        endLine();
        flowing = { key, sanitiser: createSanitiser() };
      }
      const harmless = flowing?.sanitiser.write(text) ?? "";
      if (harmless === "") return;
      // Styles end before each line break. Otherwise a viewer of logs could apply them to the text after the thought.
      write(harmless.replace(/[^\n]+/g, (piece) => paint(style, piece)));
      afterEmptyLine = harmless.endsWith("\n\n") || (harmless === "\n" && !lineOpen);
      lineOpen = !harmless.endsWith("\n");
    },
    section(name) {
      if (name === section) return;
      endLine();
      if (section !== undefined && !afterEmptyLine) write("\n");
      afterEmptyLine = true;
      section = name;
    },
    lineEndedOutside() {
      lineOpen = false;
    },
  };
}

/** Creates a page on a stream. Its text has colours if the stream and the environment allow them. */
export function pageOn(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Page {
  return createPage((text) => stream.write(text), createPaint(wantsColours(stream, env)));
}

function shortText(span: Span): string {
  return shortened(typeof span === "string" ? span : span[1]);
}

function fullText(span: Span): string {
  return showControls(typeof span === "string" ? span : span[1]).replaceAll("\n", "␊");
}
