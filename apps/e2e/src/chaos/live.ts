import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { allowOnce, type Client, type Session, type Turn } from "@turnkit/client";
import { launchWith } from "@turnkit/client/node";
import type { Dialect } from "@turnkit/testing";
import { only } from "../kit/only.js";
import { promptOf } from "./answer.js";
import { note, readLedger } from "./ledger.js";
import type { Life } from "./plan.js";
import { createWire } from "./wire.js";

/** A life, and where it takes place. */
export type Scene = {
  readonly life: Life;
  readonly dialect: Dialect;
  readonly folder: string;
  readonly ledger: string;
  /** The built agent. */
  readonly agent: string;
  /** This process is the client that is to be killed. */
  readonly dies: boolean;
};

/** By then every promise of the client has to be settled, on a machine that has much else to do. */
export const boundMs = 20_000;

/** A wire that loses frames may lose an answer; it is broken when nothing passed for so long. */
const patienceMs = 1_200;

/** Plays a client, up to its end or its agent's; afterwards nothing of it is open. Notes what it knows, and what hangs. */
export async function live(scene: Scene, look: (session: Session) => void = () => {}): Promise<void> {
  const { life, ledger } = scene;
  const talk = new Talk(scene);
  const finished = talk.run(look).then(
    () => talk.expectSuccess(undefined),
    (error: unknown) => talk.expectSuccess(error),
  );
  if (life.lossy) {
    await Promise.race([finished, talk.silence()]);
    talk.cut();
  }
  await within(finished, "the talk", ledger);
  await talk.end();
}

/** Notes a hang and goes on if a promise does not settle in time. Rejections are ignored. */
async function within(promise: Promise<unknown>, name: string, ledger: string): Promise<void> {
  const timer = new AbortController();
  const late = delay(boundMs, true, { signal: timer.signal, ref: true }).catch(() => false);
  const settled = promise.then(
    () => false,
    () => false,
  );
  if (await Promise.race([settled, late])) note(ledger, { hang: name });
  timer.abort();
}

class Talk {
  readonly #scene: Scene;
  readonly #wire;
  readonly #open: [string, Promise<unknown>][] = [];
  #client: Client | undefined;
  #lastFrame = performance.now();

  constructor(scene: Scene) {
    this.#scene = scene;
    const { life, dies } = scene;
    this.#wire = createWire(life, (frame) => {
      this.#lastFrame = performance.now();
      if (frame !== life.atFrame) return;
      const pid = this.#wire.agentPid();
      if ((life.victim === "agent" || life.victim === "both") && pid !== undefined) kill(pid);
      if (dies) kill(process.pid);
    });
  }

  cut(): void {
    this.#wire.cut();
  }

  /** Settles when nothing passed for a while. */
  async silence(): Promise<void> {
    while (performance.now() - this.#lastFrame < patienceMs) await delay(100);
  }

  async run(look: (session: Session) => void): Promise<void> {
    const { life, ledger, agent, folder, dialect } = this.#scene;
    const dieAt = life.victim === "agent itself" ? life.atFrame : 0;
    const child = life.stubbornChild ? "trap '' TERM; sleep 600; sleep 600" : "sleep 600";
    const command = [process.execPath, agent, folder, ledger, String(dieAt), child] as const;
    this.#client = await this.#watch(
      "launch",
      launchWith(only(dialect), [...command], {
        info: { name: "chaos", version: "1.0.0" },
        permissions: allowOnce,
        wrapChannel: this.#wire.through,
        graceMs: 500,
      }),
    );
    const session = await this.#session(this.#client);
    look(session);
    for (let turn = 0; turn < life.turns; turn++) await this.#turn(session, life.cancelled.includes(turn));
  }

  /** Notes a failure where no process was killed and no message got lost. */
  expectSuccess(error: unknown): void {
    const { life, ledger } = this.#scene;
    if (error !== undefined && life.victim === "nobody" && !life.lossy) note(ledger, { failure: String(error) });
  }

  async end(): Promise<void> {
    const { ledger } = this.#scene;
    if (this.#client) {
      this.#open.push(["client.close()", this.#client.close()], ["client.closed", this.#client.closed]);
    }
    await Promise.all(this.#open.map(([name, promise]) => within(promise, name, ledger)));
  }

  async #session(client: Client): Promise<Session> {
    const { ledger, folder, life } = this.#scene;
    const { sessionId } = readLedger(ledger);
    if (sessionId === undefined) {
      const session = await this.#watch("newSession", client.newSession({ cwd: folder }));
      // A garbled id is nobody's, also one that is the end of the true one: it cannot be asked for again.
      const isStored = readdirSync(folder).includes(`s-${session.id}`);
      if (life.lossy && !isStored) throw new Error("The id of the session was garbled.");
      note(ledger, { sessionId: session.id });
      return session;
    }
    const outcome = await this.#watch("restore", client.restore(sessionId, { cwd: folder }));
    if (outcome.status === "replayed") return outcome.session;
    const why = outcome.status === "unavailable" ? `${outcome.reason}: ${outcome.error.message}` : outcome.status;
    // A lost session is a lost turn: only a broken wire or a killed process may be the reason, of this life.
    if (!life.lossy && life.victim === "nobody") note(ledger, { failure: `restore of ${sessionId}: ${why}` });
    throw new Error(why);
  }

  async #turn(session: Session, isCancelled: boolean): Promise<void> {
    const { ledger } = this.#scene;
    const number = readLedger(ledger).next;
    note(ledger, { sent: number });
    const turn: Turn = session.prompt(promptOf(number));
    void this.#watch("turn.accepted", turn.accepted);
    if (isCancelled) void turn.accepted.then(() => this.#watch("turn.cancel()", turn.cancel()).catch(() => {}));
    const { stopReason, agentConfirmed } = await this.#watch("turn.ended", turn.ended);
    if (stopReason === "end_turn" && agentConfirmed) note(ledger, { acknowledged: number });
  }

  #watch<T>(name: string, promise: Promise<T>): Promise<T> {
    this.#open.push([name, promise]);
    return promise;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Somebody was faster.
  }
}
