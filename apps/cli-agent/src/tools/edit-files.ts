import * as z from "zod";
import { MAX_BYTES, tooLarge } from "../errors.js";
import { applyEdits } from "./apply-edits.js";
import { askToRead } from "./ask-to-read.js";
import { proposeChange, readExisting } from "./file-change.js";
import { defineTool, pathInput } from "./tool.js";

export const editFileTool = defineTool({
  name: "edit_file",
  description:
    "Replaces exact stretches of a text file, several at once. Every oldText must occur exactly once, unless replaceAll " +
    "is set. The line numbers of read_file are not part of the text. The user sees the diff and may refuse it.",
  input: z.object({
    path: pathInput,
    edits: z.array(
      z.object({
        oldText: z.string(),
        newText: z.string(),
        replaceAll: z.boolean().default(false).describe("Replace every place, and not only one."),
      }),
    ),
  }),
  parallel: false,
  open({ path: given, edits }, context) {
    const { path, name } = context.workspace.locate(given);
    return {
      start: { title: `Edit ${name}`, kind: "edit" },
      async run(call) {
        // A failed match also shows the model something about the content of the file.
        const real = await askToRead(call, path, context);
        const before = await context.workspace.read(path, context.signal, { real });
        const after = applyEdits(before, edits);
        if (after.length > MAX_BYTES) throw tooLarge(name, Buffer.byteLength(after));
        return proposeChange(call, { path, real, name, before, after }, context);
      },
    };
  },
});

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
        const { real } = await context.workspace.guards(path);
        const before = await readExisting(path, real, context);
        return proposeChange(call, { path, real, name, before, after }, context);
      },
    };
  },
});
