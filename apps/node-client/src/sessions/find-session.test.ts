import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client, SessionInfo } from "@turnkit/client";
import { RpcError } from "@turnkit/transport";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../exit-code.js";
import { findSession, listSessions } from "./find-session.js";

let directory = "";
beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "turnkit-sessions-")));
  await symlink(directory, `${directory}-link`);
});
afterAll(async () => {
  await rm(`${directory}-link`);
  await rm(directory, { recursive: true });
});

/** Client of an agent that lists these sessions, and ignores the directory of the request. */
function clientOf(sessions: () => Iterable<SessionInfo>, list = true): Client {
  async function* listed() {
    yield* sessions();
  }
  return { listSessions: listed, peer: { capabilities: { list } } } as unknown as Client;
}

const here = (): SessionInfo[] => [
  { sessionId: "4f1c-old", cwd: directory, updatedAt: "2026-11-01T00:00:00Z" },
  { sessionId: "4f1d-new", cwd: `${directory}-link`, title: "New\u001b[2K", updatedAt: "2026-11-02T00:00:00Z" },
  { sessionId: "4f1d-elsewhere", cwd: "/elsewhere", updatedAt: "2026-11-03T00:00:00Z" },
  { sessionId: "undated", cwd: directory },
];

describe("defect P7: sessions", () => {
  it("are listed for a directory, the latest first, even if the agent lists others", async () => {
    const ids = async (of?: string) => (await listSessions(clientOf(here), of)).map(({ sessionId }) => sessionId);
    expect(await ids(directory)).toEqual(["4f1d-new", "4f1c-old", "undated"]);
    expect(await ids()).toEqual(["4f1d-elsewhere", "4f1d-new", "4f1c-old", "undated"]);
  });

  it("the latest of the directory is continued", async () => {
    expect(await findSession(clientOf(here), "latest", { directory })).toMatchObject({ sessionId: "4f1d-new" });
    const none = findSession(
      clientOf(() => []),
      "latest",
      { directory },
    );
    await expect(none).rejects.toThrow(`The agent has no session of ${directory}, so none can be continued.`);
  });

  it.each([
    ["4f1c", "4f1c-old"],
    ["4f1d-n", "4f1d-new"],
    ["undated", "undated"],
    ["not listed", "not listed"],
  ])("the id %s means %s", async (id, sessionId) => {
    expect((await findSession(clientOf(here), { id }, { directory })).sessionId).toBe(sessionId);
  });

  it("an id that must be listed is refused if it is not", async () => {
    const place = { directory, mustBeListed: true };
    expect((await findSession(clientOf(here), { id: "und" }, place)).sessionId).toBe("undated");
    const refused = findSession(clientOf(here), { id: "zz" }, place);
    await expect(refused).rejects.toThrow("The agent has no session zz. turnkit sessions list --all shows");
    const none = clientOf(() => [], false);
    expect(await findSession(none, { id: "zz" }, place)).toEqual({ sessionId: "zz" });
  });

  it("a whole id is meant before longer ones", async () => {
    const two = () => ["ab", "a"].map((sessionId) => ({ sessionId, cwd: "/" }));
    expect((await findSession(clientOf(two), { id: "a" }, { directory })).sessionId).toBe("a");
  });

  it("a start that fits several is refused with a bounded list", async () => {
    const refused = findSession(clientOf(here), { id: "4f1d" }, { directory });
    await expect(refused).rejects.toThrow(
      "2 sessions begin with 4f1d. Give more of the id:\n  4f1d-elsewhere\n  4f1d-new",
    );
    await expect(refused).rejects.toBeInstanceOf(UsageError);
    const many = () => Array.from({ length: 30 }, (_, index) => ({ sessionId: `x${index}`, cwd: "/" }));
    await expect(findSession(clientOf(many), { id: "x" }, { directory })).rejects.toThrow(/x9\n {2}… 20 more$/);
  });

  it("an agent that lists nothing gets the id as it is", async () => {
    const none = clientOf(() => {
      throw new Error("not reached");
    }, false);
    expect(await findSession(none, { id: "4f" }, { directory })).toEqual({ sessionId: "4f" });
  });

  it("a list that fails does not matter for a whole id, but a login comes first", async () => {
    const failing = (code: number) =>
      clientOf(() => {
        throw new RpcError(code, "No list");
      });
    expect(await findSession(failing(-32601), { id: "4f" }, { directory })).toEqual({ sessionId: "4f" });
    await expect(findSession(failing(-32000), { id: "4f" }, { directory })).rejects.toThrow("No list");
    await expect(findSession(failing(-32601), "latest", { directory })).rejects.toThrow("No list");
  });

  it("a list without an end is cut", async () => {
    const endless = clientOf(function* () {
      for (let index = 0; ; index++) yield { sessionId: `s${index}`, cwd: "/" };
    });
    expect(await listSessions(endless)).toHaveLength(10_000);
  });
});
