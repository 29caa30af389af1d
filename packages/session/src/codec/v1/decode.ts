import type { SessionEvent } from "../../event.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { isObject, list, meta, number, text } from "../read.js";
import { type Fields, listOf, type Reader, readShape, type Shape } from "../shape.js";
import { location, textDiff, toolCallContent } from "../tool-content.js";
import { cost, decodeBy, type Variants } from "../updates.js";
import { command, configOption } from "./settings.js";

/**
 * Reads the `update` of a version 1 `session/update`. Takes any value and never throws: what is malformed or of a kind
 * that version 1 does not have comes back as an `unknown` event that holds it. Stateless, and a name of its own so that
 * who only reads does not carry the way back.
 */
export const decodeV1 = (update: unknown): readonly SessionEvent[] => decodeBy(VARIANTS, update);

const notNull: Reader = (value) => value ?? undefined;

/** What may change of a tool call; in version 1 `null` is as good as left out (V1-UPD-14), and says nothing of lists. */
const CHANGES: Fields = {
  title: text,
  name: text,
  kind: text,
  status: text,
  content: /* @__PURE__ */ listOf(/* @__PURE__ */ toolCallContent(textDiff)),
  locations: /* @__PURE__ */ listOf(/* @__PURE__ */ location(0)),
  rawInput: notNull,
  rawOutput: notNull,
  _meta: meta,
};

const PATCH: Shape = [{ toolCallId: text }, CHANGES];

/** States every member, so that a second `tool_call` for an id sets back what it leaves out (V1-UPD-12). */
/* @__NO_SIDE_EFFECTS__ */
function stating(changes: Fields): Shape {
  const stated = Object.entries(changes).map(([member, read]) => {
    const otherwise = member === "content" || member === "locations" ? [] : null;
    return [member, (value: unknown) => read(value) ?? otherwise];
  });
  return [{ ...Object.fromEntries(stated), toolCallId: text, title: text }];
}

const VARIANTS: Variants = {
  tool_call: /* @__PURE__ */ stating(CHANGES),
  tool_call_update: PATCH,
  available_commands_update: [{ availableCommands: (value) => (value === undefined ? value : list(value, command)) }],
  config_option_update: [{ configOptions: (value) => (value === undefined ? value : list(value, configOption)) }],
  usage_update: [
    { used: number, size: number },
    { cost, _meta: meta },
  ],
};

/** What a permission question says of its tool call. */
export function toolCallPatch(wire: unknown): ToolCallPatch | undefined {
  const patch = isObject(wire) ? readShape<ToolCallPatch>(PATCH, wire, {}) : undefined;
  return typeof patch === "string" ? undefined : patch;
}
