import { AcpError, type Diagnostic } from "@turnkit/transport";
import type { PermissionAnswer } from "./questions.js";

/** Members of a tool call that its questions use. */
export type QuestionedCall = {
  /** Returns the title of the call for a report. */
  name(): string;
  /** Signal of the turn. After a cancel, nothing is reported. */
  readonly signal: AbortSignal;
  report(message: string, error: undefined, code: Diagnostic["code"]): void;
};

const LOOK = "Look at `allowed` of `requestPermission`, or at the result of `ask`, before the work.";

/** Permission questions of one tool call. The last answer decides whether the call may go on. */
export class CallQuestions {
  readonly #call: QuestionedCall;
  #open = 0;
  #isRefused = false;
  /** True after the first report, because one report for each call is enough. */
  #isReported = false;

  constructor(call: QuestionedCall) {
    this.#call = call;
  }

  /** Asks, and stores whether the answer allows the call. A question that fails does not allow it. */
  async ask(asking: () => Promise<PermissionAnswer>): Promise<PermissionAnswer> {
    this.#open += 1;
    let answer: PermissionAnswer | undefined;
    try {
      answer = await asking();
      return answer;
    } finally {
      this.#open -= 1;
      this.#isRefused = answer?.allowed !== true;
    }
  }

  /** @throws AcpError `state` if the last answer did not allow the call */
  mustAllow(): void {
    if (!this.#isRefused) return;
    this.goesOn();
    const message = `Tool call ${this.#call.name()} was not run, because its question was refused. ${LOOK}`;
    throw new AcpError("state", message);
  }

  /** Reports work during an open question or after a refusal, once for each call. */
  goesOn(): void {
    if (this.#isReported || (this.#open === 0 && !this.#isRefused)) return;
    this.#isReported = true;
    if (this.#call.signal.aborted) return;
    const why = this.#isRefused
      ? `although its question was refused. ${LOOK}`
      : "while its question was open. Await `ask` before the work.";
    this.#call.report(`Tool call ${this.#call.name()} went on ${why}`, undefined, "unfinished");
  }
}
