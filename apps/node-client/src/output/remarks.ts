import type { ProgramStreams } from "../program.js";
import { pageOn } from "../render/page.js";
import type { View } from "../view.js";

/** Creates functions that show notes and failures on stderr, for views whose stdout contains a document. */
export function createRemarks({ stderr, env }: Pick<ProgramStreams, "stderr" | "env">): Pick<View, "note" | "failure"> {
  const page = pageOn(stderr, env);
  return {
    note: (text) => page.lines([[["yellow", `turnkit: ${text}`]]]),
    failure(error) {
      const [first = "", ...rest] = messageOf(error).split("\n");
      page.line(["red", `turnkit: ${first}`]);
      if (rest.length > 0) page.block(rest.join("\n"), { limit: 40 });
    },
  };
}

/** Returns the message of an error. Errors of the protocol are plain objects. */
function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === "string" ? message : String(error);
}
