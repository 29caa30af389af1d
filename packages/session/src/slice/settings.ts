import { bytesOf } from "../bytes.js";
import type { SessionEvent } from "../event.js";
import { patched, patchedMeta } from "../patch.js";
import type { AvailableCommand, ConfigOption } from "../settings.js";
import type { SessionState } from "../state.js";
import { remembering, updated, withAnomaly } from "../timeline.js";

type Event<T extends string> = SessionEvent & { type: T };

/** No single setting may fill the state: above this share of `stateBytes` it is refused. */
const SHARE = 16;
/** Nothing was updated before the session's own answer. */
export const NOT_UPDATED = { commands: false, options: false };

/** Sets settings; the same state if they say the same. */
function withSettings(state: SessionState, settings: Partial<SessionState>): SessionState {
  let next = state;
  for (const [key, value] of Object.entries(settings)) {
    const fits = value === state[key as "title"] || bytesOf(value) <= state.limits.stateBytes / SHARE;
    next = fits ? updated(next, { [key]: value }) : withAnomaly(next, "a setting is too large to keep", key);
  }
  return next;
}

/** Replaces the list of commands (V1-UPD-23). */
export function foldCommands(state: SessionState, event: Event<"available_commands_update">): SessionState {
  const next = withSettings(state, { availableCommands: event.availableCommands.filter(isNamed) });
  return remembering(next, { updatedLists: { ...state.internal.updatedLists, commands: true } });
}

/** Replaces the list of options (V1-UPD-25). */
export function foldConfigOptions(state: SessionState, event: Event<"config_option_update">): SessionState {
  const next = withOptions(state, event.configOptions);
  const { earlyMode, updatedLists } = state.internal;
  return remembering(next, {
    earlyMode: next.configOptions?.some(isMode) ? undefined : earlyMode,
    updatedLists: { ...updatedLists, options: true },
  });
}

/** Version 1: the agent changed its mode. Told before there are options, it waits for them. */
export function foldMode(state: SessionState, mode: string): SessionState {
  if (state.configOptions === undefined) return remembering(state, { earlyMode: mode });
  const what = "a mode was set, but there is no option for modes";
  return withOptionValue(state, state.configOptions.find(isMode), mode, [what, mode]);
}

/** The agent accepted a value that this side asked for (V1-MODE-03). */
export function foldConfigOptionSet(
  state: SessionState,
  { configId, value }: Event<"config_option_set">,
): SessionState {
  const option = state.configOptions?.find((candidate) => candidate.configId === configId);
  return withOptionValue(state, option, value, ["an unknown option was set", configId]);
}

/** The answer to new or restore: its lists count unless an update brought newer ones. */
export function foldOpened(state: SessionState, event: Event<"session_opened">): SessionState {
  const { updatedLists, earlyMode } = state.internal;
  const { sessionId, cwd, additionalDirectories, availableCommands, configOptions } = event;
  let next = withSettings(updated(state, { sessionId, closed: false }), {
    cwd: typeof cwd === "string" ? cwd : state.cwd,
    additionalDirectories: Array.isArray(additionalDirectories) ? additionalDirectories : state.additionalDirectories,
  });
  if (Array.isArray(availableCommands) && !updatedLists.commands) {
    next = withSettings(next, { availableCommands: availableCommands.filter(isNamed) });
  }
  if (Array.isArray(configOptions)) {
    // Options that are set by a method of their own come with this answer only: a newer list never holds them.
    next = updatedLists.options
      ? withSettings(next, { configOptions: withOwn(configOptions, next.configOptions ?? []) })
      : withOptions(next, configOptions);
  }
  next = remembering(next, { earlyMode: undefined, updatedLists: NOT_UPDATED });
  return earlyMode === undefined || next.configOptions === undefined ? next : foldMode(next, earlyMode);
}

/** Patches what people call the session (V1-UPD-26). */
export function foldInfo(state: SessionState, event: Event<"session_info_update">): SessionState {
  return withSettings(state, {
    title: patched(state.title, event.title),
    updatedAt: patched(state.updatedAt, event.updatedAt),
    _meta: patchedMeta(state._meta, event._meta),
  });
}

/** Replaces what the context holds; the cost stays until another comes (V1-UPD-31). */
export function foldUsage(state: SessionState, { used, size, cost }: Event<"usage_update">): SessionState {
  return withSettings(state, { usage: { used, size, cost: patched(state.usage?.cost, cost) } });
}

function withOptions(state: SessionState, options: readonly ConfigOption[]): SessionState {
  return withSettings(state, { configOptions: withOwn(state.configOptions ?? [], options.filter(isOption)) });
}

/** A list, and before it those options of another that have a setter of their own and that the list lacks. */
function withOwn(others: readonly ConfigOption[], list: readonly ConfigOption[]): readonly ConfigOption[] {
  const isLacking = (option: ConfigOption): boolean => !list.some(({ category }) => category === option.category);
  return [...others.filter((option) => isOption(option) && option.setBy && isLacking(option)), ...list];
}

type Complaint = readonly [what: string, about: string];

function withOptionValue(
  state: SessionState,
  option: ConfigOption | undefined,
  value: string | boolean,
  unknown: Complaint,
): SessionState {
  if (option === undefined) return withAnomaly(state, ...unknown);
  if (typeof value !== (option.type === "boolean" ? "boolean" : "string")) {
    return withAnomaly(state, "an option got a value of another type", option.configId);
  }
  const next = { ...option, currentValue: value } as ConfigOption;
  return withSettings(state, { configOptions: state.configOptions?.map((other) => (other === option ? next : other)) });
}

const isMode = (option: ConfigOption): boolean => option.category === "mode";
const isNamed = (command: AvailableCommand): boolean => typeof command?.name === "string";
const isOption = (option: ConfigOption): boolean => typeof option?.configId === "string";
