import type { Diagnostic } from "@turnkit/transport";
import { shortened } from "./cut-text.js";
import { unknownMembers } from "./unused-options.js";

/** Maximum length of a title in a report, in characters. */
const MAX_TITLE = 200;

/** Tool call whose mistakes are reported. */
export type ReportedCall = {
  title(): string;
  /** Signal of the turn. After a cancel, changes after the end are expected and not reported. */
  readonly signal: AbortSignal;
  /** Reports a failure that no caller gets as an exception. */
  onFault(message: string, error: unknown, code?: Diagnostic["code"]): void;
};

/** Reports of mistakes in the use of one tool call. Misspelled members and late changes are reported once. */
export class CallReports {
  readonly #call: ReportedCall;
  #isMisspelled = false;
  #isEndReported = false;
  #hasWrongValue = false;

  constructor(call: ReportedCall) {
    this.#call = call;
  }

  /** Title of the call, as JSON. */
  get quotedTitle(): string {
    return JSON.stringify(shortened(this.#call.title(), MAX_TITLE));
  }

  /** Reports an error of the runtime, or of a handler. */
  failed(message: string, error: unknown): void {
    this.#call.onFault(message, error);
  }

  /** Reports a mistake of the agent. Most have no error. */
  mistake(message: string, code: Diagnostic["code"], error?: unknown): void {
    this.#call.onFault(message, error, code);
  }

  /** Reports members of an argument that are unknown. */
  unknown(argument: Parameters<typeof unknownMembers>[0], members: object): void {
    for (const one of unknownMembers(argument, members)) this.mistake(one, "unused_option");
  }

  /** Reports a misspelled member of a change. */
  misspelled(member: string): void {
    if (this.#isMisspelled) return;
    const [mistake] = unknownMembers("update of a tool call", { [member]: true });
    if (mistake === undefined) return;
    this.#isMisspelled = true;
    this.mistake(mistake, "unused_option");
  }

  /** Reports an unknown kind or status, or a relative path, of a change. Only the first is reported. */
  wrongValue(mistake: string): void {
    if (this.#hasWrongValue) return;
    this.#hasWrongValue = true;
    this.mistake(mistake, "unused_option");
  }

  /** Reports a question that was not awaited, or whose answer was not read. */
  ranWithoutAnswer(why: string): void {
    if (!this.#call.signal.aborted) this.mistake(`Tool call ${this.quotedTitle} went on ${why}`, "unfinished");
  }

  /** Reports a change after the final status, unless the end of the call was reported before. */
  late(): undefined {
    if (this.#isEndReported || this.#call.signal.aborted) return;
    this.#isEndReported = true;
    const advice = "Pass the result of a tool to `finish`, or to the option `result` of `run`.";
    this.mistake(
      `A change of tool call ${this.quotedTitle} after its final status was ignored. ${advice}`,
      "late_change",
    );
  }

  /** Reports a call that did not end before its turn. */
  unfinished(): void {
    this.#isEndReported = true;
    if (this.#call.signal.aborted) return;
    const message = `Tool call ${this.quotedTitle} did not end before its turn, and was ended as cancelled.`;
    this.mistake(`${message} Await \`run\`, or call \`finish\` or \`fail\`.`, "unfinished");
  }

  /** Marks the end as reported. Later changes are not reported. */
  endReported(): void {
    this.#isEndReported = true;
  }
}
