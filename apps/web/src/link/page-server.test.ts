import { afterEach, expect, it, vi } from "vitest";
import { createPageServer } from "./page-server.js";

afterEach(() => vi.unstubAllGlobals());

/** Page server at an address, whose requests get one answer. */
function serverAt(address: string, answer: () => Response) {
  const requests: Request[] = [];
  vi.stubGlobal("fetch", async (input: URL, init?: RequestInit) => {
    requests.push(new Request(input, init));
    return answer();
  });
  return { server: createPageServer(new URL(address)), requests };
}

it.each([
  ["https://turnkit.example/", "https://turnkit.example/login"],
  ["https://turnkit.example/agents/one/", "https://turnkit.example/agents/one/login"],
  ["https://turnkit.example/agents/index.html?x#session=1", "https://turnkit.example/agents/login"],
])("the login of a page at %s is beside it, with the token in a header", async (address, login) => {
  const { server, requests } = serverAt(address, () => new Response(null, { status: 204 }));
  expect(await server.login("a token")).toBe(true);
  const [request] = requests;
  expect([request?.method, request?.url]).toEqual(["POST", login]);
  expect(request?.headers.get("authorization")).toBe("Bearer a token");
});

it("a token that the server refuses is no login", async () => {
  const { server } = serverAt("https://turnkit.example/", () => new Response(null, { status: 401 }));
  expect(await server.login("a token")).toBe(false);
});

it.each([
  ["a folder", Response.json({ folder: "/work" }), { folder: "/work" }],
  ["a folder that is no text", Response.json({ folder: 1 }), {}],
  ["null", Response.json(null), {}],
  ["no JSON", new Response("<html>"), {}],
  ["no settings at all", new Response(null, { status: 404 }), {}],
  ["a fault", new Response(null, { status: 500 }), {}],
  ["defect E9: no login", new Response(null, { status: 204 }), undefined],
  ["no login", new Response(null, { status: 401 }), undefined],
  ["a refusal", new Response(null, { status: 403 }), undefined],
])("settings with %s", async (_, answer, settings) => {
  const { server } = serverAt("https://turnkit.example/", () => answer);
  expect(await server.settings()).toEqual(settings);
});
