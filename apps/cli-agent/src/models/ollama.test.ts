import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { listOllamaModels } from "./ollama.js";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const answering = (body: string, status = 200, headers = {}) =>
  serve((_, response) => response.writeHead(status, headers).end(body));
const tags = (...names: readonly unknown[]) => JSON.stringify({ models: names.map((name) => ({ name, size: 1 })) });

describe("an Ollama server of this machine", () => {
  it("is asked for its models", async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve(({ url: path }, response) => {
      asked.push(path);
      response.end(tags("qwen3:32b", "hf.co/bartowski/Llama-3.2:Q4_K_M"));
    });
    expect(await listOllamaModels(url)).toEqual(["qwen3:32b", "hf.co/bartowski/Llama-3.2:Q4_K_M"]);
    expect(asked).toEqual(["/api/tags"]);
  });

  it.each<[string, () => Promise<string>]>([
    ["no server", async () => "http://127.0.0.1:9/v1"],
    ["no JSON", () => answering("<html>")],
    ["other JSON", () => answering("null")],
    ["an error", () => answering(tags("qwen3"), 500)],
    ["a redirect", () => answering("", 302, { location: "http://127.0.0.1:9/" })],
    [
      "a list without an end",
      () => serve((_, response) => void response.write(`{"models":["${"x".repeat(2_000_000)}`)),
    ],
    ["silence", () => serve(() => undefined)],
  ])("has no models, and nobody waits long: %s", async (_, url) => {
    const start = performance.now();
    expect(await listOllamaModels(await url())).toEqual([]);
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  it("offers no name that a terminal or a command line could take for something else", async () => {
    const url = await answering(tags("good", "\u001b[2Jbad", "a b", 7, null, "x".repeat(500)));
    expect(await listOllamaModels(url)).toEqual(["good"]);
    expect(await listOllamaModels(await answering(tags(...Array(200).fill("m"))))).toHaveLength(50);
  });

  it("is never searched on another machine", async () => {
    for (const url of ["http://192.0.2.1:11434/v1", "https://127.0.0.1:11434/v1", "http://127.0.0.1.example.com/v1"]) {
      const start = performance.now();
      expect(await listOllamaModels(url)).toEqual([]);
      expect(performance.now() - start).toBeLessThan(200);
    }
  });
});
