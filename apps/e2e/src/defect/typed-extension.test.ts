import { createAgent } from "@turnkit/agent";
import { connect, createExtension, isRpcError } from "@turnkit/client";
import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const info = { name: "mine", version: "1.0.0" };

const undo = createExtension("_example.com/undo", {
  params: z.object({ steps: z.number().int(), reason: z.string().default("none") }),
  result: z.object({ undone: z.array(z.string()) }),
});

describe("defect F12: one extension of a schema library serves both sides", () => {
  test("in both directions, with defaults and refusals", async () => {
    const [channel, end] = createMemoryPair();
    const handler = undo.handle(({ steps, reason }) => ({ undone: Array.from({ length: steps }, () => reason) }));
    createAgent({
      info,
      async prompt(turn) {
        const { undone } = await undo.request(turn.session.client, { steps: 2, reason: "asked" });
        turn.say(undone.join());
      },
      extensions: { [undo.method]: handler },
    }).serve(end);
    const client = await connect(channel, { info, extensions: { [undo.method]: handler } });

    const { undone } = await undo.request(client, { steps: 1 });
    expect(undone).toEqual(["none"]);
    const refused = await client.request("_example.com/undo", { steps: 0.5 }).catch((error: unknown) => error);
    expect(isRpcError(refused, -32602)).toBe(true);
    const session = await client.newSession({ cwd: "/work" });
    const turn = session.prompt("go");
    expect(await turn.text()).toBe("asked,asked");
    await client.close();
  });

  test("types refuse other params, results and handlers", () => {
    // @ts-expect-error steps are a number
    () => undo.request(undefined as never, { steps: "2" });
    // @ts-expect-error the result has a list
    undo.handle(() => ({ undone: 1 }));
    // @ts-expect-error there is no such member
    undo.handle(({ step }) => ({ undone: [step] }));
  });
});
