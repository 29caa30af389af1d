import { isRpcError, rpcErrorCode } from "@turnkit/client";
import { foreignText, membersOf } from "../output/foreign-value.js";
import { announcedChildren, endlessChildren, unannounced } from "./child-frames.js";
import { type Evidence, type Frame, failureOf, received, resultOf, wireOf } from "./evidence.js";
import { type Check, counted, initializeResult } from "./message-checks.js";

/** Checks of restores, repeated prompts and child sessions, in the order of the report. */
export const previewChecks: readonly Check[] = [
  {
    id: "restore",
    title: "restores a session with its conversation if it offers that",
    advice: "Send the messages of the session before the answer, or do not announce the capability.",
    tested: (evidence) => {
      const { restored } = evidence;
      const isUnknown = restored?.status === "failed" && isRpcError(restored.error, rpcErrorCode.resourceNotFound);
      return restored !== undefined && (!isUnknown || promisesRestores(evidence));
    },
    seen: ({ restored }) => {
      const outcome = resultOf(restored);
      if (outcome === undefined) return `a restore is offered, but fails: ${failureOf(restored)}`;
      if (outcome.status === "resumed") return undefined;
      const hasMessages = [...outcome.session.state.timeline].some(({ type }) => type === "message");
      return hasMessages ? undefined : "a replay without a message";
    },
  },
  {
    id: "replay-marker",
    title: "marks the end of each replay once",
    advice: "Send replay_complete once for each session/resume with replayFrom: after the history, before the answer.",
    tested: ({ frames, restored }) => restored?.status === "done" && replays(frames).length > 0,
    seen: ({ frames }) => {
      const counts = replays(frames).filter((count) => count !== 1);
      if (counts.length === 0) return undefined;
      if (counts.every((count) => count === 0)) return { severity: "hint", seen: "a replay without replay_complete" };
      return `a replay with ${Math.max(...counts)} times replay_complete`;
    },
  },
  {
    id: "prompt-key",
    title: "adds a prompt once if it is sent again with its idempotency key",
    advice: "Store the key with the message. Answer a further attempt with the id of that message, and begin no work.",
    tested: ({ frames }) => messagesOfRepeatedKeys(frames).length > 0,
    seen: (evidence) => {
      const faults = messagesOfRepeatedKeys(evidence.frames).filter(([first, ...more]) =>
        more.some((id) => id !== first),
      );
      const seen = counted(
        faults.map((ids) => ids.map(foreignText).join(" and ")),
        "key with two messages",
        "keys with two messages",
      );
      // An agent that sends the marker follows the Preview, in which every agent honours keys.
      return seen && { severity: sendsMarkers(evidence) ? "problem" : "hint", seen };
    },
  },
  {
    id: "children-announced",
    title: "announces child sessions before other messages name them",
    advice:
      "Send subagent_update on the session of the parent first. Clients hold or drop messages of unknown sessions.",
    tested: ({ frames }) => announcedChildren(frames).size > 0 || unannounced(frames).length > 0,
    seen: ({ frames }) =>
      counted(unannounced(frames), "message about an unknown session", "messages about unknown sessions"),
  },
  {
    id: "children-end",
    title: "reports the end of its child sessions",
    severity: "hint",
    advice: "Send the state idle when a child session has no more work. Otherwise clients show it as working forever.",
    // The end of a child session may be in a message that was not kept.
    tested: ({ frames, leftOut }) => !leftOut && announcedChildren(frames).size > 0,
    seen: ({ frames }) =>
      counted(endlessChildren(frames), "child session without an end", "child sessions without an end"),
  },
];

/** Returns `true` if a capability says that the agent stores sessions. Version 2 has no such capability. */
function promisesRestores(evidence: Evidence): boolean {
  const { agentCapabilities, capabilities } = initializeResult(evidence);
  const { loadSession, sessionCapabilities } = membersOf(agentCapabilities);
  const { load, resume } = membersOf(membersOf(capabilities).session);
  return [loadSession, membersOf(sessionCapabilities).resume, load, resume].some(Boolean);
}

/** Returns the number of markers of each replay that the agent has answered. A marker after the answer counts as a second one. */
function replays(frames: readonly Frame[]): readonly number[] {
  const counts = new Map<unknown, { readonly sessionId: unknown; count: number; isOver: boolean }>();
  for (const frame of frames) {
    const { id, method, params, result } = wireOf(frame);
    if (frame.way === "sent" && method === "session/resume" && params.replayFrom != null)
      counts.set(id, { sessionId: params.sessionId, count: 0, isOver: false });
    if (frame.way === "sent") continue;
    const answered = method === undefined && result !== undefined ? counts.get(id) : undefined;
    if (answered !== undefined) answered.isOver = true;
    if (!isMarker(frame)) continue;
    const replay = [...counts.values()].findLast(({ sessionId }) => sessionId === params.sessionId);
    if (replay !== undefined) replay.count += replay.isOver ? 2 : 1;
  }
  return [...counts.values()].filter(({ isOver }) => isOver).map(({ count }) => count);
}

function isMarker(frame: Frame): boolean {
  const { method, params } = wireOf(frame);
  return method === "session/update" && membersOf(params.update).sessionUpdate === "replay_complete";
}

const sendsMarkers = (evidence: Evidence): boolean => received(evidence).some(isMarker);

const messagesOfRepeatedKeys = (frames: readonly Frame[]): readonly (readonly unknown[])[] =>
  [...messagesByKey(frames).values()].filter(({ length }) => length > 1);

/** Returns the ids of messages by the keys of their prompts, as the agent answered. An answer that ends a turn has none. */
export function messagesByKey(frames: readonly Frame[]): ReadonlyMap<unknown, readonly unknown[]> {
  const keys = new Map<unknown, unknown>();
  const messages = new Map<unknown, unknown[]>();
  for (const frame of frames) {
    const { id, method, params, result } = wireOf(frame);
    const key = params.idempotencyKey;
    if (frame.way === "sent" && method === "session/prompt" && key != null) keys.set(id, key);
    const { messageId, stopReason } = membersOf(result);
    if (frame.way === "sent" || method !== undefined || !keys.has(id)) continue;
    if (messageId === undefined || stopReason !== undefined) continue;
    const ids = messages.get(keys.get(id)) ?? [];
    messages.set(keys.get(id), ids);
    ids.push(messageId);
  }
  return messages;
}
