import type { SessionEvent } from "../../event.js";
import type { ToolCallContent, ToolCallLocation, ToolCallPatch } from "../../tool-call.js";
import { list, meta, number, text, type Wire } from "../read.js";
import { readShape, type Shape } from "../shape.js";
import { locationIn, textDiff, toolCallContent } from "../tool-content.js";
import { cost, decodeBy, type Variants } from "../updates.js";
import { command, configOption } from "./settings.js";

/**
 * Reads the `update` of a version 1 `session/update`. Takes any value and never throws: what is malformed or of a kind
 * that version 1 does not have comes back as an `unknown` event that holds it. Stateless, and a name of its own so that
 * who only reads does not carry the way back.
 */
export const decodeV1 = (update: unknown): readonly SessionEvent[] => decodeBy(VARIANTS, update);

const content = (value: unknown): ToolCallContent | undefined => toolCallContent(value, textDiff);
const location = (value: unknown): ToolCallLocation | undefined => locationIn(value, 0);
const orNull = (value: unknown): unknown => value ?? null;
const textElseNull = (value: unknown): string | null => text(value) ?? null;
const notNull = (value: unknown): unknown => value ?? undefined;

/** What changes of a tool call; in version 1 `null` is as good as left out (V1-UPD-14), and says nothing of lists. */
const PATCH: Shape = {
  needs: { toolCallId: text },
  may: {
    title: text,
    name: text,
    kind: text,
    status: text,
    content: (value) => (Array.isArray(value) ? list(value, content) : undefined),
    locations: (value) => (Array.isArray(value) ? list(value, location) : undefined),
    rawInput: notNull,
    rawOutput: notNull,
    _meta: meta,
  },
};

const VARIANTS: Variants = {
  /** States every member, so that a second `tool_call` for an id sets back what it leaves out (V1-UPD-12). */
  tool_call: {
    type: "tool_call_update",
    needs: {
      toolCallId: text,
      title: text,
      name: textElseNull,
      kind: textElseNull,
      status: textElseNull,
      content: (value) => list(value, content),
      locations: (value) => list(value, location),
      rawInput: orNull,
      rawOutput: orNull,
      _meta: (value) => meta(value) ?? null,
    },
  },
  tool_call_update: { type: "tool_call_update", needs: PATCH.needs, may: PATCH.may },
  available_commands_update: {
    type: "available_commands_update",
    needs: { availableCommands: (value) => (value === undefined ? value : list(value, command)) },
    may: { _meta: meta },
  },
  config_option_update: {
    type: "config_option_update",
    needs: { configOptions: (value) => (value === undefined ? value : list(value, configOption)) },
    may: { _meta: meta },
  },
  usage_update: { type: "usage_update", needs: { used: number, size: number }, may: { cost, _meta: meta } },
};

/** What a permission question says of its tool call. */
export function toolCallPatch(wire: Wire): ToolCallPatch | string {
  return readShape(PATCH, wire, {});
}
