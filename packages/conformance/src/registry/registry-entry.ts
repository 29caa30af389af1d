import type { OpenAgent } from "../agent/agent-pipe.js";
import { AgentTrial } from "../agent/agent-trial.js";
import { TurnEnds } from "../agent/turn-ends.js";
import { dialects } from "../dialects/dialects.js";
import { type Entry, type Frame, membersOf, objectsIn, textOf } from "../entry.js";
import { defaultPrompts } from "../prompts.js";
import { createRandom } from "../random.js";
import { skip } from "../verdict.js";

/** Entry of a registry, with information about its program. */
export type RegistrySource = {
  /** Content of `agent.json`. */
  readonly manifest: unknown;
  /** Content of the `package.json` of its npm package. */
  readonly packageFile?: unknown;
  /** Starts the agent of the entry. Without it, the checks of the running agent are skipped. */
  readonly open?: OpenAgent;
  /** Longest wait for `initialize`, in milliseconds. Registries wait 120 s. @defaultValue 120 000 */
  readonly timeoutMs?: number;
};

/** One conversation with the agent: `initialize`, and then the end of its input. */
export type Meeting = {
  readonly trial: AgentTrial;
  /** Answer to `initialize`, if it came in time. */
  readonly answer: Entry | undefined;
  /** `true` if the output of the agent ended in time after its input. */
  readonly ended: boolean;
};

/** Milliseconds in which an agent has to end after its input. */
const END_MS = 5_000;

/** Entry of a registry that is checked. */
export class RegistryEntry {
  readonly source: RegistrySource;
  readonly manifest: Frame;
  #meeting: Promise<Meeting> | undefined;

  constructor(source: RegistrySource) {
    this.source = source;
    this.manifest = membersOf(source.manifest);
  }

  /** Members of a kind of distribution: `binary`, `npx` or `uvx`. */
  distribution(kind: "binary" | "npx" | "uvx"): Frame | undefined {
    const { [kind]: found } = membersOf(this.manifest.distribution);
    return found === undefined ? undefined : membersOf(found);
  }

  /** Builds, with the names of their platforms. */
  get builds(): readonly (readonly [platform: string, build: Frame])[] {
    return Object.entries(this.distribution("binary") ?? {}).map(([name, build]) => [name, membersOf(build)]);
  }

  /** Packages of npm and PyPI, as they are written in the entry. */
  get packages(): readonly string[] {
    return objectsIn([this.distribution("npx"), this.distribution("uvx")]).map((one) => textOf(one.package ?? ""));
  }

  /** Content of `package.json`. Skips the check without one. */
  get packageFile(): Frame {
    const { packageFile } = this.source;
    return packageFile === undefined
      ? skip("The entry has no npm package that could be read.")
      : membersOf(packageFile);
  }

  /** The only conversation of all checks. Skips the check if the agent cannot be started here. */
  meet(): Promise<Meeting> {
    this.#meeting ??= this.#met();
    return this.#meeting;
  }

  async #met(): Promise<Meeting> {
    const { open, timeoutMs = 120_000 } = this.source;
    if (open === undefined) return skip("The agent cannot be started here. Give its command after --.");
    const trial = new AgentTrial(await open(), {
      ...{ dialect: dialects.v1, cwd: "/", timeoutMs, profile: "silent" },
      ...{ prompts: defaultPrompts, random: createRandom(1), turnEnds: new TurnEnds() },
    });
    try {
      const request = trial.begin("initialize", dialects.v1.hello(["terminalLogin"]));
      const answer = await trial.talk.when((entry) => entry.request === request, { ms: timeoutMs });
      return { trial, answer, ended: await trial.line.end(Math.min(END_MS, timeoutMs)) };
    } finally {
      await trial.close();
    }
  }
}
