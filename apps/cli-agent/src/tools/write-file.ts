import * as z from "zod";
import { MAX_BYTES, tooLarge } from "../refusal.js";
import { proposeChange, readExisting } from "./file-change.js";
import { defineTool, pathInput } from "./tool.js";

/** Tool that makes a file or replaces all of its text, if the mode and the user allow it. */
export const writeFileTool = defineTool({
  name: "write_file",
  description:
    "Creates a text file with the given text, or replaces all of it; missing folders are made. Prefer edit_file for a " +
    "change of a file that exists. The user sees the diff and may refuse it.",
  input: z.object({ path: pathInput, text: z.string() }),
  parallel: false,
  open({ path, text: after }, { rawInput, ...context }) {
    const { turn, workspace } = context;
    const file = workspace.locate(path);
    const call = turn.toolCall({ name: "write_file", title: `Write ${file.name}`, kind: "edit", rawInput });
    const make = async () => {
      if (after.length > MAX_BYTES) throw tooLarge(file.name, Buffer.byteLength(after));
      return { before: await readExisting(file.path, context), after };
    };
    return { call, run: () => proposeChange(call, file, { context, make }) };
  },
});
