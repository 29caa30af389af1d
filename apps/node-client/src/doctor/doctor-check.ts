export type Finding = {
  /** `problem`: the agent breaks the protocol, or clients fail with it. `hint`: the agent could do better. */
  readonly severity: "problem" | "hint";
  readonly seen: string;
  readonly advice?: string;
  /** Pages of the protocol with the rule. */
  readonly pages?: readonly string[];
  /** Messages that show the fault, as lines. */
  readonly messages?: readonly string[];
};

export type DoctorCheck = { readonly id: string; readonly title: string } & (
  | { readonly result: "fine" }
  | { readonly result: "untested"; readonly reason?: string }
  | ({ readonly result: "finding" } & Finding)
);
