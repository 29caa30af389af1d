import { expect, test } from "vitest";
import { createMemoryLog, type Turn } from "../../src/index.js";
import { aborted, connectAs, type Frame, v2Hello } from "../raw-client.js";
import { expectInOrder, receivedBy, story } from "./preview-stories.js";

/** Event of an example's update, for the child session `kid`. */
const eventOf = (frame: Frame | undefined, kid: string): never => {
  const { sessionUpdate: type, ...update } = JSON.parse(JSON.stringify(frame?.params.update).replaceAll("kid1", kid));
  return { type, ...update } as never;
};

/** Prompts an agent in the session `root1`, and waits for the announcement of its child session. */
async function prompted(hello: object, prompt: (turn: Turn) => unknown) {
  const { client } = await connectAs(hello, {
    restoreSession: () => undefined,
    prompt: async (turn) => void (await prompt(turn)),
  });
  await client.result(hello === v2Hello ? "session/resume" : "session/load", {
    ...{ sessionId: "root1", cwd: "/srv/app", mcpServers: [] },
  });
  client.prompt("root1");
  const { sessionId } = await client.update("subagent_update");
  return { client, kid: sessionId as string };
}

/** The wanted frames, in the order of each session. */
function expectBySession(received: readonly Frame[], wanted: readonly Frame[]): void {
  for (const sessionId of ["root1", "kid1"])
    expectInOrder(
      received,
      wanted.filter(({ params }) => params?.sessionId === sessionId),
    );
}

const indexOf = (frames: readonly Frame[], fits: (params: Frame, update: Frame) => boolean) =>
  frames.findIndex(({ params }) => params && fits(params, params.update ?? {}));

test("P-SUB-03, P-SUB-12, P-SUB-13, P-SUB-16 4.1: a child of version 2 is announced, works, asks, is cancelled and ends", async () => {
  const frames = story("4.1");
  const [announcement, link, outgoing, incoming, , tool, asked, , , , cancelled, withdrawn] = frames as [
    Frame,
    ...Frame[],
  ];
  const { client, kid } = await prompted(v2Hello, async (turn) => {
    turn.session.setBackground([]);
    const { title, description, cwd } = announcement.params.update;
    const child = turn.session.child(title, { description, cwd, cancel: true });
    turn.emit(eventOf(link, child.id));
    turn.emit(eventOf(outgoing, child.id));
    child.emit(eventOf(incoming, child.id));
    const { sessionUpdate: _, status: __, ...start } = tool?.params.update ?? {};
    const call = child.toolCall(start as never);
    const { sessionId: ___, ...about } = asked?.params ?? {};
    const { allowed } = await child.requestPermission(about as never);
    if (allowed) call.update({ status: "in_progress" });
    await aborted(child.signal);
    child.idle();
    turn.emit(eventOf(cancelled, child.id));
    turn.session.emit(eventOf(withdrawn, child.id));
  });
  const question = await client.call("session/request_permission");
  client.reply(question, story("4.1", "client")[0]?.result);
  await client.next(({ params }) => params?.sessionId === kid && params.update?.status === "in_progress");
  client.cancel(kid);
  await client.next(({ params }) => params?.sessionId === "root1" && params.update?.stopReason === "end_turn");
  const received = receivedBy(client, { [kid]: "kid1" });
  // Our child works from its announcement on, so its first state precedes the messages between the sessions.
  const running = frames.filter(({ params }) => params.update?.state === "running");
  expectInOrder(received, running);
  expectBySession(
    received,
    frames.filter((frame) => !running.includes(frame)),
  );
  expect(indexOf(received, (params) => JSON.stringify(params).includes("kid1"))).toBe(
    indexOf(received, (_, { title }) => title === "Test runner"),
  );
  expect(indexOf(received, ({ sessionId }, { state }) => sessionId === "kid1" && state === "idle")).toBeLessThan(
    indexOf(received, (_, { toolCallId, status }) => toolCallId === "t1" && status === "cancelled"),
  );
});

test("P-SUB1-03, P-SUB1-06, P-SUB1-07 4.2: a child of version 1 works under its own id, and its parent reports its state", async () => {
  const frames = story("4.2");
  const { client, kid } = await prompted(story("4.2", "client")[0]?.params as Frame, async ({ session }) => {
    const child = session.child("Test runner", { cancel: true });
    child.say("12 tests found");
    const { toolCall, options } = frames[3]?.params ?? {};
    await child.toolCall(toolCall).requestPermission({ options });
    child.idle();
  });
  const question = await client.call("session/request_permission");
  client.cancel(kid);
  client.reply(question, story("4.2", "client").at(-1)?.result);
  await client.next(({ params }) => params?.update?.state?.state === "idle");
  // Our messages have ids, and our tool calls a kind and a status.
  const wanted = frames.map(({ params: { update, toolCall, ...params }, ...frame }) => ({
    ...frame,
    params: {
      ...params,
      ...(update && { update: expect.objectContaining(update) }),
      ...(toolCall && { toolCall: expect.objectContaining(toolCall) }),
    },
  }));
  expectInOrder(receivedBy(client, { [kid]: "kid1" }), wanted);
});

test("P-REPLAY-01, P-REPLAY-04, P-REPLAY-10 4.3: each session of a replay ends with its marker, and states follow", async () => {
  const [resume] = story("4.3", "client");
  const log = createMemoryLog();
  const first = await connectAs(v2Hello, {
    log,
    prompt(turn) {
      turn.session.emit({ type: "session_info_update", title: "Build fix", updatedAt: "2026-11-22T10:00:00Z" });
      turn.session.setBackground([]);
      const child = turn.session.child("Test runner");
      child.say("All green");
      child.idle();
      turn.say("Done");
    },
  });
  const sessionId = await first.client.newSession({ cwd: "/srv/app" });
  const prompt = [{ type: "text", text: "Fix the build" }];
  const { messageId } = await first.client.result("session/prompt", { sessionId, prompt });
  await first.client.next(({ params }) => params?.update?.stopReason === "end_turn" && params.sessionId === sessionId);
  const [{ sessionId: kid }] = first.client.updates("subagent_update") as [Frame];
  await first.client.close();
  await first.served.closed;
  const { client } = await connectAs(v2Hello, { log, restoreSession: (_, session) => session.setBackground([]) });
  await client.result(resume?.method, { ...resume?.params, sessionId });
  const [own, ofKid] = [client, client].map(({ received }, index) =>
    received.find(
      ({ params }) => params?.update?.sessionUpdate === "agent_message" && (params.sessionId === kid) === (index === 1),
    ),
  );
  const names = {
    ...{ [sessionId]: "root1", [messageId]: "u1", [kid]: "kid1" },
    ...{ [own?.params.update.messageId]: "a1", [ofKid?.params.update.messageId]: "k1" },
  };
  // Our states say why the work ended. A child that ended with its agent lists no work.
  const bare = (frames: readonly Frame[]) =>
    frames.map((frame) => {
      const { stopReason: _, ...update } = frame.params?.update ?? {};
      if (frame.params?.sessionId === "kid1") delete update.background;
      return frame.params?.update === undefined ? frame : { ...frame, params: { ...frame.params, update } };
    });
  const received = bare(receivedBy(client, names));
  // Our announcements precede the whole history.
  const isAnnouncement = ({ params }: Frame) => params?.update?.title === "Test runner";
  const frames = bare(story("4.3"));
  expect(received.find(({ method }) => method)).toEqual(frames.find(isAnnouncement));
  expectBySession(
    received,
    frames.filter((frame) => !isAnnouncement(frame)),
  );
  const marker = (id: string) =>
    indexOf(received, (params, { sessionUpdate }) => params.sessionId === id && sessionUpdate === "replay_complete");
  expect(marker("kid1")).toBeLessThan(marker("root1"));
  expect(marker("root1")).toBeLessThan(indexOf(received, (_, { state }) => state === "idle"));
  expect(received.at(-1)).toMatchObject({ result: {} });
});
