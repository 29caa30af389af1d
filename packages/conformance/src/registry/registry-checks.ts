import type { CheckFacts, Observation } from "../check.js";
import { frameOf, membersOf, objectsIn, resultOf, show, textOf } from "../entry.js";
import { expect, expectResult, fail, skip } from "../verdict.js";
import type { RegistryEntry } from "./registry-entry.js";

/** Check of an entry of a registry. */
export type RegistryCheck = Pick<CheckFacts, "id" | "title" | "tier"> & {
  readonly run: (entry: RegistryEntry) => Observation | Promise<Observation>;
};

const platforms = ["darwin", "linux", "windows"].flatMap((system) => [`${system}-aarch64`, `${system}-x86_64`]);
const installers = /\.(?:dmg|pkg|deb|rpm|msi|appimage)$/i;
const hooks = ["preinstall", "install", "postinstall"];

/** Checks of the reasons for which registries refuse an agent. */
// CONF-01
export const registryChecks: readonly RegistryCheck[] = [
  {
    id: "TKG-FORM-01",
    title: "The entry has an id, a name, a version of three numbers and a description.",
    tier: "mandatory",
    run({ manifest: { id, name, version, description } }) {
      expect(/^[a-z][a-z0-9-]*$/.test(textOf(id ?? "")), `the id is ${show(id)}`);
      expect(/^\d+\.\d+\.\d+$/.test(textOf(version ?? "")), `the version is ${show(version)}`);
      const isText = (value: unknown) => typeof value === "string" && value !== "";
      expect(isText(name) && isText(description), "the name or the description is missing");
    },
  },
  {
    id: "TKG-FORM-02",
    title: "The entry links to its license.",
    tier: "mandatory",
    run: ({ manifest: { license_url: address } }) =>
      expect(typeof address === "string" && URL.canParse(address), `license_url is ${show(address)}`),
  },
  {
    id: "TKG-DIST-01",
    title: "The entry has a binary, a package of npm or a package of PyPI, and each one can be started.",
    tier: "mandatory",
    run(entry) {
      expect(entry.builds.length + entry.packages.length > 0, "there is no distribution");
      expect(!entry.packages.includes(""), "a package has no name");
      for (const [platform, { archive, cmd }] of entry.builds) {
        expect(platforms.includes(platform), `${platform} is not a platform`);
        expect(typeof archive === "string" && typeof cmd === "string", `${platform} has no archive or no cmd`);
      }
    },
  },
  {
    id: "TKG-DIST-02",
    title: "An archive is not an installer.",
    tier: "mandatory",
    run({ builds }) {
      const bad = builds.find(([, { archive }]) => installers.test(textOf(archive ?? "")));
      if (bad) fail(`${bad[0]} has ${show(bad[1].archive)}`);
    },
  },
  {
    id: "TKG-DIST-03",
    title: "Packages and addresses name the version of the entry, and never the latest one.",
    tier: "mandatory",
    run({ manifest: { version }, packages, builds }) {
      const latest = builds.find(([, { archive }]) => /\/latest\//.test(textOf(archive ?? "")));
      if (latest) fail(`the archive of ${latest[0]} is the latest one`);
      for (const name of packages) {
        const [, named] = /^.+?(?:@|==)([^@=/]+)$/.exec(name) ?? [];
        expect(named !== undefined && named === version, `the package is ${name}, the version ${show(version)}`);
      }
      for (const [platform, { archive }] of builds) {
        const [, named] = /\/v?(\d+\.\d+\.\d+)\//.exec(textOf(archive ?? "")) ?? [];
        expect(named === undefined || named === version, `${platform} has version ${named}`);
      }
    },
  },
  {
    id: "TKG-PACKAGE-01",
    title: "The npm package has the executable of the entry.",
    tier: "mandatory",
    run(entry) {
      const { bin, name } = entry.packageFile;
      const { cmd } = entry.distribution("npx") ?? {};
      const short = textOf(name ?? "").replace(/^.*\//, "");
      const programs = typeof bin === "string" ? [short] : Object.keys(membersOf(bin));
      expect(programs.length > 0, "the package has no executable");
      const wanted = cmd ?? (programs.length > 1 ? short : programs[0]);
      expect(programs.includes(textOf(wanted)), `the package has ${programs.join(", ")}, and not ${show(wanted)}`);
    },
  },
  {
    id: "TKG-PACKAGE-02",
    title: "The npm package runs nothing when it is installed.",
    tier: "mandatory",
    run({ packageFile }) {
      const found = hooks.filter((hook) => hook in membersOf(packageFile.scripts));
      expect(found.length === 0, `it has the scripts ${found.join(", ")}`);
    },
  },
  {
    id: "TKG-START-01",
    title: "The agent answers initialize within 120 s of its start.",
    tier: "mandatory",
    async run(entry) {
      const { answer, trial } = await entry.meet();
      expect(answer !== undefined, "no answer came", ...trial.talk.of("client"));
      expectResult(answer);
    },
  },
  {
    id: "TKG-AUTH-01",
    title: "The agent offers a login by itself or in a terminal.",
    tier: "mandatory",
    async run(entry) {
      const { answer } = await entry.meet();
      if (answer?.kind !== "result") return skip("initialize was not answered.");
      const methods = objectsIn(resultOf(answer).authMethods);
      // A method without a type belongs to the agent.
      const isUsable = methods.some(({ type = "agent" }) => type === "agent" || type === "terminal");
      expect(isUsable, `the methods are ${show(resultOf(answer).authMethods)}`, answer);
    },
  },
  {
    id: "TKG-STDOUT-01",
    title: "The agent writes nothing but messages to stdout.",
    tier: "mandatory",
    async run(entry) {
      const { trial } = await entry.meet();
      const bad = trial.talk.of("agent").find((one) => one.kind === "other" || frameOf(one).jsonrpc !== "2.0");
      if (bad) fail("this line is not a message", bad);
    },
  },
  {
    id: "TKG-EXIT-01",
    title: "The agent ends when its stdin ends.",
    tier: "mandatory",
    async run(entry) {
      const { ended, trial } = await entry.meet();
      expect(ended, "it still ran 5 s after the end of its stdin", ...trial.talk.entries.slice(-1));
    },
  },
];
