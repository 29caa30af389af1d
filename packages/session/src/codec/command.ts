import type { AvailableCommand } from "../settings.js";
import { isObject } from "./read.js";
import { type Reader, record, tagged } from "./shape.js";

/** Says what type something is of. */
export type Typing = (value: unknown, type: string) => unknown;

const named = /* @__PURE__ */ record("name description");
const input = /* @__PURE__ */ tagged({ text: /* @__PURE__ */ record("hint") });

/** A command and its input, whose types `typed` says. Unknown sorts stay as they came. */
/* @__NO_SIDE_EFFECTS__ */
export function commandBy(typed: Typing): Reader<AvailableCommand> {
  const command = tagged<AvailableCommand>({
    command: record("input?", { input: (value) => input(typed(value, "text")) }),
  });
  return (value) => command(typed(named(value), "command"));
}

/** A command; one without a type is the sort that older drafts had (V2-CMD-04). */
export const readCommand: Reader<AvailableCommand> = /* @__PURE__ */ commandBy((value, type) =>
  isObject(value) && value.type === undefined ? { ...value, type } : value,
);
