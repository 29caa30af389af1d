import type { ProgramStreams } from "../program.js";
import { pageOn } from "../render/page.js";
import type { View } from "../view.js";

/** Creates functions that show notes and failures on stderr, for views whose stdout contains a document. */
export function createRemarks({ stderr, env }: Pick<ProgramStreams, "stderr" | "env">): Pick<View, "note" | "failure"> {
  const page = pageOn(stderr, env);
  return {
    note: (text) => page.lines([[["yellow", `turnkit: ${text}`]]]),
    failure(error) {
      const [first = "", ...rest] = (error instanceof Error ? error.message : String(error)).split("\n");
      page.line(["red", `turnkit: ${first}`]);
      if (rest.length > 0) page.block(rest.join("\n"), { limit: 40 });
    },
  };
}
