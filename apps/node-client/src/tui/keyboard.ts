import { delay, type Interrupts } from "../interrupts.js";
import { createKeyReader, type Key, kittyKeys, pasteMode } from "./model/key.js";

export type KeyboardOptions = {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly interrupts: Pick<Interrupts, "ignoreCtrlC">;
  readonly press: (key: Key) => void;
  /** Called when the terminal reports the row of its cursor. */
  readonly cursorIsAt: (row: number) => void;
};

/** Time after which a suspended program continues if no signal reports it, in milliseconds. */
const RESUME_MS = 200;

/** Time after which Ctrl-C counts for this program again, in milliseconds. */
const HEED_MS = 100;

/** Keyboard of a terminal in raw mode. Other programs can have the terminal for some time. */
export class Keyboard {
  readonly #options: KeyboardOptions;
  readonly #reader: ReturnType<typeof createKeyReader>;
  #knowsKitty = false;
  #isOn = false;
  /** Number of programs that have the terminal. */
  #lent = 0;

  /** Creates a keyboard and reads its keys from now on. */
  constructor(options: KeyboardOptions) {
    this.#options = options;
    this.#reader = createKeyReader(options.press, () => this.#useKitty(), options.cursorIsAt);
    options.stdin.setEncoding("utf8");
    this.#start();
    options.stdout.write(kittyKeys.ask);
  }

  /** Gives the terminal to other programs until `work` settles. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    const heed = this.#options.interrupts.ignoreCtrlC();
    this.#lent += 1;
    this.stop();
    try {
      return await work();
    } finally {
      // The signal of a Ctrl-C that has ended the other program may still be on its way.
      setTimeout(heed, HEED_MS).unref();
      this.#lent -= 1;
      this.#start();
    }
  }

  /** Stops this program, as Ctrl-Z does for other programs. Settles when the shell has continued the program. */
  async suspend(): Promise<void> {
    await this.lend(async () => {
      let resume = () => {};
      const continued = new Promise<void>((resolve) => {
        resume = resolve;
      });
      process.once("SIGCONT", resume);
      // The signal also stops parent programs in the same process group, such as npx.
      process.kill(0, "SIGTSTP");
      // Without a shell that could continue this program, the system does not stop it.
      await Promise.race([continued, delay(RESUME_MS)]);
      process.off("SIGCONT", resume);
    });
  }

  // In the default mode, a terminal collects input in lines.
  #start(): void {
    if (this.#isOn || this.#lent > 0) return;
    this.#isOn = true;
    const { stdin, stdout } = this.#options;
    stdin.setRawMode(true);
    stdin.on("data", this.#reader.read).resume();
    stdout.write(`${pasteMode.on}${this.#knowsKitty ? kittyKeys.on : ""}`);
  }

  /** Gives the terminal back. */
  stop(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    const { stdin, stdout } = this.#options;
    this.#reader.stop();
    stdout.write(`${this.#knowsKitty ? kittyKeys.off : ""}${pasteMode.off}`);
    stdin.off("data", this.#reader.read).pause();
    stdin.setRawMode(false);
  }

  #useKitty(): void {
    if (this.#knowsKitty) return;
    this.#knowsKitty = true;
    if (this.#isOn) this.#options.stdout.write(kittyKeys.on);
  }
}
