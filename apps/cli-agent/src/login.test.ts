import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { login, logout } from "./login.js";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "login-"));
  vi.stubEnv("XDG_CONFIG_HOME", home);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

const stored = async () => JSON.parse(await readFile(join(home, "turnkit", "keys.json"), "utf8"));

/** Starts a login on a pipe or a terminal, with this input. */
async function type(typed: string, { provider, terminal = false }: { provider?: string; terminal?: boolean } = {}) {
  const raw: boolean[] = [];
  const input = Object.assign(
    new PassThrough(),
    terminal ? { isTTY: true, setRawMode: (on: boolean) => raw.push(on) } : {},
  );
  const output = new PassThrough().setEncoding("utf8");
  input.end(typed);
  const error = await login({ target: provider }, { input: input as never, output }).then(
    () => undefined,
    (thrown: Error) => thrown.message,
  );
  return { error, raw, shown: String(output.read() ?? "") };
}

describe("a login", () => {
  it("stores the key for the user alone, and shows nothing of it", async () => {
    const { error, shown } = await type("sk-one\n", { provider: "openai" });
    expect(error).toBeUndefined();
    expect(await stored()).toEqual({ openai: "sk-one" });
    expect((await stat(join(home, "turnkit", "keys.json"))).mode & 0o777).toBe(0o600);
    expect(shown).toMatch(/^API key for openai.*Stored in .*keys\.json, for you alone\.\n$/s);
    expect(shown).not.toContain("sk-one");
  });

  it("asks whose key it is where nobody said", async () => {
    expect((await type("1\nsk-one\n")).shown).toContain("1  Anthropic\n2  OpenAI\n3  Google\n4  OpenRouter\n");
    await type("google\nsk-two\n");
    expect(await stored()).toEqual({ anthropic: "sk-one", google: "sk-two" });
    expect((await type("nobody\nsk-three\n")).error).toBe("`nobody` is none of these providers.");
    const nothing = "No provider was named. Name it, for example: turnkit-agent login anthropic";
    for (const silence of ["", "\n"]) expect((await type(silence)).error).toBe(nothing);
  });

  it("on a terminal echoes the answer and not the key, takes back letters, and leaves the terminal as it was", async () => {
    const { shown, raw } = await type("3\u007f2\rsk-onx\u007fe\r", { terminal: true });
    expect(await stored()).toEqual({ openai: "sk-one" });
    expect(shown).toContain("For which provider is the key? 3\b \b2\n");
    expect(shown).not.toContain("sk-");
    expect(raw).toEqual([true, false]);
  });

  it.each([
    ["an interrupt", "sk-\u0003", "Nothing was stored."],
    ["nothing", "\r", "The input is not a key, so nothing was stored."],
    ["two words", "my key\r", "The input is not a key, so nothing was stored."],
    ["a page", `${"x".repeat(5_000)}\r`, "The key is too long."],
  ])("stores nothing for %s", async (_, typed, message) => {
    expect((await type(typed, { provider: "openai", terminal: true })).error).toBe(message);
    await expect(stored()).rejects.toThrow("ENOENT");
  });

  it("is for a provider that exists", async () => {
    const { error } = await type("sk-one\n", { provider: "anthropc" });
    expect(error).toMatch(
      /^There is no provider `anthropc`; there are anthropic, openai, .*ollama, lmstudio, custom\.$/,
    );
    await mkdir(join(home, "turnkit"));
    await writeFile(
      join(home, "turnkit", "agent.json"),
      '{ "providers": { "mine": { "baseURL": "http://mine.example" } } }',
    );
    expect((await type("sk-one\n", { provider: "mine" })).error).toBeUndefined();
    expect(await stored()).toEqual({ mine: "sk-one" });
  });

  it("is forgotten by a logout, of one provider or of all", async () => {
    await type("one\n", { provider: "openai" });
    await type("two\n", { provider: "google" });
    const output = new PassThrough().setEncoding("utf8");
    await logout("opneai", output);
    await logout("openai", output);
    expect(await stored()).toEqual({ google: "two" });
    await logout(undefined, output);
    await expect(stored()).rejects.toThrow("ENOENT");
    await logout(undefined, output);
    expect(String(output.read()).split("\n")).toEqual([
      "No key was stored for opneai; there are openai, google.",
      "The key for openai is forgotten.",
      "All stored keys are forgotten.",
      "No key was stored.",
      "",
    ]);
  });
});
