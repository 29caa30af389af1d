import type { SessionInfo } from "@turnkit/client";
import { expect, it } from "vitest";
import { visibleRows } from "./picker.js";
import { openSessionPicker, withSessions } from "./session-rows.js";

const now = Date.parse("2026-11-24T12:00:00Z");
const place = { sessionId: "s3", cwd: "/here", now };
const sessions: readonly SessionInfo[] = [
  { sessionId: "s1", cwd: "/there", title: "Newest, elsewhere", updatedAt: "2026-11-24T11:59:30Z" },
  { sessionId: "s2", cwd: "/here", title: "Old\u001b[2J\nwork", updatedAt: "2026-11-20T12:00:00Z" },
  { sessionId: "s3", cwd: "/here", title: "Fix the parser", updatedAt: "2026-11-24T11:18:00Z" },
  { sessionId: "s4", cwd: "/here", updatedAt: "no date" },
  { sessionId: "s5", cwd: "/there", title: "Ancient", updatedAt: "2024-01-02T12:00:00Z" },
  { sessionId: "s6", cwd: "/there", title: "Tomorrow", updatedAt: "+275760-09-13T00:00:00.000Z" },
];

it("lists conversations of this folder first, the newest first, with their ages", () => {
  const { rows } = withSessions(openSessionPicker(""), sessions, place);
  expect(rows.map(({ name, description = "", isCurrent }) => [name, description, isCurrent])).toEqual([
    ["    42 min  Fix the parser", "", true],
    ["       4 d  Old␛[2J␊work", "", false],
    ["            (no title)", "", false],
    ["+275760-09  Tomorrow", "/there", false],
    ["       now  Newest, elsewhere", "/there", false],
    ["2024-01-02  Ancient", "/there", false],
  ]);
});

it("filters by title, folder and id, and keeps the chosen row while more sessions arrive", () => {
  const all = withSessions(openSessionPicker("there"), sessions, place);
  expect(visibleRows(all)).toHaveLength(3);
  expect(visibleRows({ ...all, filter: "S4" })).toHaveLength(1);
  const first = { ...withSessions(openSessionPicker(""), sessions.slice(1, 2), place), selected: 0 };
  const later = withSessions(first, sessions, place);
  expect(later.rows[later.selected]).toMatchObject({ session: { sessionId: "s2" } });
});
