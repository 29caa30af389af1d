import { once } from "node:events";
import type { ContentBlock, SessionEvent } from "@turnkit/session";
import { createPermissionCounter } from "../permission-count.js";
import type { ProgramStreams } from "../program.js";
import { earlyEnd } from "../render/ending.js";
import { shortened } from "../render/line.js";
import { createSanitiser } from "../sanitise.js";
import type { View } from "../view.js";
import { createNoticeNotes } from "./notice-notes.js";
import { createRemarks } from "./remarks.js";

/**
 * Creates a view that prints only the agent's answer, as it arrives. Thoughts, plans and tool calls are not printed.
 * Notes, notices of the agent, denied permissions, an early end and failures go to stderr.
 */
export function createQuietView(streams: Pick<ProgramStreams, "stdout" | "stderr" | "env">): View {
  const { stdout, stderr } = streams;
  const { note, failure } = createRemarks(streams);
  const notice = createNoticeNotes(note);
  const answer = createAnswer((text) => stdout.write(text));
  const permissions = createPermissionCounter();
  let isFailed = false;
  const denied = (event: SessionEvent, sessionId: string) => {
    const title = permissions.add(event, sessionId);
    if (title !== undefined) note(`Denied: ${shortened(title)}`);
  };
  return {
    note,
    failure(error) {
      isFailed = true;
      failure(error);
    },
    async event(event, { sessionId = "" }) {
      notice(event);
      denied(event, sessionId);
      answer.add(event);
      await drained(stdout, stderr);
    },
    child(event, child) {
      notice(event, child);
      denied(event, child.id);
      return drained(stderr);
    },
    ended({ stopReason, error }) {
      const isWritten = answer.end();
      if (error !== undefined && !isFailed) failure(error);
      // The failure is the reason.
      const early = error !== undefined && stopReason === "error" ? undefined : earlyEnd(stopReason);
      if (early !== undefined) note(early);
      // An empty output alone looks like a fault of this program.
      else if (!isWritten && stopReason === "end_turn") note("The agent ended its turn without any text.");
    },
  };
}

/** Settles when streams accept more output, so a slow reader slows the agent. */
async function drained(...streams: readonly NodeJS.WriteStream[]): Promise<void> {
  for (const stream of streams) if (stream.writableNeedDrain) await once(stream, "drain").catch(() => undefined);
}

/**
 * Creates a writer of the messages of an answer, with an empty line between them. Spaces and line breaks around a
 * message are left out. Messages before the prompt belong to an earlier turn.
 */
function createAnswer(write: (text: string) => void) {
  let isAsked = false;
  let isWritten = false;
  /** Number of places where messages without ids end. */
  let breaks = 0;
  let open = { key: "", text: "", sanitiser: createSanitiser() };
  /** `true` until the open message has a character that is not a space. */
  let isStart = true;
  /** Spaces and line breaks that are not written yet. They are written when another character follows. */
  let held = "";

  const print = (text: string) => {
    const shown = isStart ? text.trimStart() : text;
    const end = shown.trimEnd().length;
    if (end > 0) {
      write(held + shown.slice(0, end));
      held = "";
      isStart = false;
      isWritten = true;
    }
    if (!isStart) held += shown.slice(end);
    if (held.length <= MAX_HELD) return;
    write(held);
    held = "";
  };
  const say = (key: string, text: string) => {
    if (key !== open.key) {
      print(open.sanitiser.end());
      open = { key, text: "", sanitiser: createSanitiser() };
      held = isWritten ? "\n\n" : "";
      isStart = true;
    }
    open.text += text;
    print(open.sanitiser.write(text));
  };
  const change = (messageId: string, text: string) => {
    const known = open.key === messageId ? open.text : "";
    // A whole message may repeat its chunks.
    if (text.startsWith(known)) return say(messageId, text.slice(known.length));
    breaks += 1;
    say(`${messageId} changed ${breaks}`, text);
    open.key = messageId;
  };
  return {
    add(event: SessionEvent): void {
      if (event.type === "prompt_sent") isAsked = true;
      else if (!isAsked) return;
      // Messages of version 1 may have no ids. Such a message ends at the next event of another kind.
      else if (event.type === "agent_message_chunk") say(event.messageId ?? `#${breaks}`, textOf([event.content]));
      else if (event.type === "agent_message") change(event.messageId, textOf(event.content ?? []));
      else if (!SILENT.has(event.type)) breaks += 1;
    },
    /** Ends the answer. Returns `false` if nothing was written. */
    end(): boolean {
      print(open.sanitiser.end());
      if (isWritten) write("\n");
      return isWritten;
    },
  };
}

/** Maximum number of spaces and line breaks that wait for another character. */
const MAX_HELD = 64 * 1024;

/** Events that are not part of the conversation, so they end no message. */
const SILENT: ReadonlySet<string> = new Set<SessionEvent["type"]>([
  ...(["state_update", "usage_update", "session_info_update", "available_commands_update"] as const),
  ...(["config_option_update", "current_mode_update", "terminal_output_chunk", "terminal_update"] as const),
]);

function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
