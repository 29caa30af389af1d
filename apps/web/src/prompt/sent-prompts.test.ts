import type { Session, Turn } from "@turnkit/client";
import { createSessionState, reduce, type SessionEvent } from "@turnkit/session";
import { AcpError } from "@turnkit/transport";
import { expect, it } from "vitest";
import { lostPrompts, sendKept } from "./sent-prompts.js";

const message = (role: "user" | "agent", messageId: string, text: string): SessionEvent => ({
  type: `${role}_message`,
  messageId,
  content: [{ type: "text", text }],
});
const notice = (title: string): SessionEvent => ({ type: "notice", severity: "info", title });
const sessionOf = (...events: readonly SessionEvent[]) =>
  ({ id: "lost-after-notice", state: events.reduce(reduce, createSessionState()) }) as Session;

const last = [message("user", "u-1", "Go on"), message("agent", "a-1", "Well"), notice("The agent has ended")];

it("defect E32: the same words are in the field again, also if a notice was the last entry before the lost prompt", async () => {
  const ended = Promise.reject(new AcpError("connection_closed", "lost"));
  const send = () => ({ ended }) as unknown as Turn;
  const unsent = () => undefined;
  sendKept(sessionOf(...last), { text: "Go on", content: "Go on" }, { lost: [], send, unsent });
  await ended.catch(() => undefined);
  // In the whole conversation, another notice has the number of that one.
  const whole = sessionOf(notice("Welcome"), ...last);
  expect(lostPrompts(whole).map(({ text }) => text)).toEqual(["Go on"]);
  const arrived = sessionOf(notice("Welcome"), ...last, message("user", "u-2", "Go on"));
  expect(lostPrompts(arrived)).toEqual([]);
});
