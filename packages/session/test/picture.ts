import type { SessionState } from "../src/state.js";

/** Returns the visible part of a state. */
export function picture(state: SessionState): { readonly [part: string]: unknown } {
  const { timeline, plans, terminals, subagents, usage, title, updatedAt, _meta } = state;
  return {
    entries: timeline.toArray().map((entry) => ({
      ...entry,
      ...("content" in entry && { content: entry.content.toArray() }),
      ...("summary" in entry && { summary: entry.summary.toArray() }),
    })),
    plans: plans.toArray(),
    terminals: terminals.toArray(),
    subagents: subagents.toArray(),
    usage,
    title,
    updatedAt,
    _meta,
    // `null` is as good as left out.
    availableCommands: state.availableCommands?.map((command) => ({ ...command, input: command.input ?? undefined })),
    configOptions: state.configOptions,
    activity: state.activity,
    lastTurn: state.lastTurn,
  };
}
