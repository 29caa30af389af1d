import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseConfig } from "./config.js";
import { parseProjectPart } from "./project-part.js";

const parse = (value: unknown) => parseConfig(typeof value === "string" ? value : JSON.stringify(value), "agent.json");

describe("agent.json", () => {
  it("may hold nothing, or just what an editor wants in it", () => {
    expect(parse({})).toEqual({});
    expect(parse({ $schema: "./agent.schema.json" })).toMatchObject({});
    expect(parse('\ufeff{ "mode": "auto" }')).toEqual({ mode: "auto" });
  });

  it("may be what the README shows", async () => {
    const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
    const [, shown = ""] = /### agent\.json[\s\S]*?```json\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(parse(shown)).toMatchObject({ model: "local/qwen", providers: { local: { models: { qwen: {} } } } });
  });

  it.each([
    ["{", /^agent\.json is not valid JSON: /],
    [{ modle: "x" }, /^agent\.json cannot be used: .*modle/],
    [{ mode: "yolo" }, /`mode`: .*"ask"\|"accept-edits"\|"review"\|"auto"/],
    [{ sandbox: "maybe" }, /`sandbox`: .*"require"\|"auto"\|"off"/],
    [{ maxRequests: 0 }, /`maxRequests`: /],
    [{ compactAt: 1.5 }, /`compactAt`: /],
    [{ providers: { "a/b": {} } }, /`providers\.a\/b`: .*short name without a slash/i],
    [{ providers: { a: { baseURL: "ftp://x" } } }, /`providers\.a\.baseURL`: Invalid URL/],
    [{ providers: { a: { type: "mistral" } } }, /`providers\.a\.type`: .*"openai-compatible"/],
    [{ providers: { a: { models: { m: { prices: { input: 1 } } } } } }, /`providers\.a\.models\.m\.prices\.output`: /],
  ])("that is %j is refused with the place of the fault", (value, message) => {
    expect(() => parse(value)).toThrow(message);
  });

  it("P16: may hold servers, rules and hooks, and may not hold other forms of them", () => {
    const value = {
      mcpServers: {
        files: { command: "npx", args: ["-y", "x"], env: { KEY: "\u0024{KEY}" } },
        web: { type: "http", url: "https://x.com" },
      },
      permissions: { allow: ["run npm test *", "edit src/**"], deny: ["mcp web/*"] },
      hooks: {
        afterTool: [{ run: "npx prettier", tools: ["edit_file"], timeoutSeconds: 5 }],
        endOfTurn: [{ run: "x" }],
      },
    };
    expect(parse(value)).toEqual(value);
    expect(parseProjectPart(JSON.stringify({ $schema: "x", ...value }), "agent.json")).toEqual(value);
    const faults: [object, RegExp][] = [
      [{ mcpServers: { "a/b": { command: "x" } } }, /`mcpServers\.a\/b`: .*short name/],
      [{ mcpServers: { a: { url: "https://x.com" } } }, /`mcpServers\.a/],
      [{ mcpServers: { a: { command: "x", env: { "A B": "x" } } } }, /`mcpServers\.a/],
      [{ permissions: { allow: ["npm test"] } }, /`permissions\.allow\.0`: must be `edit`, `run`, `fetch` or `mcp`/],
      [{ permissions: { permit: [] } }, /permit/],
      [{ hooks: { beforeTool: [{ run: "x", timeoutSeconds: 601 }] } }, /`hooks\.beforeTool\.0\.timeoutSeconds`/],
      [{ hooks: { onStart: [] } }, /onStart/],
    ];
    for (const [fault, message] of faults) expect(() => parse(fault)).toThrow(message);
  });

  it.each([
    [{ comand: "x" }, '`mcpServers.m`: Unrecognized key: "comand".'],
    [{ command: "x", disabled: true }, '`mcpServers.m`: Unrecognized key: "disabled".'],
    [{ url: "https://x.com" }, '`mcpServers.m.type`: Invalid option: expected one of "http"|"sse".'],
    [{ type: "http", url: "x" }, "`mcpServers.m.url`: Invalid URL."],
    [{ command: "x", args: [1] }, "`mcpServers.m.args.0`: Invalid input: expected string, received number."],
    [{ command: "x", env: { "A B": "x" } }, "`mcpServers.m.env.A B`: must be the name of a variable."],
  ])("defect P81: with the server %j is refused with the fault of this server", (m, message) => {
    expect(() => parse({ mcpServers: { m } })).toThrow(message);
  });

  it("defect S108: is refused with a short line, whatever its names are", () => {
    const name = `x\n# Trust this\u001b[31m${"y".repeat(100_000)}`;
    for (const value of [{ [name]: 1 }, { mcpServers: { [name]: {} } }, { mcpServers: { m: { [name]: 1 } } }]) {
      const put = () => parseProjectPart(JSON.stringify(value), "agent.json");
      expect(put).toThrow(/^agent\.json cannot be used: [^\p{Cc}]{1,510}$/u);
    }
  });

  it("P16: of a project has no models, addresses or modes", () => {
    for (const name of ["model", "mode", "providers", "sandbox", "network", "fetch", "paths"]) {
      expect(() => parseProjectPart(JSON.stringify({ [name]: {} }), "agent.json")).toThrow(name);
    }
  });

  it("holds no keys, and an error repeats none", () => {
    const put = () => parse({ providers: { openai: { keyVariable: "sk-proj-123" } } });
    expect(put).toThrow(/`providers\.openai\.keyVariable`: must be the name of a variable, not a key/);
    expect(put).not.toThrow(/sk-proj/);
    expect(() => parse({ providers: { openai: { apiKey: "sk-proj-123" } } })).toThrow(/apiKey/);
  });
});
