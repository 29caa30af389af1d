import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { describeWithNats, startNats } from "./nats-server.js";
import { clientAt, serveWith, token } from "./served-gateway.js";

const metricsToken = "only-for-figures-0123456789";

/** Sends one request as bytes, and returns the bytes of the answer. */
async function get(page: string, path: string, shown?: string, method = "GET"): Promise<string> {
  const { hostname, port, host } = new URL(page);
  const socket = connect(Number(port), hostname);
  const authorization = shown === undefined ? "" : `Authorization: Bearer ${shown}\r\n`;
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}Connection: close\r\n\r\n`);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  await once(socket, "close");
  return answer;
}

const statusOf = (answer: string): number => Number(answer.split(" ")[1]);

const figureIn = (answer: string, name: string): number =>
  Number(new RegExp(`^turnkit_${name} (\\S+)\r?$`, "m").exec(answer)?.[1]);

describeWithNats("pages for programs that watch turnkit serve", () => {
  it("SHARE-12 /metrics needs a token, and the token for figures opens nothing else", async () => {
    const { address } = await startNats("-js");
    const folders = { cwd: await createFolder(), agent: await createFolder() };
    const { page } = await serveWith(folders, ["--nats", address], { TURNKIT_METRICS_TOKEN: metricsToken });
    for (const shown of [undefined, "wrong-token-0123456789", `${metricsToken}x`]) {
      const answer = await get(page, "/metrics", shown);
      expect(statusOf(answer)).toBe(401);
      expect(answer).toContain("www-authenticate: Bearer");
      expect(answer).not.toContain("turnkit_");
    }
    for (const shown of [metricsToken, token]) {
      const answer = await get(page, "/metrics", shown);
      expect(statusOf(answer)).toBe(200);
      expect(answer).toMatch(/content-type: application\/openmetrics-text; version=1\.0\.0; charset=utf-8\r\n/i);
      expect(answer).toMatch(/cache-control: no-store\r\n/i);
      expect(answer.trimEnd()).toMatch(/# EOF(?:\r\n0)?$/);
    }
    expect(statusOf(await get(page, "/acp", metricsToken))).toBe(401);
    expect(statusOf(await get(page, "/settings.json", metricsToken))).toBe(204);
    expect(statusOf(await get(page, "/metrics", token, "POST"))).toBe(405);
  }, 60_000);

  it("NATS-12 the pages tell the work, and a broker that is gone", async () => {
    const { address, server } = await startNats("-js");
    const folders = { cwd: await createFolder(), agent: await createFolder() };
    const { page, program } = await serveWith(folders, ["--nats", address, "--takeover", "2s"]);
    for (const path of ["/healthz", "/readyz"]) expect(statusOf(await get(page, path)), path).toBe(200);
    const session = await (await clientAt(page)).newSession({ cwd: folders.cwd });
    await session.prompt("first").ended;
    const figures = await get(page, "/metrics", token);
    for (const name of [
      "connections",
      "sessions",
      "owned_sessions",
      "attachments",
      "broker_connected",
      "prompts_total",
    ])
      expect(figureIn(figures, name), name).toBe(1);
    expect(figureIn(figures, "stored_messages_total")).toBeGreaterThan(1);
    expect(figures).not.toContain(session.id);
    server.kill("SIGKILL");
    await program.printed("The connection to NATS", "stderr");
    await expect.poll(async () => statusOf(await get(page, "/readyz")), { timeout: 15_000 }).toBe(503);
    expect(statusOf(await get(page, "/healthz"))).toBe(200);
    const later = await get(page, "/metrics", token);
    expect(figureIn(later, "broker_connected")).toBe(0);
    await expect
      .poll(async () => figureIn(await get(page, "/metrics", token), "lost_ownerships_total"), { timeout: 15_000 })
      .toBe(1);
  }, 60_000);
});
