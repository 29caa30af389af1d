import {
  createSessionState,
  createSessionStore,
  reduceAll,
  type SessionEvent,
  type SessionState,
} from "@turnkit/session";
import { expect, it } from "vitest";
import { backgroundCommands, createBackgroundNotes } from "./background-commands.js";
import { plainText } from "./render/line.js";
import { FollowedSession } from "./tui/followed-session.js";
import { createUnopenedSession } from "./tui/unopened-session.js";

const running = (...ids: readonly string[]): SessionEvent => ({
  type: "state_update",
  state: "idle",
  background: ids.map((terminalId) => ({ type: "terminal", terminalId })),
});
const started: readonly SessionEvent[] = [
  { type: "terminal_update", terminalId: "t1", command: "npm run\u001b[2J\ndev" },
  { type: "terminal_update", terminalId: "t2" },
  running("t1", "t2"),
];
const after = (...events: readonly SessionEvent[]): SessionState =>
  reduceAll(createSessionState(), [...started, ...events]);

it("defect P43: commands in the background are listed while they run", () => {
  expect([...backgroundCommands(after()).values()]).toEqual(["npm run␛[2J␊dev", "t2"]);
  const exit: SessionEvent = { type: "terminal_update", terminalId: "t1", exitStatus: { exitCode: 1 } };
  expect([...backgroundCommands(after(exit)).keys()]).toEqual(["t2"]);
  expect(backgroundCommands(createSessionState()).size).toBe(0);
});

it("defect P43: the end of a command in the background is reported once, with its exit code", () => {
  const notes = createBackgroundNotes();
  expect(notes(after())).toEqual([]);
  const exit: SessionEvent = { type: "terminal_update", terminalId: "t1", exitStatus: { exitCode: 1 } };
  expect(notes(after(exit))).toEqual(["npm run␛[2J␊dev: ended in the background (exit code 1)"]);
  expect(notes(after(exit, running("t2")))).toEqual([]);
  const stopped: SessionEvent = { type: "terminal_update", terminalId: "t2", exitStatus: { signal: "SIGTERM" } };
  expect(notes(after(exit, stopped, running()))).toEqual(["t2: ended in the background (SIGTERM)"]);
  const silent = createBackgroundNotes();
  silent(after());
  expect(silent(after(running("t2")))).toEqual(["npm run␛[2J␊dev: ended in the background"]);
});

it("defect P43: the end of a command in the background is a line of the conversation", () => {
  const store = createSessionStore(after());
  const session = { ...createUnopenedSession("/work"), subscribe: store.subscribe };
  Object.defineProperty(session, "state", { get: store.getState });
  const none = () => undefined;
  const shown = new FollowedSession({
    ...{ link: { directory: "/work" } as never, links: false, env: {}, width: () => 80 },
    ...{ advanced: none, changed: none, asked: none },
  });
  shown.follow(session);
  store.dispatch({ type: "terminal_update", terminalId: "t2", exitStatus: { exitCode: 2 } });
  shown.transcript.update(session.state);
  expect(shown.transcript.take().map(plainText)).toContain("t2: ended in the background (exit code 2)");
});
