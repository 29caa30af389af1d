import * as z from "zod";
import { MAX_BYTES, ToolError, tooLarge } from "../errors.js";
import type { TextEdit } from "../lint/edits.js";
import { askToRead } from "./ask-to-read.js";
import { proposeChange, readExisting } from "./file-change.js";
import { canSearch, firstPlaces } from "./text-places.js";
import { defineTool, pathInput } from "./tool.js";

/** Tool that replaces parts of a file, if the mode or the user allows it. */
export const editFileTool = defineTool({
  name: "edit_file",
  description:
    "Replaces exact stretches of a text file, several at once. Every oldText must occur exactly once. The user sees " +
    "the diff and may refuse it.",
  input: z.object({
    path: pathInput,
    edits: z.array(z.object({ oldText: z.string(), newText: z.string() })),
  }),
  parallel: false,
  open({ path: given, edits }, context) {
    const { path, name } = context.workspace.locate(given);
    return {
      start: { title: `Edit ${name}`, kind: "edit" },
      async run(call) {
        // A failed match also shows the model something about the content of the file.
        await askToRead(call, path, context);
        const before = await context.workspace.read(path, context.signal);
        return proposeChange(call, { path, name, before, after: applyEdits(before, edits) }, context);
      },
    };
  },
});

/** Tool that creates a file or replaces its whole text, if the mode or the user allows it. */
export const writeFileTool = defineTool({
  name: "write_file",
  description:
    "Creates a text file with the given text, or replaces all of it; missing folders are made. Prefer edit_file for a " +
    "change of a file that exists. The user sees the diff and may refuse it.",
  input: z.object({ path: pathInput, text: z.string() }),
  parallel: false,
  open({ path: given, text: after }, context) {
    const { path, name } = context.workspace.locate(given);
    return {
      start: { title: `Write ${name}`, kind: "edit" },
      async run(call) {
        if (after.length > MAX_BYTES) throw tooLarge(name, Buffer.byteLength(after));
        return proposeChange(call, { path, name, before: await readExisting(path, context), after }, context);
      },
    };
  },
});

/**
 * Returns the text after all edits. Every `oldText` is searched in the original text, so an edit cannot match the
 * result of another edit. Models write LF. If the text has only CRLF line ends, the line ends of the edit become CRLF.
 *
 * @throws ToolError `no_match` if an `oldText` is missing, occurs twice or overlaps another `oldText`; `invalid_input` for
 * more edits than {@link canSearch} allows
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  if (!canSearch(text, edits.length)) {
    throw new ToolError("invalid_input", `${edits.length} edits are too many for so long a file: use several calls.`);
  }
  const isCrlf = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  const spans = edits.map((given) => {
    // If the model wrote CR in an `oldText`, its line ends are deliberate.
    const edit = isCrlf && !given.oldText.includes("\r") ? withCrlf(given) : given;
    return { ...edit, start: findOnce(text, edit.oldText) };
  });
  spans.sort((a, b) => a.start - b.start);
  let result = "";
  let at = 0;
  for (const { start, oldText, newText } of spans) {
    if (start < at) throw new ToolError("no_match", `Two edits overlap at ${quote(oldText)}.`);
    result += text.slice(at, start) + newText;
    at = start + oldText.length;
  }
  return result + text.slice(at);
}

function withCrlf({ oldText, newText }: TextEdit): TextEdit {
  const crlf = (text: string) => text.replace(/\r?\n/g, "\r\n");
  return { oldText: crlf(oldText), newText: crlf(newText) };
}

function findOnce(text: string, oldText: string): number {
  // An empty `oldText` matches only an empty file.
  if (oldText === "" && text !== "") throw new ToolError("no_match", "The text to replace is empty.");
  const [start, second] = firstPlaces(text, oldText);
  if (start === undefined) throw new ToolError("no_match", `The file does not contain ${quote(oldText)}.`);
  if (oldText !== "" && second !== undefined) {
    throw new ToolError("no_match", `The file contains ${quote(oldText)} more than once: add the lines around it.`);
  }
  return start;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
