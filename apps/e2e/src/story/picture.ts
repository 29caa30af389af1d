import type { ContentBlock, Entry, SessionState, ToolCallContent } from "@turnkit/session";
import { expect } from "vitest";

/** Returns everything that a person would see of a state. Ids are left out, since each run makes them anew. */
export function pictureOf(state: SessionState) {
  return {
    timeline: [...state.timeline].map(pictureOfEntry),
    plans: [...state.plans].map((plan) => ("entries" in plan ? plan.entries : plan.type)),
    title: state.title,
    usage: state.usage,
    commands: state.availableCommands?.map(({ name, description, input }) => ({
      name,
      description,
      hint: input?.hint,
    })),
    options: state.configOptions?.map((option) => ({
      configId: option.configId,
      category: option.category,
      value: "currentValue" in option ? option.currentValue : undefined,
    })),
    activity: state.activity.state,
    lastTurn: { stopReason: state.lastTurn?.stopReason, error: state.lastTurn?.error?.message },
    pendingPermissions: state.pendingPermissions.length,
    anomalies: state.anomalies,
  };
}

/** Applies the losses of a dialect to a picture, by the rule of each loss. Only reported losses count. */
export function withLosses(picture: ReturnType<typeof pictureOf>, losses: ReadonlySet<string>): unknown {
  const timeline = picture.timeline.map((entry) => {
    if (typeof entry !== "object" || entry === null || !("tool" in entry)) return entry;
    const call = entry as PictureOfToolCall;
    const status = losses.has("tool-call-status") && call.status === "cancelled" ? "failed" : call.status;
    // Where no texts were said, a line and a patch stand in for them.
    const lines = (item: unknown) => (Array.isArray(item) ? [...item, expect.stringMatching(/^```diff\n/)] : [item]);
    return { ...call, status, content: losses.has("diff") ? call.content.flatMap(lines) : call.content };
  });
  return { ...picture, timeline };
}

type PictureOfToolCall = { readonly tool: unknown; readonly status: unknown; readonly content: readonly unknown[] };

function pictureOfEntry(entry: Entry): unknown {
  switch (entry.type) {
    case "message":
      return { who: entry.role, text: [...entry.content].map(textOf).join("") };
    case "tool_call":
      return {
        tool: entry.title,
        kind: entry.kind,
        status: entry.status,
        content: [...entry.content].map(contentOf),
        locations: entry.locations,
        rawInput: entry.rawInput,
      };
    case "notice":
      return { notice: entry.title, severity: entry.severity };
    case "compaction":
      return { compaction: entry.status, summary: [...entry.summary].map(textOf).join("") };
    default:
      return entry;
  }
}

function textOf(block: ContentBlock): string {
  return block.type === "text" ? block.text : `[${block.type as string}]`;
}

function contentOf(item: ToolCallContent): unknown {
  if (item.type === "content") return textOf(item.content);
  if (item.type === "diff") return item.changes.map(({ operation, path }) => `${operation as string} ${path}`);
  return item.type;
}
