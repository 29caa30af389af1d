import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { runProgram, startProgram } from "../interop/running-program.js";
import { runSource } from "../process/source.js";
import { describeWithCluster } from "./nats-server.js";
import { attached, clientAt, said, token } from "./served-gateway.js";

const example = new URL("../../../../examples/cluster/", import.meta.url);
const script = fileURLToPath(new URL("cluster.mjs", example));

describeWithCluster("the example of a cluster", () => {
  it("NATS-12 defect N69: a session goes on when a gateway and a broker of the cluster are killed", async () => {
    const [cwd, folder] = [await createFolder(), await createFolder()];
    const agent = [...runSource(new URL("agent-main.ts", import.meta.url)), folder];
    const cluster = startProgram([process.execPath, script, "--takeover", "2s", "--", ...agent], {
      cwd,
      env: {
        TURNKIT_TOKEN: token,
        TURNKIT_COMMAND: JSON.stringify(turnkit),
        XDG_STATE_HOME: cwd,
        XDG_CONFIG_HOME: cwd,
      },
    });
    try {
      await cluster.printed("Ctrl-C ends everything.");
      const { stdout } = cluster.output;
      const page = /ws:\/\/(\S+)acp/.exec(stdout)?.[1] ?? "";
      const pidOf = (name: string) => Number(new RegExp(`^${name} pid (\\d+)`, "m").exec(stdout)?.[1]);
      // The balancer gives the first client to gateway a, and the second one to gateway b.
      const ann = await (await clientAt(`http://${page}`)).newSession({ cwd });
      await ann.prompt("first").ended;
      const bob = await attached(await clientAt(`http://${page}`), ann.id, cwd);
      const turn = bob.prompt("wait");
      await expect.poll(() => said(bob).at(-1)).toBe("agent: Begun.");
      process.kill(pidOf("gateway a"), "SIGKILL");
      process.kill(pidOf("broker n1"), "SIGKILL");
      const end = await turn.ended.catch((error: unknown) => ({ error }));
      expect(end, cluster.output.stderr).toHaveProperty("error");
      expect((await bob.prompt("second").ended).error).toBeUndefined();
      const cem = await attached(await clientAt(`http://${page}`), ann.id, cwd);
      const whole = [
        "user: first",
        "agent: Heard first.",
        "user: wait",
        "agent: Begun.",
        "user: second",
        "agent: Heard second.",
      ];
      for (const session of [bob, cem]) expect(said(session)).toEqual(whole);
      // defect N69: a session begins with the first command of the README.
      const readme = await readFile(new URL("README.md", example), "utf8");
      const [, typed = ""] =
        /^turnkit --url ws:\/\/127\.0\.0\.1:PORT\/acp (.+?) +# a session begins/m.exec(readme) ?? [];
      const words = ["--url", `ws://${page}acp`, ...typed.split(" ").map((word) => word.replaceAll('"', ""))];
      const first = await runProgram([...turnkit, ...words], {
        cwd,
        env: { TURNKIT_TOKEN: token, XDG_STATE_HOME: cwd },
      });
      expect(first, first.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("Heard /help.") });
    } finally {
      cluster.kill("SIGTERM");
      await cluster.ended;
    }
    expect((await cluster.ended).code).toBe(0);
  }, 90_000);

  it("NATS-11 the files for Docker name options that turnkit has, and settings that nats-server reads", async () => {
    const cwd = await createFolder();
    const compose = await readFile(new URL("compose.yaml", example), "utf8");
    const [, list = ""] = /^ {2}command:\n((?: {4}- .*\n)+)/m.exec(compose) ?? [];
    const words = [...list.matchAll(/^ {4}- (.*)$/gm)].map(([, word = ""]) => word);
    expect(words).toContain("--replicas=3");
    const near = words.map((word) => (word.startsWith("--nats=") ? "--nats=nats://127.0.0.1:1" : word));
    const env = { XDG_STATE_HOME: cwd, XDG_CONFIG_HOME: cwd };
    // The command line is read before the servers are looked for.
    const { code, stderr } = await runProgram([...turnkit, ...near], { cwd, env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("127.0.0.1:1 cannot be reached") });
    const settings = await readFile(new URL("nats.conf", example), "utf8");
    expect(settings).toContain("sync_interval: always");
    // Version 2.9 does not know this setting.
    await writeFile(join(cwd, "nats.conf"), settings.replace("sync_interval: always", ""));
    expect((await runProgram(["nats-server", "-t", "-c", join(cwd, "nats.conf")], { cwd })).code).toBe(0);
  }, 30_000);
});
