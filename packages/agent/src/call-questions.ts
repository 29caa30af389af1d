import { AcpError } from "@turnkit/transport";
import type { CallReports } from "./call-reports.js";
import type { PermissionAnswer } from "./questions.js";
import { reportedErrors } from "./thrown-error.js";

const LOOK = "Look at `allowed` of `requestPermission`, or at the result of `ask`, before the work.";

/** Permission questions of one tool call. The last answer decides whether the call may go on. */
export class CallQuestions {
  readonly #reports: CallReports;
  readonly #open = new Set<Promise<PermissionAnswer>>();
  #isRefused = false;
  #isReported = false;

  constructor(reports: CallReports) {
    this.#reports = reports;
  }

  /** Asks, and stores whether the answer allows the call. A question that fails does not allow it. */
  async ask(asking: () => Promise<PermissionAnswer>): Promise<PermissionAnswer> {
    const asked = asking();
    this.#open.add(asked);
    let answer: PermissionAnswer | undefined;
    try {
      answer = await asked;
      return answer;
    } finally {
      this.#open.delete(asked);
      this.#isRefused = answer?.allowed !== true;
    }
  }

  /** Waits for the answers of all open questions. Reports that the handler has not awaited them. Never rejects. */
  async answered(): Promise<void> {
    this.goesOn();
    while (this.isOpen) await Promise.allSettled(this.#open);
  }

  /** True after the first report, because one report for each call is enough. */
  get isReported(): boolean {
    return this.#isReported;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** @throws AcpError `state` if the last answer did not allow the call. The end of the turn ends questions. */
  mustAllow(isOver: boolean): void {
    if (!this.#isRefused) return;
    if (!isOver) this.goesOn();
    const why = isOver
      ? "its turn is over, and so are its questions. Await all work before the prompt handler returns."
      : `its question was refused. ${LOOK}`;
    const error = new AcpError("state", `Tool call ${this.#reports.quotedTitle} was not run, because ${why}`);
    if (this.#isReported) reportedErrors.add(error);
    throw error;
  }

  /** Reports work during an open question or after a refusal, once for each call. */
  goesOn(): void {
    if (this.#isReported || (!this.isOpen && !this.#isRefused)) return;
    this.#isReported = true;
    const refused = `although its question was refused. ${LOOK}`;
    this.#reports.ranWithoutAnswer(
      this.#isRefused ? refused : "while its question was open. Await `ask` before the work.",
    );
  }
}
