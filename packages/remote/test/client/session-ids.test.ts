import { expect, it } from "vitest";
import { startRawServer } from "./raw-server.js";
import { RemoteClient } from "./remote-client.js";

const ids = ["line\nbreak", "nul\0", "non-Latin-1 漢", " blank at an end ", "bell\u0007", "x".repeat(1025), "\ud800"];
const advice = /cannot be sent in a header.*wss:/;

it.each(ids)("a session with the id %j fails alone, and the connection goes on", async (id) => {
  const server = await startRawServer();
  const client = await RemoteClient.connect(server.url);
  client.prompt(1, id);
  client.call(2, "session/load", { sessionId: id });
  client.cancel(id);
  for (const call of [1, 2]) expect((await client.answer(call)).error.message).toMatch(advice);
  await client.until(() => client.diagnostics.some((text) => text.startsWith("session/cancel was not sent")));
  client.call(3, "session/list");
  await server.ask("POST session/list");
  expect(server.log).toEqual(["POST initialize", "GET stream", "POST session/list"]);
});

it.each(ids)("a new session that the server calls %j is an error of session/new", async (id) => {
  const server = await startRawServer();
  const client = await RemoteClient.connect(server.url);
  client.call(1, "session/new", { cwd: "/srv" });
  await server.ask("POST session/new");
  server.send(undefined, { id: 1, result: { sessionId: id } });
  expect((await client.answer(1)).error.message).toMatch(advice);
  server.send(undefined, { id: "q", method: "_ask", params: { sessionId: id } });
  await client.next((frame) => frame.id === "q");
  client.send({ id: "q", result: {} });
  await client.until(() => client.diagnostics.some((text) => text.startsWith("An answer was not sent")));
  client.call(2, "session/list");
  await server.ask("POST session/list");
});

it("a child session with such an id is reported, and its parent goes on", async () => {
  const server = await startRawServer();
  const client = await RemoteClient.connect(server.url);
  client.call(1, "session/new", { cwd: "/srv" });
  await server.ask("POST session/new");
  server.send(undefined, { id: 1, result: { sessionId: "s" } });
  await client.answer(1);
  const update = { sessionUpdate: "subagent_update", sessionId: "a\nb" };
  server.send("s", { method: "session/update", params: { sessionId: "s", update } });
  await client.until(() => client.diagnostics.length > 0);
  expect(client.diagnostics[0]).toMatch(advice);
  client.call(2, "session/list");
  await server.ask("POST session/list");
});

it("Latin-1 and blanks inside of an id are sent as they are", async () => {
  const server = await startRawServer();
  const client = await RemoteClient.connect(server.url);
  client.call(1, "session/load", { sessionId: "é 1" });
  const { headers } = await server.ask("POST session/load é 1");
  expect(headers["acp-session-id"]).toBe("é 1");
});
