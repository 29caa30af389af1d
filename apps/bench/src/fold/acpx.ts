// acpx exports files with short names. U creates a conversation. K applies an update to it in place. Pinned to 0.19.1.
import { U as createConversation, K as recordSessionUpdate } from "acpx/dist/queue-owner-runtime-C4OOosbo.js";
import type { Measure } from "../scenario.js";
import { measureTwice } from "./twice.js";

export const measure: Measure = (size) =>
  measureTwice(size, (updates) => {
    const talk = createConversation();
    let rest: unknown;
    for (const update of updates) rest = recordSessionUpdate(talk, rest, { sessionId: "s", update });
  });
