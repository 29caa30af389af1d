import { describe, expect, test } from "vitest";
import { openDraft } from "./draft-agent.js";
import type { Frame } from "./raw-agent.js";

type Page = { readonly ids?: readonly string[]; readonly next?: string | null };

/** Lists all sessions of an agent that answers so; the loop gives up after so many pages. */
async function list(pageAfter: (cursor: string | undefined, page: number) => Page, most = 5_000) {
  const { agent, client } = await openDraft();
  const ids: string[] = [];
  let pages = 0;
  const listed = (async () => {
    for await (const { sessionId } of client.listSessions()) ids.push(sessionId);
  })();
  let over = false;
  const done = listed.then(
    () => undefined,
    (error: unknown) => error,
  );
  void done.then(() => {
    over = true;
  });
  while (!over && pages < most) {
    const call = await Promise.race([agent.call("session/list"), done.then(() => undefined)]);
    if (call === undefined) break;
    pages += 1;
    const { ids = [], next } = pageAfter((call as Frame).params.cursor, pages);
    const sessions = ids.map((sessionId) => ({ sessionId, cwd: "/work" }));
    agent.answer(call, { sessions, ...(next != null && { nextCursor: next }) });
    for (let tick = 0; tick < 20; tick++) await undefined;
  }
  return { ids, pages, error: over ? await done : "it still asks" };
}

const circle = (...cursors: string[]) => {
  return (cursor?: string) => ({ next: cursors[(cursors.indexOf(cursor ?? "") + 1) % cursors.length] as string });
};

describe("defect B13: a list of sessions whose pages never end", () => {
  test.each([
    ["itself", circle("A"), "A"],
    ["another", circle("A", "B"), "A"],
    ["two others", circle("A", "B", "C"), "A"],
    ["an empty text", circle("", "B"), "B"],
    [
      "pages behind the first ones",
      (cursor?: string) => ({ next: { A: "B", B: "C", C: "B" }[cursor ?? ""] ?? "A" }),
      "B",
    ],
    ["a cursor that is too long to remember", () => ({ next: "A".repeat(300) }), "A".repeat(100).concat("…")],
  ])("defect B13: through %s is an error that names the cursor", async (_, next, cursor) => {
    const { pages, error } = await list((at, page) => ({ ...next(at), ids: [`s-${page}`] }));
    expect(error).toMatchObject({ code: "invalid_message", method: "session/list" });
    expect(String(error)).toContain(JSON.stringify(cursor));
    expect(pages).toBeLessThanOrEqual(4);
  });

  test("defect B13: through more cursors than are remembered is found, too", async () => {
    const { error } = await list((cursor, page) => ({
      next: String((Number(cursor ?? 0) + 1) % 1_500),
      ids: [`${page}`],
    }));
    expect(error).toMatchObject({ code: "invalid_message" });
  });

  test("defect B13: without any session ends after 1 000 pages", async () => {
    const { pages, error } = await list((_, page) => ({ next: `p-${page}` }));
    expect(pages).toBe(1_000);
    expect(String(error)).toContain('"p-1000"');
  });
});

test("defect B13: many pages, some of them empty, are one list", async () => {
  const { ids, error } = await list((_, page) => ({
    ids: page % 3 === 0 ? [`s-${page}`] : [],
    next: page < 3_000 ? `p-${page}` : null,
  }));
  expect([ids.length, error]).toEqual([1_000, undefined]);
});
