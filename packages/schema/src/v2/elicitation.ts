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
  /** The client's request that the question belongs to, for instance a login before there is any session. */
  requestId,
});
/** Scope of a question that belongs to a request. */
export interface ElicitationRequestScope extends Infer<typeof elicitationRequestScope_> {}
/** Validates an {@link ElicitationRequestScope}. */
export const elicitationRequestScope: Schema<ElicitationRequestScope> = elicitationRequestScope_;

const formFields = {
  /** The form. */
  requestedSchema: elicitationSchema,
};
const urlFields = {
  /** Id of the question, for `elicitation/complete`. */
  elicitationId,
  /** The link to open, after the user has agreed. */
  url: string(),
};

const elicitationFormMode_ = exactlyOne({
  sessionId: extend(elicitationSessionScope, formFields),
  requestId: extend(elicitationRequestScope_, formFields),
});
/** Members of a question by form, besides its text: the form and its scope. */
export type ElicitationFormMode = Infer<typeof elicitationFormMode_> | never;
/** Validates an {@link ElicitationFormMode}. */
export const elicitationFormMode: Schema<ElicitationFormMode> = elicitationFormMode_;

const elicitationUrlMode_ = exactlyOne({
  sessionId: extend(elicitationSessionScope, urlFields),
  requestId: extend(elicitationRequestScope_, urlFields),
});
/** Members of a question by link, besides its text: the link and its scope. */
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
 * Params of `elicitation/create`: the agent asks the user, about a session or a request. The client refuses modes that
 * it did not advertise. It never shows an unknown mode as one of these.
 */
export type CreateElicitationRequest = Infer<typeof createElicitationRequest_> | never;
/** Validates a {@link CreateElicitationRequest}. */
export const createElicitationRequest: Schema<CreateElicitationRequest> = createElicitationRequest_;

/** Answer to one field of a form: text, a number, yes or no, several texts. Fields of other types take any JSON. */
export type ElicitationContentValue =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [member: string]: unknown };
/** Validates an {@link ElicitationContentValue}: it takes all JSON. */
export const elicitationContentValue: Schema<ElicitationContentValue> = unknown() as Schema<ElicitationContentValue>;

const elicitationAcceptAction_ = object({
  /** Answers by field. Usually absent for a link: the answer only allows the client to open it. */
  content: optional(nullable(record(elicitationContentValue))),
});
/** Answer of the user. */
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
/** Result of `elicitation/create`. An unknown action means `cancel`. */
export type CreateElicitationResponse = Infer<typeof createElicitationResponse_> | never;
/** Validates a {@link CreateElicitationResponse}. */
export const createElicitationResponse: Schema<CreateElicitationResponse> = createElicitationResponse_;
