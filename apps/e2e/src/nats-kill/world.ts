import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, connectWith, type Session, v2Dialect } from "@turnkit/client";
import { openRemote } from "@turnkit/remote/client";
import { WebSocket } from "ws";
import { isRunning, killed } from "../process/killed.js";
import { runSource } from "../process/source.js";
import { Broker } from "./broker.js";
import { Wire } from "./wire.js";

/** Time of an ownership, in milliseconds. */
export const TTL = 1_500;

/** Client of one gateway, and its session. */
export type Attached = { readonly client: Client; readonly session: Session };

/** Gateway in a process of its own, and its proxy to each broker. */
export class KilledGateway {
  readonly wires: readonly Wire[];
  /** Last messages of processes that ended by themselves. In production, a supervisor starts such processes again. */
  readonly failures: string[] = [];
  readonly #ran: string;
  /** Last messages of the current process. */
  #messages = "";
  #child: ChildProcess | undefined;
  #port: Promise<number> = Promise.resolve(0);

  constructor(wires: readonly Wire[], ran: string) {
    this.wires = wires;
    this.#ran = ran;
  }

  /** Starts the process, unless it runs. */
  run(): void {
    if (this.#child !== undefined && isRunning(this.#child)) return;
    const servers = this.wires.map(({ port }) => `nats://127.0.0.1:${port}`).join(",");
    const [program, ...args] = runSource(new URL("gateway-main.ts", import.meta.url));
    const words = [servers, String(TTL), this.#ran, String(this.wires.length)];
    const child = spawn(program, [...args, ...words], { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    this.#messages = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#messages = (this.#messages + text).slice(-1_000);
    });
    child.once("exit", (code) => {
      if (code) this.failures.push(this.#messages);
    });
    this.#port = once(child.stdout.setEncoding("utf8"), "data").then(([line]) => Number(line));
  }

  kill(): Promise<void> {
    return killed(this.#child);
  }

  /** Asks the process to end, and waits for it. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !isRunning(child)) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }

  /** Attaches to a session, or opens one. Rejects if the gateway does not answer in time. */
  async attach(id?: string): Promise<Attached> {
    this.run();
    const port = await inTime(this.#port, () => `the gateway has not started: ${this.#messages}`);
    const webSocket = (address: string) => new WebSocket(address);
    const options = { webSocket, reconnect: false } as never;
    const channel = await inTime(
      openRemote(`ws://127.0.0.1:${port}/acp`, options),
      () => "the gateway does not answer",
    );
    const client = await connectWith([v2Dialect], channel, { info: { name: "killer", version: "1.0.0" } });
    try {
      if (id === undefined)
        return { client, session: await inTime(client.newSession({ cwd: "/" }), () => "no new session") };
      const outcome = await inTime(client.restore(id, { cwd: "/" }), () => "the session is not restored");
      if (outcome.status === "unavailable") throw outcome.error;
      return { client, session: outcome.session };
    } catch (error) {
      await client.close();
      throw error;
    }
  }
}

/** Two gateways, and their brokers. */
export type World = {
  readonly brokers: readonly Broker[];
  readonly gateways: readonly [KilledGateway, KilledGateway];
  /** File with a line for each prompt that an agent has run. */
  readonly ran: string;
  end(): Promise<void>;
};

/** Starts one broker or three, and two gateways. */
export async function startWorld(folder: string, brokerCount: 1 | 3): Promise<World> {
  const brokers = await Broker.start(folder, brokerCount);
  const ran = join(folder, "ran");
  writeFileSync(ran, "");
  const gateway = async () => {
    const wires = await Promise.all(brokers.map(({ port }) => Wire.to(port)));
    const one = new KilledGateway(wires, ran);
    one.run();
    return one;
  };
  const gateways = [await gateway(), await gateway()] as const;
  return {
    brokers,
    gateways,
    ran,
    async end() {
      await Promise.all([...gateways, ...brokers].map((one) => one.kill()));
      for (const { wires } of gateways) for (const wire of wires) wire.close();
    },
  };
}

/** Bound of one step, in milliseconds. */
const PATIENCE = 15_000;

function inTime<T>(work: Promise<T>, fault: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(fault())), PATIENCE);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
