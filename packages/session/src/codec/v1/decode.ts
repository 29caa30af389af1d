import type { SessionEvent } from "../../event.js";
import type { ToolCallPatch } from "../../tool-call.js";
import { isObject } from "../read.js";
import { asItIs, integer, listOf, type Readers, readShape } from "../shape.js";
import { location, textDiff, toolCallContent } from "../tool-content.js";
import { cost, decodeBy, type Kind, type Kinds, kind } from "../updates.js";
import { anyListOf, command, configOption } from "./settings.js";

/**
 * Reads the `update` of a version 1 `session/update`. Takes any value and never throws: what is malformed or of a kind
 * that version 1 does not have comes back as an `unknown` event that holds it. Stateless, and a name of its own so that
 * who only reads does not carry the way back.
 */
export const decodeV1 = (update: unknown): readonly SessionEvent[] => decodeBy(KINDS, update);

const READERS: Readers = {
  content: /* @__PURE__ */ listOf(/* @__PURE__ */ toolCallContent(textDiff)),
  locations: /* @__PURE__ */ listOf(/* @__PURE__ */ location(0)),
  rawInput: asItIs,
  rawOutput: asItIs,
};

/** What is said of a tool call; in version 1 `null` is as good as left out (V1-UPD-14), and says nothing of lists. */
/* @__NO_SIDE_EFFECTS__ */
function toolCall(title: string, start?: object): Kind {
  const words = `toolCallId ${title} name? kind? status? content? locations? rawInput? rawOutput?`;
  return kind(words, READERS, start);
}

const PATCH = /* @__PURE__ */ toolCall("title?");

/** States every member, so that a second `tool_call` for an id sets back what it leaves out (V1-UPD-12). */
const WHOLE = {
  type: "tool_call_update",
  name: null,
  kind: null,
  status: null,
  content: [],
  locations: [],
  rawInput: null,
  rawOutput: null,
  _meta: null,
};

const count = /* @__PURE__ */ integer(0);

const KINDS: Kinds = {
  tool_call: /* @__PURE__ */ toolCall("title", WHOLE),
  tool_call_update: PATCH,
  available_commands_update: /* @__PURE__ */ kind("availableCommands", {
    availableCommands: /* @__PURE__ */ anyListOf(command),
  }),
  config_option_update: /* @__PURE__ */ kind("configOptions", {
    configOptions: /* @__PURE__ */ anyListOf(configOption),
  }),
  usage_update: /* @__PURE__ */ kind("used size cost?", { used: count, size: count, cost }),
};

/** What a permission question says of its tool call. */
export function toolCallPatch(wire: unknown): ToolCallPatch | undefined {
  const patch = isObject(wire) ? readShape<ToolCallPatch>(PATCH[0], wire, {}) : undefined;
  return typeof patch === "string" ? undefined : patch;
}
