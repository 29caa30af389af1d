import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Stage } from "./raw-client.js";

/** Memory that is in use, in MB. */
function used(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}

it("REM-22: a body that arrives in pieces of two bytes takes no more memory than its bytes", async () => {
  const stage = await Stage.connected();
  const text = `{"jsonrpc":"2.0","method":"_a","params":{"text":"${"ab".repeat(200_000)}"}}`;
  const bytes = new TextEncoder().encode(text);
  const before = used();
  let at = 0;
  let most = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) {
        most = used() - before;
        return controller.close();
      }
      controller.enqueue(bytes.slice(at, at + 2));
      at += 2;
    },
  });
  const headers = { "Content-Type": "application/json", ...stage.headers() };
  const response = await stage.ask("POST", headers, { body, duplex: "half" } as RequestInit);
  expect(response.status).toBe(202);
  expect((await stage.agent.side.call("_a")).params).toEqual({ text: "ab".repeat(200_000) });
  // One string for each piece takes 8 MB.
  expect(most).toBeLessThan(3);
});
