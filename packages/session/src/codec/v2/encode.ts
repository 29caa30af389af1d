import type { ClientCapabilities } from "../../call.js";
import type { MessageChunk, WireEvent } from "../../event.js";
import type { AvailableCommand, ConfigOption } from "../../settings.js";
import type { Encoder, StatesAround } from "../codec.js";
import { type Loss, type Lost, lostIn } from "../losses.js";
import { isObject } from "../read.js";
import { withStatus } from "../updates.js";
import { encodeItem, encodePatch } from "./diff.js";

type Update = { readonly sessionUpdate: string };

/** Creates the encoder of one session. Events have the form of version 2, so nearly all are sent unchanged. */
export function createEncoder(_peer: ClientCapabilities, onLoss: (loss: Loss) => void): Encoder {
  let type = "";
  const lost: Lost = (id, entity) => lostIn("v2", type, onLoss)(id, entity);
  return (event, around) => {
    type = event.type;
    return encode(event, around, lost);
  };
}

function encode(event: WireEvent, around: StatesAround, lost: Lost): readonly object[] {
  switch (event.type) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return [encodeChunk(event, around, lost)];
    case "terminal_output_chunk":
      if (event._meta != null) return [update(event)];
      return [{ sessionUpdate: event.type, terminalId: event.terminalId, data: event.data }];
    case "tool_call_content_chunk": {
      const content = encodeItem(event.content, () => lost("diff-text", event.toolCallId));
      return [content === event.content ? update(event) : { ...update(event), content }];
    }
    case "tool_call_update": {
      const said = encodePatch(event, lost);
      return [said === event ? update(event) : { ...update(event), content: said.content }];
    }
    case "compaction_update":
      return [update(withStatus(event, around))];
    case "available_commands_update":
      return [{ ...update(event), availableCommands: encodeCommands(event.availableCommands) }];
    case "config_option_update":
      return [{ ...update(event), configOptions: encodeOptions(event.configOptions) }];
    case "current_mode_update": {
      const options = optionsByMode(event.currentModeId, around, lost);
      return options ? [{ sessionUpdate: "config_option_update", configOptions: encodeOptions(options) }] : [];
    }
    case "unknown":
      if (isObject(event.raw) && typeof event.raw.sessionUpdate === "string") return [event.raw];
      lost("unknown");
      return [];
    default:
      return [update(event)];
  }
}

/** Encodes a piece of a message. If the piece has no id, the key of its entry is used. */
// V2-BRG-11
export function encodeChunk(event: MessageChunk, around: StatesAround, lost: Lost): Update {
  const { type, content, _meta } = event;
  let { messageId } = event;
  if (messageId === undefined) {
    const { after } = around;
    messageId = after.internal.openMessage ?? after.timeline.at(-1)?.key ?? type;
    lost("message-id", messageId);
  }
  if (_meta != null) return { sessionUpdate: type, messageId, content, _meta } as Update;
  return { sessionUpdate: type, messageId, content } as Update;
}

/**
 * Returns the options to send after a change of the mode, because the mode is an option in version 2. If nothing
 * changed, there are none.
 */
export function optionsByMode(
  mode: string,
  { before, after }: StatesAround,
  lost: Lost,
): readonly ConfigOption[] | undefined {
  if (after.configOptions === undefined) lost("mode", mode);
  return after.configOptions === before.configOptions ? undefined : after.configOptions;
}

const OURS: readonly string[] = ["type", "at", "extra", "promptKey", "__proto__"];

/** Returns the event with its name in version 2, without members that only this side uses. */
// V2-EXT-01
function update(event: WireEvent & { readonly at?: number }): Update {
  const out: { [key: string]: unknown } & { sessionUpdate: string } = { sessionUpdate: event.type };
  for (const key in event) {
    const value = event[key as keyof typeof event];
    if (!OURS.includes(key) && value !== undefined) out[key] = value;
  }
  return out;
}

/** Returns options in the form of version 2. The method of version 1 that changes an option is left out. */
export function encodeOptions(options: readonly ConfigOption[]): readonly object[] {
  return options.some((option) => option.setBy !== undefined) ? options.map(encodeOption) : options;
}

function encodeOption({ setBy: _, ...option }: ConfigOption): object {
  return option;
}

/** Returns commands in the form of version 2, in which a text input always has a hint. */
export function encodeCommands(commands: readonly AvailableCommand[]): readonly object[] {
  return commands.some(lacksHint) ? commands.map(encodeCommand) : commands;
}

const lacksHint = ({ input }: AvailableCommand): boolean => input?.type === "text" && input.hint === undefined;

function encodeCommand(command: AvailableCommand): object {
  return lacksHint(command) ? { ...command, input: { ...command.input, hint: "" } } : command;
}
