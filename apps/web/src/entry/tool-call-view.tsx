import type { Session } from "@turnkit/client";
import type { ToolCallEntry } from "@turnkit/session";
import { Fold } from "../timeline/folds.js";
import { ToolContent } from "./tool-content.js";
import { ToolInput } from "./tool-input.js";

const marks: Readonly<Record<string, string>> = {
  pending: "○",
  in_progress: "▶",
  paused: "‖",
  completed: "✓",
  failed: "✗",
  cancelled: "–",
};

/** Tool call: title and status, and folded below them what it does. Changes and terminals are not folded. */
export function ToolCallView({ entry, session }: { readonly entry: ToolCallEntry; readonly session: Session }) {
  const { title, name, kind, status, content, locations, rawInput, rawOutput } = entry;
  const shown = [...content];
  const isOpen = shown.some(({ type }) => type === "diff" || type === "terminal");
  const answeredBy = entry._meta?.["turnkit.answeredBy"];
  const isCancellable = entry.capabilities?.cancel != null;
  return (
    <Fold
      name="call"
      className="entry tool"
      status={status as string}
      isOpen={isOpen}
      summary={
        <>
          <span className="mark" aria-hidden="true">
            {marks[status as string] ?? "▶"}
          </span>{" "}
          <bdi className="title">{title || name || "Tool"}</bdi>{" "}
          <span className="quiet">
            {kind as string}, {(status as string).replaceAll("_", " ")}
            {typeof answeredBy === "string" && answeredBy !== "" ? `, answered by ${answeredBy}` : ""}
          </span>
        </>
      }
    >
      {isCancellable ? (
        <button type="button" onClick={() => void session.cancelToolCall(entry.toolCallId).catch(() => undefined)}>
          Stop this call
        </button>
      ) : null}
      {locations.length === 0 ? null : (
        <ul className="places">
          {locations.map(({ path, line }) => (
            <li key={`${path}:${line}`}>
              <code>{line == null ? path : `${path}:${line}`}</code>
            </li>
          ))}
        </ul>
      )}
      {shown.map((one, index) => (
        <ToolContent key={index} item={one} session={session} />
      ))}
      <ToolInput label="Input" value={rawInput} />
      {shown.length === 0 ? <ToolInput label="Output" value={rawOutput} /> : null}
    </Fold>
  );
}
