import * as z from "zod";
import { defineTool, fencedText } from "./tool.js";

const id = z.string().describe("The number that run_command returned.");

export const commandOutputTool = defineTool({
  name: "command_output",
  description:
    "Returns what a background command has written since the last call, and whether it still runs. Without an id, lists " +
    "the background commands.",
  input: z.object({
    id: id.optional(),
    wait_seconds: z.int().min(0).max(300).default(0).describe("Wait so long for new output or for the end."),
  }),
  parallel: true,
  open({ id: given, wait_seconds: seconds }, { background, signal }) {
    const title = given === undefined ? "List background commands" : `Read the output of background command ${given}`;
    return {
      start: { title, kind: "execute" },
      async run(call) {
        const waitMs = seconds * 1_000;
        const text =
          given === undefined ? background.list() : await background.read(given, { waitMs, until: "output", signal });
        await call.update({ content: [fencedText(text)], rawOutput: { text } });
        return { type: "text", value: text };
      },
    };
  },
});

export const stopCommandTool = defineTool({
  name: "stop_command",
  description: "Ends a background command and everything that it has started.",
  input: z.object({ id }),
  parallel: false,
  open({ id: given }, { background }) {
    return {
      start: { title: `Stop background command ${given}`, kind: "execute" },
      async run(call) {
        await call.update({ status: "in_progress", title: `Stop ${background.lineOf(given).slice(0, 200)}` });
        const text = await background.stop(given);
        await call.update({ content: [fencedText(text)], rawOutput: { text } });
        return { type: "text", value: text };
      },
    };
  },
});
