import { createAgentWith, v1Dialect } from "@turnkit/agent";
import { createFileHandlers } from "@turnkit/client";
import { expect, it } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch } from "./latch.js";
import { RawClient } from "./raw-client.js";
import { viewOf } from "./view.js";

it("SHARE-04 defect G12: a client that knows no child sessions gets nothing of them, and is asked in the session itself", async () => {
  const { gateway } = gatewayOf({
    async prompt(turn) {
      const child = turn.session.child("Helper");
      await child.say("from the child");
      const call = child.toolCall({ title: "Danger", kind: "delete" });
      const isAllowed = await call.ask();
      call.finish();
      await turn.say(isAllowed ? "allowed" : "refused");
    },
  });
  const raw = new RawClient(gateway.open({ id: "raw", group: "all" }));
  await raw.initialize(1);
  const { result } = await raw.request("session/new", { cwd: "/work", mcpServers: [] });
  const { sessionId } = result;
  const ended = raw.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "Go" }] });
  const question = await raw.next(({ method }) => method === "session/request_permission");
  expect(question.params).toMatchObject({ sessionId, toolCall: { title: "Danger" } });
  raw.reply(question, { outcome: { outcome: "selected", optionId: "allow_once" } });
  await ended;
  const updates = raw.received.filter(({ method }) => method === "session/update");
  expect(updates.map(({ params }) => [params.sessionId, params.update.content?.text])).toEqual([
    [sessionId, "allowed"],
  ]);
});

it("SHARE-06 defect G13: files of a client that has left are those of the gateway", async () => {
  const latch = createLatch();
  const own = {
    readTextFile: ({ path }: { readonly path: string }) => `gateway ${path}`,
    writeTextFile: () => undefined,
  };
  const { gateway } = gatewayOf(
    {
      async prompt(turn) {
        await turn.say("I read ");
        await latch.opened;
        await turn.say((await turn.files?.read?.("/work/a.txt")) ?? "none");
      },
    },
    { files: own },
    (handlers) => createAgentWith([v1Dialect], handlers),
  );
  const files = createFileHandlers({ readTextFile: ({ path }) => `editor ${path}` });
  const editor = await clientOf(gateway, "v1", {}, { files });
  const session = await editor.newSession({ cwd: "/work" });
  const page = await attach(await clientOf(gateway, "v2"), session.id);
  session.prompt("Go");
  await expect.poll(() => JSON.stringify(viewOf(page.state))).toContain("I read ");
  await editor.close();
  latch.open();
  await expect.poll(() => JSON.stringify(viewOf(page.state))).toContain("I read gateway /work/a.txt");
});
