import type { ContentBlock, Entry, SessionState } from "@turnkit/session";

/** Everything of a state that a person can see, in a form that does not depend on the number of updates. */
export function viewOf(state: SessionState): object {
  const { title, usage, activity, availableCommands, configOptions } = state;
  return {
    title,
    usage: usage && { used: usage.used, size: usage.size },
    activity: activity.state,
    commands: availableCommands?.map(({ name }) => name),
    options: configOptions?.map(({ configId, ...option }) => [
      configId,
      "currentValue" in option && option.currentValue,
    ]),
    entries: [...state.timeline].map(entryOf).filter((entry) => entry !== undefined),
    plans: [...state.plans],
    terminals: [...state.terminals].map(({ terminalId, command, text, exitStatus }) => {
      return { terminalId, command, text, exitStatus };
    }),
    subagents: [...state.subagents].map(({ sessionId, title: name, activity: work }) => [sessionId, name, work?.state]),
    questions: state.pendingPermissions.map((question) => question.title),
  };
}

function entryOf(entry: Entry): unknown {
  switch (entry.type) {
    case "message":
      return [entry.role, textOf(entry.content.toArray())];
    case "tool_call": {
      const { toolCallId, title, kind, status, locations, rawInput, rawOutput } = entry;
      return { toolCallId, title, kind, status, locations, rawInput, rawOutput, content: entry.content.toArray() };
    }
    case "compaction":
      return [entry.type, entry.status, textOf(entry.summary.toArray())];
    case "notice":
      return [entry.type, entry.title];
    default:
      return [entry.type];
  }
}

const textOf = (blocks: readonly ContentBlock[]): string =>
  blocks.map((block) => (block.type === "text" && "text" in block ? block.text : JSON.stringify(block))).join("");
