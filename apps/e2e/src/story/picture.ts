import type { Session } from "@turnkit/client";
import type { ContentBlock, Entry, Plan, SessionState, ToolCallContent } from "@turnkit/session";

/** Returns everything that a person would see of a state. Ids are left out, since each run makes them anew. */
export function pictureOf(state: SessionState) {
  return {
    timeline: [...state.timeline].map(pictureOfEntry),
    plans: [...state.plans].map(pictureOfPlan),
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

/** Picture of a session, and of its child sessions below it. */
export type PictureOfTree = ReturnType<typeof pictureOf> & {
  readonly announced: unknown;
  readonly children: readonly PictureOfTree[];
};

/** Returns everything that a person would see of a session and of the subagents below it. */
export function pictureOfTree(session: Session): PictureOfTree {
  const announced = session.parent?.state.subagents.get(session.id);
  return {
    ...pictureOf(session.state),
    announced: announced && { title: announced.title, description: announced.description, cwd: session.cwd },
    children: session.children.map(pictureOfTree),
  };
}

/** Picture of a tool call in a timeline. */
export type PictureOfToolCall = {
  readonly tool: unknown;
  readonly kind: unknown;
  readonly status: unknown;
  readonly content: readonly unknown[];
};

/** Returns `true` for the picture of a tool call. */
export const isToolCall = (entry: unknown): entry is PictureOfToolCall =>
  typeof entry === "object" && entry !== null && "tool" in entry;

const pictureOfPlan = (plan: Plan): unknown =>
  plan.type === "markdown" ? { markdown: plan.content } : "entries" in plan ? plan.entries : plan.type;

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
