import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder } from "../../test/tool-context.js";
import { findBubblewrap, type Machine } from "./find-bubblewrap.js";

/** Creates a folder with programs that do nothing. */
async function programs(folder: string, ...names: readonly string[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of names) await writeFile(join(folder, name), "#!/bin/sh\n", { mode: 0o755 });
  return folder;
}

const works: Machine["probe"] = async () => undefined;

const machine = (more: Partial<Machine>): Machine => ({
  path: "",
  roots: [],
  probe: works,
  kernelSetting: async () => undefined,
  ...more,
});

describe("bubblewrap", () => {
  it("is found by its absolute path, in the first folder of PATH that may hold it", async () => {
    const root = await createFolder();
    const good = await programs(join(root, "good"), "bwrap", "stat");
    const inProject = await programs(join(root, "project/node_modules/.bin"), "bwrap", "stat");
    const foreign = await programs(join(root, "foreign"), "bwrap");
    await chmod(join(foreign, "bwrap"), 0o777);
    const linked = join(root, "linked");
    await mkdir(linked);
    await symlink(join(inProject, "bwrap"), join(linked, "bwrap"));
    const path = ["", ".", "node_modules/.bin", inProject, foreign, linked, good].join(":");
    expect(await findBubblewrap(machine({ path, roots: [join(root, "project")] }))).toMatchObject({
      bwrap: join(good, "bwrap"),
      stat: join(good, "stat"),
    });
    expect(await findBubblewrap(machine({ path: `.:${inProject}`, roots: [join(root, "project")] }))).toEqual({
      reason: "bubblewrap (bwrap) is not installed",
    });
  });

  it("is used without the flag that it does not know", async () => {
    const path = await programs(await createFolder(), "bwrap", "stat");
    const probe: Machine["probe"] = async (argv) =>
      argv.includes("--disable-userns") ? "bwrap: Unknown option --disable-userns" : undefined;
    const found = await findBubblewrap(machine({ path, probe }));
    expect("flags" in found && found.flags).not.toContain("--disable-userns");
    expect("flags" in found && found.flags).toContain("--unshare-pid");
  });

  it.each([
    [
      "bwrap: Creating new namespace failed: No space left on device",
      "user.max_user_namespaces",
      "0",
      /max_user_namespaces=0/,
    ],
    [
      "bwrap: No permissions to create a new namespace",
      "kernel.unprivileged_userns_clone",
      "0",
      /forbids user namespaces to its users/,
    ],
    [
      "bwrap: setting up uid map: Permission denied",
      "kernel.apparmor_restrict_unprivileged_userns",
      "1",
      /AppArmor restricts user namespaces/,
    ],
    ["bwrap: Creating new namespace failed: Operation not permitted", "", "", /this container or system forbids/],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "", "", /forbids a \/proc of its own/],
    ["bwrap: something else\nmore", "", "", /does not start \(bwrap: something else\)/],
  ])("that does not start has a reason: %s", async (stderr, setting, value, reason) => {
    const path = await programs(await createFolder(), "bwrap", "stat");
    const kernelSetting: Machine["kernelSetting"] = async (name) => (name === setting ? value : "1024");
    const found = await findBubblewrap(
      machine({
        path,
        probe: async () => stderr,
        kernelSetting: setting === "" ? async () => undefined : kernelSetting,
      }),
    );
    expect(found).toEqual({ reason: expect.stringMatching(reason) });
  });
});
