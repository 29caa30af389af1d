import { type Draft, note, remember } from "../draft.js";
import type { SessionEvent } from "../event.js";
import { patched, patchedMeta } from "../patch.js";
import type { AvailableCommand, ConfigOption } from "../settings.js";

type Event<T extends string> = SessionEvent & { type: T };

/** Nothing was updated before the session's own answer. */
export const NOT_UPDATED = { commands: false, options: false };

/** Replaces the list of commands (V1-UPD-23). */
export function foldCommands(draft: Draft, { availableCommands }: Event<"available_commands_update">): void {
  draft.availableCommands = availableCommands.filter(isNamed);
  remember(draft, { updatedLists: { ...draft.internal.updatedLists, commands: true } });
}

/** Replaces the list of options (V1-UPD-25). */
export function foldConfigOptions(draft: Draft, { configOptions }: Event<"config_option_update">): void {
  setOptions(draft, configOptions);
  const { earlyMode, updatedLists } = draft.internal;
  remember(draft, {
    earlyMode: draft.configOptions?.some(isMode) ? undefined : earlyMode,
    updatedLists: { ...updatedLists, options: true },
  });
}

/** Version 1: the agent changed its mode. Told before there are options, it waits for them. */
export function foldMode(draft: Draft, { currentModeId }: Pick<Event<"current_mode_update">, "currentModeId">): void {
  if (draft.configOptions === undefined) remember(draft, { earlyMode: currentModeId });
  else setOptionValue(draft, draft.configOptions.find(isMode), currentModeId, "mode");
}

/** The agent accepted a value that this side asked for (V1-MODE-03). */
export function foldConfigOptionSet(draft: Draft, { configId, value }: Event<"config_option_set">): void {
  const option = draft.configOptions?.find((candidate) => candidate.configId === configId);
  setOptionValue(draft, option, value, configId);
}

/** The answer to new or restore: its lists count unless an update brought newer ones. */
export function foldOpened(draft: Draft, event: Event<"session_opened">): void {
  const { updatedLists, earlyMode } = draft.internal;
  const { sessionId, cwd, additionalDirectories, availableCommands, configOptions } = event;
  draft.sessionId = sessionId;
  draft.closed = false;
  draft.cwd = cwd ?? draft.cwd;
  draft.additionalDirectories = additionalDirectories ?? draft.additionalDirectories;
  if (availableCommands && !updatedLists.commands) draft.availableCommands = availableCommands.filter(isNamed);
  if (configOptions) {
    // Options that are set by a method of their own come with this answer only: a newer list never holds them.
    if (updatedLists.options) draft.configOptions = withOwn(configOptions, draft.configOptions ?? []);
    else setOptions(draft, configOptions);
  }
  remember(draft, { earlyMode: undefined, updatedLists: NOT_UPDATED });
  if (earlyMode !== undefined) foldMode(draft, { currentModeId: earlyMode });
}

/** Patches what people call the session (V1-UPD-26). */
export function foldInfo(draft: Draft, { title, updatedAt, _meta }: Event<"session_info_update">): void {
  draft.title = patched(draft.title, title);
  draft.updatedAt = patched(draft.updatedAt, updatedAt);
  draft._meta = patchedMeta(draft._meta, _meta);
}

/** Replaces what the context holds; the cost stays until another comes (V1-UPD-31). */
export function foldUsage(draft: Draft, { used, size, cost }: Event<"usage_update">): void {
  draft.usage = { used, size, cost: patched(draft.usage?.cost, cost) };
}

function setOptions(draft: Draft, options: readonly ConfigOption[]): void {
  draft.configOptions = withOwn(draft.configOptions ?? [], options.filter(isOption));
}

/** A list, and before it those options of another that have a setter of their own and that the list lacks. */
function withOwn(others: readonly ConfigOption[], list: readonly ConfigOption[]): readonly ConfigOption[] {
  const isLacking = (option: ConfigOption): boolean => !list.some(({ category }) => category === option.category);
  return [...others.filter((option) => isOption(option) && option.setBy && isLacking(option)), ...list];
}

function setOptionValue(draft: Draft, option: ConfigOption | undefined, value: unknown, about: string): void {
  if (option === undefined || typeof value !== (option.type === "boolean" ? "boolean" : "string")) {
    note(draft, option ? "an option got a value of another type" : "an unknown option was set", about);
    return;
  }
  const next = { ...option, currentValue: value } as ConfigOption;
  draft.configOptions = draft.configOptions?.map((other) => (other === option ? next : other));
}

const isMode = (option: ConfigOption): boolean => option.category === "mode";
const isNamed = (command: AvailableCommand): boolean => typeof command?.name === "string";
const isOption = (option: ConfigOption): boolean => typeof option?.configId === "string";
