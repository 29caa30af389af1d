import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPermissionStore } from "./permission-store.js";

let folder = "";
let env: NodeJS.ProcessEnv = {};
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "turnkit-permissions-")));
  env = { XDG_STATE_HOME: join(folder, "state") };
  await mkdir(join(folder, "work"));
});
afterEach(() => rm(folder, { recursive: true }));

const allow = { verdict: "allow", expiresAt: Date.now() + 60_000 } as const;
const open = (directory = join(folder, "work")) => openPermissionStore(env, directory);

describe("remembered permissions", () => {
  it("belong to the real folder and to the command of the agent", async () => {
    await (await open()).of(["agent"]).set("key", allow);
    await symlink(join(folder, "work"), join(folder, "link"));
    expect(await (await open(join(folder, "link"))).of(["agent"]).get("key")).toEqual(allow);
    expect(await (await open()).of(["agent", "--other"]).get("key")).toBeUndefined();
    expect(await (await open(folder)).of(["agent"]).get("key")).toBeUndefined();
  });

  it("do not follow a link that leads to another folder later", async () => {
    await symlink(join(folder, "work"), join(folder, "link"));
    await (await open(join(folder, "link"))).of(["agent"]).set("key", allow);
    await rm(join(folder, "link"));
    await mkdir(join(folder, "other"));
    await symlink(join(folder, "other"), join(folder, "link"));
    expect(await (await open(join(folder, "link"))).of(["agent"]).get("key")).toBeUndefined();
  });

  it.skipIf(process.platform === "win32")(
    "are in files and folders of the user alone; others are not believed",
    async () => {
      const store = (await open()).of(["agent"]);
      await store.set("key", allow);
      const place = join(folder, "state", "turnkit", "permissions");
      const [file = ""] = await readdir(place);
      expect((await stat(place)).mode & 0o777).toBe(0o700);
      expect((await stat(join(place, file))).mode & 0o777).toBe(0o600);
      await chmod(join(place, file), 0o666);
      await expect(store.get("key")).rejects.toThrow("can be changed by other users");
    },
  );

  it("are listed and revoked by their ids, of all agents", async () => {
    const store = await open();
    await store.of(["one"]).set("key", allow);
    await store.of(["two"]).set("key", { ...allow, verdict: "reject" });
    const known = await store.list();
    expect(known.map(({ verdict }) => verdict)).toEqual(["allow", "reject"]);
    await store.revoke([known[0]?.id ?? "", "unknown"]);
    expect(await (await open()).list()).toEqual(known.slice(1));
  });
});
