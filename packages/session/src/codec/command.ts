import type { AvailableCommand } from "../settings.js";
import { isObject, text } from "./read.js";
import { type Reader, record, tagged } from "./shape.js";

/** Gives a type to what says none. */
const typed = (value: unknown, type: string): unknown =>
  isObject(value) && value.type === undefined ? { ...value, type } : value;

const named = /* @__PURE__ */ record({ name: text, description: text });
const input = /* @__PURE__ */ tagged("type", { text: /* @__PURE__ */ record({ hint: text }) });
const command = /* @__PURE__ */ tagged<AvailableCommand>("type", {
  command: /* @__PURE__ */ record({}, { input: (value) => input(typed(value, "text")) }),
});

/** A command; one without a type is the sort that older drafts had (V2-CMD-04). Unknown sorts stay as they came. */
export const readCommand: Reader<AvailableCommand> = (value) => command(typed(named(value), "command"));
