import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { checkRegistryEntry } from "../src/index.js";
import { runProgram } from "../src/node/run-program.js";
import { registryChecks } from "../src/registry/registry-checks.js";
import type { ModelAgent } from "./model/model-agent.js";
import { correctAgent } from "./model/model-sessions.js";

type Loose = Record<string, unknown>;
type Fault = {
  /** Id of the check that has to fail, and of others that look at the same. */
  readonly checks: readonly string[];
  readonly what: string;
  readonly entry?: Loose;
  readonly packageFile?: Loose;
  readonly alter?: (agent: ModelAgent) => void;
};

const correct = {
  ...{ id: "mine", name: "Mine", version: "1.2.3", description: "An agent" },
  license_url: "https://example.org/license",
  distribution: {
    npx: { package: "@mine/agent@1.2.3", args: ["--acp"] },
    binary: { "linux-x86_64": { archive: "https://example.org/v1.2.3/agent.tar.gz", cmd: "./agent" } },
  },
};
const correctPackage = {
  name: "@mine/agent",
  version: "1.2.3",
  bin: { agent: "main.js" },
  scripts: { test: "vitest" },
};
const npx = (name: string, more = {}) => ({ distribution: { npx: { package: name, ...more } } });
const build = (platform: string, archive: string) => ({
  distribution: { binary: { [platform]: { archive, cmd: "./agent" } } },
});
const logins =
  (...authMethods: unknown[]) =>
  (agent: ModelAgent) =>
    agent.result("initialize", (result) => ({ ...result, authMethods }));

const faults: readonly Fault[] = [
  { checks: ["TKG-FORM-01"], what: "has an id in capitals", entry: { id: "Mine" } },
  { checks: ["TKG-FORM-01"], what: "has no description", entry: { description: undefined } },
  { checks: ["TKG-FORM-02"], what: "links to no license", entry: { license_url: "MIT" } },
  { checks: ["TKG-DIST-01"], what: "has no distribution", entry: { distribution: {} } },
  {
    checks: ["TKG-DIST-01"],
    what: "has a platform that does not exist",
    entry: build("beos-x86", "https://a.org/a.zip"),
  },
  { checks: ["TKG-DIST-02"], what: "has an installer", entry: build("darwin-aarch64", "https://a.org/a.dmg") },
  { checks: ["TKG-DIST-03"], what: "names the latest package", entry: npx("@mine/agent@latest") },
  { checks: ["TKG-DIST-03"], what: "names no version of its package", entry: npx("@mine/agent") },
  {
    checks: ["TKG-DIST-03"],
    what: "has an archive of another version",
    entry: build("linux-x86_64", "https://a.org/v1.2.2/a.zip"),
  },
  { checks: ["TKG-PACKAGE-01"], what: "has a package without an executable", packageFile: { bin: undefined } },
  { checks: ["TKG-PACKAGE-01"], what: "names another executable", entry: npx("@mine/agent@1.2.3", { cmd: "other" }) },
  {
    checks: ["TKG-PACKAGE-02"],
    what: "runs a script when it is installed",
    packageFile: { scripts: { postinstall: "node a.js" } },
  },
  {
    checks: ["TKG-START-01"],
    what: "does not answer initialize in time",
    alter: (agent) => agent.result("initialize", () => new Promise(() => {})),
  },
  { checks: ["TKG-AUTH-01"], what: "offers no login", alter: logins() },
  {
    checks: ["TKG-AUTH-01"],
    what: "offers only a login of its own kind",
    alter: logins({ id: "a", name: "A", type: "_web" }),
  },
  {
    checks: ["TKG-STDOUT-01"],
    what: "prints to stdout",
    alter(agent) {
      logins({ id: "a", name: "A" })(agent);
      agent.result("initialize", (result) => {
        agent.text("Loading skills…\n");
        return result;
      });
    },
  },
];

async function failedBy({ entry, packageFile, alter = logins({ id: "a", name: "A" }) }: Partial<Fault>, pipe = {}) {
  const report = await checkRegistryEntry({
    manifest: { ...correct, ...entry },
    packageFile: { ...correctPackage, ...packageFile },
    open() {
      const agent = correctAgent("v1");
      alter(agent);
      return { ...agent.pipe, ...pipe };
    },
    timeoutMs: 100,
  });
  const failed = report.checks.filter(({ status }) => status === "failed" || status === "error");
  return { failed: failed.map(({ id }) => id), received: failed.map(({ reason }) => reason).join("\n"), report };
}

describe("CONF-01, CONF-09: what registries refuse", () => {
  it("a correct entry passes every check", async () => {
    const { received, report } = await failedBy({});
    expect(received).toBe("");
    expect(report.counts).toMatchObject({ passed: registryChecks.length, skipped: 0 });
  });

  it("each check has a fault that it finds", () => {
    const known = new Set(faults.flatMap(({ checks }) => checks).concat("TKG-EXIT-01"));
    expect(registryChecks.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
  });

  it.each(faults.map((fault) => [fault.checks[0], fault.what, fault] as const))(
    "%s: an entry that %s",
    async (_, _what, fault) => {
      const { failed, received } = await failedBy(fault);
      expect(failed, received).toEqual(fault.checks);
    },
  );

  it("TKG-EXIT-01: an agent that goes on after its stdin", async () => {
    const endless = correctAgent("v1");
    logins({ id: "a", name: "A" })(endless);
    const writer = endless.pipe.writable.getWriter();
    const writable = new WritableStream<Uint8Array>({ write: (bytes) => writer.write(bytes) });
    const { failed } = await failedBy({}, { readable: endless.pipe.readable, writable });
    expect(failed).toEqual(["TKG-EXIT-01"]);
  });

  it("skips the checks of the agent and its package if there is neither", async () => {
    const report = await checkRegistryEntry({ manifest: correct });
    expect(report.counts).toMatchObject({ failed: 0, skipped: 6 });
  });
});

describe("conformance registry", () => {
  const programs = JSON.parse(process.env.TURNKIT_TEST_PROGRAMS ?? "{}") as Record<string, string>;
  const model = programs[resolve(import.meta.dirname, "fixtures/model-main.ts")] as string;

  it("CONF-01: checks a file with a command, and lists its checks", async () => {
    const folder = await mkdtemp(join(tmpdir(), "conformance-registry-"));
    const out: string[] = [];
    const streams = { stdout: (text: string) => void out.push(text), stderr: (text: string) => void out.push(text) };
    try {
      const file = join(folder, "agent.json");
      await writeFile(file, JSON.stringify(correct));
      const code = await runProgram(["registry", file, "--", process.execPath, model, "v1"], streams);
      expect(out.join("")).toContain(
        "✗ TKG-AUTH-01  The agent offers a login by itself or in a terminal.\n    failed: The methods are []",
      );
      expect(out.join("")).toContain("✓ TKG-EXIT-01");
      expect(code).toBe(1);
      expect(await runProgram(["registry"], streams)).toBe(2);
      expect(await runProgram(["list", "registry"], streams)).toBe(0);
      expect(out.at(-1)).toMatch(/^TKG-EXIT-01 {2}mandatory/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
