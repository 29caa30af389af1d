import { createAgentWith, v1Dialect } from "@turnkit/agent";
import { createFileHandlers } from "@turnkit/client";
import { expect, it } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";

const own = {
  readTextFile: ({ path }: { readonly path: string }) => `gateway ${path}`,
  writeTextFile: () => undefined,
};

it("SHARE-06 files are asked of the client whose prompt runs, else of the gateway, never of another client", async () => {
  const { gateway } = gatewayOf(
    {
      async prompt(turn) {
        await turn.say((await turn.files?.read?.("/work/a.txt")) ?? "none");
      },
    },
    { files: own },
    (handlers) => createAgentWith([v1Dialect], handlers),
  );
  const files = createFileHandlers({ readTextFile: ({ path }) => `editor ${path}` });
  const editor = await (await clientOf(gateway, "v1", {}, { files })).newSession({ cwd: "/work" });
  const page = await attach(await clientOf(gateway, "v1"), editor.id);
  expect(await editor.prompt("Read").text()).toBe("editor /work/a.txt");
  expect(await page.prompt("Read").text()).toBe("gateway /work/a.txt");
});

it("SHARE-06 an agent behind a gateway without files is offered none", async () => {
  const { gateway } = gatewayOf(
    { prompt: (turn) => turn.say(String(turn.files?.read === undefined)) },
    {},
    (handlers) => createAgentWith([v1Dialect], handlers),
  );
  const files = createFileHandlers({ readTextFile: () => "secret" });
  const editor = await (await clientOf(gateway, "v1", {}, { files })).newSession({ cwd: "/work" });
  expect(await editor.prompt("Read").text()).toBe("true");
});
