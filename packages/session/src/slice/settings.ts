import { bytesOf } from "../bytes.js";
import type { SessionEvent } from "../event.js";
import { changed, kept, patched, patchedMeta } from "../patch.js";
import type { AvailableCommand, ConfigOption } from "../settings.js";
import type { SessionState } from "../state.js";
import { remembering, withAnomaly } from "../timeline.js";
import { foldUnknown } from "./notices.js";

type Event<T extends string> = SessionEvent & { type: T };
/** The members of a state that hold one value each and come from outside. */
export const SETTINGS = [
  "configOptions",
  "availableCommands",
  "title",
  "updatedAt",
  "_meta",
  "usage",
  "additionalDirectories",
  "cwd",
] as const;
type Setting = (typeof SETTINGS)[number];

/** No single setting may fill the state: above this share of `stateBytes` it is refused. */
const SHARE = 16;

/** Sets one setting and counts its bytes; the same state if it says the same. */
function withSetting<K extends Setting>(state: SessionState, key: K, value: SessionState[K]): SessionState {
  const next = kept(state[key], value);
  if (next === state[key]) return state;
  const most = state.limits.stateBytes;
  const bytes = bytesOf(next, most);
  if (bytes > most / SHARE) return withAnomaly(state, "a setting is too large to keep", key);
  return { ...state, [key]: next, bytes: state.bytes + bytes - bytesOf(state[key], most) };
}

/** Replaces the list of commands (V1-UPD-23). */
export function foldCommands(state: SessionState, event: Event<"available_commands_update">): SessionState {
  if (!Array.isArray(event.availableCommands)) return foldUnknown(state, event, "no list of commands", event.at);
  const next = withSetting(state, "availableCommands", event.availableCommands.filter(isNamed));
  return remembering(next, { updatedLists: { ...state.internal.updatedLists, commands: true } });
}

/** Replaces the list of options (V1-UPD-25). */
export function foldConfigOptions(state: SessionState, event: Event<"config_option_update">): SessionState {
  if (!Array.isArray(event.configOptions)) return foldUnknown(state, event, "no list of options", event.at);
  const next = withOptions(state, event.configOptions);
  const saysMode = next.configOptions?.some((option) => option.category === "mode");
  const earlyMode = saysMode ? undefined : state.internal.earlyMode;
  return remembering(next, { earlyMode, updatedLists: { ...state.internal.updatedLists, options: true } });
}

/** Version 1: the agent changed its mode. Told before there are options, it waits for them. */
export function foldMode(state: SessionState, event: Event<"current_mode_update">): SessionState {
  const mode = event.currentModeId;
  if (typeof mode !== "string") return foldUnknown(state, event, "a mode update needs a mode", event.at);
  if (state.configOptions === undefined) return remembering(state, { earlyMode: mode });
  const option = state.configOptions.find((candidate) => candidate.category === "mode");
  if (option === undefined) return withAnomaly(state, "a mode was set, but there is no option for modes", mode);
  return withOptionValue(state, option, mode);
}

/** The agent accepted a value that this side asked for (V1-MODE-03). */
export function foldConfigOptionSet(state: SessionState, event: Event<"config_option_set">): SessionState {
  const option = state.configOptions?.find((candidate) => candidate.configId === event.configId);
  if (option === undefined) return withAnomaly(state, "an unknown option was set", event.configId);
  return withOptionValue(state, option, event.value);
}

/** The answer to new or restore: its lists count unless an update brought newer ones. */
export function foldOpened(state: SessionState, event: Event<"session_opened">): SessionState {
  const { updatedLists, earlyMode } = state.internal;
  let next = changed(state, { sessionId: event.sessionId, closed: false });
  if (typeof event.cwd === "string") next = withSetting(next, "cwd", event.cwd);
  if (Array.isArray(event.additionalDirectories)) {
    next = withSetting(next, "additionalDirectories", event.additionalDirectories);
  }
  if (Array.isArray(event.availableCommands) && !updatedLists.commands) {
    next = withSetting(next, "availableCommands", event.availableCommands.filter(isNamed));
  }
  if (Array.isArray(event.configOptions)) {
    // Options that are set by a method of their own come with this answer only: a newer list never holds them.
    next = updatedLists.options
      ? withSetting(next, "configOptions", withOwn(event.configOptions, next.configOptions ?? []))
      : withOptions(next, event.configOptions);
  }
  next = remembering(next, { earlyMode: undefined, updatedLists: { commands: false, options: false } });
  if (earlyMode === undefined || next.configOptions === undefined) return next;
  return foldMode(next, { type: "current_mode_update", currentModeId: earlyMode });
}

/** Patches what people call the session (V1-UPD-26). */
export function foldInfo(state: SessionState, event: Event<"session_info_update">): SessionState {
  let next = withSetting(state, "title", patched(state.title, event.title));
  next = withSetting(next, "updatedAt", patched(state.updatedAt, event.updatedAt));
  return withSetting(next, "_meta", patchedMeta(state._meta, event._meta));
}

/** Replaces what the context holds; the cost stays until another comes (V1-UPD-31). */
export function foldUsage(state: SessionState, event: Event<"usage_update">): SessionState {
  const { used, size } = event;
  if (typeof used !== "number" || typeof size !== "number") {
    return foldUnknown(state, event, "usage needs used and size", event.at);
  }
  return withSetting(state, "usage", { used, size, cost: patched(state.usage?.cost, event.cost) });
}

function withOptions(state: SessionState, options: readonly ConfigOption[]): SessionState {
  return withSetting(state, "configOptions", withOwn(state.configOptions ?? [], options.filter(isOption)));
}

/** A list, and before it those options of another that have a setter of their own and that the list lacks. */
function withOwn(others: readonly ConfigOption[], list: readonly ConfigOption[]): readonly ConfigOption[] {
  const lacking = others.filter(
    (option) => isOption(option) && option.setBy && !list.some((listed) => listed.category === option.category),
  );
  return lacking.length === 0 ? list : [...lacking, ...list];
}

function withOptionValue(state: SessionState, option: ConfigOption, value: string | boolean): SessionState {
  const wanted = option.type === "boolean" ? "boolean" : "string";
  if (typeof value !== wanted) return withAnomaly(state, "an option got a value of another type", option.configId);
  const next = { ...option, currentValue: value } as ConfigOption;
  const options = (state.configOptions ?? []).map((other) => (other === option ? next : other));
  return withSetting(state, "configOptions", options);
}

const isNamed = (command: AvailableCommand): boolean => typeof command?.name === "string";
const isOption = (option: ConfigOption): boolean => typeof option?.configId === "string";
