import { expect, it } from "vitest";
import { Stage } from "./raw-client.js";

const state = (name: string, text = "") => ({
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "state_update", state: name, _meta: { text } } },
});

it("REM-46: a state that is too large to be stored removes the older one, which is no longer true", async () => {
  const stage = await Stage.connected({}, { _meta: { "acp/resumable": true } });
  const events = await stage.events("s");
  stage.agent.side.send(state("running"), state("idle", "x".repeat(64 * 1024)));
  const got = [await events.event(), await events.event(), await events.event()];
  await events.cancel();
  const again = await stage.events("s", { "Last-Event-ID": got[2]?.id ?? "" });
  stage.agent.side.send({ method: "_last", params: { sessionId: "s" } });
  expect((await again.next())?.method).toBe("_last");
});
