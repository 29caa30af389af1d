import type { Entry, Session } from "@turnkit/client";
import { memo } from "react";
import { Fold } from "../timeline/folds.js";
import { BlocksView } from "./blocks-view.js";
import { MessageView } from "./message-view.js";
import { ToolCallView } from "./tool-call-view.js";

type EntryProps = { readonly entry: Entry; readonly session: Session };

/** Draws one entry of a conversation. Unchanged entries are the same objects, so only the one that grows is drawn again. */
export const EntryView = memo(({ entry, session }: EntryProps) => {
  switch (entry.type) {
    case "message":
      return <MessageView entry={entry} />;
    case "tool_call":
      return <ToolCallView entry={entry} session={session} />;
    case "notice":
      return (
        <aside className="entry notice-entry" data-severity={entry.severity}>
          <strong dir="auto">{entry.title}</strong> <bdi>{entry.description}</bdi>
        </aside>
      );
    case "compaction":
      return (
        <Fold
          name="summary"
          className="entry quiet-entry"
          summary={`The context was summarised (${entry.status})${entry.error ? `: ${entry.error}` : ""}`}
        >
          <BlocksView content={entry.summary} />
        </Fold>
      );
    case "session_message":
      return (
        <Fold
          name="message"
          className="entry quiet-entry"
          summary={`Message ${entry.senderSessionId === undefined ? "to another session" : "of another session"}`}
        >
          <BlocksView content={entry.content} />
        </Fold>
      );
    case "trimmed":
      return (
        <p className="entry quiet-entry">
          {entry.messages} messages and {entry.toolCalls} tool calls before this are no longer in memory.
        </p>
      );
    default:
      return (
        <Fold name="unknown" className="entry quiet-entry" summary="An update that this page does not know">
          <pre>{JSON.stringify(entry.raw, null, 2).slice(0, 10_000)}</pre>
        </Fold>
      );
  }
});
