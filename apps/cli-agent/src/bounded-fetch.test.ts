import { createServer, type RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { boundedFetch } from "./bounded-fetch.js";
import type { ModelRequest } from "./model.js";
import type { ModelSpec } from "./models/catalogue.js";
import { createLanguageModel } from "./models/language-model.js";

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

/** Sends the same megabyte a number of times, or until the reader stops. */
const sending =
  (type: string, megabyte: string, times = Number.POSITIVE_INFINITY): RequestListener =>
  (_, response) => {
    response.setHeader("content-type", type);
    let sent = 0;
    const more = () => {
      while (!response.destroyed && sent < times) {
        sent += 1;
        if (!response.write(megabyte)) {
          response.once("drain", more);
          return;
        }
      }
      response.end();
    };
    more();
  };

async function lengthOf(response: Response): Promise<number> {
  let length = 0;
  for await (const chunk of response.body ?? []) length += chunk.length;
  return length;
}

const MEGABYTE = 1024 * 1024;

describe("what a server answers over http", () => {
  it.each(["application/json", "text/event-stream"])("is cut off when one message has no end: %s", async (type) => {
    const url = await serve(sending(type, "x".repeat(MEGABYTE)));
    await expect(lengthOf(await boundedFetch(url))).rejects.toThrow("a message is larger than 32 MiB");
  });

  it.each(["\n", "\r", "\r\n"])(
    "defect S31: an event of an MCP server without an end is cut off: lines end with %j",
    async (end) => {
      const line = `data: ${"x".repeat(1000)}${end}`;
      const url = await serve(sending("text/event-stream", line.repeat(1000)));
      await expect(lengthOf(await boundedFetch(url))).rejects.toThrow("a message is larger than 32 MiB");
    },
  );

  it("defect S31: a cancel ends the reading of an event stream without an end", async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: a\n"),
    );
    const over = new AbortController();
    const response = await boundedFetch(url, { signal: over.signal });
    const reading = lengthOf(response);
    over.abort(new Error("cancelled"));
    await expect(reading).rejects.toThrow("cancelled");
  });

  it.each(["\r", "\r\n"])("may go on for long in an event stream whose lines end with %j", async (end) => {
    const url = await serve(sending("text/event-stream", `data: ${"x".repeat(MEGABYTE - 10)}${end}${end}`, 40));
    expect(await lengthOf(await boundedFetch(url))).toBeGreaterThan(39 * MEGABYTE);
  });

  it("may go on for long in an event stream of ordinary events", async () => {
    const url = await serve(sending("text/event-stream", `data: ${"x".repeat(MEGABYTE - 8)}\n\n`, 40));
    expect(await lengthOf(await boundedFetch(url))).toBe(40 * MEGABYTE);
  });

  it("defect S31: an answer of a model in one line without an end is an error, and a cancel ends it", async () => {
    const baseURL = await serve(sending("text/event-stream", `data: ${"x".repeat(MEGABYTE)}`));
    const provider = { id: "test", name: "Test", type: "openai-compatible", needsKey: false, baseURL } as const;
    const spec = { id: "test/m", name: "m", provider, modelId: "m", images: false };
    const ask = async (signal: AbortSignal) => {
      const model = createLanguageModel(spec as unknown as ModelSpec, {
        retries: { attempts: 1, firstDelayMs: 1, maxDelayMs: 1 },
      });
      const conversation = [
        { role: "user", content: [{ type: "text", text: "hi" }] },
      ] as unknown as ModelRequest["conversation"];
      for await (const _ of model.respond({ conversation, tools: [], signal } as unknown as ModelRequest));
    };
    await expect(ask(new AbortController().signal)).rejects.toThrow("32 MiB");
    await expect(ask(AbortSignal.abort(new Error("cancelled")))).rejects.toThrow("cancelled");
  });

  it("keeps its status, headers and address", async () => {
    const url = await serve((_, response) => response.writeHead(404, { "x-why": "gone" }).end("no"));
    const response = await boundedFetch(url);
    expect([response.status, response.headers.get("x-why"), response.url, await response.text()]).toEqual([
      404,
      "gone",
      url,
      "no",
    ]);
  });
});
