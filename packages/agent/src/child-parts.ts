import type { BackgroundWork, StateLimits } from "@turnkit/session";
import type { Loss } from "@turnkit/session/codec";
import type { Connection, Diagnostic } from "@turnkit/transport";
import type { Children, ChildTable } from "./children.js";
import type { Driver } from "./driver/driver.js";
import type { SessionOutput } from "./session-output.js";
import type { ToolCall, ToolCallStart } from "./tool-call.js";

/** Session or child session that opens a child session. */
export type ChildOwner = {
  readonly id: string;
  readonly driver: Driver;
  readonly output: SessionOutput;
  readonly children: Children;
  background: readonly BackgroundWork[] | undefined;
  toolCall(start: ToolCallStart): ToolCall;
  relist(): void;
};

/** Parts that the child sessions of one connection share. */
export type ChildParts = {
  readonly connection: Connection;
  readonly limits: Partial<StateLimits>;
  readonly cancelGraceMs: number;
  readonly table: ChildTable;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly lost: (loss: Loss, sessionId: string) => void;
};
