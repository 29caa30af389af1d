import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { keepLogins, readLogins } from "./kept-logins.js";
import { Visitors } from "./visitors.js";

let path: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-logins-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, "logins.json");
});

const DAY = 24 * 60 * 60 * 1000;
const post = (headers: Record<string, string>) =>
  new Request("http://127.0.0.1:8040/login", { method: "POST", headers });

/** Visitors of a server that reads the file, and a function that logs a browser in and returns its cookie. */
async function startServer(now = Date.now) {
  const saved: Promise<void>[] = [];
  const visitors = new Visitors(undefined, {
    logins: await readLogins(path, now()),
    keep: (logins) => void saved.push(keepLogins(path, logins)),
    now,
  });
  const logIn = async () => {
    const answer = visitors.login(post({ authorization: `Bearer ${visitors.invite()}` }));
    await Promise.all(saved);
    const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    return cookie;
  };
  return { visitors, logIn };
}

it("SHARE-12 defect E8: a later server knows a browser for 30 days, and the file has only digests that its user can read", async () => {
  const cookie = await (await startServer()).logIn();
  const text = await readFile(path, "utf8");
  expect(text).not.toContain(cookie.split("=")[1]);
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
  const knows = async (days: number, headers: Record<string, string>) =>
    (await startServer(() => Date.now() + days * DAY)).visitors.knows(post(headers));
  expect(await knows(0, { cookie })).toBe(true);
  expect(await knows(29, { cookie })).toBe(true);
  expect(await knows(31, { cookie })).toBe(false);
  expect(await knows(0, { cookie: `${cookie.slice(0, -1)}_` })).toBe(false);
});

it("defect E8: a login ends while its server still runs", async () => {
  let passed = 0;
  const { visitors, logIn } = await startServer(() => 1_000 + passed);
  const cookie = await logIn();
  expect(visitors.knows(post({ cookie }))).toBe(true);
  passed = 31 * DAY;
  expect(visitors.knows(post({ cookie }))).toBe(false);
});

it.each(["", "no JSON", "null", "{}", '[{"digest":1}]', "[null]"])("a file with %j has no logins", async (text) => {
  await writeFile(path, text);
  expect(await readLogins(path, 0)).toEqual([]);
});

it("SHARE-12 defect E16: two servers that log browsers in at the same moment keep all their logins", async () => {
  const servers = [await startServer(), await startServer()];
  const cookies = await Promise.all([0, 1, 0, 1, 0, 1].map((at) => servers[at]?.logIn() ?? ""));
  const { visitors } = await startServer();
  expect(cookies.map((cookie) => visitors.knows(post({ cookie })))).toEqual(cookies.map(() => true));
});

it("SHARE-12: the file keeps the newest 100 logins that have not ended", async () => {
  const logins = Array.from({ length: 130 }, (_, at) => ({ digest: `${at}`, until: 1_000 + at }));
  await keepLogins(path, logins.slice(0, 80), 0);
  await keepLogins(path, logins.slice(80), 1_070);
  expect((await readLogins(path, 0)).map(({ digest }) => Number(digest))).toEqual(
    Array.from({ length: 59 }, (_, at) => at + 71),
  );
  await keepLogins(path, logins, 0);
  expect((await readLogins(path, 0)).map(({ digest }) => Number(digest))).toEqual(
    Array.from({ length: 100 }, (_, at) => at + 30),
  );
});
