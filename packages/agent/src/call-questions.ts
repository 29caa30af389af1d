import type { PermissionQuestion, SessionState } from "@turnkit/session";
import { AcpError } from "@turnkit/transport";
import type { CallReports } from "./call-reports.js";
import { questionMistake } from "./check-question.js";
import { describeToolCall } from "./described-call.js";
import { defaultPermissionOptions, type PermissionAnswer } from "./questions.js";
import { reportedErrors } from "./thrown-error.js";

const LOOK = "Look at `allowed` of `requestPermission`, or at the result of `ask`, before the work.";

/** Members of a turn or a session that the questions of its tool calls use. */
type Asker = {
  readonly session: { readonly output: { readonly state: SessionState } };
  requestPermission(question: PermissionQuestion): Promise<PermissionAnswer>;
};

/** Name of the method that asks, for reports. */
type QuestionCall = "ask of a tool call" | "requestPermission of a tool call";

/** Permission questions of one tool call. The last answer decides whether the call may go on. */
export class CallQuestions {
  readonly #asker: Asker;
  readonly #callId: string;
  readonly #reports: CallReports;
  readonly #open = new Set<Promise<PermissionAnswer>>();
  #isRefused = false;
  #isReported = false;

  constructor(asker: Asker, callId: string, reports: CallReports) {
    this.#asker = asker;
    this.#callId = callId;
    this.#reports = reports;
  }

  /**
   * Asks, with the title and the state of the call for members that the question lacks. Stores whether the answer
   * allows the call. A question that fails does not allow it.
   */
  async ask(call: QuestionCall, title: string, question: Partial<PermissionQuestion> = {}): Promise<PermissionAnswer> {
    const asked = this.#send(call, title, question);
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

  async #send(call: QuestionCall, title: string, given: Partial<PermissionQuestion>): Promise<PermissionAnswer> {
    const mistake = questionMistake(call, given);
    if (mistake !== undefined) {
      this.#reports.mistake(mistake.message, "handler_failed", mistake.error);
      return { allowed: false };
    }
    this.#reports.unknown(call, given);
    const toolCall = describeToolCall(this.#asker.session.output.state, this.#callId);
    const subject = { type: "tool_call", toolCall } as const;
    return this.#asker.requestPermission({ title, options: defaultPermissionOptions, subject, ...given });
  }
}
