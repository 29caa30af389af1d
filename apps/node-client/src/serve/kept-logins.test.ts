import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { keepLogin, readLogins } from "./kept-logins.js";
import { Visitors } from "./visitors.js";

let path: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "turnkit-logins-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  path = join(folder, "agent.logins");
});

const DAY = 24 * 60 * 60 * 1000;
const post = (headers: Record<string, string>) =>
  new Request("http://127.0.0.1:8040/login", { method: "POST", headers });

/** Visitors of a server that reads the file, and a function that logs a browser in and returns its cookie. */
async function startServer(now = Date.now) {
  const saved: Promise<void>[] = [];
  const visitors = new Visitors(undefined, {
    logins: await readLogins(path, now()),
    keep: (login) => void saved.push(keepLogin(path, login)),
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

it("SHARE-12 defect E8: a later server knows a browser for 30 days, and what is stored has only digests that its user can read", async () => {
  const cookie = await (await startServer()).logIn();
  const names = await readdir(path);
  expect(names).toHaveLength(1);
  expect(names.join()).not.toContain(cookie.split("=")[1]);
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o700);
  const knows = async (days: number, headers: Record<string, string>) =>
    (await startServer(() => Date.now() + days * DAY)).visitors.knows(post(headers));
  expect(await knows(0, { cookie })).toBe(true);
  expect(await knows(29, { cookie })).toBe(true);
  expect(await knows(31, { cookie })).toBe(false);
  // The last letter holds four bits, so that some letters there are equal.
  const other = cookie.replace(/=./, (first) => (first === "=A" ? "=B" : "=A"));
  expect(await knows(0, { cookie: other })).toBe(false);
});

it("defect E8: a login ends while its server still runs", async () => {
  let passed = 0;
  const { visitors, logIn } = await startServer(() => 1_000 + passed);
  const cookie = await logIn();
  expect(visitors.knows(post({ cookie }))).toBe(true);
  passed = 31 * DAY;
  expect(visitors.knows(post({ cookie }))).toBe(false);
});

const digest = (at: number) => String(at).padStart(43, "d");

it("a file of another name is no login, and stays", async () => {
  const others = ["", "x", "1.short", `.${digest(0)}`, `0.${digest(0)}`, `-1.${digest(0)}`, `1.${digest(0)}.tmp`];
  await mkdir(path);
  for (const name of others) await writeFile(join(path, `${name}~`), "");
  for (const name of others.slice(1)) await writeFile(join(path, name), "");
  expect(await readLogins(path, 0)).toEqual([]);
  await keepLogin(path, { digest: digest(1), until: 5 }, 0);
  expect(await readdir(path)).toHaveLength(2 * others.length);
});

it("SHARE-12 defect E16: two servers that log browsers in at the same moment keep all their logins", async () => {
  const servers = [await startServer(), await startServer()];
  const cookies = await Promise.all([0, 1, 0, 1, 0, 1].map((at) => servers[at]?.logIn() ?? ""));
  const { visitors } = await startServer();
  expect(cookies.map((cookie) => visitors.knows(post({ cookie })))).toEqual(cookies.map(() => true));
});

it("SHARE-12: the newest 100 logins that have not ended are kept", async () => {
  const store = (from: number, to: number, now: number) =>
    Promise.all(
      Array.from({ length: to - from }, (_, at) => from + at).map((at) =>
        keepLogin(path, { digest: digest(at), until: 1_000 + at }, now),
      ),
    );
  const kept = async () => (await readLogins(path, 0)).map(({ until }) => until - 1_000);
  await store(0, 80, 0);
  await store(80, 130, 1_070);
  expect(await kept()).toEqual(Array.from({ length: 59 }, (_, at) => at + 71));
  await store(130, 200, 0);
  expect(await kept()).toEqual(Array.from({ length: 100 }, (_, at) => at + 100));
  expect(await readdir(path)).toHaveLength(100);
});

const logIn = (at: number) => ({ digest: digest(at), until: at });

it.skipIf(process.platform === "win32")(
  "SHARE-12 defect E26: a folder that other users can change, or a link to one, holds no logins, and gets none",
  async () => {
    await keepLogin(path, logIn(5), 0);
    for (const mode of [0o720, 0o702]) {
      await chmod(path, mode);
      expect(await readLogins(path, 0)).toEqual([]);
      await expect(keepLogin(path, logIn(6), 0)).rejects.toThrow("Remove it.");
    }
    await chmod(path, 0o755);
    expect(await readLogins(path, 0)).toHaveLength(1);
    await rename(path, `${path}.moved`);
    await symlink(`${path}.moved`, path);
    expect(await readLogins(path, 0)).toEqual([]);
    await expect(keepLogin(path, logIn(7), 0)).rejects.toThrow("is not used");
    expect(await readdir(path)).toHaveLength(1);
  },
);

it("SHARE-12 defect E26: names of the far future and folders are no logins, and do not displace those of browsers", async () => {
  await mkdir(join(path, `5.${digest(5)}`), { recursive: true });
  for (let at = 0; at < 200; at += 1) await writeFile(join(path, `${40 * DAY + at}.${digest(at)}`), "");
  await keepLogin(path, logIn(30 * DAY), 0);
  expect(await readLogins(path, 0)).toEqual([logIn(30 * DAY)]);
  expect(await readdir(path)).toHaveLength(2);
});

it("SHARE-12 defect E26: a server starts with the newest 100 logins of a folder that has more", async () => {
  await mkdir(path);
  for (let at = 1; at <= 130; at += 1) await writeFile(join(path, `${at}.${digest(at)}`), "");
  expect((await readLogins(path, 0)).map(({ until }) => until)).toEqual(
    Array.from({ length: 100 }, (_, at) => at + 31),
  );
});
