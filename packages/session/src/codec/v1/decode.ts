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

const LISTS: Fields = {
  content: /* @__PURE__ */ listOf(/* @__PURE__ */ toolCallContent(textDiff)),
  locations: /* @__PURE__ */ listOf(/* @__PURE__ */ location(0)),
};
const notNull: Reader = (value) => value ?? undefined;
const VALUES: Fields = { name: text, kind: text, status: text, rawInput: notNull, rawOutput: notNull, _meta: meta };

/** What changes of a tool call; in version 1 `null` is as good as left out (V1-UPD-14), and says nothing of lists. */
const PATCH: Shape = [{ toolCallId: text }, { title: text, ...LISTS, ...VALUES }];

/** Fields that say something even where they are left out or do not read. */
/* @__NO_SIDE_EFFECTS__ */
function stating(fields: Fields, otherwise: unknown): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([member, read]) => [member, (value: unknown) => read(value) ?? otherwise]),
  );
}

const EMPTY: readonly never[] = [];

const VARIANTS: Variants = {
  /** States every member, so that a second `tool_call` for an id sets back what it leaves out (V1-UPD-12). */
  tool_call: [
    {
      toolCallId: text,
      title: text,
      .../* @__PURE__ */ stating(LISTS, EMPTY),
      .../* @__PURE__ */ stating(VALUES, null),
    },
  ],
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
