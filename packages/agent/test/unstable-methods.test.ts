import type * as v1 from "@turnkit/schema/v1/unstable";
import type * as v2 from "@turnkit/schema/v2/unstable";
import { describe, expect, test } from "vitest";
import { RpcError } from "../src/index.js";
import { serveContract, versions } from "./merged-contract.js";

type Stored = { open: boolean; archived: boolean; title: string };

/** The part of somebody's agent that keeps sessions. */
function shelf(): { stored: Map<string, Stored>; find(sessionId: string): Stored } {
  const stored = new Map([["s", { open: true, archived: false, title: "" }]]);
  return {
    stored,
    find(sessionId) {
      const found = stored.get(sessionId);
      if (found === undefined) throw RpcError.resourceNotFound({ sessionId });
      return found;
    },
  };
}

type One = { readonly sessionId: string };
const place = { cwd: "/a", mcpServers: [] };
const unknownSession = { code: -32002, data: { sessionId: "x" } };

describe.each(versions)("what is unstable in %s", (_, contract) => {
  test("V1-UNST-02 V2-SES-25: a fork begins with what its source has, which stays", async () => {
    const { stored, find } = shelf();
    const { client } = serveContract(contract, {
      "session/fork": ({ sessionId }: One) => {
        stored.set("t", { ...find(sessionId), open: true });
        return { sessionId: "t", configOptions: [] };
      },
    });
    expect(await client.result("session/fork", { sessionId: "s", ...place })).toEqual({
      sessionId: "t",
      configOptions: [],
    });
    expect([...stored.keys()]).toEqual(["s", "t"]);
    expect(await client.error("session/fork", { sessionId: "x", ...place })).toMatchObject(unknownSession);
    const oneBad = { sessionId: "s", ...place, additionalDirectories: ["/b", 5] };
    expect(await client.error("session/fork", oneBad)).toMatchObject({ code: -32602 });
    expect(stored.size).toBe(2);
  });

  test("V1-UNST-03 V2-SES-26: archive closes first, unarchive opens nothing, both may be repeated", async () => {
    const { stored, find } = shelf();
    const { client } = serveContract(contract, {
      "session/archive": ({ sessionId }: One) => void Object.assign(find(sessionId), { open: false, archived: true }),
      "session/unarchive": ({ sessionId }: One) => void Object.assign(find(sessionId), { archived: false }),
    });
    for (const [method, archived] of [
      ["session/archive", true],
      ["session/unarchive", false],
    ] as const) {
      for (const _again of [1, 2]) expect(await client.result(method, { sessionId: "s" })).toEqual({});
      expect(stored.get("s")).toMatchObject({ open: false, archived });
      expect(await client.error(method, { sessionId: "x" })).toMatchObject(unknownSession);
      expect(await client.error(method, {})).toMatchObject({ code: -32602 });
    }
  });

  test("V1-UNST-03 V2-SES-26: a filter that nobody knows is refused, by the contract or by the agent", async () => {
    const asked: unknown[] = [];
    const { client } = serveContract(contract, {
      "session/list": ({ archived }: v2.ListSessionsRequest) => {
        asked.push(archived);
        if (!["exclude", "include", "only", undefined].includes(archived as string | undefined)) {
          throw RpcError.invalidParams("archived is exclude, include or only");
        }
        return { sessions: [{ sessionId: "s", cwd: "/a", archived: archived === "only" }] };
      },
    });
    const list = (archived: unknown) => client.request("session/list", { archived });
    expect((await list("only")).result.sessions).toEqual([{ sessionId: "s", cwd: "/a", archived: true }]);
    expect((await list("recent")).error).toMatchObject({ code: -32602 });
    expect((await list(true)).error).toMatchObject({ code: -32602 });
    expect(asked).toEqual(["only", "recent"]);
  });

  test("V1-UNST-04 V2-SES-27: the status is told without a side effect", async () => {
    const { stored, find } = shelf();
    const { client } = serveContract(contract, {
      "session/status": ({ sessionId }: One) => ({ status: find(sessionId).open ? "open" : "saved" }),
    });
    const before = JSON.stringify([...stored]);
    expect(await client.result("session/status", { sessionId: "s" })).toEqual({ status: "open" });
    expect(await client.error("session/status", { sessionId: "x" })).toMatchObject(unknownSession);
    expect(JSON.stringify([...stored])).toBe(before);
  });

  test("V1-UNST-04: a title is stored, then told as it was stored; none and an empty one are refused", async () => {
    const { stored, find } = shelf();
    const { client } = serveContract(contract, {
      "session/set_title": ({ sessionId, title }: v1.SetSessionTitleRequest) => {
        const session = find(sessionId);
        const stored = title.trim();
        if (stored === "") throw RpcError.invalidParams("a title has letters");
        session.title = stored;
        return { title: stored };
      },
    });
    const set = (title: unknown, sessionId = "s") => client.request("session/set_title", { sessionId, title });
    expect((await set(" T ")).result).toEqual({ title: "T" });
    for (const bad of [" ", null, undefined]) expect((await set(bad)).error).toMatchObject({ code: -32602 });
    expect((await set("T", "x")).error).toMatchObject(unknownSession);
    expect(stored.get("s")?.title).toBe("T");
  });

  test("V1-UNST-05 V2-SES-29: a system prompt that is malformed or was not offered opens no session", async () => {
    const opened: unknown[] = [];
    const { client } = serveContract(contract, {
      "session/new": ({ systemPrompt }: v1.NewSessionRequest) => {
        const texts = systemPrompt?.content.every(({ type }) => type === "text") ?? true;
        if (systemPrompt?.mode === "override" || systemPrompt?.content.length === 0 || !texts) {
          throw RpcError.invalidParams("a system prompt is appended text");
        }
        opened.push(systemPrompt);
        return { sessionId: "s" };
      },
    });
    const text = { type: "text", text: "Be brief." };
    const append = { mode: "append", content: [text] };
    const start = (systemPrompt: unknown) => client.request("session/new", { ...place, systemPrompt });
    expect((await start(append)).result).toEqual({ sessionId: "s" });
    const image = { type: "image", data: "AA==", mimeType: "image/png" };
    for (const bad of [
      { ...append, mode: "override" },
      { ...append, content: [] },
      { ...append, content: [text, image] },
      { ...append, content: [{ type: "text" }] },
      { content: [text] },
      "Be brief.",
    ]) {
      expect((await start(bad)).error).toMatchObject({ code: -32602 });
    }
    expect(opened).toEqual([append]);
  });

  test("V1-UNST-06 V2-AUTH-11 V2-AUTH-13: the login's state is told when asked and when it changes", async () => {
    const { client, connection } = serveContract(contract, {
      "auth/status": () => ({ state: "unauthenticated" }),
      "session/new": () => {
        throw RpcError.authRequired();
      },
    });
    expect(await client.error("session/new", place)).toMatchObject({ code: -32000 });
    expect(await client.result("auth/status")).toEqual({ state: "unauthenticated" });
    const status = { state: "authenticated", accounts: [{ label: "a", active: true }] };
    connection.notify("auth/status_update", status);
    expect(await client.call("auth/status_update")).toMatchObject({ params: status });
    expect(() => connection.notify("auth/status_update", { accounts: [] })).toThrow("auth/status_update");
  });

  test("V1-UNST-07 V2-AUTH-14: a provider is replaced as a whole, disabled, and never shows its headers", async () => {
    let current: v1.SetProviderRequest | undefined;
    const { client } = serveContract(contract, {
      "providers/list": () => {
        const shown = current && { apiType: current.apiType, baseUrl: current.baseUrl };
        return { providers: [{ providerId: "main", supported: ["openai"], required: false, current: shown ?? null }] };
      },
      "providers/set": (params: v1.SetProviderRequest) => {
        current = params;
      },
      "providers/disable": () => {
        current = undefined;
      },
    });
    const set = { providerId: "main", apiType: "openai", baseUrl: "https://a.test" };
    const shown = async () => (await client.result("providers/list")).providers[0].current;
    expect(await client.result("providers/set", { ...set, headers: { Authorization: "a" } })).toEqual({});
    expect(await shown()).toEqual({ apiType: "openai", baseUrl: "https://a.test" });
    expect(await client.result("providers/set", set)).toEqual({});
    expect(current?.headers).toBeUndefined();
    expect(await client.error("providers/set", { ...set, headers: { A: 1 } })).toMatchObject({ code: -32602 });
    expect(await client.result("providers/disable", { providerId: "main" })).toEqual({});
    expect(await shown()).toBeNull();
  });
});
