import { type Entry, type Frame, resultOf, textOf } from "../../entry.js";
import { settlesWithin } from "../../patience.js";
import { skip } from "../../verdict.js";
import type { ClientTrial } from "../client-trial.js";
import { SESSION, type Stage, turnScene } from "../scene.js";

/** Scripts of commands, which run as `PROGRAM -e SCRIPT WORDS…`. */
export const scripts = {
  /** Prints its words, one a line, and ends with the exit code 3. */
  words: "for (const word of process.argv.slice(1)) console.log(word); process.exitCode = 3;",
  /** Prints a variable and its folder. */
  place: "console.log(process.env.CONF_NAME); console.log(process.cwd());",
  /** Prints 1000 letters of two bytes. */
  letters: 'process.stdout.write("é".repeat(1000));',
  /** Writes its process id into a file, prints, and goes on. */
  forever:
    'require("fs").writeFileSync(process.argv[1], String(process.pid)); console.log("started"); setInterval(() => {}, 1000);',
} as const;

/** Answers about one command. */
export type Run = {
  readonly created: Entry | undefined;
  readonly wait?: Entry | undefined;
  readonly output?: Entry | undefined;
  readonly others?: readonly (Entry | undefined)[];
  readonly isRunning?: boolean;
};

/** Starts a script. Skips the checks of the scene if there are no terminals. */
async function create({ client }: Stage, name: keyof typeof scripts, words: readonly string[], more: Frame = {}) {
  const { script } = client.folder;
  if (script === undefined) skip("No program for scripts is known.");
  const params = { sessionId: SESSION, command: script, args: ["-e", scripts[name], ...words], ...more };
  return client.ask("terminal/create", params);
}

const use = ({ client }: Stage, verb: string, created: Entry | undefined) =>
  client.ask(`terminal/${verb}`, { sessionId: SESSION, terminalId: textOf(resultOf(created).terminalId) });

/** Words of the first command. */
export const wordsOfFirst = ["a b", "$HOME", "*", 'quote"s'];

/** Commands that end by themselves. */
export const commands = turnScene(
  "commands",
  async (stage): Promise<Readonly<Record<string, Run>>> => {
    const { client } = stage;
    const run = async (name: keyof typeof scripts, words: readonly string[], more?: Frame): Promise<Run> => {
      const created = await create(stage, name, words, more);
      if (created?.kind !== "result") return { created };
      const others = await Promise.all([use(stage, "wait_for_exit", created), use(stage, "wait_for_exit", created)]);
      const output = await use(stage, "output", created);
      return { created, wait: others[0], others, output };
    };
    const words = await run("words", wordsOfFirst);
    if (words.created?.kind !== "result") return { words };
    const { cwd, outside } = client.folder;
    const limited = await run("letters", [], { outputByteLimit: 101 });
    const place = await run("place", [], { env: [{ name: "CONF_NAME", value: "bread" }], cwd });
    const folder = outside.slice(0, outside.lastIndexOf("/"));
    const away: Run = { created: await create(stage, "place", [], { cwd: folder }) };
    const missing: Run = {
      created: await client.ask("terminal/create", { sessionId: SESSION, command: `${cwd}/turnkit-no-program` }),
    };
    const unknown: Run = {
      created: await client.ask("terminal/output", { sessionId: SESSION, terminalId: "conf-no-terminal" }),
    };
    return { words, limited, place, away, missing, unknown };
  },
  { dialects: ["v1"] },
);

const PIDS = "conf-pid";

/** Commands that run until they are ended. */
export const endless = turnScene(
  "an endless command",
  async (stage): Promise<Readonly<Record<string, Run>>> => {
    const { client } = stage;
    const start = async (name: string) => {
      const created = await create(stage, "forever", [`${client.folder.cwd}/${PIDS}-${name}`]);
      return created;
    };
    const killed = await start("killed");
    if (killed?.kind !== "result") return { killed: { created: killed } };
    const output = await use(stage, "output", killed);
    await started(stage, killed);
    await use(stage, "kill", killed);
    const wait = await use(stage, "wait_for_exit", killed);
    const after = await use(stage, "output", killed);
    const released = await start("released");
    await started(stage, released);
    await use(stage, "release", released);
    const afterRelease = await use(stage, "output", released);
    const left = await start("left");
    await started(stage, left);
    return {
      killed: { created: killed, output, wait, others: [after] },
      released: { created: released, output: afterRelease, isRunning: await isRunning(client, "released") },
      left: { created: left },
    };
  },
  { dialects: ["v1"] },
);

/** Waits until a command has printed. */
async function started(stage: Stage, created: Entry | undefined): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    const output = await use(stage, "output", created);
    if (output?.kind !== "result" || textOf(resultOf(output).output).includes("started")) return;
    await settlesWithin(new Promise(() => {}), 20);
  }
}

/** Returns `true` if the process of a command still runs after a short time. */
export async function isRunning(client: ClientTrial, name: string): Promise<boolean> {
  const path = `${client.folder.cwd}/${PIDS}-${name}`;
  for (let round = 0; round < 10; round += 1) {
    if (!(await client.folder.isRunning(path))) return false;
    await settlesWithin(new Promise(() => {}), Math.min(200, client.options.timeoutMs / 10));
  }
  return true;
}

/** Commands by name. */
export type Runs = Readonly<Record<string, Run>>;
