import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { clientInfo, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const option = {
  type: "select",
  ...{ configId: "m", name: "M", currentValue: "x" },
  options: [
    { value: "x", name: "X" },
    { value: "y", name: "Y" },
  ],
} as const;

test.each([
  ["version 1", { protocolVersion: 1, clientInfo }],
  ["version 2", v2Hello],
  ["seed", seedHello],
] as const)("%s: prompts that are cancelled behind an open call leave nothing in memory", async (_, hello) => {
  const changed = gate();
  const ran: unknown[] = [];
  const { client, sessionId } = await openAs(hello, {
    newSession: () => ({ configOptions: [option] }),
    setConfigOption: () => changed.promise,
    prompt: ({ prompt }) => void ran.push(prompt),
  });
  const params = { sessionId, configId: "m", type: "id", value: "y" };
  client.send({ id: "set", method: "session/set_config_option", params });
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 1_200; n++) {
    const id = client.prompt(sessionId, `${n}${"y".repeat(20_000).split("").join("")}`);
    client.notify("$/cancel_request", { requestId: id });
    await client.answer(id);
    client.received.length = 0;
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(6e6);
  changed.open();
  expect((await client.answer("set")).error).toBeUndefined();
  const last = await client.ask(sessionId, "last");
  expect(last.error).toBeUndefined();
  await vi.waitFor(() => expect(ran).toHaveLength(1));
  expect(ran).toEqual([[{ type: "text", text: "last" }]]);
});
