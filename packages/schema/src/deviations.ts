/**
 * Deviation from the catalogue of requirements. The catalogue requires that a value is dropped or changed, and turnkit keeps
 * the value.
 */
export type Deviation = {
  /** Id of the row. */
  readonly id: string;
  /** Id of the requirement. */
  readonly requirement: string;
  /** Behaviour of turnkit. */
  readonly what: string;
  /** Reason for the behaviour. */
  readonly reason: string;
  /** Test of the behaviour, as the file in this package, a colon, and the title. */
  readonly test: string;
};

/**
 * All deviations. They concern received messages only, because sent messages have closed types. The validator notes
 * every such value in `unrecognized` or `salvaged`, so a check of outgoing messages can refuse it.
 */
export const deviations: readonly Deviation[] = [
  {
    id: "v1-unknown-update",
    requirement: "V1-LEN-10",
    what: "A session/update of an unknown variant is valid and stays unchanged.",
    reason:
      "A proxy or a store must not lose updates of newer peers, and a user interface can show that there was an update.",
    test: "src/v1/update.test.ts: keeps an update of an unknown variant as it came",
  },
  {
    id: "v1-unknown-content-block",
    requirement: "V1-CONT-09",
    what: "A content block of an unknown type in a message of the agent stays unchanged.",
    reason: "Otherwise a block of a new type would invalidate its whole message chunk or tool call.",
    test: "src/v1/content.test.ts: keeps a block of an unknown type where the agent speaks",
  },
  {
    id: "v1-unknown-tool-call-content",
    requirement: "V1-LEN-10",
    what: "Tool call content of an unknown type stays in its list unchanged.",
    reason: "The list replaces the earlier list, so a dropped element would be lost without a trace.",
    test: "src/v1/tool-call.test.ts: keeps content of an unknown type",
  },
  {
    id: "v1-unknown-tool-kind",
    requirement: "V1-LEN-06",
    what: "An unknown tool kind stays a string. A user interface shows it as `other`.",
    reason: "Only the display needs a fallback, and forwarding must not change the value.",
    test: "src/v1/tool-call.test.ts: keeps an unknown kind and an unknown status as strings",
  },
  {
    id: "v1-unknown-tool-status",
    requirement: "V1-LEN-06",
    what: "An unknown tool status stays a string. Its reader treats it as `pending` or as unchanged.",
    reason: "The fallback depends on the earlier status, which a validator does not have.",
    test: "src/v1/tool-call.test.ts: keeps an unknown kind and an unknown status as strings",
  },
  {
    id: "v2-untyped-command",
    requirement: "V2-DEC-04",
    what: "A command without a `type` is not dropped from its list. Its type is `command`, and the type of its input is `text`.",
    reason: "Agents of older drafts send no type (V2-CMD-04), and would seem to have no commands at all.",
    test: "src/v2/command.test.ts: takes a command without a type for a `command`, and its input for `text`",
  },
  {
    id: "v2-malformed-capabilities",
    requirement: "V2-DEC-01",
    what: "Malformed `capabilities` of a tool call or terminal become null, not absent.",
    reason: "Absent capabilities would keep controls that the agent may have removed (V2-DEC-11).",
    test: "src/v2/tool-call.test.ts: reads malformed capabilities as null, which takes the controls away",
  },
  {
    id: "v2-unknown-variant-meta",
    requirement: "V2-DEC-01",
    what: "Malformed `_meta` of an unknown variant stays unchanged.",
    reason: "Such an object is stored whole for forwarding (V2-DEC-07), so no member is corrected.",
    test: "src/v2/update.test.ts: keeps an unknown variant whole, malformed `_meta` included",
  },
];
