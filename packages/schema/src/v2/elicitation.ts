import { elicitationId, elicitationSessionScope } from "../both/elicitation.js";
import {
  exactlyOne,
  extend,
  type Infer,
  nullable,
  object,
  openVariants,
  optional,
  record,
  type Schema,
  string,
  unknown,
} from "../vocabulary.js";
import { requestId } from "./cancel.js";
import { elicitationSchema } from "./elicitation-schema.js";

const elicitationRequestScope_ = object({
  /** Request of the client to which the elicitation belongs. An example is a login before there is any session. */
  requestId,
});
/** Scope of an elicitation that belongs to a request. */
export interface ElicitationRequestScope extends Infer<typeof elicitationRequestScope_> {}
/** Validates an {@link ElicitationRequestScope}. */
export const elicitationRequestScope: Schema<ElicitationRequestScope> = elicitationRequestScope_;

const formFields = {
  /** Form to show. */
  requestedSchema: elicitationSchema,
};
const urlFields = {
  /** Id of the elicitation, for `elicitation/complete`. */
  elicitationId,
  /** URL to open after the user has agreed. */
  url: string(),
};

const elicitationFormMode_ = exactlyOne({
  sessionId: extend(elicitationSessionScope, formFields),
  requestId: extend(elicitationRequestScope_, formFields),
});
/** Members of an elicitation with a form, except its text. */
export type ElicitationFormMode = Infer<typeof elicitationFormMode_> | never;
/** Validates an {@link ElicitationFormMode}. */
export const elicitationFormMode: Schema<ElicitationFormMode> = elicitationFormMode_;

const elicitationUrlMode_ = exactlyOne({
  sessionId: extend(elicitationSessionScope, urlFields),
  requestId: extend(elicitationRequestScope_, urlFields),
});
/** Members of an elicitation with a URL, except its text. */
export type ElicitationUrlMode = Infer<typeof elicitationUrlMode_> | never;
/** Validates an {@link ElicitationUrlMode}. */
export const elicitationUrlMode: Schema<ElicitationUrlMode> = elicitationUrlMode_;

const message = {
  /** Text for the user. */
  message: string(),
};
const inSession_ = extend(elicitationSessionScope, message);
const inRequest_ = extend(elicitationRequestScope_, message);
const createElicitationRequest_ = openVariants(
  "mode",
  {
    form: exactlyOne({ sessionId: extend(inSession_, formFields), requestId: extend(inRequest_, formFields) }),
    url: exactlyOne({ sessionId: extend(inSession_, urlFields), requestId: extend(inRequest_, urlFields) }),
  },
  { other: exactlyOne({ sessionId: inSession_, requestId: inRequest_ }) },
);
// V2-ELI-01, V2-ELI-02, V2-ELI-03
/**
 * Params of `elicitation/create`, with which the agent asks the user. The elicitation belongs to a session or a
 * request. The client refuses modes that it did not advertise. It must not show an unknown mode like these.
 */
export type CreateElicitationRequest = Infer<typeof createElicitationRequest_> | never;
/** Validates a {@link CreateElicitationRequest}. */
export const createElicitationRequest: Schema<CreateElicitationRequest> = createElicitationRequest_;

/**
 * Value of one field of a form: a text, a number, a boolean, or several texts. The value of a field of another type may
 * be any JSON.
 */
export type ElicitationContentValue =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [member: string]: unknown };
/** Validates an {@link ElicitationContentValue}. Any JSON is valid. */
export const elicitationContentValue: Schema<ElicitationContentValue> = unknown() as Schema<ElicitationContentValue>;

const elicitationAcceptAction_ = object({
  /** Values by field. For a URL they are usually absent, because the answer only allows the client to open it. */
  content: optional(nullable(record(elicitationContentValue))),
});
/** Answer in which the user accepts. */
export interface ElicitationAcceptAction extends Infer<typeof elicitationAcceptAction_> {}
/** Validates an {@link ElicitationAcceptAction}. */
export const elicitationAcceptAction: Schema<ElicitationAcceptAction> = elicitationAcceptAction_;

const nothing_ = object({});
const createElicitationResponse_ = openVariants("action", {
  accept: elicitationAcceptAction,
  decline: nothing_,
  cancel: nothing_,
});
// V2-ELI-05
/** Result of `elicitation/create`. An unknown action counts as `cancel`. */
export type CreateElicitationResponse = Infer<typeof createElicitationResponse_> | never;
/** Validates a {@link CreateElicitationResponse}. */
export const createElicitationResponse: Schema<CreateElicitationResponse> = createElicitationResponse_;
