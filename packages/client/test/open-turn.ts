import type { DialectName } from "@turnkit/session";
import type { SessionEvent } from "../src/index.js";
import { echo, idle, NOW, openDraft, openDraftSession, piece, running, SEED } from "./draft-agent.js";
import { chunk, newSession, type Options, open } from "./raw-agent.js";

/** A session whose first turn runs, with an agent of each dialect, and how that tells what happens. */
export async function openTurn(dialect: DialectName) {
  const received: SessionEvent[] = [];
  const onEvent = (event: SessionEvent) => void received.push(event);
  const opened = dialect === "v1" ? await openV1(onEvent) : await openDraftSession(drafts[dialect], {}, onEvent);
  const { agent, session } = opened;
  const turn = session.prompt("hi");
  const prompt = await agent.call("session/prompt");
  if (dialect === "v2") {
    agent.update("s-1", echo("u-1"), running);
    agent.answer(prompt, { messageId: "u-1" });
  }
  const say = (text: string) => agent.update("s-1", dialect === "v1" ? chunk(text) : piece(text));
  const finish = () => {
    if (dialect === "v2") agent.update("s-1", idle("end_turn"));
    else agent.answer(prompt, { stopReason: "end_turn" });
  };
  return { ...opened, turn, prompt, say, finish, received, restore: restoreOf(dialect) };
}

const drafts = { v2: NOW, seed: SEED };

/** A session without a turn, with an agent of each dialect. */
export async function openIdle(dialect: DialectName, options: Options = {}) {
  const opened = dialect === "v1" ? await open(options) : await openDraft(drafts[dialect], options);
  return { ...opened, session: await newSession(opened, "s-1"), restore: restoreOf(dialect) };
}

/** The call by which a client restores a session. */
const restoreOf = (dialect: DialectName) => (dialect === "v2" ? "session/resume" : "session/load");

async function openV1(onEvent: (event: SessionEvent) => void) {
  const opened = await open();
  return { ...opened, session: await newSession(opened, "s-1", onEvent) };
}
