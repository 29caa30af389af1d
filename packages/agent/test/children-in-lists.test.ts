import { expect, it } from "vitest";
import type { ChildSession } from "../src/index.js";
import { aborted, openAs, v2Hello } from "./raw-client.js";

const prompt = [{ type: "text", text: "go" }];

/** A prompted agent with a child and its own child. `list` lists background work of them. */
async function family(list: (kid: ChildSession, grandkid: ChildSession) => void, isListed = false) {
  const family: ChildSession[] = [];
  const connected = await openAs(v2Hello, {
    async prompt({ session, signal }) {
      const kid = session.child("Kid", { cancel: true });
      const grandkid = kid.child("Grandkid");
      family.push(kid, grandkid);
      if (isListed) session.setBackground([{ type: "subagent", sessionId: grandkid.id }]);
      list(kid, grandkid);
      await Promise.race([aborted(signal), aborted(kid.signal)]);
    },
  });
  const { client, sessionId } = connected;
  await client.result("session/prompt", { sessionId, prompt });
  await client.next(({ params }) => params?.update?.title === "Grandkid");
  const [kid, grandkid] = family as [ChildSession, ChildSession];
  const idle = (of: string) => client.next(({ params }) => params?.sessionId === of && params.update?.state === "idle");
  return { ...connected, kid, grandkid, idle };
}

it("P-BG-04, P-SUB-13: a cancel of the root leaves a grandchild that the root lists at work", async () => {
  const { client, sessionId, kid, grandkid, idle } = await family(() => undefined, true);
  client.cancel(sessionId);
  await idle(sessionId);
  expect((await idle(kid.id)).params.update).toMatchObject({ stopReason: "cancelled" });
  expect(grandkid.signal.aborted).toBe(false);
  grandkid.say("goes on");
  await client.update("agent_message_chunk");
  expect(client.text).toBe("goes on");
});

it("P-BG-04, P-SUB-12: a cancel of a child leaves a grandchild that the root lists at work", async () => {
  const { client, kid, grandkid } = await family(() => undefined, true);
  client.cancel(kid.id);
  await aborted(kid.signal);
  expect(grandkid.signal.aborted).toBe(false);
});

it("P-BG-04, P-SUB-13: a cancel of the root leaves a grandchild that its own parent lists at work", async () => {
  const { client, sessionId, kid, grandkid, idle } = await family((kid, grandkid) =>
    kid.setBackground([{ type: "subagent", sessionId: grandkid.id }]),
  );
  client.cancel(sessionId);
  await idle(kid.id);
  expect(grandkid.signal.aborted).toBe(false);
});

it("P-BG-04, P-SUB-13: a cancel stops a grandchild that the latest list no longer has", async () => {
  const { client, sessionId, kid, grandkid, idle } = await family((kid, grandkid) => {
    kid.setBackground([{ type: "subagent", sessionId: grandkid.id }]);
    grandkid.idle();
    kid.setBackground([]);
    grandkid.say("again");
  });
  client.cancel(sessionId);
  await idle(kid.id);
  expect(grandkid.signal.aborted).toBe(true);
});
