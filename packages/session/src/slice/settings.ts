import { bytesOf, countGrown } from "../bytes.js";
import { changed, noted, remember, withKeysNoted } from "../change.js";
import { patchedBy } from "../entity.js";
import type { EventOf, SessionEvent } from "../event.js";
import type { AvailableCommand, ConfigOption } from "../settings.js";
import type { SessionState } from "../state.js";

type Folded<T extends SessionEvent["type"]> = Omit<EventOf<T>, "type">;

/** Value of `updatedLists` before any update has brought a list. */
export const NOT_UPDATED = { commands: false, options: false };

/** Replaces the list of commands. */
// V1-UPD-23
export function foldCommands(state: SessionState, event: Folded<"available_commands_update">): SessionState {
  const next = changed(state, { availableCommands: event.availableCommands.filter(isNamed) });
  return remember(next, { updatedLists: { ...state.internal.updatedLists, commands: true } });
}

/** Replaces the list of options. */
// V1-UPD-25
export function foldConfigOptions(state: SessionState, event: Folded<"config_option_update">): SessionState {
  const configOptions = withOwn(state.configOptions ?? [], event.configOptions.filter(isOption));
  const { earlyMode, updatedLists } = state.internal;
  return remember(changed(state, { configOptions }), {
    earlyMode: configOptions.some(isMode) ? undefined : earlyMode,
    updatedLists: { ...updatedLists, options: true },
  });
}

/** Applies the mode of a version 1 agent. A mode that arrives before the options is stored until they arrive. */
export function foldMode(state: SessionState, { currentModeId }: Folded<"current_mode_update">): SessionState {
  if (state.configOptions === undefined) return remember(state, { earlyMode: currentModeId });
  return withValue(state, isMode, currentModeId, "mode");
}

/** Applies a value that this side has requested and the agent has accepted. */
// V1-MODE-03
export function foldConfigOptionSet(
  state: SessionState,
  { configId, value }: EventOf<"config_option_set">,
): SessionState {
  return withValue(state, (option) => option.configId === configId, value, configId);
}

/** Applies the lists in the answer to new or restore. If an update has brought a newer list, that list stays. */
export function foldOpened(state: SessionState, event: EventOf<"session_opened">): SessionState {
  const { updatedLists, earlyMode } = state.internal;
  const { sessionId, availableCommands, configOptions } = event;
  const cwd = event.cwd ?? state.cwd;
  const additionalDirectories = event.additionalDirectories ?? state.additionalDirectories;
  let next = changed(state, { sessionId, cwd, additionalDirectories, closed: false });
  if (availableCommands && !updatedLists.commands) next = foldCommands(next, { availableCommands });
  // Options that have a separate method come only with this answer, and never in a newer list.
  if (configOptions && updatedLists.options) {
    next = changed(next, { configOptions: withOwn(configOptions, state.configOptions ?? []) });
  } else if (configOptions) next = foldConfigOptions(next, { configOptions });
  next = remember(next, { earlyMode: undefined, updatedLists: NOT_UPDATED });
  return earlyMode === undefined ? next : foldMode(next, { currentModeId: earlyMode });
}

/** Patches the title and the time of the session. */
// V1-UPD-26
export function foldInfo(
  state: SessionState,
  { title, updatedAt, _meta }: EventOf<"session_info_update">,
): SessionState {
  const after = patchedBy(state, { title, updatedAt, _meta });
  return withKeysNoted(changed(state, after), after._meta, _meta);
}

/**
 * Replaces the usage of the context. The cost stays until the agent reports a new one. Metadata is patched by its keys.
 */
// V1-UPD-31, P-USAGE-01
export function foldUsage(state: SessionState, { used, size, cost, _meta }: EventOf<"usage_update">): SessionState {
  const before: SessionState["usage"] = state.usage ?? { used, size };
  const usage = patchedBy(before, { used, size, cost, _meta });
  return withKeysNoted(changed(state, { usage }), usage._meta, _meta);
}

/** Returns the options of `others` that have a separate method and whose category is not in `list`, followed by `list`. */
function withOwn(others: readonly ConfigOption[], list: readonly ConfigOption[]): readonly ConfigOption[] {
  const categories = new Set(list.map(({ category }) => category));
  const isLacking = (option: ConfigOption): boolean => !categories.has(option.category);
  return [...others.filter((option) => isOption(option) && option.setBy && isLacking(option)), ...list];
}

function withValue(
  state: SessionState,
  isMeant: (option: ConfigOption) => boolean,
  value: unknown,
  about: string,
): SessionState {
  const option = state.configOptions?.find(isMeant);
  if (option === undefined) return noted(state, "an unknown option was set", about);
  if (typeof value !== (option.type === "boolean" ? "boolean" : "string")) {
    return noted(state, "an option got a value of another type", about);
  }
  const next = { ...option, currentValue: value } as ConfigOption;
  const configOptions = state.configOptions?.map((other) => (other === option ? next : other)) ?? [];
  countGrown(state.configOptions ?? [], configOptions, bytesOf(next) - bytesOf(option));
  return changed(state, { configOptions });
}

const isMode = (option: ConfigOption): boolean => option.category === "mode";
const isNamed = (command: AvailableCommand): boolean => typeof command?.name === "string";
const isOption = (option: ConfigOption): boolean => typeof option?.configId === "string";
