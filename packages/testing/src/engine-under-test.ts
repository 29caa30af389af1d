import type { Channel } from "@turnkit/transport";
import type { LoggedSession, LogUnderTest, LogWriterUnderTest } from "./log-under-test.js";

/** Contract of `Ownership` of `@turnkit/gateway`. */
export interface OwnershipUnderTest extends LogWriterUnderTest {
  readonly lost: Promise<void>;
  renew(): Promise<void>;
  onConnect(handler: (channel: Channel) => void): void;
}

/** Contract of `Engine` of `@turnkit/gateway`. */
export interface EngineUnderTest extends LogUnderTest {
  readonly ttlMs: number;
  open(sessionId: string, info?: LoggedSession): Promise<OwnershipUnderTest>;
  connect(sessionId: string): Promise<Channel>;
}

/** Engine to test. Each test case needs its own empty storage. */
export type EngineSubject = {
  readonly engine: EngineUnderTest;
  /** Second engine on the same storage, as another gateway would open it. If there is none, pass the same engine. */
  readonly other: EngineUnderTest;
  /** Lets time pass, in milliseconds: on a manual clock, or in reality. */
  readonly pass: (ms: number) => Promise<void>;
};

/** Test case for one promise of every engine. `run` needs its own empty storage, and rejects with an `ExpectationError`. */
export type EngineCase = { readonly title: string; run(subject: EngineSubject): Promise<void> };
